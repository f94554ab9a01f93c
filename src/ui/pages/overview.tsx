/** Overview: is it going well, and what needs somebody? */

import { Page } from "../parts/page.tsx";

export function OverviewPage() {
  return <Page title="Overview">{null}</Page>;
}

/** What only some roles may do: for the others, that theirs may not; a page where it is all of one. */

import type { ComponentChildren } from "preact";
import { OutriderError } from "#client.ts";
import { can } from "../lib/session.ts";
import { Failed, Page } from "./page.tsx";

const FORBIDDEN = {
  type: "permission_error" as const,
  message: "An owner or an admin of the team can give you a role that does.",
};

export function Allowed(props: {
  scope: string;
  /** Of the page that it closes, where there is none round it. */
  title?: string;
  children: ComponentChildren;
}) {
  const { scope, title, children } = props;
  if (can(scope)) {
    return children;
  }
  const refusal = (
    <Failed error={new OutriderError(FORBIDDEN, 403, null)} retry={() => undefined} />
  );
  return title === undefined ? refusal : <Page title={title}>{refusal}</Page>;
}

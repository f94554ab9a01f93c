/** What only some roles may do: for the others, that theirs may not; a page where it is all of one. */

import type { ComponentChildren } from "preact";
import { OutriderError } from "#client.ts";
import { can } from "../lib/session.ts";
import { Failed, Page } from "./page.tsx";

const FORBIDDEN = {
  type: "permission_error" as const,
  message: "Ask an owner or admin of your team to change your role.",
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

/** What only some roles may do: for the others, that theirs may not. */

import type { ComponentChildren } from "preact";
import { ApiError } from "../lib/api.ts";
import { can } from "../lib/session.ts";
import { Failed } from "./page.tsx";

const FORBIDDEN = {
  type: "permission_error",
  message: "An owner or an admin of the team can give you a role that does.",
};

export function Allowed({ scope, children }: { scope: string; children: ComponentChildren }) {
  if (!can(scope)) {
    return <Failed error={new ApiError(403, FORBIDDEN, null)} retry={() => undefined} />;
  }
  return children;
}

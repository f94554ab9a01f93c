/** Records that a webhook may have included in its deliveries. */

import type { ScopeResource } from "./team/api-key.ts";

export const INCLUDES = ["lead", "campaign", "reply.text", "message"] as const;
/** A record that a webhook may have included. */
export type Include = (typeof INCLUDES)[number];

/** Whose `read` scope opens each. */
export const INCLUDE_SCOPES: Readonly<Record<Include, ScopeResource>> = {
  lead: "leads",
  campaign: "campaigns",
  "reply.text": "inbox",
  message: "inbox",
};

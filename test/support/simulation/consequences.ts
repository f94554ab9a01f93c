/** What an email that came back asks for, as the chronicle has it. */

import type { InboundKind } from "#domain/inbox/classify.ts";
import type { ReactionKind } from "#sandbox/settings.ts";
import { type Chronicle, inForce } from "./chronicle.ts";

/** What follows from an email of one lead being of this kind. */
export function recordEffect(
  chronicle: Chronicle,
  kind: ReactionKind | "stranger" | InboundKind,
  { campaign, to, by }: { campaign: string; to: string; by: string },
): void {
  const terms = inForce(chronicle.campaigns.get(campaign), Number.MAX_SAFE_INTEGER);
  switch (kind) {
    case "reply":
    case "interested":
      if (terms?.stopOnReply) {
        chronicle.note("stopped", `${campaign}:${to}`, by);
      }
      if (terms?.stopCompanyOnReply) {
        for (const colleague of colleaguesOf(chronicle, campaign, to)) {
          chronicle.note("stopped", `${campaign}:${colleague}`, by);
        }
      }
      return;
    case "unsubscribe":
    case "complaint":
    case "hard_bounce":
      chronicle.note("suppressed", to, by);
      return;
    default:
  }
}

/** Everybody else of the same company who was in the campaign by then. */
function colleaguesOf(chronicle: Chronicle, campaign: string, address: string): string[] {
  const domain = address.slice(address.indexOf("@"));
  const people = [...(chronicle.people.get(campaign) ?? [])];
  return domain === "@gmail.com"
    ? []
    : people.filter((one) => one.endsWith(domain) && one !== address);
}

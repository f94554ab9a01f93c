/** What of a team's settings stands below its emails. */

import type { ContentInput } from "#domain/sending/message-content.ts";
import type { TeamRow } from "#store/tables/teams.ts";

type FooterSettings = Pick<
  ContentInput,
  "postalAddress" | "footer" | "unsubscribeText" | "language"
>;

export function footerOf(team: TeamRow | undefined): FooterSettings {
  return {
    postalAddress: team?.postalAddress ?? "",
    footer: team?.footer ?? true,
    unsubscribeText: team?.unsubscribeText ?? null,
    language: team?.language ?? "en",
  };
}

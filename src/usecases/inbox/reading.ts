/**
 * What a received mail is, read with what we know of its writer and of whose mailbox it came to: the
 * lead's time zone, so that "back tomorrow" is a day of theirs, and the words that mean interest to the
 * team.
 */

import { type Classification, classify, type OwnSide } from "#domain/inbox/classify.ts";
import type { ParsedMail } from "#domain/inbox/mail.ts";
import type { Environment } from "#environment.ts";
import type { ReceivedMail } from "#platform/ports/mail.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { findTeam } from "#store/team/teams.ts";
import { findMatch } from "./matching.ts";

export function readingOf(
  env: Environment,
  account: AccountRow,
  received: ReceivedMail,
  mail: ParsedMail,
): Classification {
  const words = findTeam(env.db, account.teamId)?.interestWords;
  const own: OwnSide = { addresses: [account.email], receivedAt: received.receivedAt };
  const first = classify(mail, own, words);
  if (first.returnsOn === null) {
    return first;
  }
  const row = findMatch(env, account, { received, mail, reading: first })?.row;
  if (row === undefined) {
    return first;
  }
  const campaign = campaignById(env.db, row.campaignId);
  const zones = {
    ...(row.zone === "" ? {} : { zone: row.zone }),
    ...(campaign === undefined ? {} : { likelyZone: campaign.sendWindow.timezone }),
  };
  return classify(mail, { ...own, ...zones }, words);
}

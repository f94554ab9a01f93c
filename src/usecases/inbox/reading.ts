/**
 * What a received email is, read with what we know of its writer and of whose mailbox it came to: the
 * lead's time zone, so that "back tomorrow" is a day of theirs, and the words that mean interest to the
 * team.
 */

import { type Classification, classify, type OwnSide } from "#domain/inbox/classify.ts";
import type { ParsedMail } from "#domain/inbox/mail.ts";
import { withoutOwnFooter } from "#domain/inbox/own-footer.ts";
import { ownAddresses } from "#domain/mailboxes/account.ts";
import type { Environment } from "#environment.ts";
import type { ReceivedMail } from "#platform/ports/mail.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { messagesOf } from "#store/sending/messages.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { findTeam } from "#store/team/teams.ts";
import { findMatch, type Match } from "./matching.ts";

export function readingOf(
  env: Environment,
  account: AccountRow,
  received: ReceivedMail,
  mail: ParsedMail,
): Classification {
  const words = findTeam(env.db, account.teamId)?.interestWords;
  const own: OwnSide = { addresses: ownAddresses(account), receivedAt: received.receivedAt };
  const first = classify(mail, own, words);
  // What a button says, or a report, is no matter of words.
  const asks = first.optOut && first.feedbackType === null;
  if (first.returnsOn === null && !asks) {
    return first;
  }
  const found = findMatch(env, account, { received, mail, reading: first });
  const row = found?.row;
  const campaign = campaignById(env.db, row?.campaignId ?? null);
  const zones = {
    ...(row === undefined || row.zone === "" ? {} : { zone: row.zone }),
    ...(campaign === undefined ? {} : { likelyZone: campaign.sendWindow.timezone }),
  };
  const text = asks ? withoutOwnFooter(mail.text, sentTexts(env, found)) : mail.text;
  return classify({ ...mail, text }, { ...own, ...zones }, words);
}

/** Of the conversation that an email belongs to. */
function sentTexts(env: Environment, found: Match | undefined): string[] {
  const messages = found?.row === undefined ? [found?.message] : messagesOf(env.db, found.row.id);
  return messages.flatMap((message) => (message === undefined ? [] : [message.text]));
}

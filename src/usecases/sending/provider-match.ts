/** First emails of campaigns whose leads wait for mailboxes at their own provider, checked once that is looked up. */

import { waitsForOthers } from "#domain/sending/barred.ts";
import type { Environment } from "#environment.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { planAccount, storeLedger } from "#store/sending/ledger.ts";
import type { AccountRow, MailDomainRow } from "#store/tables/accounts.ts";
import type { MessageRow } from "#store/tables/messages.ts";

/** Does it matter whose servers the recipient's domain is behind? */
export function isMatched({ db }: Environment, { reserved, campaignId }: MessageRow): boolean {
  const isFirst = reserved.some(({ kind }) => kind === "campaign_new");
  return (
    isFirst && campaignId !== null && campaignById(db, campaignId)?.providerMatching === "only"
  );
}

/** Is the lead another mailbox's, by what is known of its domain now? */
export function isLeftToOthers(
  env: Environment,
  account: AccountRow,
  message: MessageRow,
  { provider }: MailDomainRow,
): boolean {
  const { campaignId } = message;
  if (campaignId === null || !isMatched(env, message)) {
    return false;
  }
  const ledger = storeLedger(env.db, account.teamId);
  return waitsForOthers(ledger, planAccount(account, true), {
    ...{ campaignId, provider, now: env.clock.now() },
  });
}

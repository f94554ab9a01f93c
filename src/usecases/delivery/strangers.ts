/**
 * Emails of a sequence in a Sent folder, to people whom older data doesn't know: they were added since the copy was
 * made. What is kept of one is the message, so that its links, bounces, and replies still mean something, and a mark,
 * so that whoever is added once more isn't written to as if for the first time.
 */

import { domainOf, parseAddress } from "#domain/email-address.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import type { SentMail } from "#platform/ports/mail.ts";
import { sha256 } from "#platform/secrets/crypto.ts";
import { mailsOfMonth } from "#store/billing/limits.ts";
import { campaignsOfAccount } from "#store/campaigns/campaigns.ts";
import { accountById } from "#store/mailboxes/accounts.ts";
import { lastErasure } from "#store/operations/erasure.ts";
import { BLANK_MESSAGE, insertMessage } from "#store/sending/messages.ts";
import { addUsage, foundEmail, usageOf } from "#store/sending/usage.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { monthOf } from "#usecases/events/limits.ts";
import { accountBuckets, type Counted, campaignBuckets } from "./found-limits.ts";

/** Runs inside a commit; `id`: as the link in it names the message. */
export function recordStranger(
  env: Environment,
  account: AccountRow,
  mail: SentMail & { messageId: string },
  id: Id,
): void {
  const { teamId } = account;
  const { messageId, at, to } = mail;
  const email = parseAddress(to[0] ?? "")?.address ?? "";
  const hash = sha256(email);
  const strangers = strangersOf(env, account, domainOf(email));
  const own = accountBuckets(env, account, at, strangers.slice(0, 1));
  addUsage(env.db, [...own, mailsOfMonth(teamId, monthOf(at).month)], 1, at);
  for (const one of strangers) {
    addUsage(env.db, campaignBuckets(env, account, at, one), 1, at);
  }
  addUsage(env.db, [foundEmail(teamId, hash)], 1, env.clock.now());
  const isErased = lastErasure(env.db, teamId, hash) !== undefined;
  insertMessage(env.db, {
    ...BLANK_MESSAGE,
    ...{ id, teamId, accountId: account.id, threadId: id, kind: "manual", status: "sent" },
    ...{ messageId, claimedAt: at, dataAt: at, sentAt: at, attempts: 1, reserved: [] },
    ...{ references: [], text: "", html: "" },
    ...(isErased
      ? { recipient: "", subject: "", recipientHash: hash }
      : { recipient: email, subject: mail.subject }),
  });
}

/**
 * Emails that may have gone out, and of which nothing tells: neither a Sent folder nor what would have been planned. They
 * count against the mailbox's limits and its campaigns' at `at`, as long as there is room. Runs inside a commit.
 */
export function countUntold(env: Environment, id: Id, most: number, at: UnixMs): void {
  const account = accountById(env.db, id);
  if (account === undefined) {
    return;
  }
  const own = accountBuckets(env, account, at, []);
  const used = own.find(({ kind }) => kind === "account_day");
  const room = account.dailyLimit - (used === undefined ? 0 : usageOf(env.db, used));
  const count = Math.min(most, room);
  if (count <= 0) {
    return;
  }
  addUsage(env.db, own, count, at);
  for (const one of strangersOf(env, account, "")) {
    const buckets = campaignBuckets(env, account, at, one);
    const told = buckets.filter(({ kind }) => kind !== "campaign_domain");
    addUsage(env.db, told, count, at);
  }
}

/** Nobody knows of which of the mailbox's campaigns they were: each counts them, as somebody new. */
function strangersOf({ db }: Environment, account: AccountRow, domain: string): Counted[] {
  return campaignsOfAccount(db, account.teamId, account.id).map(({ id: campaignId }) => {
    return { campaignId, placeId: null, domain };
  });
}

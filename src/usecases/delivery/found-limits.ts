/** What an email that was found in a Sent folder takes of the limits that were in force when it was sent. */

import { localDay, localHour } from "#domain/campaigns/local-day.ts";
import { countedAs, UNKNOWN_PROVIDER } from "#domain/mailboxes/mail-provider.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import type { SentMail } from "#platform/ports/mail.ts";
import { mailsOfMonth } from "#store/billing/limits.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { receiverOf } from "#store/mailboxes/mail-domains.ts";
import { addUsage, type Bucket, usageOf } from "#store/sending/usage.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { monthOf } from "#usecases/events/limits.ts";

/** Of whom an email counts against limits. */
export type Counted = Pick<EnrollmentRow, "campaignId" | "placeId" | "domain">;

/** What the claim took of the caps; `row` is the lead's that an email of a sequence went to. */
export function reserve(
  env: Environment,
  account: AccountRow,
  at: UnixMs,
  kind: MessageRow["kind"],
  row: EnrollmentRow | undefined,
): Bucket[] {
  const rows = kind === "step" && row !== undefined ? [row] : [];
  const buckets: Bucket[] = [
    ...accountBuckets(env, account, at, rows),
    ...rows.flatMap((one) => campaignBuckets(env, account, at, one)),
    ...(kind === "placement" ? [] : [mailsOfMonth(account.teamId, monthOf(at).month)]),
  ];
  addUsage(env.db, buckets, 1, at);
  return buckets;
}

/**
 * An email that went out, though nobody knows which of `rows` it was for: it counts against the limits of
 * its mailbox and of each campaign that it may be of, once, however often it is listed.
 */
export function countFound(
  env: Environment,
  account: AccountRow,
  rows: readonly Counted[],
  { messageId, at }: SentMail,
): void {
  const found = { kind: "found_email", owner: account.id, bucket: messageId ?? "" };
  if (usageOf(env.db, found) === 0) {
    const month = mailsOfMonth(account.teamId, monthOf(at).month);
    const campaigns = rows.flatMap((row) => campaignBuckets(env, account, at, row));
    addUsage(env.db, [...accountBuckets(env, account, at, rows), ...campaigns, month], 1, at);
    addUsage(env.db, [found], 1, env.clock.now());
  }
}

/** `rows`: the leads that an email of a sequence may have gone to. */
export function accountBuckets(
  { db }: Environment,
  { id: owner, timezone }: AccountRow,
  at: UnixMs,
  rows: readonly Pick<Counted, "domain">[],
): Bucket[] {
  const { date } = localDay(timezone, at);
  const [receiver, ...others] = new Set(
    rows.map(({ domain }) => countedAs(receiverOf(db, domain))),
  );
  const provider = others.length === 0 ? receiver : UNKNOWN_PROVIDER;
  return [
    { kind: "account_day", owner, bucket: date },
    { kind: "account_hour", owner, bucket: localHour(timezone, at).key },
    ...(provider === undefined
      ? []
      : [{ kind: "account_provider", owner, bucket: `${date}:${provider}` }]),
  ];
}

export function campaignBuckets(
  env: Environment,
  account: AccountRow,
  at: UnixMs,
  { campaignId: owner, placeId, domain }: Counted,
): Bucket[] {
  const campaign = campaignById(env.db, owner);
  const { date } = localDay(campaign?.sendWindow.timezone ?? account.timezone, at);
  return [
    { kind: "campaign_day", owner, bucket: date },
    { kind: "campaign_domain", owner, bucket: `${date}:${domain}` },
    ...(placeId === null ? [{ kind: "campaign_new", owner, bucket: date }] : []),
    // Whether the lead was found to be risky was lost with the rest: it counts as if it was.
    ...(placeId === null && campaign?.riskyAddresses === "spread"
      ? [{ kind: "account_spread", owner: account.id, bucket: localDay("UTC", at).date }]
      : []),
  ];
}

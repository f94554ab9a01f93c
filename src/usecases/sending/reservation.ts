/**
 * Room for an email that a person sends to try something: counted against the mailbox's hour and day, and
 * held by both, as the placement tests are.
 */

import { capFreeAt, useOf } from "#domain/sending/budget.ts";
import { toIso, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { planAccount } from "#store/sending/ledger.ts";
import { addUsage, type Bucket, usageOf } from "#store/sending/usage.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { releaseUsage } from "#usecases/campaigns/recount.ts";

/** Places under caps that the email has taken, or why it has to wait. */
export type Reservation =
  | { kind: "taken"; buckets: Bucket[]; at: UnixMs }
  | { kind: "held"; message: string };

/** Counts the email before it goes out, so that two at once cannot pass a cap. Runs inside a commit. */
export function reserve(env: Environment, account: AccountRow): Reservation {
  const { id: owner } = account;
  const now = env.clock.now();
  const plan = planAccount(account, true);
  const use = useOf(plan, now, (kind, bucket) => usageOf(env.db, { kind, owner, bucket }));
  const free = capFreeAt(plan, use, now);
  if (free !== now) {
    return { kind: "held", message: `not sent: ${heldUntil(free)}` };
  }
  const buckets = [
    { kind: "account_day", owner, bucket: use.day.date },
    { kind: "account_hour", owner, bucket: use.hour.key },
  ];
  addUsage(env.db, buckets, 1, now);
  return { kind: "taken", buckets, at: now };
}

/** The email was certainly not sent. Runs inside a commit. */
export function giveBack(env: Environment, reservation: Reservation): void {
  if (reservation.kind === "taken") {
    releaseUsage(env, reservation.buckets, reservation.at);
  }
}

function heldUntil(free: UnixMs | undefined): string {
  return free === undefined
    ? "the account's limit is 0"
    : `the account can't send again until ${toIso(free)}`;
}

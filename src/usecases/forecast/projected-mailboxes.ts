/** The mailboxes of a projected future: which of them may send, and when each is looked at next. */

import { localDay } from "#domain/campaigns/local-day.ts";
import type { PlanAccount } from "#domain/sending/budget.ts";
import { CLAIMS_A_ROUND } from "#domain/sending/message.ts";
import { earlier, type UnixMs, unixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { testsQueued } from "#store/placement/placement-tests.ts";
import { planAccount } from "#store/sending/ledger.ts";
import type { Bucket } from "#store/sending/usage.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { isSendable } from "#usecases/sending/claim-step.ts";
import type { Sender } from "#usecases/sending/draft.ts";
import { type ProjectedHealth, projectHealth } from "./projected-health.ts";

export interface Mailbox {
  row: AccountRow;
  plan: PlanAccount;
  wakeAt: UnixMs | undefined;
  /** When a probe is to find that it can send. */
  verifiedAt: UnixMs | undefined;
  /** Worked out by its first mail: most questions end before the second mailbox writes. */
  sender: Sender | undefined;
  /** When each of the placement tests that it is to send is due. */
  tests: UnixMs[];
  health: ProjectedHealth;
}

/** An email as the caps know it: what its claim reserved, or when it was claimed or sent. */
interface Counted {
  reserved?: readonly Bucket[];
  claimedAt?: UnixMs;
  at?: UnixMs;
}

export function projectMailbox(env: Environment, row: AccountRow, from: UnixMs): Mailbox {
  return {
    row,
    plan: planAccount(row, isSendable(env, row)),
    wakeAt: row.wakeAt ?? undefined,
    verifiedAt: verifiedAt(env, row),
    sender: undefined,
    tests: testsQueued(env.db, row.id),
    health: projectHealth(env, row, from),
  };
}

/** Nothing fails in a projection, so the next probe of a mailbox that cannot send yet succeeds. */
function verifiedAt(env: Environment, row: AccountRow): UnixMs | undefined {
  const isTried = row.status === "active" || row.status === "error";
  return isTried && !isSendable(env, row) ? (row.probeAt ?? undefined) : undefined;
}

/** The planner sees the mailbox as its health says it is. */
export function followHealth(mailbox: Mailbox): void {
  const { plan, health } = mailbox;
  const sendable = plan.sendable && !health.isPaused();
  mailbox.plan = { ...plan, ...health.standing(), sendable };
}

/** The mailboxes that are due, in the engine's order, as many as it claims in one round. */
export function roundAt(mailboxes: readonly Mailbox[], at: UnixMs): Mailbox[] {
  return mailboxes
    .filter(({ wakeAt }) => wakeAt !== undefined && wakeAt <= at)
    .sort((a, b) => (a.wakeAt ?? 0) - (b.wakeAt ?? 0) || (a.row.id < b.row.id ? -1 : 1))
    .slice(0, CLAIMS_A_ROUND);
}

export function nextWake(mailboxes: readonly Mailbox[]): UnixMs | undefined {
  let next: UnixMs | undefined;
  for (const { wakeAt, verifiedAt: verified, health } of mailboxes) {
    next = earlier(earlier(next, health.nextAt()), earlier(wakeAt, verified));
  }
  return next;
}

/** The day under which the email was counted against its mailbox's cap. */
export function dateCounted({ row }: Mailbox, { reserved = [], claimedAt, at }: Counted): string {
  const bucket = reserved.find(({ kind }) => kind === "account_day")?.bucket;
  return bucket ?? localDay(row.timezone, claimedAt ?? at ?? unixMs(0)).date;
}

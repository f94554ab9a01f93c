/**
 * The upkeep lane: what is nobody's request and no mail: probes of mailboxes in error, copies for Sent
 * folders, the sweeps behind a domain that is suppressed or lifted and behind a change of steps, and
 * forgetting what is past its time.
 */

import { slotOf } from "#domain/campaigns/figures.ts";
import {
  DAY_MS,
  earlier,
  HOUR_MS,
  isAhead,
  isDue,
  MINUTE_MS,
  plus,
  type UnixMs,
} from "#domain/time.ts";
import type { CopyOutcome, Envelope } from "#platform/ports/mail.ts";
import { pruneCheckouts } from "#store/billing/billing.ts";
import { campaignToReschedule } from "#store/campaigns/campaigns.ts";
import { pruneFigures } from "#store/campaigns/figures.ts";
import { pruneAudit } from "#store/events/audit.ts";
import { pruneAnswers } from "#store/events/idempotency.ts";
import { nextLift } from "#store/inbox/effects.ts";
import { pendingSweeps } from "#store/leads/suppressions.ts";
import { accountById, accountsToProbe, nextProbeAt } from "#store/mailboxes/accounts.ts";
import { copiesDue, messageById, nextCopyAt, updateMessage } from "#store/sending/messages.ts";
import { pruneUsage } from "#store/sending/usage.ts";
import { optimize } from "#store/sqlite/database.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { resumeAllWithinPlan } from "#usecases/campaigns/plan-pause.ts";
import { monthOf, rememberTime } from "#usecases/events/limits.ts";
import { resumeLifted } from "#usecases/inbox/undo.ts";
import { markInterrupted, markUntold } from "#usecases/leads/imports.ts";
import { rescheduleLeads } from "#usecases/leads/reschedule.ts";
import { sweepSuppressedDomains } from "#usecases/leads/suppressions.ts";
import { UnreadableCredentials } from "#usecases/mailboxes/credentials.ts";
import { mailboxOf } from "#usecases/mailboxes/mailbox.ts";
import { noteProbe, tryConnections } from "#usecases/mailboxes/probes.ts";
import { envelopeOf } from "#usecases/sending/draft.ts";
import type { World } from "#world.ts";
import { forgetEvents } from "./forget-events.ts";
import { forgetImports } from "./forget-imports.ts";
import type { Lane } from "./lane.ts";

const COPIES_MAX = 16;
const COPY_RETRY_MS = 15 * MINUTE_MS;
/** A copy that could not be made in this time is given up: the mail itself was sent. */
const COPY_MS_MAX = DAY_MS;
const SWEEP_MAX = 500;
const RESCHEDULED_MAX = 100;
const ANSWERS_KEPT_MS = DAY_MS;
const USAGE_KEPT_MS = 8 * DAY_MS;
const MONTHS_KEPT_MS = 400 * DAY_MS;
const FIGURES_KEPT_MS = 800 * DAY_MS;
const CHECKOUTS_KEPT_MS = 7 * DAY_MS;
const AUDIT_PRUNED_MAX = 10_000;
const PRUNE_EVERY_MS = HOUR_MS;

/** `pruneEveryMs`: how often it forgets what is past its time; tests alone ask for another. */
export function upkeepLane(world: World, pruneEveryMs = PRUNE_EVERY_MS): Lane {
  let pruneAt: UnixMs | undefined;
  return {
    name: "upkeep",
    step: async (now) => {
      await markUntold(world);
      await probe(world, now);
      const copies = await copy(world, now);
      const isMore = (await sweep(world)) || copies === COPIES_MAX;
      if (!isAhead(pruneAt, now, pruneEveryMs)) {
        await world.commit(() => {
          pruneAnswers(world.db, plus(world.wall.now(), -ANSWERS_KEPT_MS));
          pruneUsage(world.db, plus(now, -USAGE_KEPT_MS), plus(now, -MONTHS_KEPT_MS));
          pruneFigures(world.db, slotOf(plus(now, -FIGURES_KEPT_MS)));
          pruneCheckouts(world.db, plus(world.wall.now(), -CHECKOUTS_KEPT_MS));
          rememberTime(world);
          forgetAudit(world);
        });
        await forgetEvents(world, now);
        await forgetImports(world, now);
        await world.commit(() => markInterrupted(world));
        optimize(world.db);
        await world.commit(() => resumeAllWithinPlan(world));
        pruneAt = earlier(plus(now, pruneEveryMs), monthOf(now).monthTo);
      }
      if (isMore) {
        return now;
      }
      return earlier(pruneAt, earlier(nextProbeAt(world.db), nextCopyAt(world.db)));
    },
    settled: () => Promise.resolve(),
  };
}

/** One slice of each sweep that is under way; true when there is more. */
async function sweep(world: World): Promise<boolean> {
  const { db } = world;
  const isSuppressing = pendingSweeps(db, 1).length > 0;
  const swept = isSuppressing
    ? await world.commit(() => sweepSuppressedDomains(world, SWEEP_MAX))
    : 0;
  const isLifting = nextLift(db) !== undefined;
  const resumed = isLifting ? await world.commit(() => resumeLifted(world, SWEEP_MAX)) : 0;
  const isRescheduling = campaignToReschedule(db) !== undefined;
  const isMore =
    isRescheduling && (await world.commit(() => rescheduleLeads(world, RESCHEDULED_MAX)));
  return isMore || swept === SWEEP_MAX || resumed === SWEEP_MAX;
}

/** A file that was kept for years under another setting is tidied hour by hour. */
function forgetAudit(world: World): void {
  const { auditKeptMs } = world;
  if (auditKeptMs !== null) {
    pruneAudit(world.db, plus(world.wall.now(), -auditKeptMs), AUDIT_PRUNED_MAX);
  }
}

async function probe(world: World, now: UnixMs): Promise<void> {
  if (!isDue(nextProbeAt(world.db), now)) {
    return;
  }
  const due = accountsToProbe(world.db, now);
  await Promise.all(
    due.map(async (account) => {
      const outcome = await tryConnections(world, account);
      await world.commit(() => noteProbe(world, account, outcome));
    }),
  );
}

/** Puts copies of sent mail where the account's own mail program shows them. Returns how many were due. */
async function copy(world: World, now: UnixMs): Promise<number> {
  if (!isDue(nextCopyAt(world.db), now)) {
    return 0;
  }
  const due = copiesDue(world.db, now, COPIES_MAX);
  const mailboxes = Map.groupBy(due, ({ accountId }) => accountId);
  await Promise.all(
    [...mailboxes].map(([accountId, messages]) => {
      return copyInto(world, accountById(world.db, accountId), messages, now);
    }),
  );
  return due.length;
}

/** One after the other; where the mailbox fails, its other copies wait too and nobody waits for them. */
async function copyInto(
  world: World,
  account: AccountRow | undefined,
  messages: readonly MessageRow[],
  now: UnixMs,
): Promise<void> {
  let works = true;
  for (const { id } of messages) {
    // As it is now: the recipient may have been erased while other copies were made.
    const message = messageById(world.db, id);
    if (message === undefined || message.copyDueAt === null) {
      continue;
    }
    const saved: boolean =
      account === undefined || (works && (await saveCopy(world, account, message)));
    works = saved;
    await world.commit(() => {
      const current = messageById(world.db, id);
      if (current !== undefined && current.copyDueAt !== null) {
        const expired = now - (current.sentAt ?? now) > COPY_MS_MAX;
        const copyDueAt = saved || expired ? null : plus(now, COPY_RETRY_MS);
        updateMessage(world.db, { ...current, copyDueAt });
      }
    });
  }
}

async function saveCopy(world: World, account: AccountRow, message: MessageRow): Promise<boolean> {
  const envelope = await envelopeOf(world, account, message);
  const outcome = await fileCopy(world, account, envelope);
  if (outcome.kind === "failed") {
    world.log.warn("no copy in the Sent folder yet", {
      message: message.id,
      cause: outcome.reason,
    });
  }
  return outcome.kind !== "failed";
}

async function fileCopy(
  world: World,
  account: AccountRow,
  envelope: Envelope,
): Promise<CopyOutcome> {
  try {
    return await world.mail.saveSent(mailboxOf(world, account), envelope);
  } catch (error) {
    if (error instanceof UnreadableCredentials) {
      return { kind: "failed", reason: error.message };
    }
    throw error;
  }
}

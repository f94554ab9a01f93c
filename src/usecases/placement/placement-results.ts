/** What is found out in a placement run, and when it is over. All of it runs inside a commit. */

import { isPending, isUnderWay, totalsOf } from "#domain/placement/placement.ts";
import type { UnixMs } from "#domain/time.ts";
import { runById, updateRun } from "#store/placement/placement-runs.ts";
import { openTestsOf, testsOf, updateTest } from "#store/placement/placement-tests.ts";
import { messageOfTest, updateMessage } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { RunRow, TestRow } from "#store/tables/placement.ts";
import { refreshHealth } from "#usecases/campaigns/health.ts";
import { emit } from "#usecases/events/journal.ts";
import type { World } from "#world.ts";

const ERROR_MAX = 500;

/** Nothing can be said of where this mail would be. What waits to be sent is not sent any more. */
export function failTest(world: World, test: TestRow, why: string): void {
  giveUpMail(world, test, why);
  const error = why.slice(0, ERROR_MAX);
  const testedAt = world.clock.now();
  updateTest(world.db, { ...test, status: "failed", error, dueAt: null, lookAt: null, testedAt });
}

/** It was refused, or came nowhere. */
export function noteUndelivered(world: World, test: TestRow, why: string | null): void {
  updateTest(world.db, {
    ...test,
    status: "done",
    placement: "not_delivered",
    error: why?.slice(0, ERROR_MAX) ?? null,
    testedAt: world.clock.now(),
  });
}

export function cancelTest(world: World, test: TestRow): void {
  giveUpMail(world, test, "the run was cancelled");
  updateTest(world.db, { ...test, status: "cancelled", dueAt: null, lookAt: null });
}

function giveUpMail(world: World, test: TestRow, why: string): void {
  const message = messageOfTest(world.db, test.id);
  if (message?.status === "deferred") {
    updateMessage(world.db, { ...message, status: "cancelled", response: why });
  }
}

/** Fails what is open of an account or a seed, and sums up the runs that it belonged to. */
export function failOpenTests(
  world: World,
  whose: { accountId: Id } | { seedId: Id },
  why: string,
): void {
  const open = openTestsOf(world.db, whose);
  for (const test of open) {
    failTest(world, test, why);
  }
  sumUp(world, new Set(open.map(({ runId }) => runId)));
}

/** Writes the figures of runs after something of them has changed; what is complete ends. */
export function sumUp(world: World, runIds: ReadonlySet<Id>): void {
  for (const id of runIds) {
    const run = runById(world.db, id);
    if (run !== undefined) {
      sumUpRun(world, run);
      refreshAccounts(world, run);
    }
  }
}

/** Where mail arrives is a part of its mailbox's health. */
function refreshAccounts(world: World, { id }: RunRow): void {
  for (const accountId of new Set(testsOf(world.db, id).map((test) => test.accountId))) {
    refreshHealth(world, accountId);
  }
}

function sumUpRun(world: World, run: RunRow): void {
  const tests = testsOf(world.db, run.id);
  const summed = { ...run, ...totalsOf(tests) };
  if (!isUnderWay(run.status) || tests.some(isPending)) {
    // A seed that was mended in time may still tell of a run that seemed lost.
    const isSaved = run.status === "failed" && summed.total > 0;
    updateRun(world.db, isSaved ? { ...summed, status: "completed" } : summed);
    return;
  }
  const status = summed.total === 0 ? "failed" : "completed";
  endRun(world, { ...summed, status }, world.clock.now());
}

/** A run is as old as it may be: what is still not sent is not sent any more. */
export function expireRun(world: World, run: RunRow): void {
  updateRun(world.db, { ...run, dueAt: null });
  for (const test of testsOf(world.db, run.id).filter(({ status }) => status === "waiting")) {
    const why = test.error === null ? "the account's limits were reached" : test.error;
    failTest(world, test, `it could not be sent within a day: ${why}`);
  }
  sumUp(world, new Set([run.id]));
}

/** Ends a run with the figures that it has. */
export function endRun(world: World, run: RunRow, completedAt: UnixMs): RunRow {
  const ended = { ...run, completedAt, dueAt: null };
  updateRun(world.db, ended);
  if (ended.status !== "cancelled") {
    const tests = testsOf(world.db, run.id);
    emit(world, run.teamId, "placement.completed", {
      run_id: run.id,
      trigger_type: run.triggerType,
      status: ended.status,
      account_ids: [...new Set(tests.map(({ accountId }) => accountId))],
      total_tests: ended.total,
      inbox_count: ended.inbox,
      spam_count: ended.spam,
      promotions_count: ended.promotions,
      not_delivered_count: ended.notDelivered,
      failed_count: ended.failed,
      inbox_rate: ended.inboxRate,
    });
  }
  return ended;
}

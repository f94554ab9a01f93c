/** What is found out in a placement run, and when it is over. All of it runs inside a commit. */

import { isPending, isUnderWay, totalsOf } from "#domain/placement/placement.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { runById, updateRun } from "#store/placement/placement-runs.ts";
import { openTestsOf, testsOf, updateTest } from "#store/placement/placement-tests.ts";
import { messageOfTest, updateMessage } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { RunRow, TestRow } from "#store/tables/placement.ts";
import { refreshHealth } from "#usecases/campaigns/health.ts";
import { emit } from "#usecases/events/record.ts";

const ERROR_MAX = 500;

/** Nothing can be said of where this email would be. What waits to be sent is not sent any more. */
export function failTest(env: Environment, test: TestRow, why: string): void {
  giveUpMail(env, test, why);
  const error = why.slice(0, ERROR_MAX);
  const testedAt = env.clock.now();
  updateTest(env.db, { ...test, status: "failed", error, dueAt: null, lookAt: null, testedAt });
}

/** It was refused, or came nowhere. */
export function recordUndelivered(env: Environment, test: TestRow, why: string | null): void {
  updateTest(env.db, {
    ...test,
    status: "done",
    placement: "not_delivered",
    error: why?.slice(0, ERROR_MAX) ?? null,
    testedAt: env.clock.now(),
  });
}

export function cancelTest(env: Environment, test: TestRow): void {
  giveUpMail(env, test, "the run was canceled");
  updateTest(env.db, { ...test, status: "cancelled", dueAt: null, lookAt: null });
}

function giveUpMail(env: Environment, test: TestRow, why: string): void {
  const message = messageOfTest(env.db, test.id);
  if (message?.status === "deferred") {
    updateMessage(env.db, { ...message, status: "cancelled", response: why });
  }
}

/** Fails what is open of an account or a seed, and sums up the runs that it belonged to. */
export function failOpenTests(
  env: Environment,
  whose: { accountId: Id } | { seedId: Id },
  why: string,
): void {
  const open = openTestsOf(env.db, whose);
  for (const test of open) {
    failTest(env, test, why);
  }
  sumUp(env, new Set(open.map(({ runId }) => runId)));
}

/** Writes the figures of runs after something of them has changed; what is complete ends. */
export function sumUp(env: Environment, runIds: ReadonlySet<Id>): void {
  for (const id of runIds) {
    const run = runById(env.db, id);
    if (run !== undefined) {
      sumUpRun(env, run);
      refreshAccounts(env, run);
    }
  }
}

/** Where email arrives is a part of its mailbox's health. */
function refreshAccounts(env: Environment, { id }: RunRow): void {
  for (const accountId of new Set(testsOf(env.db, id).map((test) => test.accountId))) {
    refreshHealth(env, accountId);
  }
}

function sumUpRun(env: Environment, run: RunRow): void {
  const tests = testsOf(env.db, run.id);
  const summed = { ...run, ...totalsOf(tests) };
  if (!isUnderWay(run.status) || tests.some(isPending)) {
    // A seed that was fixed in time may still tell of a run that seemed lost.
    const isSaved = run.status === "failed" && summed.total > 0;
    updateRun(env.db, isSaved ? { ...summed, status: "completed" } : summed);
    return;
  }
  const status = summed.total === 0 ? "failed" : "completed";
  endRun(env, { ...summed, status }, env.clock.now());
}

/** A run is as old as it may be: what is still not sent is not sent any more. */
export function expireRun(env: Environment, run: RunRow): void {
  updateRun(env.db, { ...run, dueAt: null });
  for (const test of testsOf(env.db, run.id).filter(({ status }) => status === "waiting")) {
    const why = test.error === null ? "the account's limits were reached" : test.error;
    failTest(env, test, `it couldn't be sent within a day: ${why}`);
  }
  sumUp(env, new Set([run.id]));
}

/** Ends a run with the figures that it has. */
export function endRun(env: Environment, run: RunRow, completedAt: UnixMs): RunRow {
  const ended = { ...run, completedAt, dueAt: null };
  updateRun(env.db, ended);
  if (ended.status !== "cancelled") {
    const tests = testsOf(env.db, run.id);
    emit(env, run.teamId, "placement.completed", {
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

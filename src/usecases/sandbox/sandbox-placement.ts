/** Deciding where a simulated provider puts a test email, in place of the provider. */

import { isPending, type Placement } from "#domain/placement/placement.ts";
import { conflict, invalid } from "#domain/problem.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { replace } from "#sandbox/seeds.ts";
import { testsOf, updateTest } from "#store/placement/placement-tests.ts";
import { sandboxMessageByHeader } from "#store/sandbox/sandbox.ts";
import { askForPlacement } from "#store/sandbox/sandbox-placements.ts";
import { messageOfTest } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { TestRow } from "#store/tables/placement.ts";
import { audit } from "#usecases/events/record.ts";
import { requireRun } from "#usecases/placement/placement-runs.ts";
import { requireSeed } from "#usecases/placement/placement-seeds.ts";

export interface PlacementInjection {
  runId: Id;
  seedId: Id;
  /** May be left out where the run has one account only. */
  accountId?: Id;
  placement: Placement;
}

/**
 * The email of one test of a run ends there: when it is sent, or, where it has been sent and not been
 * found yet, now. Throws `not_found` for a run or seed that is not the team's, `validation_error` where no
 * single test is meant, `conflict` where it has its result already.
 */
export function injectPlacement(
  env: Environment,
  caller: Caller,
  input: PlacementInjection,
): { accountId: Id; arrivesAt: UnixMs } {
  const run = requireRun(env, caller, input.runId);
  const seed = requireSeed(env, caller, input.seedId);
  const test = chooseTest(testsOf(env.db, run.id), seed.id, input.accountId?.toLowerCase());
  const isMissing = test.status === "done" && test.placement === "not_delivered";
  if (!isPending(test) && !(isMissing && test.lookAt !== null)) {
    throw conflict(`this test is ${test.status} already`);
  }
  const { placement } = input;
  const at = env.clock.now();
  const message = messageOfTest(env.db, test.id);
  const captured = message && sandboxMessageByHeader(env.db, test.accountId, message.messageId);
  if (captured === undefined) {
    askForPlacement(env.db, { testId: test.id, teamId: test.teamId, placement });
  } else {
    replace(env.db, seed, captured, placement, at);
    updateTest(env.db, { ...test, lookAt: at });
  }
  audit(env, caller, {
    action: "sandbox.inject",
    target: `placement_run:${run.id}`,
    after: { kind: "placement", placement },
  });
  env.wake();
  return { accountId: test.accountId, arrivesAt: at };
}

function chooseTest(tests: readonly TestRow[], seedId: Id, accountId: Id | undefined): TestRow {
  const inSeed = tests.filter((test) => test.seedId === seedId);
  const meant = inSeed.filter((test) => accountId === undefined || test.accountId === accountId);
  const [test, another] = meant;
  if (test === undefined) {
    const field = inSeed.length === 0 ? "seed_id" : "account_id";
    throw invalid(field, "the run has no such test");
  }
  if (another !== undefined) {
    throw invalid("account_id", "is required because the run has several accounts");
  }
  return test;
}

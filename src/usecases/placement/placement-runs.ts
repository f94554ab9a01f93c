/**
 * Placement runs: an email from each of some accounts to each of some seeds, begun by a person, a schedule
 * or a falling health score.
 */

import {
  isPending,
  isUnderWay,
  RUN_MS_MAX,
  TESTS_MAX,
  type TriggerType,
  totalsOf,
} from "#domain/placement/placement.ts";
import { conflict, invalid, notFound } from "#domain/problem.ts";
import { DAY_MS, plus } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { engineCaller } from "#environment.ts";
import { findCampaign } from "#store/campaigns/campaigns.ts";
import { stepsOf } from "#store/campaigns/steps.ts";
import { accountById, accountsOf, findAccount, updateAccount } from "#store/mailboxes/accounts.ts";
import { findRun, hasHealthRun, insertRun } from "#store/placement/placement-runs.ts";
import { findSeed, seedsOf } from "#store/placement/placement-seeds.ts";
import { insertTest, testsOf } from "#store/placement/placement-tests.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { StepRow } from "#store/tables/campaigns.ts";
import type { RunContent, RunRow, SeedRow, TestRow } from "#store/tables/placement.ts";
import { ensureCapacity } from "#usecases/events/limits.ts";
import { audit } from "#usecases/events/record.ts";
import { isSendable } from "#usecases/mailboxes/accounts.ts";
import { contentOf, renderTestMail } from "./placement-content.ts";
import { cancelTest, endRun } from "./placement-results.ts";

/** A falling score begins no more than one run a day of an account. */
const HEALTH_EVERY_MS = DAY_MS;

export interface RunInput {
  /** Absent or empty: every account that may send now. */
  accountIds?: readonly Id[];
  /** Absent or empty: every seed that is not paused. */
  seedIds?: readonly Id[];
  /** Its step is what the emails say; without it a neutral text of ours. */
  campaignId?: Id;
  stepId?: Id;
  /** 1-based; the campaign's first email where neither is given. */
  position?: number;
  /** Accounts that may not send now, and seeds that are gone or paused, are left out unasked. */
  skipsUnable?: boolean;
}

/**
 * Begins a run; the send worker claims its emails, the placement worker looks for them. Throws
 * `validation_error` naming what is not there, may not send, or is missing altogether.
 */
export function startRun(
  env: Environment,
  caller: Caller,
  input: RunInput,
  trigger: { type: TriggerType; scheduleId?: Id } = { type: "manual" },
): RunRow {
  const accounts = chooseAccounts(env, caller, input);
  const seeds = chooseSeeds(env, caller, input);
  if (accounts.length * seeds.length > TESTS_MAX) {
    throw invalid(
      "account_ids",
      `${accounts.length} accounts by ${seeds.length} seeds are more than ${TESTS_MAX} tests`,
    );
  }
  const step = chooseStep(env, caller, input);
  const now = env.clock.now();
  const endsAt = plus(now, RUN_MS_MAX);
  const run: RunRow = {
    id: env.ids.next(now),
    teamId: caller.teamId,
    triggerType: trigger.type,
    status: "pending",
    scheduleId: trigger.scheduleId ?? null,
    campaignId: step?.row.campaignId ?? null,
    stepId: step?.row.id ?? null,
    content: step?.content ?? null,
    ...totalsOf([]),
    startedAt: null,
    completedAt: null,
    endsAt,
    dueAt: endsAt,
    createdAt: now,
  };
  checkContent(env, run, accounts, step?.row);
  const tests = seeds.flatMap((seed) => accounts.map((account) => testOf(env, run, account, seed)));
  const begun = { ...run, ...totalsOf(tests) };
  if (run.triggerType === "manual") {
    ensureCapacity(env, run.teamId, "placement_runs");
  }
  insertRun(env.db, begun);
  for (const test of tests) {
    insertTest(env.db, test);
  }
  for (const account of accounts) {
    updateAccount(env.db, { ...account, wakeAt: now });
  }
  audit(env, caller, {
    action: "placement_run.create",
    target: `placement_run:${run.id}`,
    after: { triggerType: run.triggerType, accounts: accounts.length, seeds: seeds.length },
  });
  env.wake();
  return begun;
}

function testOf(env: Environment, run: RunRow, account: AccountRow, seed: SeedRow): TestRow {
  const now = run.createdAt;
  const refused = seed.status === "error";
  return {
    id: env.ids.next(now),
    teamId: run.teamId,
    runId: run.id,
    accountId: account.id,
    accountEmail: account.email,
    seedId: seed.id,
    seedEmail: seed.email,
    seedProvider: seed.provider,
    status: refused ? "failed" : "waiting",
    placement: null,
    folder: null,
    tab: null,
    error: refused ? `the seed mailbox rejects the login: ${seed.lastError ?? ""}` : null,
    dueAt: refused ? null : now,
    lookAt: null,
    sentAt: null,
    testedAt: refused ? now : null,
    latencyMs: null,
    authentication: null,
    oneClickSigned: null,
  };
}

function chooseAccounts(
  env: Environment,
  { teamId }: Caller,
  { accountIds: ids = [], skipsUnable = false }: RunInput,
): readonly AccountRow[] {
  if (ids.length === 0 || skipsUnable) {
    const able = accountsOf(env.db, teamId)
      .filter(({ id }) => ids.length === 0 || ids.includes(id))
      .filter((row) => isSendable(row, env.name));
    if (able.length === 0) {
      throw invalid("account_ids", "no account is active and ready");
    }
    return able;
  }
  return distinct(ids).map((id, index) => {
    const row = findAccount(env.db, teamId, id);
    if (row === undefined) {
      throw invalid(`account_ids.${index}`, "no such account");
    }
    if (!isSendable(row, env.name)) {
      const state = row.status === "active" ? "not ready" : row.status;
      throw invalid(`account_ids.${index}`, `${row.email} cannot send: it is ${state}`);
    }
    return row;
  });
}

function chooseSeeds(
  env: Environment,
  { teamId }: Caller,
  { seedIds: ids = [], skipsUnable = false }: RunInput,
): readonly SeedRow[] {
  const seeds =
    ids.length === 0 || skipsUnable
      ? seedsOf(env.db, teamId)
          .filter(({ id }) => ids.length === 0 || ids.includes(id))
          .filter(({ status }) => status !== "paused")
      : distinct(ids).map((id, index) => {
          const row = findSeed(env.db, teamId, id);
          if (row === undefined) {
            throw invalid(`seed_ids.${index}`, "no such seed");
          }
          return row;
        });
  if (seeds.length === 0) {
    throw invalid("seed_ids", "no seed mailbox is active; add one under /placement/seeds");
  }
  if (seeds.every(({ status }) => status === "error")) {
    throw invalid("seed_ids", "every seed mailbox rejects its login; fix one and test it");
  }
  return seeds;
}

function distinct(ids: readonly Id[]): Id[] {
  return [...new Set(ids.map((id) => id.toLowerCase()))];
}

interface SelectedStep {
  row: StepRow;
  content: RunContent;
}

function chooseStep(env: Environment, caller: Caller, input: RunInput): SelectedStep | undefined {
  const { campaignId, stepId, position } = input;
  if (campaignId === undefined) {
    if (stepId !== undefined || position !== undefined) {
      throw invalid("campaign_id", "is required when you choose a step");
    }
    return undefined;
  }
  if (stepId !== undefined && position !== undefined) {
    throw invalid("position", "use either step_id or position, not both");
  }
  const campaign = findCampaign(env.db, caller.teamId, campaignId);
  if (campaign === undefined) {
    throw invalid("campaign_id", "no such campaign");
  }
  const steps = stepsOf(env.db, campaign.id);
  const field = stepId === undefined ? "position" : "step_id";
  const row = steps.find((step) => {
    if (stepId !== undefined) {
      return step.id === stepId.toLowerCase();
    }
    return position === undefined ? step.type === "email" : step.position === position;
  });
  if (row === undefined) {
    throw invalid(field, "the campaign has no such step");
  }
  if (row.type !== "email") {
    throw invalid(field, "this step is a task, so it has no email");
  }
  const content = contentOf(steps, row);
  return { row, content: campaign.status === "draft" ? { ...content, isDraft: true } : content };
}

/** A template that cannot be rendered is refused here, by name, and not by a run that fails. */
function checkContent(
  env: Environment,
  { content }: RunRow,
  [account]: readonly AccountRow[],
  step: StepRow | undefined,
): void {
  if (account === undefined || step === undefined) {
    return;
  }
  const mail = { content, account, recipient: account.email, messageId: step.id };
  const rendered = renderTestMail(env, mail);
  if (rendered.kind === "failed") {
    throw invalid("step_id", `the ${rendered.field} cannot be rendered: ${rendered.error}`);
  }
  if (rendered.kind === "ready" && rendered.subject === "") {
    throw invalid("step_id", "this step and those before it have no subject");
  }
}

/**
 * What was found stays; nothing more is sent or looked for. Throws `not_found`, `conflict` for a run that
 * is over.
 */
export function cancelRun(env: Environment, caller: Caller, id: Id): RunRow {
  const run = requireRun(env, caller, id);
  if (!isUnderWay(run.status)) {
    throw conflict(`the run is ${run.status} already`, "status");
  }
  for (const test of testsOf(env.db, run.id)) {
    if (isPending(test)) {
      cancelTest(env, test);
    }
  }
  const totals = totalsOf(testsOf(env.db, run.id));
  const ended = endRun(env, { ...run, ...totals, status: "cancelled" }, env.clock.now());
  audit(env, caller, {
    action: "placement_run.cancel",
    target: `placement_run:${id}`,
    before: { status: run.status },
    after: { status: ended.status },
  });
  return ended;
}

/** Throws `not_found` for another team's run as for one that never was. */
export function requireRun(env: Environment, caller: Caller, id: Id): RunRow {
  const row = findRun(env.db, caller.teamId, id);
  if (row === undefined) {
    throw notFound("placement run");
  }
  return row;
}

/**
 * An account's score has fallen: where its email arrives is looked at, once a day at most. Undefined where
 * that cannot be: the account may not send, or there is no seed to look into. Runs inside a commit.
 */
export function startHealthRun(env: Environment, accountId: Id): RunRow | undefined {
  const account = accountById(env.db, accountId);
  if (account === undefined || !isSendable(account, env.name)) {
    return undefined;
  }
  const { teamId } = account;
  const since = plus(env.clock.now(), -HEALTH_EVERY_MS);
  const isSeeded = seedsOf(env.db, teamId).some(({ status }) => status === "active");
  if (!isSeeded || hasHealthRun(env.db, teamId, accountId, since)) {
    return undefined;
  }
  return startRun(env, engineCaller(teamId), { accountIds: [accountId] }, { type: "health" });
}

/**
 * Things end while the process is killed after each statement: a draft that goes, comes back and is purged, a mailbox,
 * a person who is erased, an experiment that closes and whose winner is written into the step. Whoever asks again
 * has, from every place, the very rows that an undisturbed end leaves.
 */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WEEKDAYS } from "#domain/campaigns/window.ts";
import { Problem } from "#domain/problem.ts";
import { MINUTE_MS, plus, unixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { seededDice } from "#platform/dice.ts";
import { silentLog } from "#platform/log.ts";
import { variantsOf } from "#store/experiments/experiments.ts";
import { leadByEmail } from "#store/leads/leads.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { integrityCheck } from "#store/sqlite/database.ts";
import { createCampaign, moveCampaign } from "#usecases/campaigns/campaigns.ts";
import { whileLeaving } from "#usecases/campaigns/leaving.ts";
import { applyWinnerNow, completeExperiment } from "#usecases/experiments/experiment-moves.ts";
import { createExperiment } from "#usecases/experiments/experiments.ts";
import { importLeads } from "#usecases/leads/import/import.ts";
import { deleteLead } from "#usecases/leads/leads.ts";
import { createStep } from "#usecases/leads/steps.ts";
import { createAccount } from "#usecases/mailboxes/accounts.ts";
import { deleteAccount } from "#usecases/operations/account-removal.ts";
import { restoreAccount } from "#usecases/operations/account-restore.ts";
import {
  deleteCampaign,
  emptyDraft,
  restoreCampaign,
} from "#usecases/operations/campaign-removal.ts";
import { purgeByHand } from "#usecases/operations/deleted.ts";
import { createTeam } from "#usecases/team/teams.ts";
import { tried } from "../support/promises.ts";
import { createChronicle } from "../support/simulation/chronicle.ts";
import { createMovingClock } from "../support/simulation/clock.ts";
import { leaveBehind } from "../support/simulation/disk.ts";
import { createDraw } from "../support/simulation/draw.ts";
import { createInternet } from "../support/simulation/internet.ts";
import { DEATH } from "../support/simulation/life.ts";
import { type Process, startProcess } from "../support/simulation/process.ts";

const START = unixMs(Date.UTC(2026, 2, 3, 10, 0));
/** In three slices. */
const DRAFT_LEADS = 600;
/** Of the places of an ending as many are tried, and all of a short one. */
const PLACES = process.env["OUTRIDER_TEST_TIER"] === "full" ? 120 : 25;
const TEST_MS_MAX = 600_000;
const ERASED = "lead0@alpha.example";

interface Scene {
  env: Environment;
  caller: Caller;
  draft: Id;
  account: Id;
  experiment: Id;
}
type Act = (scene: Scene) => Promise<unknown>;

let directory = "";
const made = {} as Omit<Scene, "env">;
const file = (name: string) => join(directory, `${name}.db`);

function surroundings(place: number) {
  const clock = createMovingClock(START);
  const draw = createDraw(place);
  const internet = createInternet(draw, clock, createChronicle());
  const open = (path: string, dice: number) =>
    startProcess({
      ...{ path, internet, clock, log: silentLog, pollEveryMs: 60 * MINUTE_MS },
      dice: seededDice(dice),
    });
  return { clock, draw, internet, open };
}

/** A mailbox, a draft with many leads, and a campaign that sends two variants. */
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "outrider-endings-"));
  const process = surroundings(0).open(file("base"), 0);
  const { env } = process;
  const { id: teamId } = await env.commit(() => createTeam(env, "Acme"));
  const caller: Caller = { teamId, actor: "operator", scopes: ["admin"] };
  const login = { host: "mail.sender.example", password: "secret" };
  const fields = { provider: "smtp", timezone: "UTC", smtp: login, imap: login } as const;
  const mailbox = (email: string) =>
    env.commit(() => createAccount(env, caller, { email, ...fields }));
  const account = await mailbox("one@sender.example");
  await mailbox("two@sender.example");
  const sendWindow = { timezone: "UTC", days: WEEKDAYS, startHour: 0, endHour: 24 };
  const campaign = async (name: string, leads: number, domain: string) => {
    const row = await env.commit(() => createCampaign(env, caller, { name, sendWindow }));
    const step = { type: "email", subject: "Hi", body: "[[c1:s1]] Hello", waitDays: 0 } as const;
    await env.commit(() => createStep(env, caller, row.id, step));
    const options = { existing: "merge", skipIfInOtherCampaign: false, dryRun: false } as const;
    const rows = Array.from({ length: leads }, (_, n) => ({ email: `lead${n}@${domain}` }));
    await importLeads(env, caller, row.id, rows, options);
    return row;
  };
  const draft = await campaign("Draft", DRAFT_LEADS, "beta.example");
  const running = await campaign("Running", 20, "alpha.example");
  const experiment = await env.commit(() =>
    createExperiment(env, caller, {
      ...{ campaignId: running.id, name: "Two", stepPosition: 1 },
      variants: [
        { name: "A", weight: 1, config: { subject: "Hi" } },
        { name: "B", weight: 1, config: { subject: "Hello" } },
      ],
    }),
  );
  // The mailboxes are tested first.
  await process.advance(plus(START, MINUTE_MS));
  await env.commit(() => moveCampaign(env, caller, running.id, "active"));
  await process.advance(plus(START, 30 * MINUTE_MS));
  await process.end();
  const ids = { draft: draft.id, account: account.id, experiment: experiment.id };
  Object.assign(made, { caller, ...ids });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const remove: Act = ({ env, caller, draft }) =>
  whileLeaving(env, draft, async () => {
    await emptyDraft(env, caller, draft);
    return await env.commit(() => deleteCampaign(env, caller, draft));
  });
const restore: Act = ({ env, caller, draft }) => restoreCampaign(env, caller, draft);
const purge: Act = ({ env, caller, draft }) => purgeByHand(env, caller, draft);
const removeAccount: Act = ({ env, caller, account }) => deleteAccount(env, caller, account);
const bringBackAccount: Act = ({ env, caller, account }) => restoreAccount(env, caller, account);
const erase: Act = ({ env, caller }) =>
  deleteLead(env, caller, leadByEmail(env.db, caller.teamId, ERASED)?.id ?? caller.teamId);
const close: Act = async ({ env, caller, experiment }) => {
  const [, second] = variantsOf(env.db, experiment);
  await env.commit(() => completeExperiment(env, caller, experiment, second?.id ?? null));
};
const apply: Act = ({ env, caller, experiment }) =>
  env.commit(() => applyWinnerNow(env, caller, experiment));

/** What is done before, and then from every place. */
const ENDINGS: readonly [string, readonly Act[], Act][] = [
  ["a draft is deleted", [], remove],
  ["a draft is restored", [remove], restore],
  ["a draft is purged", [remove], purge],
  ["a mailbox is deleted", [], removeAccount],
  ["a mailbox is restored", [removeAccount], bringBackAccount],
  ["a person is erased", [], erase],
  ["an experiment is closed", [], close],
  ["a winner is written into the step", [close], apply],
];

/** What was done already is refused, which is as good. */
async function again(act: Act, scene: Scene): Promise<void> {
  try {
    await act(scene);
  } catch (error) {
    if (!(error instanceof Problem)) {
      throw error;
    }
  }
}

/** Rows by table and the words in them that say how things stand; ids and instants differ from run to run. */
function standing({ db }: Environment): Record<string, unknown> {
  const all = (query: string) => db.raw.query<Record<string, unknown>, []>(query).all();
  const tables = all(
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name not like '%_fts%'",
  ).map(({ name }) => String(name));
  const volatile = ["facts", "usage"];
  return {
    counts: Object.fromEntries(
      tables
        .filter((name) => !volatile.includes(name))
        .map((name) => [name, all(`select count(*) as n from "${name}"`)[0]?.["n"]]),
    ),
    campaigns: all("select name, status, enrolled, erased, open from campaigns order by name"),
    accounts: all("select email, status, secrets is null as bare from accounts order by email"),
    enrollments: all("select status, hold_reason, count(*) as n from enrollments group by 1, 2"),
    steps: all("select subject from steps order by subject"),
    experiments: all("select status, winner_variant_id is null as none from experiments"),
    events: all("select type, count(*) as n from events group by 1 order by 1"),
    audit: all("select action, count(*) as n from audit group by 1 order by 1"),
  };
}

const sceneOf = (process: Process): Scene => ({ ...made, env: process.env });

/** How it stands after `act`, killed after so many statements; null where it ended before. */
async function fateAt(name: string, act: Act, place: number) {
  const { clock, draw, internet, open } = surroundings(place);
  const [path, next] = [file("now"), file("next")];
  clock.advanceTo(plus(START, 31 * MINUTE_MS));
  copyFileSync(file(name), path);
  let process = open(path, 2 * place + 1);
  process.life.lightStatement(place);
  const lived = await process.run(() => act(sceneOf(process)));
  const isStruck = lived === DEATH;
  if (isStruck) {
    const remains = { draw, tally: internet.tally, isUnsynced: process.life.isUnsynced };
    await process.end(() => leaveBehind(path, next, remains));
    process = open(next, 2 * place + 2);
    await process.recover();
    await again(act, sceneOf(process));
  }
  process.life.spare();
  const { env } = process;
  const fate = {
    integrity: integrityCheck(env.db),
    ...standing(env),
  };
  await process.end();
  for (const end of ["", "-wal", "-shm"]) {
    rmSync(`${path}${end}`, { force: true });
    rmSync(`${next}${end}`, { force: true });
  }
  return { isStruck, fate };
}

test.each(ENDINGS)(
  "%s",
  async (name, before, act) => {
    const process = surroundings(0).open(file("base"), 1);
    await process.end();
    copyFileSync(file("base"), file(name));
    const prepared = surroundings(0);
    prepared.clock.advanceTo(plus(START, 31 * MINUTE_MS));
    const first = prepared.open(file(name), 3);
    for (const one of before) {
      await one(sceneOf(first));
    }
    await first.end();

    const { isStruck, fate: whole } = await fateAt(name, act, 1_000_000);
    expect([isStruck, whole.integrity]).toEqual([false, "ok"]);
    let last = 1;
    while ((await fateAt(name, act, last)).isStruck) {
      last *= 2;
    }
    const stride = Math.max(1, Math.floor(last / PLACES));
    let struck = 0;
    for (let place = 1; place < last; place += stride) {
      const { isStruck: isHere, fate } = await fateAt(name, act, place);
      if (isHere) {
        struck += 1;
        expect({ place, fate }).toEqual({ place, fate: whole });
      }
    }
    tried("kills", struck);
    expect(struck).toBeGreaterThan(2);
  },
  TEST_MS_MAX,
);

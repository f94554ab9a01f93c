/** What people do with seed mailboxes and placement runs, and with the team's plan. */

import { isOpen } from "#domain/campaigns/enrollment.ts";
import { isUnderWay } from "#domain/placement/placement.ts";
import type { PaidPlan } from "#domain/sending/plan.ts";
import { DAY_MS, plus } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { accountsOf } from "#store/mailboxes/accounts.ts";
import { listRuns } from "#store/placement/placement-runs.ts";
import { seedByEmail, seedsOf } from "#store/placement/placement-seeds.ts";
import { putPlan } from "#usecases/billing/plan-source.ts";
import { cancelRun, startRun } from "#usecases/placement/placement-runs.ts";
import { createSeed, deleteSeed, patchSeed } from "#usecases/placement/placement-seeds.ts";
import { amend } from "./chronicle.ts";
import { SIMULATED_PLANS } from "./plans.ts";
import { type Deed, type Stage, someLead, write } from "./stage.ts";
import { DOMAINS, type Team } from "./team.ts";

/** Seeds from the start, and a plan; each in some teams only. */
export async function equip(env: Environment, team: Team): Promise<void> {
  const { draw } = team;
  for (let left = draw.chance(0.4) ? draw.int(1, 3) : 0; left > 0; left -= 1) {
    const email = drawSeedAddress(team);
    await env.commit(() => createSeed(env, team.caller, { email, imap: LOGIN }));
    recordSeed(team, email);
  }
  if (draw.chance(0.2)) {
    await env.commit(() => setPlan(env, team, draw.pick(["starter", "pro"] as const)));
  }
}

const LOGIN = { host: "imap.seeds.example", password: "secret" };

function drawSeedAddress({ draw, chronicle }: Team): string {
  return `seed${chronicle.next()}@${draw.pick(DOMAINS)}`;
}

function recordSeed({ chronicle }: Team, email: string): void {
  chronicle.seeds.add(email);
  chronicle.note("seeded", email);
}

/** A new mailbox, or that of somebody whom nobody writes to any more. */
export const addSeed: Deed = async (stage) => {
  const { team } = stage;
  const ended = someLead(stage, ({ status }) => !isOpen(status));
  const isLead = ended !== null && team.draw.chance(0.6);
  const email = isLead ? ended.lead.email : drawSeedAddress(team);
  await write(stage, (env) => createSeed(env, team.caller, { email, imap: LOGIN }));
  // Asked again over a death it may be there already.
  if (seedByEmail(stage.process.env.db, team.caller.teamId, email) !== undefined) {
    recordSeed(team, email);
  }
};

export const changeSeed: Deed = async (stage) => {
  const { draw, caller, chronicle } = stage.team;
  const seed = someSeed(stage);
  if (seed === null) {
    return;
  }
  const { id, email } = seed;
  switch (draw.pick(["lock", "mend", "pause", "delete"] as const)) {
    case "lock":
      stage.internet.locked.add(id);
      return;
    case "mend": {
      stage.internet.locked.delete(id);
      const imap = { ...LOGIN, password: `mended ${chronicle.next()}` };
      await write(stage, (env) => patchSeed(env, caller, id, { status: "active", imap }));
      return;
    }
    case "pause":
      await write(stage, (env) => patchSeed(env, caller, id, { status: "paused" }));
      return;
    default:
      await write(stage, (env) => deleteSeed(env, caller, id));
      if (seedByEmail(stage.process.env.db, caller.teamId, email) === undefined) {
        chronicle.note("unseeded", email);
      }
  }
};

export const beginRun: Deed = async (stage) => {
  const { draw, caller } = stage.team;
  const accounts = accountsOf(stage.process.env.db, caller.teamId).map(({ id }) => id);
  const accountIds = draw.chance(0.5) ? draw.some(accounts, 0.5) : [];
  await write(stage, (env) => startRun(env, caller, { accountIds }));
};

export const stopRun: Deed = async (stage) => {
  const { draw, caller } = stage.team;
  const page = { limit: 100, offset: 0 };
  const { rows } = listRuns(stage.process.env.db, caller.teamId, page);
  const going = rows.filter(({ status }) => isUnderWay(status));
  if (going.length > 0) {
    const { id } = draw.pick(going);
    await write(stage, (env) => cancelRun(env, caller, id));
  }
};

export const changePlan: Deed = async (stage) => {
  const plan = stage.team.draw.pick(["starter", "pro", "scale"] as const);
  await choosePlan(stage, plan);
};

export async function choosePlan(stage: Stage, plan: PaidPlan): Promise<void> {
  await write(stage, (env) => setPlan(env, stage.team, plan));
}

function setPlan(env: Environment, { caller, chronicle }: Team, plan: PaidPlan): void {
  putPlan(env, caller.teamId, {
    ...{ plan, source: "stripe", limits: null, licenceId: null },
    endsAt: plus(env.wall.now(), 3_650 * DAY_MS),
  });
  const { mails } = SIMULATED_PLANS[plan];
  amend(chronicle.plans, caller.teamId, { seq: chronicle.next(), mails });
}

function someSeed({ team, process }: Stage) {
  const seeds = seedsOf(process.env.db, team.caller.teamId);
  return seeds.length === 0 ? null : team.draw.pick(seeds);
}

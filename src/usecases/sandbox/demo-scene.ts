/**
 * The demo's scene, set through the same use cases as the API: seven mailboxes, four campaigns of which one
 * goes to a bad list, an experiment, seed mailboxes, and people. What happens then is the sandbox's doing.
 */

import { conflict } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import { listCampaigns } from "#store/campaigns/campaigns.ts";
import { accountsOf } from "#store/mailboxes/accounts.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { createCampaign, moveCampaign } from "#usecases/campaigns/campaigns.ts";
import { createExperiment } from "#usecases/experiments/experiments.ts";
import { importLeads } from "#usecases/leads/import/import.ts";
import { createStep } from "#usecases/leads/steps.ts";
import { createAccount } from "#usecases/mailboxes/accounts.ts";
import { createSchedule } from "#usecases/placement/placement-schedules.ts";
import { createSeed } from "#usecases/placement/placement-seeds.ts";
import {
  DEMO_ACCOUNTS,
  DEMO_CAMPAIGNS,
  DEMO_EXPERIMENT,
  DEMO_LIMITS,
  demoLead,
} from "./demo-script.ts";
import { patchSandboxSettings } from "./sandbox.ts";

/** Which month, and how many people are in it. */
export interface DemoCast {
  seed: number;
  leads: number;
}

export interface DemoScene {
  campaigns: readonly Id[];
  experiment: Id;
  /** Leads that the imports have a verdict on. */
  imports: number;
}

/** Sets the scene in a sandbox in which the team has made nothing. Throws `conflict` where it has. */
export async function startDemo(
  env: Environment,
  caller: Caller,
  cast: DemoCast,
): Promise<DemoScene> {
  const campaigns = listCampaigns(env.db, caller.teamId, { limit: 1, offset: 0 }).total;
  if (campaigns > 0 || accountsOf(env.db, caller.teamId).length > 0) {
    throw conflict("the sandbox already has mailboxes or campaigns; reset it to play the demo");
  }
  return await setScene(env, caller, cast);
}

export async function setScene(
  env: Environment,
  caller: Caller,
  { seed, leads }: DemoCast,
): Promise<DemoScene> {
  await env.commit(() => {
    for (const account of DEMO_ACCOUNTS) {
      createAccount(env, caller, { ...account, ...DEMO_LIMITS, provider: "sandbox" });
    }
  });
  const accountIds = goodMailboxes(env, caller);
  const campaigns = await Promise.all(
    DEMO_CAMPAIGNS.map(({ steps, ...fields }) =>
      env.commit(() => {
        const { id } = createCampaign(env, caller, { ...fields, accountIds });
        for (const step of steps) {
          createStep(env, caller, id, { type: "email", ...step });
        }
        return id;
      }),
    ),
  );
  const experiment = await env.commit(() => {
    const { campaign, name, variants, effect } = DEMO_EXPERIMENT;
    patchSandboxSettings(env, caller, { effects: [effect] });
    const campaignId = campaigns[campaign] ?? "";
    const fields = { campaignId, name, variants, optimizationMode: "auto_winner" } as const;
    return createExperiment(env, caller, fields).id;
  });
  const imports = await importAll(env, caller, campaigns, { seed, leads });
  await env.commit(() => setSeeds(env, caller));
  for (const id of campaigns) {
    await env.commit(() => moveCampaign(env, caller, id, "active"));
  }
  await setBadList(env, caller);
  return { campaigns, experiment, imports };
}

/** Every third person to each campaign. Resolves to the number of items that have a verdict. */
async function importAll(
  env: Environment,
  caller: Caller,
  campaigns: readonly Id[],
  { seed, leads }: { seed: number; leads: number },
): Promise<number> {
  let judged = 0;
  for (const [offset, id] of campaigns.entries()) {
    const items = Array.from({ length: leads }, (_, index) => index)
      .filter((index) => index % campaigns.length === offset)
      .map((index) => demoLead(seed, index));
    const { imported, skipped, errors } = await importLeads(env, caller, id, items, {
      existing: "keep",
      skipIfInOtherCampaign: false,
      dryRun: false,
    });
    judged += imported + skipped.length + errors.length;
  }
  return judged;
}

/** The bad list's own. */
export const BAD_MAILBOX = {
  email: "gus@northwind-offers.example",
  displayName: "Gus Novak",
  timezone: "UTC",
  dailyLimit: 40,
  hourlyLimit: 10,
  provider: "sandbox",
} as const;

export const BAD_CAMPAIGN = {
  name: "A bought list",
  sendWindow: {
    timezone: "UTC",
    days: ["monday", "tuesday", "wednesday", "thursday", "friday"] as const,
    startHour: 8,
    endHour: 17,
  },
  maxLeadsPerDay: 20,
};

const STEPS = [
  { subject: "Planning in spring", body: "Hello,\n\nhow do you plan your week?", waitDays: 0 },
  { subject: null, body: "Hello,\n\nmay I send what others do?", waitDays: 5 },
] as const;

/** Whom the list begins with; the rest of it is people as any others. */
const GONE = 6;
const PEOPLE = 60;

/** Resolves to the mailboxes that the other campaigns are to use: all but this list's own. */
async function setBadList(env: Environment, caller: Caller): Promise<void> {
  const id = await env.commit(() => {
    const account = createAccount(env, caller, BAD_MAILBOX);
    const row = createCampaign(env, caller, { ...BAD_CAMPAIGN, accountIds: [account.id] });
    for (const step of STEPS) {
      createStep(env, caller, row.id, { type: "email", ...step });
    }
    return row.id;
  });
  const numbered = (count: number, make: (nth: number) => string) =>
    Array.from({ length: count }, (_, index) => ({ email: make(index + 1) }));
  const items = [
    ...numbered(GONE, (nth) => `bounce+${nth}@sandbox.test`),
    ...numbered(PEOPLE, (nth) => `office${nth}@list-${nth}.example`),
  ];
  const options = { existing: "keep", skipIfInOtherCampaign: false, dryRun: false } as const;
  await importLeads(env, caller, id, items, options);
  await env.commit(() => moveCampaign(env, caller, id, "active"));
}

/** The mailboxes of the other campaigns, so that the bad list harms its own only. */
function goodMailboxes(env: Environment, { teamId }: Caller): Id[] {
  return accountsOf(env.db, teamId)
    .filter(({ email }) => email !== BAD_MAILBOX.email)
    .map(({ id }) => id);
}

const SEEDS = [
  "northwind.seed@gmail.com",
  "northwind.seed@outlook.com",
  "northwind.seed@yahoo.com",
  "northwind.seed@icloud.com",
] as const;
/** Nothing else is sent on a Sunday. */
const WEEKLY = { weekday: "sunday", hour: 6, timezone: "UTC" } as const;

/** Runs inside a commit. */
function setSeeds(env: Environment, caller: Caller): void {
  for (const email of SEEDS) {
    createSeed(env, caller, { email });
  }
  createSchedule(env, caller, WEEKLY);
}

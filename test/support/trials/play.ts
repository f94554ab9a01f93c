/**
 * Experiments whose truth is known, played through the whole product: leads imported over the API, emails
 * sent by the engine, replies and bounces read from mailboxes, and every day each experiment read as the
 * API reads it. Many experiments live side by side in one environment, each with a campaign of its own.
 *
 * A program: plays the plans that it is given as JSON, one after the other, and writes the trials of each
 * as a line.
 */

import type { OptimizationMode } from "#domain/experiments/experiment.ts";
import { isSignificant } from "#domain/experiments/experiment-pairs.ts";
import { DAY_MS } from "#domain/time.ts";
import { EFFECTS_MAX } from "#sandbox/settings.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { experimentById } from "#store/experiments/experiments.ts";
import { wrongTallies } from "#store/sending/exposures.ts";
import { type Results, resultsOf } from "#usecases/experiments/experiment-results.ts";
import { createTestApp, type TestApp } from "../app.ts";
import { type MadeExperiment, makeExperiment, setPeople } from "../experiments.ts";
import { type Drift, factorOf } from "./drift.ts";

/** One environment and the experiments in it. */
export interface TrialPlan {
  seed: number;
  /** Experiments in this environment. */
  experiments: number;
  /** Chance of a reply by variant, the same for all in an A/A trial; two to ten variants. */
  rates: readonly number[];
  /** The campaign's leads for each variant; how many get one of them is the mode's to say. */
  leadsPerArm: number;
  mode: OptimizationMode;
  /** Days in which leads are assigned; their window is seven days more. */
  durationDays: number;
  /** False: read to its end whatever is found. */
  earlyStopping?: boolean;
  /** Until all of the campaign's leads are written to, though all experiments have their verdict. */
  toTheEnd?: boolean;
  /** How the rates move with the days; they stay where it is left out. */
  drift?: Drift;
}

/** What became of one experiment. */
export interface Trial {
  /** The commit of the program that played it; `-dirty` where files had been changed. */
  program: string;
  status: string;
  sent: number;
  replies: number;
  bounced: number;
  /** Leads of the whole campaign that replied until {@link DAYS_AFTER_END_MAX}, with those who got what came after. */
  replied: number;
  /** A daily reading or the last called two variants different, or one the winner, or one behind. */
  claimed: boolean;
  /** Some reading called a pair significant. */
  significant: boolean;
  /** Place of the winner in the last reading. */
  winner: number | null;
  /** Place of the variant that was picked without one. */
  picked: number | null;
  /** p of the fixed-horizon test at the planned end; null where the experiment stopped before. */
  pFixed: number | null;
  /** Whether a reading held the split to be off. */
  alarm: boolean;
  /** Days from its first email to its verdict. */
  days: number;
}

/** Codes of a verdict: somebody would act on them. */
const CLAIMS: readonly string[] = ["winner_found", "losers_found", "bandit_converged"];
const PROGRAM = Bun.spawnSync(["git", "describe", "--always", "--dirty", "--abbrev=7"], {
  cwd: import.meta.dir,
})
  .stdout.toString()
  .trim();
/** How many times the mean each mailbox is answered. */
const FACTORS = [1.5, 1, 1, 0.5];
const FACTORS_OF_TWO = [1.5, 0.5];
const FACTORS_JOINING = [1, 4, 4, 4];
/** Their first day while they are new, and what each day adds. */
const RAMP = { start: 5, increment: 5 };
/** Longer than any trial: who never ends is a failure of the product. */
const DAYS_AFTER_END_MAX = 12;
const SLOW = { min_seconds: 600, max_seconds: 7 * 86_400 };
const SOON = { min_seconds: 60, max_seconds: 3_600 };

async function playTrials(plan: TrialPlan): Promise<Trial[]> {
  const app = await createTestApp({ seed: plan.seed });
  try {
    await makeMailboxes(app, plan, mailboxesOn(plan, 0));
    const made: MadeExperiment[] = [];
    await setRates(app, plan, 0);
    for (let nth = 0; nth < plan.experiments; nth += 1) {
      made.push(await makeTrial(app, plan, nth));
    }
    const trials = await watch(app, plan, made);
    if (wrongTallies(app.environments.test.db, app.team.id) !== 0) {
      throw new Error("the sums of an experiment differ from what they sum up");
    }
    return trials;
  } finally {
    await app.close();
  }
}

const WORDS = [
  "alpha",
  "bravo",
  "charlie",
  "delta",
  "echo",
  "foxtrot",
  "golf",
  "hotel",
  "india",
  "juliett",
];

/** Of each mailbox; the sandbox knows {@link EFFECTS_MAX} pairs of a variant and a mailbox. */
function factorsOf({ rates, drift }: TrialPlan): readonly number[] {
  if (drift === "joins") {
    return FACTORS_JOINING;
  }
  return rates.length * FACTORS.length > EFFECTS_MAX ? FACTORS_OF_TWO : FACTORS;
}

/** Those that write on day `day`, from 0. */
function mailboxesOn(plan: TrialPlan, day: number): number {
  const isAlone = plan.drift === "joins" && 2 * (day + 1) <= plan.durationDays;
  return isAlone ? 1 : factorsOf(plan).length;
}

async function makeMailboxes(app: TestApp, plan: TrialPlan, upTo: number): Promise<void> {
  const { data } = (await app.call("GET", "/accounts")).body;
  for (let nth = data.length; nth < upTo; nth += 1) {
    const made = await app.call("POST", "/accounts", {
      email: `mailbox${nth}@sender.example`,
      provider: "smtp",
      display_name: `Writer${nth}`,
      daily_limit: 2_000,
      hourly_limit: 500,
      min_gap_seconds: 0,
      ...(plan.drift === "ramps" && { ramp: RAMP }),
    });
    if (made.status !== 201) {
      throw new Error(made.text);
    }
  }
}

/** People answer by the variant and by the mailbox, which an email names one after the other. */
async function setRates(app: TestApp, plan: TrialPlan, day: number): Promise<void> {
  const { rates, drift } = plan;
  const times = factorOf(drift, day, plan.durationDays);
  const effects = rates.flatMap((rate, arm) =>
    factorsOf(plan).map((factor, nth) => ({
      contains: textOf(arm, `Writer${nth}`),
      rates: { reply: rate * times * factor },
    })),
  );
  const base = { reply: 0, hard_bounce: 0.008, soft_bounce: 0.008, auto_reply: 0.01 };
  await setPeople(app, base, effects, { reply: SLOW, hard_bounce: SOON, soft_bounce: SOON });
}

const textOf = (arm: number, writer: string) => `Word ${WORDS[arm]}, from ${writer}.`;

function makeTrial(app: TestApp, plan: TrialPlan, nth: number): Promise<MadeExperiment> {
  const { rates, leadsPerArm, durationDays, mode } = plan;
  const leads = leadsPerArm * rates.length;
  return makeExperiment(app, {
    leads,
    name: `trial${plan.seed}x${nth}`,
    // The last day is for what the first hours left over.
    perDay: Math.ceil(leads / (durationDays - 1)),
    accounts: 0,
    body: textOf(0, "{{sender.name}}"),
    variants: rates.map((_, arm) => ({
      name: `V${arm}`,
      ...(arm > 0 && { config: { subject: "Hello", body: textOf(arm, "{{sender.name}}") } }),
    })),
    fields: {
      optimization_mode: mode,
      duration_days: durationDays,
      early_stopping: plan.earlyStopping ?? true,
    },
  });
}

interface Watched {
  claimed: boolean;
  significant: boolean;
  alarm: boolean;
}

async function watch(
  app: TestApp,
  plan: TrialPlan,
  made: readonly MadeExperiment[],
): Promise<Trial[]> {
  const env = app.environments.test;
  const watched = made.map(({ id, campaignId }) => ({
    id,
    campaignId,
    seen: { claimed: false, significant: false, alarm: false },
  }));
  const read = (id: string): Results => {
    const row = experimentById(env.db, id);
    if (row === undefined) {
      throw new Error(`experiment ${id} is gone`);
    }
    return resultsOf(env, row);
  };
  let open = watched;
  const daysMax = plan.durationDays + DAYS_AFTER_END_MAX;
  for (let day = 1; day <= daysMax && (open.length > 0 || plan.toTheEnd); day += 1) {
    if (plan.drift !== undefined) {
      await setRates(app, plan, day - 1);
      await makeMailboxes(app, plan, mailboxesOn(plan, day - 1));
    }
    await app.advance(DAY_MS);
    for (const { id, seen } of open) {
      note(seen, read(id));
    }
    open = open.filter(({ id }) => experimentById(env.db, id)?.closedAt === null);
    await resume(app, open);
  }
  return Promise.all(
    watched.map(async ({ id, campaignId, seen }) => {
      const { body } = await app.call("GET", `/campaigns/${campaignId}/stats`);
      return { ...trialOf(read(id), seen), replied: body.replied };
    }),
  );
}

/** Three bounces among the first fifty emails stop a campaign; whoever runs it lets it go on. */
async function resume(app: TestApp, open: readonly { campaignId: string }[]): Promise<void> {
  for (const { campaignId } of open) {
    if (campaignById(app.environments.test.db, campaignId)?.status === "paused") {
      await app.call("POST", `/campaigns/${campaignId}/resume`);
    }
  }
}

function note(seen: Watched, results: Results): void {
  const { reading, recommendation } = results;
  const significant = !reading.split.alarm && reading.pairs.some(isSignificant);
  const claims =
    reading.winner !== null ||
    reading.eliminated.length > 0 ||
    CLAIMS.includes(recommendation.code);
  seen.significant ||= significant;
  seen.claimed ||= claims || significant;
  seen.alarm ||= reading.split.alarm;
}

function trialOf(results: Results, seen: Watched): Omit<Trial, "replied"> {
  const { experiment, variants, reading } = results;
  const sum = (name: "sent" | "replies" | "bounced") =>
    variants.reduce((total, { counts }) => total + counts[name], 0);
  const ran = (experiment.closedAt ?? experiment.endsAt) - experiment.startedAt;
  return {
    program: PROGRAM,
    status: experiment.status,
    sent: sum("sent"),
    replies: sum("replies"),
    bounced: sum("bounced"),
    ...seen,
    winner: reading.winner,
    picked: reading.picked,
    pFixed: reading.pairs[0]?.pFixed ?? null,
    days: ran / DAY_MS,
  };
}

if (import.meta.main) {
  for (const plan of JSON.parse(process.argv[2] ?? "[]") as TrialPlan[]) {
    process.stdout.write(`${JSON.stringify(await playTrials(plan))}\n`);
  }
}

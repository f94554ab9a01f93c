/**
 * Experiments whose truth is known, played through the whole product: leads imported over the API, mails
 * sent by the engine, replies and bounces read from mailboxes, and every day each experiment read as the
 * API reads it. Many experiments live side by side in one world, each with a campaign of its own.
 */

import { isSignificant } from "#domain/experiment-pairs.ts";
import { DAY_MS } from "#domain/time.ts";
import { experimentById } from "#store/experiments.ts";
import { wrongTallies } from "#store/exposures.ts";
import { type Results, resultsOf } from "#usecases/experiment-results.ts";
import { createTestApp, type TestApp } from "../app.ts";
import { makeExperiment, setPeople } from "../experiments.ts";

/** One world and the experiments in it. */
export interface TrialPlan {
  seed: number;
  /** Experiments in this world. */
  experiments: number;
  /** Chance of a reply by variant, the same for all in an A/A trial; two to ten variants. */
  rates: readonly number[];
  leadsPerArm: number;
  mode: "fixed_split" | "thompson_sampling";
  /** Days in which leads are assigned; their window is seven days more. */
  durationDays: number;
}

/** What became of one experiment. */
export interface Trial {
  status: string;
  sent: number;
  replies: number;
  bounced: number;
  /** A daily reading or the last called two variants different, or one the winner, or one behind. */
  claimed: boolean;
  /** Some reading called a pair significant. */
  significant: boolean;
  /** Place of the winner in the last reading. */
  winner: number | null;
  /** p of the fixed-horizon test at the planned end; null where the experiment stopped before. */
  pFixed: number | null;
  /** Whether a reading held the split to be off. */
  alarm: boolean;
  /** Days from its first mail to the reading that decided it; to its end where none did. */
  days: number;
  /** Experiments that have their mails from several mailboxes, whose people answer differently. */
  accounts: number;
}

/** Codes of a verdict: somebody would act on them. */
const CLAIMS: readonly string[] = ["winner_found", "losers_found", "bandit_converged"];
const ACCOUNTS = 4;
/** Longer than any trial: who never ends is a failure of the product. */
const DAYS_AFTER_END_MAX = 12;
const SLOW = { min_seconds: 600, max_seconds: 7 * 86_400 };
const SOON = { min_seconds: 60, max_seconds: 3_600 };

export async function playTrials(plan: TrialPlan): Promise<Trial[]> {
  const app = await createTestApp({ seed: plan.seed });
  try {
    await makePeople(app, plan);
    const ids: string[] = [];
    for (let nth = 0; nth < plan.experiments; nth += 1) {
      ids.push(await makeTrial(app, plan, nth));
    }
    const trials = await watch(app, plan, ids);
    if (wrongTallies(app.worlds.test.db, app.team.id) !== 0) {
      throw new Error("the sums of an experiment differ from what they sum up");
    }
    return trials;
  } finally {
    await app.close();
  }
}

const WORDS = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india"];

/**
 * People answer by the variant and by the mailbox: one in four mailboxes gets half as many replies more
 * than the mean, one half as many fewer. A mail names both in its text.
 */
async function makePeople(app: TestApp, { rates }: TrialPlan): Promise<void> {
  const factors = [1.5, 1, 1, 0.5];
  for (let nth = 0; nth < ACCOUNTS; nth += 1) {
    const made = await app.call("POST", "/accounts", {
      email: `mailbox${nth}@sender.example`,
      provider: "smtp",
      display_name: `Writer${nth}`,
      daily_limit: 2_000,
      hourly_limit: 500,
      min_gap_seconds: 0,
    });
    if (made.status !== 201) {
      throw new Error(made.text);
    }
  }
  const isNull = rates.every((rate) => rate === rates[0]);
  const effects = isNull
    ? factors.map((factor, nth) => ({
        contains: `from Writer${nth}`,
        rates: { reply: (rates[0] ?? 0) * factor },
      }))
    : rates.map((reply, arm) => ({ contains: `Word ${WORDS[arm]}`, rates: { reply } }));
  const base = { reply: 0.04, hard_bounce: 0.008, soft_bounce: 0.008, auto_reply: 0.01 };
  await setPeople(app, base, effects, { reply: SLOW, hard_bounce: SOON, soft_bounce: SOON });
}

async function makeTrial(app: TestApp, plan: TrialPlan, nth: number): Promise<string> {
  const { rates, leadsPerArm, durationDays, mode } = plan;
  const leads = leadsPerArm * rates.length;
  const { id } = await makeExperiment(app, {
    leads,
    name: `trial${plan.seed}x${nth}`,
    // The last day is for what the first hours left over.
    perDay: Math.ceil(leads / (durationDays - 1)),
    accounts: ACCOUNTS,
    variants: rates.map((_, arm) => ({
      name: `V${arm}`,
      config: { subject: "Hello", body: `Word ${WORDS[arm]}, from {{sender.name}}.` },
    })),
    fields: { optimization_mode: mode, duration_days: durationDays },
  });
  return id;
}

interface Watched {
  claimed: boolean;
  significant: boolean;
  alarm: boolean;
  decidedOn: number | null;
}

async function watch(app: TestApp, plan: TrialPlan, ids: readonly string[]): Promise<Trial[]> {
  const world = app.worlds.test;
  const seen = ids.map(
    (): Watched => ({ claimed: false, significant: false, alarm: false, decidedOn: null }),
  );
  const read = (id: string): Results => {
    const row = experimentById(world.db, id);
    if (row === undefined) {
      throw new Error(`experiment ${id} is gone`);
    }
    return resultsOf(world, row);
  };
  const open = new Set(ids.keys());
  const daysMax = plan.durationDays + DAYS_AFTER_END_MAX;
  for (let day = 1; day <= daysMax && open.size > 0; day += 1) {
    await app.advance(DAY_MS);
    for (const nth of open) {
      const results = read(ids[nth] ?? "");
      note(seen[nth], results, day);
      if (results.experiment.closedAt !== null) {
        open.delete(nth);
      }
    }
  }
  return ids.map((id, nth) => trialOf(read(id), seen[nth]));
}

function note(watched: Watched | undefined, results: Results, day: number): void {
  if (watched === undefined) {
    return;
  }
  const { reading, recommendation } = results;
  const significant = !reading.split.alarm && reading.pairs.some(isSignificant);
  const claims =
    reading.winner !== null ||
    reading.eliminated.length > 0 ||
    CLAIMS.includes(recommendation.code);
  watched.significant ||= significant;
  watched.claimed ||= claims || significant;
  watched.alarm ||= reading.split.alarm;
  watched.decidedOn ??= claims ? day : null;
}

function trialOf(results: Results, watched: Watched | undefined): Trial {
  const { experiment, variants, reading } = results;
  const sum = (name: "sent" | "replies" | "bounced") =>
    variants.reduce((total, { counts }) => total + counts[name], 0);
  const ran = (experiment.closedAt ?? experiment.endsAt) - experiment.startedAt;
  return {
    status: experiment.status,
    sent: sum("sent"),
    replies: sum("replies"),
    bounced: sum("bounced"),
    claimed: watched?.claimed ?? false,
    significant: watched?.significant ?? false,
    alarm: watched?.alarm ?? false,
    winner: reading.winner,
    pFixed: reading.pairs[0]?.pFixed ?? null,
    days: watched?.decidedOn ?? ran / DAY_MS,
    accounts: ACCOUNTS,
  };
}

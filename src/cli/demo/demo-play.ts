/**
 * Plays the demo: sets the scene through the same use cases as the API, moves the sandbox's clock through
 * a month, and counts what happened.
 */

import type { OpenEnvironments } from "#app/environments.ts";
import { operator } from "#cli/server/environments.ts";
import type { RecommendationCode } from "#domain/experiments/experiment-verdict.ts";
import { DAY_MS, HOUR_MS, plus, SECOND_MS, type UnixMs, unixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { systemClock } from "#platform/clock.ts";
import { findCampaign } from "#store/campaigns/campaigns.ts";
import { outcomesByStep } from "#store/campaigns/history.ts";
import { setSandboxSeed } from "#store/sandbox/sandbox.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import { resultsOf } from "#usecases/experiments/experiment-results.ts";
import { requireExperiment } from "#usecases/experiments/experiments.ts";
import { checkInvariants } from "#usecases/operations/invariants.ts";
import { setScene } from "#usecases/sandbox/demo-scene.ts";
import { DEMO_EXPERIMENT } from "#usecases/sandbox/demo-script.ts";
import type { Advance } from "#usecases/sandbox/sandbox-clock.ts";
import { firstTeam, mirrorTeam } from "#usecases/team/teams.ts";
import { incidentsOf, isTold, play } from "./demo-health.ts";
import { placementOf } from "./demo-placement.ts";
import {
  type DemoCounts,
  type DemoProgress,
  type DemoReport,
  type DemoVerdict,
  total,
} from "./demo-report.ts";

/** What it is played on: both environments, of which only the test environment's clock is moved. */
export interface Stage {
  environments: Pick<OpenEnvironments, "live" | "test" | "clock">;
  advance: Advance;
}

export interface DemoOptions {
  seed: number;
  leads: number;
  /** Simulated seconds a second; 0 is as fast as it goes. */
  speed: number;
  /** Aborted: stops where it is, and reports what happened so far. */
  signal: AbortSignal;
  onProgress: (progress: DemoProgress) => void;
}

const DAYS = 30;
const MONDAY = 1;
const START_HOUR = 6;
/** Simulated time between two looks at the numbers. */
const SCENE_MS = 2 * HOUR_MS;

export async function playDemo(stage: Stage, options: DemoOptions): Promise<DemoReport> {
  const { test, clock } = stage.environments;
  const startedAt = systemClock.now();
  const { caller, campaigns, experiment, imports } = await prepare(stage, options);
  clock.setSpeed(0);
  const from = test.clock.now();
  const to = plus(from, DAYS * DAY_MS);
  const rows = () => campaigns.map((id) => campaignRow(test, caller.teamId, id));

  while (test.clock.now() < to && !options.signal.aborted) {
    const at = test.clock.now();
    const next = unixMs(Math.min(to, at + SCENE_MS));
    await stage.advance(next);
    await play(test, caller, { from, at });
    const counts = total(rows().map(countsOf));
    options.onProgress({ done: (next - from) / (to - from), now: next, counts });
    await keepPace(options, startedAt, next - from);
  }
  const played = Math.round((test.clock.now() - from) / DAY_MS);
  const decided = verdictOf(test, caller, experiment);
  const placement = placementOf(test, caller);
  const health = incidentsOf(test, caller);
  return {
    seed: options.seed,
    leads: options.leads,
    days: played,
    seconds: (systemClock.now() - startedAt) / SECOND_MS,
    campaigns: rows().map(({ id, name }) => {
      const steps = outcomesByStep(test.db, id);
      return { name, counts: total(steps), steps };
    }),
    experiment: decided,
    placement,
    health,
    invariants: [
      {
        name: "the experiment picked the better variant",
        holds: isRight(decided, { leads: options.leads, isOver: played === DAYS }),
        detail: decided.winner ?? `no winner: ${decided.recommendation}`,
      },
      {
        name: "imported, skipped, and rejected leads add up to the input",
        holds: imports === options.leads,
        detail: imports === options.leads ? "" : `${imports} of ${options.leads}`,
      },
      {
        name: "each placement run's counts add up to its tests",
        holds: placement.wrong === 0,
        detail: placement.wrong === 0 ? "" : `${placement.wrong} runs`,
      },
      {
        name: "an unhealthy mailbox was throttled, paused, and recovered on its own",
        holds: isTold(health, played === DAYS),
        detail: "",
      },
      ...checkInvariants(test, caller.teamId),
    ],
  };
}

function verdictOf(env: Environment, caller: Caller, id: Id): DemoVerdict {
  const results = resultsOf(env, requireExperiment(env, caller, id));
  const { experiment, variants, recommendation } = results;
  return {
    name: experiment.name,
    status: experiment.status,
    variants: variants.map(({ row, counts: { sent, replies } }) => ({
      name: row.name,
      sent,
      replied: replies,
    })),
    better: DEMO_EXPERIMENT.better,
    winner: variants.find(({ row }) => row.id === experiment.winnerVariantId)?.row.name ?? null,
    recommendation: recommendation.sentence,
    isWithheld: WITHHOLDING.has(recommendation.code),
  };
}

/** Of a hundred months, chance makes one or two look as if the split were off or a variant drove people away. */
const WITHHOLDING: ReadonlySet<RecommendationCode> = new Set(["srm_detected", "guardrail_breach"]);

/** A worse variant never wins; a month with enough people has a winner, or says why it is withheld. */
export function isRight(
  { winner, better, isWithheld }: Pick<DemoVerdict, "winner" | "better" | "isWithheld">,
  { leads, isOver }: { leads: number; isOver: boolean },
): boolean {
  const mayBeOpen = isWithheld || !isOver || leads < DEMO_EXPERIMENT.decidedFrom;
  return winner === better || (winner === null && mayBeOpen);
}

/** Real time passes in step with the simulated: waits until `playedMs` are due, or the demo is ended. */
async function keepPace(options: DemoOptions, startedAt: UnixMs, playedMs: number): Promise<void> {
  if (options.speed > 0) {
    const dueAt = plus(startedAt, playedMs / options.speed);
    const ms = Math.max(0, dueAt - systemClock.now());
    const ended = Promise.withResolvers<void>();
    options.signal.addEventListener("abort", () => ended.resolve(), { once: true });
    await Promise.race([Bun.sleep(ms), ended.promise]);
  }
}

async function prepare(stage: Stage, { seed, leads }: DemoOptions) {
  const { live, test } = stage.environments;
  const team = await live.commit(() => firstTeam(live));
  await test.commit(() => mirrorTeam(test, team));
  await test.commit(() => setSandboxSeed(test.db, seed));
  await stage.advance(nextMonday(test.clock.now()));
  const caller = operator(team.id);
  return { caller, ...(await setScene(test, caller, { seed, leads })) };
}

/** The next Monday, 06:00 UTC, so that a month is a month on whatever day it is shown. */
function nextMonday(now: UnixMs): UnixMs {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO("UTC").toPlainDate();
  const monday = today.add({ days: 7 - today.dayOfWeek + MONDAY });
  const start = monday.toZonedDateTime({ timeZone: "UTC", plainTime: { hour: START_HOUR } });
  return unixMs(start.epochMilliseconds);
}

function campaignRow(env: Environment, teamId: Id, id: Id): CampaignRow {
  const row = findCampaign(env.db, teamId, id);
  if (row === undefined) {
    throw new Error(`the demo campaign ${id} no longer exists`);
  }
  return row;
}

function countsOf(row: CampaignRow): DemoCounts {
  const { sent, replied, bounced, autoReplied, unsubscribed } = row;
  return { sent, replied, bounced, outOfOffice: autoReplied, unsubscribed };
}

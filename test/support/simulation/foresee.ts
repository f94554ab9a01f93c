/**
 * Forecast against reality: a random team lives for some days, in every second run with faults and
 * answers; then the future is foretold, and lived through with nobody answering, nothing failing and
 * nothing changed.
 */

import { DAY_MS, HOUR_MS, MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { seededDice } from "#platform/dice.ts";
import { silentLog } from "#platform/log.ts";
import { type PlannedSend, project } from "#usecases/forecast/project.ts";
import { createChronicle } from "./chronicle.ts";
import { createMovingClock } from "./clock.ts";
import { createDraw } from "./draw.ts";
import { createInternet } from "./internet.ts";
import { type Process, startProcess } from "./process.ts";
import { drawStart, makeTeam, type Style, startAll, type Team } from "./team.ts";
import { CALM } from "./weather.ts";

/** An email as it was foretold or sent: when, from which mailbox, to whom, which step. */
export interface Sending {
  at: string;
  account: string;
  /** A rule may have yet to move the lead into the campaign of the step: then nothing else names it. */
  lead: string;
  step: string;
}

export interface Foresight {
  foretold: Sending[];
  happened: Sending[];
  /** When the future was foretold. */
  from: UnixMs;
  team: Team;
  process: Process;
}

const STYLE: Style = { tasks: true, holes: true, alike: true, nights: false, leads: 90 };
const POLL_EVERY_MS = 6 * HOUR_MS;

/** `ask` is called at the instant of the forecast. Whoever calls ends the process. */
export async function foresee(
  seed: number,
  style: Partial<Style>,
  ask: (process: Process, team: Team) => Promise<void> = async () => undefined,
): Promise<Foresight> {
  const draw = createDraw(seed);
  const chronicle = createChronicle();
  const clock = createMovingClock(drawStart(draw));
  const internet = createInternet(draw, clock, chronicle);
  const process = startProcess({
    path: ":memory:",
    internet,
    clock,
    dice: seededDice(seed),
    log: silentLog,
    pollEveryMs: POLL_EVERY_MS,
  });
  const { env } = process;
  const team = await makeTeam(env, draw, chronicle, { ...STYLE, ...style });
  await process.advance(plus(clock.now(), MINUTE_MS));
  await startAll(env, team);
  if (draw.chance(0.5)) {
    internet.weather = { ...CALM, faults: draw.unit() * 0.5, pollFaults: 0.1, reactions: 0.3 };
  }
  await process.advance(plus(clock.now(), draw.int(0, 9 * 24 * 60) * MINUTE_MS));
  if (draw.chance(0.3)) {
    internet.weather = { ...CALM, faults: 1 };
    await process.advance(plus(clock.now(), draw.int(1, 30 * 60) * MINUTE_MS));
  }
  internet.weather = { ...CALM };
  internet.hush();
  const from = clock.now();
  const to = plus(from, draw.int(4, 21) * DAY_MS);
  await ask(process, team);
  const foretold: Sending[] = [];
  for (const { send } of project(env, team.caller.teamId, from, to)) {
    if (send !== null) {
      foretold.push(sendingOf(send));
    }
  }
  await process.advance(to);
  return { foretold, happened: sentSince(env, from, to), from, team, process };
}

function sendingOf({ at, accountId, leadId, stepId }: PlannedSend): Sending {
  return {
    at: new Date(at).toISOString(),
    account: accountId,
    lead: leadId,
    step: stepId,
  };
}

interface SentRow {
  at: number;
  account: string;
  lead: string;
  step: string;
}

/** In the order in which they were claimed. */
function sentSince(env: Environment, from: UnixMs, to: UnixMs): Sending[] {
  const id = (column: string) => `lower(hex(${column}))`;
  const rows = env.db.raw
    .query<SentRow, [number, number]>(
      `select claimed_at as at, ${id("account_id")} as account, ${id("lead_id")} as lead,
       ${id("step_id")} as step from messages
       where claimed_at between ? and ? and status <> 'sending' order by claimed_at, sent_at, rowid`,
    )
    .all(from, to);
  return rows.map(({ at, account, lead, step }) => ({
    at: new Date(at).toISOString(),
    account: dashed(account),
    lead: dashed(lead),
    step: dashed(step),
  }));
}

function dashed(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

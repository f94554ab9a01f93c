/** Moving the sandbox's clock. It is the installation's, not a team's. */

import { parseDuration } from "#domain/duration.ts";
import { conflict, invalid } from "#domain/problem.ts";
import { DAY_MS, plus, SECOND_MS, toIso, type UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import type { MovableClock } from "#sandbox/clock.ts";
import { audit } from "#usecases/events/record.ts";

export const ADVANCE_MS_MIN = SECOND_MS;
export const ADVANCE_MS_MAX = 366 * DAY_MS;

/** Runs everything due up to `to`, in order, and leaves the clock there. */
export type Advance = (to: UnixMs) => Promise<void>;

export interface ClockControl {
  clock: MovableClock;
  advance: Advance;
}

/**
 * Moves the clock by `text`, for example `3d` or `1h30m`, and resolves when all that was due has been
 * done. Throws `validation_error` naming `advance`, `conflict` while it is being moved already.
 */
export async function advanceClock(
  env: Environment,
  caller: Caller,
  { clock, advance }: ClockControl,
  text: string,
): Promise<void> {
  const ms = parseDuration(text);
  if (ms === null) {
    throw invalid("advance", "must be a duration such as 3d, 90m, 1h30m or 45s");
  }
  if (ms < ADVANCE_MS_MIN || ms > ADVANCE_MS_MAX) {
    throw invalid("advance", "must be 1s to 366d");
  }
  checkIdle(clock);
  // Held before the first wait, so that a second request finds it so.
  const letGo = clock.hold();
  const from = clock.now();
  const to = plus(from, ms);
  try {
    await recordMove(env, caller, { now: toIso(from) }, { now: toIso(to) });
    await advance(to);
    clock.advanceTo(to);
  } finally {
    letGo();
    env.wake();
  }
}

/** Throws `conflict` while the clock is being moved. */
export async function setClockSpeed(
  env: Environment,
  caller: Caller,
  { clock }: ClockControl,
  speed: number,
): Promise<void> {
  checkIdle(clock);
  const before = clock.speed;
  clock.setSpeed(speed);
  await recordMove(env, caller, { speed: before }, { speed });
  env.wake();
}

function checkIdle(clock: MovableClock): void {
  if (clock.held) {
    throw conflict("the sandbox clock is already moving; try again when it's done");
  }
}

function recordMove(
  env: Environment,
  caller: Caller,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Promise<void> {
  return env.commit(() =>
    audit(env, caller, { action: "sandbox.clock", target: "clock", before, after }),
  );
}

/** What goes wrong with the machine itself: its disk and its clock. */

import { DAY_MS, HOUR_MS } from "#domain/time.ts";
import type { Chronicle } from "./chronicle.ts";
import type { MovingClock } from "./clock.ts";
import { SLOW_TROUBLES, STATEMENT_FAULTS, TROUBLES } from "./disk.ts";
import type { Draw } from "./draw.ts";
import type { Process } from "./process.ts";
import type { Tally } from "./tally.ts";

/** Waits of a process before a fault that is set for one of them. */
export const AWAITS_MAX = 400;
/** Statements of transactions before a death between two of them, or a fault at one. */
export const STATEMENTS_MAX = 1_000;
/** Chance that the clock is set, of a round and of an interruption. */
export const CLOCK_SET = 0.15;

/** Commits for which the disk fails. */
const TROUBLE_COMMITS_MAX = 12;
const SET_BACK_MS_MAX = 12 * HOUR_MS;
const SET_FORWARD_MS_MAX = 2 * DAY_MS;

export interface Machine {
  draw: Draw;
  clock: MovingClock;
  process: Process;
  tally: Tally;
  chronicle: Chronicle;
  /** Some troubles of the disk take time. */
  isSlow?: boolean;
}

/** For the next round. */
export function brewTrouble(machine: Machine): void {
  const { draw, process } = machine;
  const { life, disk } = process;
  if (draw.chance(0.4)) {
    const [after, commits] = [draw.int(0, AWAITS_MAX / 2), draw.int(1, TROUBLE_COMMITS_MAX)];
    const troubles = machine.isSlow === true ? [...TROUBLES, ...SLOW_TROUBLES] : TROUBLES;
    disk.fail(draw.pick(troubles), after, commits);
  }
  if (draw.chance(0.3)) {
    const fault = draw.pick(STATEMENT_FAULTS);
    life.failStatement(draw.int(1, STATEMENTS_MAX), () => disk.failStatement(fault));
  }
  if (draw.chance(CLOCK_SET)) {
    setClock(machine, draw.pick(["clock_back", "clock_forward"] as const));
  }
}

/** By somebody's hand, by NTP, after a sleep. */
export function setClock(
  { draw, clock, tally, chronicle }: Omit<Machine, "process">,
  fault: "clock_back" | "clock_forward",
): void {
  const isBack = fault === "clock_back";
  tally[fault] += 1;
  clock.set(isBack ? -draw.int(1, SET_BACK_MS_MAX) : draw.int(1, SET_FORWARD_MS_MAX));
  if (isBack) {
    chronicle.note("set_back", "");
  }
}

/** Notes what a lane does, for whoever runs the program. */

import { type Clock, stopwatch } from "#platform/clock.ts";
import type { LaneState } from "#usecases/operations/operations.ts";
import type { Lane } from "./lane.ts";

/** Characters of a fault that are kept. */
const FAULT_CHARS_MAX = 500;

/** The lane as it was, and what becomes of its steps. */
export function noted(wall: Clock, lane: Lane): { lane: Lane; state: LaneState } {
  const state: LaneState = {
    name: lane.name,
    runs: 0,
    busyMs: 0,
    lastRunAt: null,
    faults: 0,
    lastFaultAt: null,
    lastFault: null,
  };
  const step: Lane["step"] = async (now) => {
    const elapsed = stopwatch();
    state.lastRunAt = wall.now();
    try {
      return await lane.step(now);
    } catch (error) {
      state.faults += 1;
      state.lastFaultAt = wall.now();
      state.lastFault = String(error).slice(0, FAULT_CHARS_MAX);
      throw error;
    } finally {
      state.runs += 1;
      state.busyMs += elapsed();
    }
  };
  return { lane: { ...lane, step }, state };
}

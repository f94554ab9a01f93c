/**
 * What time it is in the environment on show: the wall's in live, the sandbox's in test, which stands,
 * runs and jumps as its people like. Ages and countdowns go by it.
 */

import { effect, signal } from "@preact/signals";
import { api } from "./api.ts";
import { changes } from "./live.ts";
import { env } from "./route.ts";
import { hasEnded } from "./session-fetch.ts";

export interface SandboxClock {
  /** Unix milliseconds, as it was when it was asked. */
  now: number;
  /** Seconds of the sandbox in a second; 0 is paused. */
  speed: number;
  /** It is being moved. */
  advancing: boolean;
}

/** Undefined in live, and until it is known. */
export const sandboxClock = signal<SandboxClock | undefined>(undefined);

/** The environment's time in Unix milliseconds; what reads it is drawn anew as it goes on. */
export const now = signal(Date.now());

const TICK_MS = 1000;
const ASK_EVERY_MS = 15_000;
/** Shown ages need not be younger than this, in the environment's milliseconds. */
const STEP_MS = 30_000;

let readAt = performance.now();

/** Takes what the server says of its clock. */
export function takeClock(said: { now: string; speed: number; advancing: boolean }): SandboxClock {
  const clock = { ...said, now: Date.parse(said.now) };
  readAt = performance.now();
  sandboxClock.value = clock;
  now.value = clock.now;
  return clock;
}

/** Asks the server for it, and takes what it says. */
export async function readClock(): Promise<SandboxClock> {
  return takeClock(await api().getSandboxClock());
}

function tick(): void {
  const clock = sandboxClock.peek();
  const at =
    clock === undefined ? Date.now() : clock.now + (performance.now() - readAt) * clock.speed;
  if (Math.abs(at - now.peek()) >= STEP_MS) {
    now.value = at;
  }
}

/** Follows the clock of the environment on show for as long as the page lives. */
export function followClock(): void {
  setInterval(tick, TICK_MS);
  effect(() => {
    if (env.value === "live") {
      sandboxClock.value = undefined;
      now.value = Date.now();
      return;
    }
    for (const family of ["email", "account", "campaign"]) {
      changes(family);
    }
    const ask = () => {
      if (document.visibilityState === "visible" && !hasEnded.peek()) {
        readClock().catch(() => undefined);
      }
    };
    ask();
    const asking = setInterval(ask, ASK_EVERY_MS);
    return () => clearInterval(asking);
  });
}

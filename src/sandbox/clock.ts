/**
 * The sandbox's clock: a line through (base instant, sandbox instant) whose slope is the speed. It starts
 * at the base clock's time with speed 1, never goes back, and is kept in the database, so that a restart
 * goes on where it was. While the program is down, time goes on at speed 1 and below; a faster clock
 * is paused, or a night's rest would be years.
 *
 * Source: ours.
 */

import { DAY_MS, INSTANT_MS_MAX, SECOND_MS, type UnixMs, unixMs } from "#domain/time.ts";
import type { Clock } from "#platform/clock.ts";
import type { Commit } from "#store/sqlite/commit.ts";
import type { Db } from "#store/sqlite/database.ts";
import { readFact, writeFact } from "#store/sqlite/facts.ts";

export const SPEED_MAX = 100_000;

/** A clock that runs faster than its base is written down this often, by the base's time. */
const KEPT_EVERY_MS = 10 * SECOND_MS;
/** The last instant that can be named, less a century for whoever adds to it. */
const LAST_MS = INSTANT_MS_MAX - 100 * 366 * DAY_MS;
const FACT = "sandbox.clock";

export interface MovableClock extends Clock {
  /** Seconds of sandbox time a second of the base clock; 0 is paused. */
  readonly speed: number;
  /** Milliseconds by which it is ahead of the base clock just now. */
  readonly offset: number;
  /** True while somebody holds it. */
  readonly held: boolean;
  /** Milliseconds of the base clock until it shows `instant`; Infinity while it is paused. */
  baseMsUntil(instant: UnixMs): number;
  /** `speed` is 0 to {@link SPEED_MAX}. */
  setSpeed(speed: number): void;
  /** Jumps to `instant`; one that has passed changes nothing. */
  advanceTo(instant: UnixMs): void;
  /** Stands still but for `advanceTo` until the returned function is called; may be held twice. */
  hold(): () => void;
}

/** Where the line goes through, and how steep it is. */
interface Anchor {
  base: UnixMs;
  at: UnixMs;
  speed: number;
}

export interface MovableClockOptions {
  db: Db;
  commit: Commit;
  base: Clock;
}

export function createMovableClock({ db, commit, base }: MovableClockOptions): MovableClock {
  const kept = readAnchor(db);
  let anchor = resume(kept, base.now());
  let holds = 0;

  const now = (): UnixMs => {
    const passed = holds > 0 ? 0 : Math.max(0, base.now() - anchor.base) * anchor.speed;
    return unixMs(Math.min(LAST_MS, anchor.at + passed));
  };
  // Queued, not awaited: it is on disk no later than whatever is written because of the new time.
  const keep = (next: Anchor): void => {
    anchor = next;
    const text = JSON.stringify(next);
    commit(() => writeFact(db, FACT, text)).catch(() => {
      // The store is closing or broken: whoever writes next is told.
    });
  };
  // A line that was not drawn on must not be drawn from its old start at the next restart.
  if (kept !== undefined && kept.speed > 1) {
    keep(anchor);
  }

  return {
    get speed() {
      return anchor.speed;
    },
    get offset() {
      return now() - base.now();
    },
    get held() {
      return holds > 0;
    },
    now: () => {
      const at = now();
      const baseNow = base.now();
      if (holds === 0 && anchor.speed > 1 && baseNow - anchor.base >= KEPT_EVERY_MS) {
        keep({ base: baseNow, at, speed: anchor.speed });
      }
      return at;
    },
    baseMsUntil: (instant) => {
      const left = instant - now();
      if (left <= 0) {
        return 0;
      }
      return holds > 0 || anchor.speed === 0 ? Number.POSITIVE_INFINITY : left / anchor.speed;
    },
    setSpeed: (speed) => {
      if (!(speed >= 0 && speed <= SPEED_MAX)) {
        throw new RangeError(`a speed is 0 to ${SPEED_MAX}, not ${speed}`);
      }
      keep({ base: base.now(), at: now(), speed });
    },
    advanceTo: (instant) => {
      const at = now();
      if (instant > at) {
        keep({ base: base.now(), at: unixMs(Math.min(LAST_MS, instant)), speed: anchor.speed });
      }
    },
    hold: () => {
      keep({ base: base.now(), at: now(), speed: anchor.speed });
      holds += 1;
      let isHeld = true;
      return () => {
        if (isHeld) {
          isHeld = false;
          holds -= 1;
          keep({ base: base.now(), at: anchor.at, speed: anchor.speed });
        }
      };
    },
  };
}

function readAnchor(db: Db): Anchor | undefined {
  const text = readFact(db, FACT);
  return text === undefined ? undefined : (JSON.parse(text) as Anchor);
}

/** After a restart: nothing earlier than what was last seen, and no leap. */
function resume(kept: Anchor | undefined, baseNow: UnixMs): Anchor {
  if (kept === undefined) {
    return { base: baseNow, at: baseNow, speed: 1 };
  }
  const { at, speed } = kept;
  const elapsed = Math.max(0, baseNow - kept.base);
  const counted = speed > 1 ? Math.min(elapsed, KEPT_EVERY_MS) : elapsed;
  return { base: baseNow, at: unixMs(Math.min(LAST_MS, at + counted * speed)), speed };
}

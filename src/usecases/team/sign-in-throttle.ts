/**
 * Slows down who tries passwords. Failures are counted for a person at an address, for the address, and
 * for the person wherever from; each has some for free, then every further one doubles the wait.
 *
 * The count for a person alone is generous and its wait short, so that strangers cannot lock somebody
 * out. It is kept in memory: nobody but the operator can make it forget by starting the program anew.
 */

import { Problem } from "#domain/problem.ts";
import { HOUR_MS, MINUTE_MS, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";

/** Remembered at once; the one that failed longest ago goes first. */
const ENTRIES_MAX = 10_000;
/** Without a failure for so long all are forgiven. */
const FORGIVEN_MS = HOUR_MS;

const RULES = {
  /** A person at an address. */
  both: { free: 4, waitMs: 2 * SECOND_MS, waitMsMax: 15 * MINUTE_MS },
  address: { free: 20, waitMs: 2 * SECOND_MS, waitMsMax: 15 * MINUTE_MS },
  person: { free: 50, waitMs: SECOND_MS, waitMsMax: 30 * SECOND_MS },
} as const;

interface Failures {
  count: number;
  lastAt: UnixMs;
  /** Nothing is looked at before. */
  closedUntil: UnixMs;
}

export interface SignInThrottle {
  /** Throws `rate_limit_exceeded` while `email` at `address` has to wait. */
  check(email: string, address: string, now: UnixMs): void;
  failed(email: string, address: string, now: UnixMs): void;
  /** Takes back the failure that was counted for this attempt before it was looked at. */
  succeeded(email: string, address: string): void;
}

export function createSignInThrottle(): SignInThrottle {
  const known = new Map<string, Failures>();
  const keys = (email: string, address: string) =>
    [
      ["both", `both ${address} ${email}`],
      ["address", `address ${address}`],
      ["person", `person ${email}`],
    ] as const;
  const recent = (key: string, now: UnixMs) => {
    const found = known.get(key);
    if (found !== undefined && found.lastAt > now) {
      // The clock was set back: the failure counts as one of this moment, and the wait is as long as it was.
      found.closedUntil = plus(found.closedUntil, now - found.lastAt);
      found.lastAt = now;
    }
    return found !== undefined && now - found.lastAt < FORGIVEN_MS ? found : undefined;
  };

  return {
    check: (email, address, now) => {
      const until = Math.max(
        ...keys(email, address).map(([, key]) => recent(key, now)?.closedUntil ?? 0),
      );
      if (until > now) {
        const seconds = Math.ceil((until - now) / SECOND_MS);
        throw new Problem(
          "rate_limit_exceeded",
          `too many wrong passwords; try again in ${seconds} seconds`,
          null,
          { "Retry-After": String(seconds) },
        );
      }
    },
    failed: (email, address, now) => {
      for (const [rule, key] of keys(email, address)) {
        const { free, waitMs, waitMsMax } = RULES[rule];
        const count = (recent(key, now)?.count ?? 0) + 1;
        const wait = count <= free ? 0 : Math.min(waitMsMax, waitMs * 2 ** (count - free - 1));
        known.delete(key);
        known.set(key, { count, lastAt: now, closedUntil: plus(now, wait) });
      }
      for (const key of known.keys()) {
        if (known.size <= ENTRIES_MAX) {
          break;
        }
        known.delete(key);
      }
    },
    succeeded: (email, address) => {
      known.delete(`both ${address} ${email}`);
      known.delete(`person ${email}`);
      // Others at the address may still be guessing: only this one attempt is taken back.
      const there = known.get(`address ${address}`);
      if (there !== undefined) {
        there.count -= 1;
        there.closedUntil = there.count <= RULES.address.free ? there.lastAt : there.closedUntil;
      }
    },
  };
}

/**
 * A token bucket for each key: `perMinute` requests a minute, all of which may come at once. A request counts as
 * more by the time that it takes of the thread, up to a tenth of the limit; what that leaves is never below zero,
 * so that nobody waits for long because of what was dear before.
 *
 * Source: the header names are those of the IETF draft "RateLimit header fields for HTTP".
 */

import { Problem } from "#domain/problem.ts";
import { MINUTE_MS, SECOND_MS, type UnixMs } from "#domain/time.ts";

/** Keys remembered; the one unused for longest goes first, and starts with a full bucket if it returns. */
const BUCKETS_MAX = 10_000;
/** A request that takes the thread for longer counts as another for each time as much. */
export const REQUEST_MS = 20;
const SHARE_MAX = 0.1;

export interface RateLimit {
  /**
   * Takes one request off the bucket of `key`, or `count`, for a request that carries others. Throws
   * `rate_limit_exceeded` when fewer are in it, and then takes none.
   */
  take(key: string, now: UnixMs, count?: number): Readonly<Record<string, string>>;
  /** For one request of `key`: hears of the milliseconds that it takes. */
  meter(key: string): (ms: number) => void;
}

interface Bucket {
  tokens: number;
  at: UnixMs;
}

const free: RateLimit = { take: () => ({}), meter: () => () => undefined };

/** `perMinute` 0 turns it off. `name`: what the headers call it. */
export function createRateLimit(perMinute: number, name = "default"): RateLimit {
  if (perMinute === 0) {
    return free;
  }
  const buckets = new Map<string, Bucket>();
  const policy = `"${name}";q=${perMinute};w=60`;

  return {
    take: (key, now, wanted = 1) => {
      // What is more than a full bucket would never be let in.
      const count = Math.min(wanted, perMinute);
      const bucket = buckets.get(key) ?? { tokens: perMinute, at: now };
      const elapsed = Math.max(0, now - bucket.at);
      const tokens = Math.min(perMinute, bucket.tokens + (elapsed * perMinute) / MINUTE_MS);
      const rest = tokens < count ? tokens : tokens - count;
      buckets.delete(key);
      buckets.set(key, { tokens: rest, at: now });
      if (buckets.size > BUCKETS_MAX) {
        const oldest = buckets.keys().next().value;
        if (oldest !== undefined) {
          buckets.delete(oldest);
        }
      }
      const fullIn = Math.ceil(((perMinute - rest) * MINUTE_MS) / perMinute / SECOND_MS);
      const headers = (left: number) => ({
        "RateLimit-Policy": policy,
        RateLimit: `"${name}";r=${left};t=${fullIn}`,
        "RateLimit-Limit": String(perMinute),
        "RateLimit-Remaining": String(left),
        "RateLimit-Reset": String(fullIn),
      });
      if (tokens < count) {
        const seconds = Math.ceil(((count - tokens) * MINUTE_MS) / perMinute / SECOND_MS);
        throw new Problem(
          "rate_limit_exceeded",
          `too many requests; try again in ${seconds} s`,
          null,
          {
            ...headers(0),
            "Retry-After": String(seconds),
          },
        );
      }
      return headers(Math.floor(rest));
    },
    meter: (key) => {
      const most = Math.floor(perMinute * SHARE_MAX);
      let spent = 0;
      let counted = 0;
      return (ms) => {
        spent += ms;
        const due = Math.min(most, Math.floor(spent / REQUEST_MS));
        const bucket = buckets.get(key);
        if (bucket !== undefined && due > counted) {
          bucket.tokens = Math.max(0, bucket.tokens - (due - counted));
          counted = due;
        }
      };
    },
  };
}

/**
 * A token bucket for each key: `perMinute` requests a minute, all of which may come at once.
 *
 * Source: the header names are those of the IETF draft "RateLimit header fields for HTTP".
 */

import { Problem } from "#domain/problem.ts";
import { MINUTE_MS, SECOND_MS, type UnixMs } from "#domain/time.ts";

/** Keys remembered; the one unused for longest goes first, and starts with a full bucket if it returns. */
const BUCKETS_MAX = 10_000;

export interface RateLimit {
  /**
   * Takes one request off the bucket of `key`, or `count`, for a request that carries others. Throws
   * `rate_limit_exceeded` when fewer are in it, and then takes none.
   */
  take(key: string, now: UnixMs, count?: number): Readonly<Record<string, string>>;
}

interface Bucket {
  tokens: number;
  at: UnixMs;
}

/** `perMinute` 0 turns it off. */
export function createRateLimit(perMinute: number): RateLimit {
  if (perMinute === 0) {
    return { take: () => ({}) };
  }
  const buckets = new Map<string, Bucket>();
  const policy = `"default";q=${perMinute};w=60`;

  return {
    take: (key, now, count = 1) => {
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
        RateLimit: `"default";r=${left};t=${fullIn}`,
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
  };
}

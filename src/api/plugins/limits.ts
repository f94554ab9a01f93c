/** How much a caller may ask for in a minute, and who pays for what a request takes. */

import type { UnixMs } from "#domain/time.ts";
import type { Caller } from "#environment.ts";
import { createRateLimit } from "#platform/http/rate-limit.ts";
import type { Owner } from "#platform/turns.ts";

/** A page asks for several things at once, and again whenever one of them changes. */
const PERSON_FACTOR = 5;
/** All keys and people of a team together: more keys are no more room. */
const TEAM_FACTOR = 10;

export interface Allowance {
  /** Counts as so many requests. Throws `rate_limit_exceeded`. Returns headers. */
  charge(count: number, now: UnixMs): Readonly<Record<string, string>>;
  owner: Owner;
}

/** `perMinute`: requests of a key; 0 turns all limits off. */
export function createLimits(perMinute: number): (caller: Caller) => Allowance {
  const keys = createRateLimit(perMinute);
  const people = createRateLimit(perMinute * PERSON_FACTOR);
  const teams = createRateLimit(perMinute * TEAM_FACTOR, "team");
  return ({ actor, role, teamId }) => {
    const own = role === undefined ? keys : people;
    const payOwn = own.meter(actor);
    const payTeam = teams.meter(teamId);
    return {
      charge: (count, now) => {
        const headers = own.take(actor, now, count);
        teams.take(teamId, now, count);
        return headers;
      },
      owner: {
        team: teamId,
        pay: (ms) => {
          payOwn(ms);
          payTeam(ms);
        },
      },
    };
  };
}

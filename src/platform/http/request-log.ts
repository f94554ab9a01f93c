/**
 * The latest requests of each team, in memory only: what was asked, what was answered and how long it
 * took. No header and no key is kept, and bodies only where the operator wants them, for some hours and
 * without what is secret in them.
 */

import type { UnixMs } from "#domain/time.ts";
import { masked } from "#platform/log.ts";

/** Kept of a team; the oldest goes first. */
export const TEAM_REQUESTS_MAX = 500;
/** Teams remembered; the one that asked nothing for longest goes first. */
export const LOGGED_TEAMS_MAX = 1_000;
const PATH_LENGTH_MAX = 2_000;
/** Characters kept of a body, and of all bodies together; the oldest go first. */
export const BODY_CHARS_MAX = 4_000;
const BODIES_CHARS_MAX = 16_000_000;

export interface LoggedRequest {
  /** The request's own id, as the answer's `X-Request-Id` has it. */
  id: string;
  at: UnixMs;
  method: string;
  /** With its query, keys in it cut short. */
  path: string;
  status: number;
  durationMs: number;
  /** Who asked: `key:<id>`. */
  actor: string;
  /** What was said and answered, as JSON cut short; null where there was nothing or it isn't kept. */
  bodies: { request: string | null; response: string | null };
}

export interface RequestLog {
  /** `request` and `response` are values that become JSON. */
  note(
    teamId: string,
    request: Omit<LoggedRequest, "bodies"> & { request?: unknown; response?: unknown },
  ): void;
  /** The newest first. Bodies that are too old at `now` are gone. */
  of(teamId: string, now: UnixMs): readonly LoggedRequest[];
  /** Drops the bodies of a team: somebody in them was erased. */
  forgetBodies(teamId: string): void;
}

/** `bodiesMs` is how long bodies are kept; 0 for not at all. */
export function createRequestLog(bodiesMs = 0): RequestLog {
  const teams = new Map<string, LoggedRequest[]>();
  /** Those with bodies, the oldest first. */
  const full: LoggedRequest[] = [];
  let chars = 0;
  const dropOldest = () => {
    const oldest = full.shift();
    if (oldest !== undefined) {
      chars -= charsOf(oldest);
      oldest.bodies = NO_BODIES;
    }
  };
  const dropOld = (now: UnixMs) => {
    while (full[0] !== undefined && (chars > BODIES_CHARS_MAX || full[0].at <= now - bodiesMs)) {
      dropOldest();
    }
  };
  return {
    note: (teamId, { request, response, ...call }) => {
      const kept = teams.get(teamId) ?? [];
      teams.delete(teamId);
      teams.set(teamId, kept);
      const path = masked(call.path).slice(0, PATH_LENGTH_MAX);
      const noted = { ...call, path, bodies: NO_BODIES };
      if (bodiesMs > 0) {
        noted.bodies = { request: bodyText(request), response: bodyText(response) };
        full.push(noted);
        chars += charsOf(noted);
        dropOld(call.at);
      }
      kept.push(noted);
      if (kept.length > TEAM_REQUESTS_MAX) {
        kept.shift();
      }
      const [oldest] = teams.keys();
      if (teams.size > LOGGED_TEAMS_MAX && oldest !== undefined) {
        teams.delete(oldest);
      }
    },
    of: (teamId, now) => {
      dropOld(now);
      return (teams.get(teamId) ?? []).toReversed();
    },
    forgetBodies: (teamId) => {
      for (const call of teams.get(teamId) ?? []) {
        chars -= charsOf(call);
        call.bodies = NO_BODIES;
      }
    },
  };
}

const NO_BODIES: LoggedRequest["bodies"] = { request: null, response: null };

function charsOf({ bodies: { request, response } }: LoggedRequest): number {
  return (request?.length ?? 0) + (response?.length ?? 0);
}

/** Fields whose values open something. */
const SECRET_NAME = /(^|_)(password|secret|token|key|code|authorization|headers|url|link)s?$/i;

function bodyText(body: unknown): string | null {
  const isPlain = Array.isArray(body) || body?.constructor === Object;
  if (!isPlain) {
    return null;
  }
  const text = JSON.stringify(body, (name, value: unknown) =>
    SECRET_NAME.test(name) && value !== null ? "…" : value,
  );
  const safe = masked(text);
  return safe.length > BODY_CHARS_MAX ? `${safe.slice(0, BODY_CHARS_MAX)}…` : safe;
}

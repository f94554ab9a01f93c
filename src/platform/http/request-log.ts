/**
 * The latest requests of each team, in memory only: what was asked, what was answered and how long it
 * took. No body, no header and no key is kept.
 */

import type { UnixMs } from "#domain/time.ts";
import { masked } from "#platform/log.ts";

/** Kept of a team; the oldest goes first. */
export const TEAM_REQUESTS_MAX = 500;
/** Teams remembered; the one that asked nothing for longest goes first. */
export const LOGGED_TEAMS_MAX = 1_000;
const PATH_LENGTH_MAX = 2_000;

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
}

export interface RequestLog {
  note(teamId: string, request: LoggedRequest): void;
  /** The newest first. */
  of(teamId: string): readonly LoggedRequest[];
}

export function createRequestLog(): RequestLog {
  const teams = new Map<string, LoggedRequest[]>();
  return {
    note: (teamId, request) => {
      const kept = teams.get(teamId) ?? [];
      teams.delete(teamId);
      teams.set(teamId, kept);
      kept.push({ ...request, path: masked(request.path).slice(0, PATH_LENGTH_MAX) });
      if (kept.length > TEAM_REQUESTS_MAX) {
        kept.shift();
      }
      const [oldest] = teams.keys();
      if (teams.size > LOGGED_TEAMS_MAX && oldest !== undefined) {
        teams.delete(oldest);
      }
    },
    of: (teamId) => (teams.get(teamId) ?? []).toReversed(),
  };
}

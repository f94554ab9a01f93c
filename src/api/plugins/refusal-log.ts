/**
 * Refused requests in the log: keys that aren't valid, and what a key or a role may not do. The limits of failures and of
 * requests bound how many lines there can be, since 429 makes none.
 */

import type { Problem, ProblemType } from "#domain/problem.ts";
import type { Caller } from "#environment.ts";
import type { Log } from "#platform/log.ts";
import type { RequestState } from "../context.ts";

const TOLD: ReadonlySet<ProblemType> = new Set(["authentication_error", "permission_error"]);

interface Refused {
  requestId: string;
  /** Undefined before the request was read. */
  state: RequestState | undefined;
  caller: Caller | undefined;
}

export function createRefusalLog(log: Log, addressOf: (request: Request) => string) {
  return (problem: Problem, request: Request, { requestId, state, caller }: Refused): void => {
    if (TOLD.has(problem.type)) {
      log.info("request refused", {
        ...{ requestId, status: problem.status, cause: problem.message },
        ...{ method: request.method, path: state?.path, address: addressOf(request) },
        ...{ actor: caller?.actor, team: caller?.teamId },
      });
    }
  };
}

/**
 * Who was let in nowhere, in the log: keys that are none, and what a key or a role may not do. How many lines there
 * can be is bounded by the limit of failures (429), which makes none.
 */

import type { Problem, ProblemType } from "#domain/problem.ts";
import type { Caller } from "#environment.ts";
import type { Log } from "#platform/log.ts";
import type { RequestState } from "../context.ts";

const TOLD: ReadonlySet<ProblemType> = new Set(["authentication_error", "permission_error"]);

interface Refused {
  requestId: string;
  /** Of what wasn't let in there is none. */
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

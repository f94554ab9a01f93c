/** Notes what keys ask, for `GET /requests`: each environment has a log of its own, which ends with the program. */

import type { Caller, Environment } from "#environment.ts";
import { stopwatch } from "#platform/clock.ts";
import { createRequestLog, type RequestLog } from "#platform/http/request-log.ts";

const logs = new WeakMap<Environment, RequestLog>();

export function requestLogOf(env: Environment): RequestLog {
  const log = logs.get(env) ?? createRequestLog(env.requestBodiesMs);
  logs.set(env, log);
  return log;
}

/** A request that has been let in. */
interface Admitted {
  env: Environment;
  caller: Caller;
  requestId: string;
  path: string;
}

interface Begun extends Admitted {
  elapsed: () => number;
}

const begun = new WeakMap<Request, Begun>();

/**
 * A request has been let in. What people do in the console is in the audit log; here it would drown what
 * programs do.
 */
export function recordBegin(request: Request, admitted: Admitted): void {
  if (admitted.caller.actor.startsWith("key:")) {
    begun.set(request, { ...admitted, elapsed: stopwatch() });
  }
}

/** What is known of a request when it is about to be answered: a response, or the status that was set. */
interface Ended {
  request: Request;
  /** What was sent, as it was read; undefined for a file, and where it could not be read. */
  body?: unknown;
  responseValue: unknown;
  set: { status?: number | string };
  /** The body of a refusal, which `responseValue` has as a stream already. */
  refusal?: unknown;
}

/** Counts once for a request. */
export function recordEnd({ request, body, responseValue, set, refusal }: Ended): void {
  const call = begun.get(request);
  if (call === undefined) {
    return;
  }
  begun.delete(request);
  const bodies = WITHOUT_SECRETS.test(call.path)
    ? { request: body, response: refusal ?? responseValue }
    : {};
  requestLogOf(call.env).note(call.caller.teamId, {
    id: call.requestId,
    at: call.env.wall.now(),
    method: request.method,
    path: call.path + searchOf(request.url),
    status: statusOf(responseValue, set),
    durationMs: Math.round(call.elapsed()),
    actor: call.caller.actor,
    ...bodies,
  });
}

/** Of a request that is about to be answered. */
export function statusOf(
  responseValue: unknown,
  set: { status?: number | string | undefined },
): number {
  return responseValue instanceof Response ? responseValue.status : Number(set.status ?? 200);
}

/** Whose bodies may be kept: nobody has a secret to give there, not even in the wrong field. */
const WITHOUT_SECRETS =
  /^\/api\/v1\/(campaigns|leads|tasks|suppressions|experiments|inbox|messages|events|imports)\b/;

function searchOf(url: string): string {
  return url.includes("?") ? new URL(url).search : "";
}

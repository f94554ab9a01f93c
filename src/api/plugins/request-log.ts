/** Notes what keys ask, for `GET /requests`: each world has a log of its own, which ends with the program. */

import { stopwatch } from "#runtime/clock.ts";
import { createRequestLog, type RequestLog } from "#runtime/request-log.ts";
import type { Caller, World } from "#world.ts";

const logs = new WeakMap<World, RequestLog>();

export function requestLogOf(world: World): RequestLog {
  const log = logs.get(world) ?? createRequestLog();
  logs.set(world, log);
  return log;
}

interface Begun {
  world: World;
  caller: Caller;
  requestId: string;
  elapsed: () => number;
}

const begun = new WeakMap<Request, Begun>();

/**
 * A request has been let in. What people do in the console is in the audit log; here it would drown what
 * programs do.
 */
export function noteBegin(request: Request, world: World, caller: Caller, requestId: string): void {
  if (caller.actor.startsWith("key:")) {
    begun.set(request, { world, caller, requestId, elapsed: stopwatch() });
  }
}

/** What is known of a request when it has been answered: a response, or the status that was set. */
interface Ended {
  request: Request;
  responseValue: unknown;
  set: { status?: number | string };
}

/** Counts once for a request. */
export function noteEnd({ request, responseValue, set }: Ended): void {
  const call = begun.get(request);
  if (call === undefined) {
    return;
  }
  begun.delete(request);
  const { pathname, search } = new URL(request.url);
  requestLogOf(call.world).note(call.caller.teamId, {
    id: call.requestId,
    at: call.world.wall.now(),
    method: request.method,
    path: pathname + search,
    status: responseValue instanceof Response ? responseValue.status : Number(set.status ?? 200),
    durationMs: Math.round(call.elapsed()),
    actor: call.caller.actor,
  });
}

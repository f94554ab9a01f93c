/**
 * `/metrics` for Prometheus: read by an operator's key or the token of the configuration. Everything is
 * looked up when it is asked for; counters begin at the program's start.
 */

import { timingSafeEqual } from "node:crypto";
import { Elysia } from "elysia";
import { Problem } from "#domain/problem.ts";
import { type Env, OPERATOR_SCOPE } from "#domain/team/api-key.ts";
import type { Caller, Environment } from "#environment.ts";
import { sha256 } from "#platform/secrets/crypto.ts";
import { lastEventSeq } from "#store/sending/queues.ts";
import type { Operations } from "#usecases/operations/operations.ts";
import { CONTENT_TYPE, createMetrics } from "./document.ts";

export const METRICS_PATHS: readonly string[] = ["/metrics"];

interface MetricsInput {
  environments: Readonly<Record<Env, Environment>>;
  operations: Operations;
  token: string | null;
  /** Who a request's API key is. Throws `authentication_error`. */
  callerOf: (request: Request) => Caller;
}

export function metricsRoutes(input: MetricsInput) {
  const { environments, operations } = input;
  const since = {
    live: lastEventSeq(environments.live.db),
    test: lastEventSeq(environments.test.db),
  };
  const write = createMetrics({ environments, operations, since });
  return new Elysia({ name: "metrics", normalize: false }).get("/metrics", ({ request }) => {
    if (!opensByToken(input.token, request)) {
      const { scopes } = input.callerOf(request);
      if (!scopes.includes(OPERATOR_SCOPE)) {
        throw new Problem("permission_error", `this key lacks the scope "${OPERATOR_SCOPE}"`);
      }
    }
    return new Response(write(), { headers: { "Content-Type": CONTENT_TYPE } });
  });
}

function opensByToken(token: string | null, request: Request): boolean {
  const given = /^Bearer (\S{1,300})$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  return token !== null && given !== undefined && timingSafeEqual(sha256(given), sha256(token));
}

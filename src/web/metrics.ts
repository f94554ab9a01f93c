/**
 * `/metrics` for Prometheus: read by an operator's key or the token of the configuration. Everything is
 * looked up when it is asked for; counters begin at the program's start. Labels are names of ours alone, so
 * that their number is bounded.
 */

import { timingSafeEqual } from "node:crypto";
import { Elysia } from "elysia";
import { Problem } from "#domain/problem.ts";
import { type Env, OPERATOR_SCOPE } from "#domain/team/api-key.ts";
import type { Caller, Environment } from "#environment.ts";
import { sha256 } from "#platform/secrets/crypto.ts";
import { lastEventSeq } from "#store/sending/queues.ts";
import type { Operations } from "#usecases/operations/operations.ts";
import type { Metrics } from "./metrics-document.ts";

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
  let made: Promise<Metrics> | undefined;
  // The library is loaded for those who watch the program with it.
  const metrics = () => {
    made ??= import("./metrics-document.ts").then(({ createMetrics }) =>
      createMetrics({ environments, operations, since }),
    );
    return made;
  };
  return new Elysia({ name: "metrics", normalize: false }).get("/metrics", async ({ request }) => {
    if (!opensByToken(input.token, request)) {
      const { scopes } = input.callerOf(request);
      if (!scopes.includes(OPERATOR_SCOPE)) {
        throw new Problem("permission_error", `this key lacks the scope "${OPERATOR_SCOPE}"`);
      }
    }
    const { contentType, write } = await metrics();
    return new Response(await write(), { headers: { "Content-Type": contentType } });
  });
}

function opensByToken(token: string | null, request: Request): boolean {
  const given = /^Bearer (\S{1,300})$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  return token !== null && given !== undefined && timingSafeEqual(sha256(given), sha256(token));
}

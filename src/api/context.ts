/**
 * What every API handler finds on its context, and the resource that a route belongs to.
 *
 * `server.ts` fills these in before anything of a request is read; a handler only runs when they are set.
 */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { ScopeResource } from "#domain/team/api-key.ts";
import type { Caller, Environment } from "#environment.ts";
import type { Owner } from "#platform/turns.ts";
import type { TeamRows } from "#store/sqlite/laid-over.ts";
import type { Operation, RouteTable } from "./plugins/routes.ts";
import { Documented, Shape } from "./schema.ts";

/** A response that isn't sent yet. */
export interface Answer {
  status: number;
  body: unknown;
  headers: Record<string, string>;
}

/** What a request that carries others needs of the server. */
export interface Serving {
  routes(): RouteTable;
  /** What a request that throws this is answered; a bug is logged. */
  refusal(error: unknown, requestId: string): { status: number; body: unknown };
}

export interface RequestState {
  requestId: string;
  /** Milliseconds since it came in. */
  elapsed: () => number;
  /** As in the URL; empty where there is none. */
  path: string;
  /** Undefined until the request was let in to it, and on public paths. */
  operation?: Operation;
  /** Bytes of the body as they came, for the fingerprint of an idempotent request. */
  rawBody: string;
  /** Fields that a PATCH took out of its body because nobody may set them (`patch.ts`). */
  readOnlyFields: Readonly<Record<string, unknown>>;
  /** The request asks what it would do: its transaction is undone, and the response is the same. */
  isDryRun: boolean;
  /** What a dry run has come to, where its effect on the emails is to be foreseen (`foresee.ts`). */
  tried?: { rows?: TeamRows };
  /**
   * Of an operation of a batch: what it writes goes into the transaction that is open, and what it answers is
   * known at once.
   */
  within?: (write: () => Answer) => Answer;
  /** Who pays for what the request takes; undefined on public paths. */
  owner?: Owner;
  /** Counts as so many requests more. Throws `rate_limit_exceeded`. */
  charge(count: number): void;
  server: Serving;
  /** For slow responses: the connection stays open however long nothing is sent. */
  disableIdleTimeout(): void;
}

const UNSET = null as unknown;

/** Gives the context its types; the values come from `server.ts`. */
export const context = new Elysia({ name: "context" })
  .decorate("env", UNSET as Environment)
  .decorate("caller", UNSET as Caller)
  .decorate("state", UNSET as RequestState);

/** Both environments, for the few operations on keys that reach from live into test. */
export interface Environments {
  readonly live: Environment;
  readonly test: Environment;
}

/**
 * The routes of one resource under `prefix`. A key needs `<resource>:read` for GET and
 * `<resource>:write` for the rest, or a broader scope; an operation that wants another one says so by
 * `x-scope` in its detail. The document lists them under `tag`.
 */
export function resource<const Prefix extends string>(
  name: ScopeResource,
  prefix: Prefix,
  tag: string = name,
) {
  return new Elysia({
    prefix,
    tags: [tag],
    detail: { "x-resource": name } as object,
    normalize: false,
  }).use(context);
}

/** For the detail of an operation that only an admin's key may call. */
export const ADMIN_SCOPE = { "x-scope": "admin" } as const;

export const DryRunQuery = Shape({
  dry_run: Type.Optional(
    Documented(
      Type.Boolean({
        description:
          "Return what the request would return, marked by the header `Dry-Run: true`, without changing anything",
      }),
      { default: false },
    ),
  ),
});

/** For the detail of an operation that reads or writes in one transaction and waits for nothing else. */
export const IN_BATCH: object = { "x-batch": true };

/** For the detail of an operation that `write.ts` carries out in one transaction, which can be undone. */
export const DRY_RUN: object = { "x-query": DryRunQuery, "x-dry-run": true, ...IN_BATCH };

/** For the detail of an operation that the team's plan may refuse. */
export const PLAN_LIMITED = { "x-errors": [402] } as const;

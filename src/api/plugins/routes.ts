/**
 * What a path takes, read off the routes themselves before anything of a request is: for 404, 405 with
 * `Allow`, OPTIONS, and the scope that the caller needs. Elysia answers the first three with 404.
 */

import { Memoirist } from "memoirist";
import { Problem } from "#domain/problem.ts";

/** What has to be known of an operation before its handler runs. */
export interface Operation {
  /** Method and path, as in `GET /api/v1/campaigns/{id}`. */
  name: string;
  /** The scope that a caller needs; null for an operation that declares none, and so is nobody's. */
  scope: string | null;
  /** False for an operation that has nothing to say in a body. */
  takesBody: boolean;
  /** True for an operation whose body may be left out. */
  isBodyOptional: boolean;
  /** True for an operation that reads its body by itself, of any size and as it comes. */
  streamsBody: boolean;
  /** False for an operation that knows no query parameter: whatever is given would be ignored. */
  takesQuery: boolean;
  /** True for an operation whose only parameter is `dry_run`. */
  hasDryRun: boolean;
  /** True for an operation that may be part of a batch. */
  isInBatch: boolean;
  route: Route;
}

export interface RouteTable {
  /** The operation; the answer to OPTIONS. Throws `not_found` or `method_not_allowed`. */
  find(method: string, path: string): Operation | Response;
}

export interface Route {
  method: string;
  path: string;
  handler?: unknown;
  hooks?: { body?: unknown; params?: unknown; transform?: unknown; detail?: object };
}

/** The `x-scope` of what every key may ask for: the scopes of what it leads to hold there. */
export const ANY_SCOPE = "*";

/** The router finds what a path takes, whatever the method. */
const ANY = "";

export function createRouteTable(routes: readonly Route[]): RouteTable {
  const router = new Memoirist<ReadonlyMap<string, Operation>>();
  // The router wants a parameter to have one name wherever it stands.
  const byPath = Map.groupBy(routes, ({ path }) => path.replace(/:[^/]+/g, ":part"));
  for (const [path, those] of byPath) {
    router.add(ANY, path, new Map(those.map((route) => [route.method, operationOf(route)])));
  }
  return {
    find: (method, path) => {
      const operations = router.find(ANY, path)?.store;
      if (operations === undefined) {
        throw new Problem("not_found", "no such path");
      }
      const operation = operations.get(method === "HEAD" ? "GET" : method);
      if (operation !== undefined) {
        return operation;
      }
      const heads = operations.has("GET") ? ["HEAD"] : [];
      const allow = [...operations.keys(), ...heads, "OPTIONS"].sort().join(", ");
      if (method === "OPTIONS") {
        return new Response(null, { status: 204, headers: { Allow: allow } });
      }
      throw new Problem("method_not_allowed", `this path takes ${allow}`, null, { Allow: allow });
    },
  };
}

function operationOf(route: Route): Operation {
  const { method, path, hooks } = route;
  const detail = hooks?.detail ?? {};
  return {
    name: `${method} ${path.replace(/:(\w+)/g, "{$1}")}`,
    scope: declaredScope(method, detail),
    takesBody: hooks?.body !== undefined,
    isBodyOptional: "x-optional-body" in detail,
    streamsBody: "x-body-types" in detail,
    takesQuery: "x-query" in detail,
    hasDryRun: "x-dry-run" in detail,
    isInBatch: "x-batch" in detail,
    route,
  };
}

/**
 * The scope that an operation needs, from its detail: `x-scope`, or else what its `x-resource` says for
 * its method (`context.ts`). Null where it has neither.
 */
export function declaredScope(method: string, detail: object | undefined): string | null {
  const { "x-scope": own, "x-resource": name } = (detail ?? {}) as Record<string, unknown>;
  if (typeof own === "string") {
    return own;
  }
  return typeof name === "string" ? `${name}:${method === "GET" ? "read" : "write"}` : null;
}

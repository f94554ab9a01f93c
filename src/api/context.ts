/**
 * What every API handler finds on its context, and the resource that a route belongs to.
 *
 * `server.ts` fills these in before anything of a request is read; a handler only runs when they are set.
 */

import { Elysia } from "elysia";
import { permits, type ScopeResource } from "#domain/api-key.ts";
import { Problem } from "#domain/problem.ts";
import type { Caller, World } from "#world.ts";

export interface RequestState {
  requestId: string;
  /** Bytes of the body as they came, for the fingerprint of an idempotent request. */
  rawBody: string;
  /** Fields that a PATCH took out of its body because nobody may set them (`patch.ts`). */
  identity: Readonly<Record<string, unknown>>;
}

const UNSET = null as unknown;

/** Gives the context its types; the values come from `server.ts`. */
export const context = new Elysia({ name: "context" })
  .decorate("world", UNSET as World)
  .decorate("caller", UNSET as Caller)
  .decorate("state", UNSET as RequestState);

/** Both worlds, for the few operations on keys that reach from live into test. */
export interface Worlds {
  readonly live: World;
  readonly test: World;
}

/**
 * The routes of one resource under `prefix`. A key needs `<resource>:read` for GET and
 * `<resource>:write` for the rest, or a broader scope. The document lists them under `tag`.
 */
export function resource<const Prefix extends string>(
  name: ScopeResource,
  prefix: Prefix,
  tag: string = name,
) {
  return new Elysia({ prefix, tags: [tag], normalize: false })
    .use(context)
    .onBeforeHandle(({ caller, request }) => {
      const reads = request.method === "GET" || request.method === "HEAD";
      const access = reads ? "read" : "write";
      if (!permits(caller.scopes, name, access)) {
        throw missingScope(`${name}:${access}`);
      }
    });
}

/** Throws `permission_error` unless the caller's key is an admin's. */
export function requireAdmin(caller: Caller): void {
  if (!caller.scopes.includes("admin")) {
    throw missingScope("admin");
  }
}

function missingScope(scope: string): Problem {
  return new Problem("permission_error", `this key lacks the scope "${scope}"`, null, {
    "WWW-Authenticate": `Bearer error="insufficient_scope", scope="${scope}"`,
  });
}

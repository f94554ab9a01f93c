/**
 * Which methods a path takes, read off the routes themselves: for 404, 405 with `Allow`, and OPTIONS.
 * Elysia answers all three with 404.
 */

import { Problem } from "#domain/problem.ts";

export interface RouteTable {
  /**
   * Undefined when a route takes the request; the answer to OPTIONS otherwise. Throws `not_found` or
   * `method_not_allowed`.
   */
  refuse(method: string, path: string): Response | undefined;
  /** False for an operation that has nothing to say in a body. */
  takesBody(method: string, path: string): boolean;
  /** True for an operation that reads its body by itself, of any size and as it comes. */
  streamsBody(method: string, path: string): boolean;
  /** False for an operation that knows no query parameter: whatever is given would be ignored. */
  takesQuery(method: string, path: string): boolean;
  /** The scope that an operation needs; null for one that declares none, and so is nobody's. */
  scopeOf(method: string, path: string): string | null;
}

export interface Route {
  method: string;
  path: string;
  hooks?: { body?: unknown; detail?: object };
}

export function createRouteTable(routes: readonly Route[]): RouteTable {
  const byShape = new Map<string, Set<string>>();
  const bodies = new Set<string>();
  const queries = new Set<string>();
  const streams = new Set<string>();
  const scopes = new Map<string, string>();
  for (const { method, path, hooks } of routes) {
    const shape = path.replace(/:[^/]+/g, ":");
    const methods = byShape.get(shape) ?? new Set();
    methods.add(method);
    if (method === "GET") {
      methods.add("HEAD");
    }
    byShape.set(shape, methods);
    if (hooks?.body !== undefined) {
      bodies.add(`${method} ${shape}`);
    }
    if (hooks?.detail !== undefined && "x-query" in hooks.detail) {
      queries.add(`${method} ${shape}`);
    }
    if (hooks?.detail !== undefined && "x-body-types" in hooks.detail) {
      streams.add(`${method} ${shape}`);
    }
    const scope = declaredScope(method, hooks?.detail);
    if (scope !== null) {
      scopes.set(`${method} ${shape}`, scope);
    }
  }
  const shapes = [...byShape]
    .map(([shape, methods]) => ({ shape, parts: shape.split("/"), methods }))
    .sort((a, b) => openness(a.parts) - openness(b.parts));
  const rests = shapes.filter(({ parts }) => parts.includes("*"));
  const likely = narrowed(shapes.filter((shape) => !rests.includes(shape)));
  // A request asks several times in a row.
  let last: { path: string; found: (typeof shapes)[number] | undefined } | undefined;
  const find = (path: string) => {
    if (last?.path !== path) {
      const parts = path.split("/");
      const isIt = (shape: (typeof shapes)[number]) => fits(shape.parts, parts);
      const found = likely(parts).find(isIt) ?? rests.find(isIt);
      last = { path, found };
    }
    return last.found;
  };

  const operationOf = (method: string, path: string) =>
    `${method === "HEAD" ? "GET" : method} ${find(path)?.shape}`;

  return {
    scopeOf: (method, path) => scopes.get(operationOf(method, path)) ?? null,
    refuse: (method, path) => {
      const allowed = find(path)?.methods;
      if (allowed === undefined) {
        throw new Problem("not_found", "no such route");
      }
      if (allowed.has(method)) {
        return undefined;
      }
      const allow = [...allowed, "OPTIONS"].sort().join(", ");
      if (method === "OPTIONS") {
        return new Response(null, { status: 204, headers: { Allow: allow } });
      }
      throw new Problem("method_not_allowed", `this path takes ${allow}`, null, { Allow: allow });
    },
    takesBody: (method, path) => bodies.has(`${method} ${find(path)?.shape}`),
    streamsBody: (method, path) => streams.has(`${method} ${find(path)?.shape}`),
    takesQuery: (method, path) => queries.has(operationOf(method, path)),
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

/** The part that tells most: what stands behind the version. */
const TELLING = 3;

/** Those of the shapes that a path can fit, by how long it is and by one of its parts, in their order. */
function narrowed<Shape extends { parts: readonly string[] }>(shapes: readonly Shape[]) {
  const lengths = Map.groupBy(shapes, ({ parts }) => parts.length);
  const groups = [...lengths].map(([length, all]) => {
    const open = all.filter(({ parts }) => parts[TELLING] === ":");
    const words = new Set(all.map(({ parts }) => parts[TELLING] ?? ""));
    const byWord = new Map(
      [...words].map((word) => [
        word,
        all.filter((shape) => (shape.parts[TELLING] ?? "") === word || open.includes(shape)),
      ]),
    );
    return [length, { open, byWord }] as const;
  });
  const byLength = new Map(groups);
  return (parts: readonly string[]): readonly Shape[] => {
    const group = byLength.get(parts.length);
    return group?.byWord.get(parts[TELLING] ?? "") ?? group?.open ?? [];
  };
}

/** What is behind a `*` comes after everything else, and the longer the path before it, the sooner. */
const PARTS_MAX = 1000;

/** A word is a path of its own beside an id: `/suppressions/check` is no suppression. */
function openness(parts: readonly string[]): number {
  const open = parts.filter((part) => part === ":").length;
  return parts.includes("*") ? PARTS_MAX - parts.length + open : open;
}

function fits(shape: readonly string[], parts: readonly string[]): boolean {
  const isRest = shape.at(-1) === "*";
  if (isRest ? parts.length < shape.length : parts.length !== shape.length) {
    return false;
  }
  return shape.every((part, index) => {
    const given = parts[index] ?? "";
    return part === ":" || part === "*" ? given !== "" : part === given;
  });
}

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
  /** False for an operation that knows no query parameter: whatever is given would be ignored. */
  takesQuery(method: string, path: string): boolean;
}

interface Route {
  method: string;
  path: string;
  hooks?: { body?: unknown; detail?: object };
}

export function createRouteTable(routes: readonly Route[]): RouteTable {
  const byShape = new Map<string, Set<string>>();
  const bodies = new Set<string>();
  const queries = new Set<string>();
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
  }
  const shapes = [...byShape]
    .map(([shape, methods]) => ({ shape, parts: shape.split("/"), methods }))
    .sort((a, b) => openness(a.parts) - openness(b.parts));
  const find = (path: string) => {
    const parts = path.split("/");
    return shapes.find((shape) => fits(shape.parts, parts));
  };

  return {
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
    takesQuery: (method, path) => {
      const asked = method === "HEAD" ? "GET" : method;
      return queries.has(`${asked} ${find(path)?.shape}`);
    },
  };
}

/** A word is a path of its own beside an id: `/suppressions/check` is no suppression. */
function openness(parts: readonly string[]): number {
  return parts.filter((part) => part === ":").length + (parts.includes("*") ? parts.length : 0);
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

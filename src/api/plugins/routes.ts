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
}

interface Route {
  method: string;
  path: string;
}

export function createRouteTable(routes: readonly Route[]): RouteTable {
  const byShape = new Map<string, Set<string>>();
  for (const { method, path } of routes) {
    const shape = path.replace(/:[^/]+/g, ":");
    const methods = byShape.get(shape) ?? new Set();
    methods.add(method);
    if (method === "GET") {
      methods.add("HEAD");
    }
    byShape.set(shape, methods);
  }
  const shapes = [...byShape]
    .map(([shape, methods]) => ({ parts: shape.split("/"), methods }))
    .sort((a, b) => openness(a.parts) - openness(b.parts));

  return {
    refuse: (method, path) => {
      const parts = path.split("/");
      const allowed = shapes.find((shape) => fits(shape.parts, parts))?.methods;
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

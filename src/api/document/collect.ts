/** The routes as the document needs them: what each declares, as plain JSON. */

import type { AnyElysia } from "elysia";
import type { JsonObject } from "./json.ts";

/** The methods that our routes use, in the order in which a path lists them. */
export const METHODS = ["get", "post", "patch", "put", "delete"] as const;
export type Method = (typeof METHODS)[number];

interface Declared {
  params?: { properties: Record<string, JsonObject> };
  body?: JsonObject;
  /** Schemas of answers in JSON, by status. */
  response?: Record<string, JsonObject>;
  detail?: Detail;
}

export interface Detail {
  tags?: string[];
  summary?: string;
  description?: string;
  /** Answers in something else than JSON. */
  responses?: Record<string, { description: string; content: JsonObject }>;
  /** The query's schema, from `queryOf` (`../query.ts`). */
  "x-query"?: JsonObject;
  /** Set by the route where the document cannot know better. */
  "x-errors"?: number[];
  /** Media types of a body that is read as it comes, and what each is. */
  "x-body-types"?: Record<string, string>;
  /** The body may be left out. */
  "x-optional-body"?: boolean;
}

export interface CollectedRoute {
  method: Method;
  /** With parameters in braces, and without the prefix that all routes share. */
  path: string;
  params: Record<string, JsonObject>;
  body: JsonObject | undefined;
  answers: Record<string, JsonObject>;
  detail: Detail;
}

/** Every route of `routes`, below `prefix`, in the order in which they were declared. */
export function collect(routes: AnyElysia, prefix: string): CollectedRoute[] {
  const all = routes.routes.map(({ method, path, hooks }): CollectedRoute => {
    const { params, body, response, detail } = hooks as Declared;
    const declared = { params: params?.properties ?? {}, body, answers: response ?? {} };
    return {
      method: method.toLowerCase() as Method,
      path: path
        .slice(prefix.length)
        .replace(/(.)\/$/, "$1")
        .replace(/:(\w+)/g, "{$1}"),
      // The library's own marks are no JSON.
      ...(JSON.parse(JSON.stringify({ ...declared, detail: detail ?? {} })) as typeof declared & {
        detail: Detail;
      }),
    };
  });
  return [...Map.groupBy(all, ({ path }) => path).values()].flatMap((same) =>
    same.toSorted((a, b) => METHODS.indexOf(a.method) - METHODS.indexOf(b.method)),
  );
}

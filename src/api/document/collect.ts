/**
 * The routes as `@elysiajs/swagger` describes them. What it says is not yet valid OpenAPI: it lists every
 * body under three content types, forgets descriptions and knows nothing of what surrounds a handler.
 * `operation.ts` makes operations of it.
 */

import { type AnyElysia, Elysia } from "elysia";
import type { JsonObject } from "./json.ts";

/** The methods that our routes use, in the order in which a path lists them. */
export const METHODS = ["get", "post", "patch", "put", "delete"] as const;
export type Method = (typeof METHODS)[number];

export interface CollectedParameter {
  name: string;
  in: "path" | "query" | "header";
  schema: JsonObject;
  description?: string;
}

export interface CollectedContent {
  [type: string]: { schema?: JsonObject };
}

export interface CollectedResponse {
  description?: string;
  content?: CollectedContent;
}

export interface CollectedOperation {
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: CollectedParameter[];
  requestBody?: { content: CollectedContent };
  responses: Record<string, CollectedResponse>;
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
  operation: CollectedOperation;
}

const COLLECTOR = "/openapi/collected";

/** Every route of `routes`, below `prefix`, in the order in which they were declared. */
export async function collect(routes: AnyElysia, prefix: string): Promise<CollectedRoute[]> {
  const { swagger } = await import("@elysiajs/swagger");
  const collector = new Elysia()
    .use(swagger({ path: `${COLLECTOR}/page`, specPath: COLLECTOR, excludeStaticFile: false }))
    .use(routes);
  const response = await collector.handle(new Request(`http://localhost${COLLECTOR}`));
  const { paths } = (await response.json()) as {
    paths: Record<string, Partial<Record<Method, CollectedOperation>>>;
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    METHODS.flatMap((method) => {
      const operation = operations[method];
      return operation === undefined
        ? []
        : [{ method, path: path.slice(prefix.length).replace(/(.)\/$/, "$1"), operation }];
    }),
  );
}

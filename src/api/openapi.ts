/**
 * The OpenAPI 3.1 document: collected from the routes themselves, so that it cannot say what they do not
 * do, and made once.
 */

import { type AnyElysia, Elysia } from "elysia";
import { sha256 } from "#platform/secrets/crypto.ts";
import { collect } from "./document/collect.ts";
import { nameSchemas } from "./document/components.ts";
import { errorBody, headerComponents, refusalComponents } from "./document/errors.ts";
import { type Examples, readExamples, withExample } from "./document/examples.ts";
import type { JsonObject } from "./document/json.ts";
import { type Operation, presentOperation, readOperation } from "./document/operation.ts";
import {
  anyEvent,
  DELIVERIES_TAG,
  eventSchemas,
  eventWebhooks,
  INCLUDED,
  includedSchema,
} from "./document/webhooks.ts";
import { DESCRIPTION, TAGS, TITLE } from "./document/words.ts";

/** Where it is served; needs no key. */
export const DOCUMENT_PATH = "/api/v1/openapi.json";

const PREFIX = "/api/v1";
const CACHE_SECONDS = 300;

/** The document of `routes` (`apiRoutes` of `server.ts`), whose paths all start with `/api/v1`. */
export async function buildDocument(
  routes: AnyElysia,
  version: string,
  examples: Examples = {},
): Promise<JsonObject> {
  const operations = (await collect(routes, PREFIX)).map(readOperation);
  const events = eventSchemas();
  const included = includedSchema();
  const error = errorBody();
  const { schemas, name: refer } = nameSchemas(operations, [
    ...events.map(({ owner: name, name: event, data: schema }) => {
      return { name, candidates: [event], schema };
    }),
    ...events.slice(0, 1).map(({ schema }) => ({ name: "Event", candidates: [], schema })),
    { name: INCLUDED, candidates: [], schema: included },
    { name: "Error", candidates: [], schema: error },
  ]);
  const paths = pathsOf(operations, refer, examples);
  const webhooks = eventWebhooks();
  const responses = named(refusalComponents(), "responses", paths);
  return {
    openapi: "3.1.0",
    info: {
      title: TITLE,
      version,
      description: DESCRIPTION,
      contact: { name: "The operator of this installation" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: PREFIX, description: "This installation" }],
    security: [{ apiKey: [] }],
    tags: usedTags(operations),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "API key: `outrider_live_…` or `outrider_test_…`",
        },
      },
      schemas: {
        ...schemas,
        ErrorBody: refer(error),
        Event: anyEvent(),
        [INCLUDED]: refer(included),
        ...Object.fromEntries(events.map((event) => [event.name, refer(event.schema)])),
      },
      parameters: named(PARAMETERS, "parameters", { paths }),
      headers: named(headerComponents(), "headers", { paths, responses }),
      responses,
    },
  };
}

const PARAMETERS: JsonObject = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "Key of your own for this request. For 24 hours, a request with the same key gets the same response and is not carried out again",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    required: false,
    description: "`ETag` of the record as you read it; refused with 412 when it has changed since",
    schema: { type: "string", maxLength: 1000 },
  },
};

/** The components of `kind` that `where` refers to. */
function named(components: JsonObject, kind: string, where: JsonObject): JsonObject {
  const text = JSON.stringify(where);
  const used = Object.entries(components).filter(([name]) =>
    text.includes(`"#/components/${kind}/${name}"`),
  );
  return Object.fromEntries(used);
}

function usedTags(operations: readonly Operation[]): JsonObject[] {
  const tags = operations.flatMap(({ route }) => route.operation.tags ?? []);
  const used = new Set([...tags, DELIVERIES_TAG]);
  const known = TAGS.filter(({ name }) => used.has(name)).map((tag) => ({ ...tag }));
  const unknown = [...used].filter((name) => !TAGS.some((tag) => tag.name === name));
  return [...known, ...unknown.map((name) => ({ name }))];
}

function pathsOf(
  operations: readonly Operation[],
  name: (schema: JsonObject) => JsonObject,
  examples: Examples,
): Record<string, JsonObject> {
  const paths: Record<string, JsonObject> = {};
  for (const operation of operations) {
    const { path, method } = operation.route;
    const shown = withExample(presentOperation(operation, name), examples[operation.id]);
    paths[path] = { ...paths[path], [method]: shown };
  }
  return paths;
}

/** The document of `routes`, which is built for the first who asks. */
export function documentOf(routes: () => AnyElysia, version: string): () => Promise<JsonObject> {
  let built: Promise<JsonObject> | undefined;
  return () => {
    built ??= readExamples().then((examples) => buildDocument(routes(), version, examples));
    return built;
  };
}

/** Serves the document with an ETag. */
export function documentRoutes(document: () => Promise<JsonObject>): AnyElysia {
  let made: Promise<{ text: string; etag: string }> | undefined;
  const served = async () => {
    const text = JSON.stringify(await document());
    return { text, etag: `"${Buffer.from(sha256(text)).toString("base64url").slice(0, 22)}"` };
  };

  return new Elysia({ name: "document", normalize: false }).get(
    DOCUMENT_PATH,
    async ({ request, set }) => {
      made ??= served();
      const { text, etag } = await made;
      set.headers["ETag"] = etag;
      set.headers["Cache-Control"] = `public, max-age=${CACHE_SECONDS}`;
      if (namesTag(request.headers.get("if-none-match"), etag)) {
        return new Response(null, { status: 304 });
      }
      return new Response(text, { headers: { "Content-Type": "application/json" } });
    },
    { detail: { hide: true } },
  );
}

function namesTag(header: string | null, etag: string): boolean {
  const tags = (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}

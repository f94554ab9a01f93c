/**
 * Every operation of the document shows a body that it takes and what it responds with, as recorded from
 * the product. `document.test.ts` holds each example against the schema beside it.
 */

import { expect, test } from "bun:test";
import { readExamples } from "#api/document/examples.ts";
import { buildDocument } from "#api/openapi.ts";
import { apiRoutes } from "#api/resources.ts";
import { EXAMPLES_FILE, examplesText } from "../../.ci/examples.ts";

/** By operation and media type, why nobody can show it. */
const NOT_SHOWN: Readonly<Record<string, string>> = {
  "streamEvents 200 text/event-stream": "it has no end",
  "streamImport 200 text/event-stream": "it has no end",
  "downloadBackup 200 application/octet-stream": "it is binary",
  // github.com/stoplightio/spectral/issues/2669: a row with `type` and `example` is a schema to it.
  "listEventTypes 200 application/json": "linters take its rows for schemas of the document",
  "uploadBackup body application/octet-stream": "it is binary",
  "downloadFile 200 application/octet-stream": "it is binary",
  "uploadFile body application/octet-stream": "it is binary",
  "openBillingPortal 200 application/json": "only Stripe has such a page",
};

/** As the other type that its place has an example of: a merge patch as JSON, bytes as CSV. */
function isShownElsewhere(type: string, content: object): boolean {
  return (
    type.startsWith("application/merge-patch") ||
    (type === "application/octet-stream" && "text/csv" in content)
  );
}

interface Place {
  content?: Record<string, { example?: unknown }>;
}

interface ApiDocument {
  paths: Record<
    string,
    Record<string, { operationId: string; requestBody?: Place; responses: Record<string, Place> }>
  >;
}

test("every body and every success response has an example", async () => {
  const routes = apiRoutes(undefined as never, undefined as never);
  const document = (await buildDocument(
    routes,
    "0.0.0",
    await readExamples(),
  )) as never as ApiDocument;
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const bare = operations.flatMap(({ operationId, requestBody = {}, responses }) => {
    const places: [string, Place][] = [["body", requestBody], ...Object.entries(responses)];
    return places.flatMap(([place, { content = {} }]) =>
      Object.entries(content)
        .filter(([type, media]) => !("example" in media || isShownElsewhere(type, content)))
        .map(([type]) => `${operationId} ${place} ${type}`),
    );
  });

  expect(operations.length).toBeGreaterThan(150);
  expect(bare.toSorted()).toEqual(Object.keys(NOT_SHOWN).toSorted());
});

test("what is recorded now is what the file holds", async () => {
  expect(await Bun.file(EXAMPLES_FILE).text()).toBe(await examplesText());
}, 60_000);

test("no example looks like a secret", async () => {
  const text = await Bun.file(EXAMPLES_FILE).text();
  const keys = [...text.matchAll(/(?:outrider_(?:live|test)|whsec)_(\w+)/g)];

  expect(keys.length).toBeGreaterThan(0);
  expect(keys.map(([, body]) => body).filter((body) => !/^x+$/.test(body ?? ""))).toEqual([]);
  expect(text).not.toMatch(/PRIVATE KEY|[A-Za-z0-9_-]{64,}(?<![0-9a-f]{64})/);
});

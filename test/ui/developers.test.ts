/** What the pages for developers hand out: the guide's recipes, bodies that name what is required. */

import { describe, expect, test } from "bun:test";
import { buildDocument } from "#api/openapi.ts";
import { apiRoutes } from "#api/resources.ts";
import { type ApiDocument, kindOf, operationsOf, resolve, sampleOf } from "#domain/openapi.ts";
import { size } from "../../src/ui/lib/size.ts";
import { recipesIn } from "../../src/ui/pages/developers/recipes.ts";

test("recipes are the guide's programs, which its own tests run", async () => {
  const guide = await Bun.file(new URL("../../docs/webhooks.md", import.meta.url)).text();
  const recipes = recipesIn(guide);
  expect(recipes.map(({ language }) => language)).toEqual(["TypeScript", "Python", "Go", "Shell"]);
  const [script, python] = recipes;
  expect(script?.code).toStartWith('import { createHmac, timingSafeEqual } from "node:crypto";\n');
  expect(script?.code).toEndWith("\n}");
  expect(python?.code).toContain("\n    key = ");
});

describe("the reference", () => {
  const routes = apiRoutes(undefined as never, undefined as never);

  test("begins each body with every field that is required, and has a word for every kind", async () => {
    const of = JSON.parse(
      JSON.stringify(await buildDocument(routes, "0.0.0")),
    ) as unknown as ApiDocument;
    const operations = operationsOf(of);
    expect(operations.length).toBeGreaterThan(50);
    for (const { method, path, operation } of operations) {
      const schema = operation.requestBody?.content?.["application/json"]?.schema;
      if (schema === undefined) {
        continue;
      }
      const { required = [], properties = {} } = resolve(of, schema);
      const sample = sampleOf(of, schema);
      expect([method, path, Object.keys(sample as object)]).toEqual([
        method,
        path,
        expect.arrayContaining(required),
      ]);
      for (const property of Object.values(properties)) {
        expect(kindOf(of, property)).not.toBe("");
      }
    }
  });
});

test("sizes are read in steps of a thousand", () => {
  expect([0, 999, 1000, 1_250_000, 123_456_789_000].map(size)).toEqual([
    "0 B",
    "999 B",
    "1.0 kB",
    "1.3 MB",
    "123 GB",
  ]);
});

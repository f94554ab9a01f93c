/** What the pages for developers hand out: recipes that verify, bodies that name what is required. */

import { describe, expect, test } from "bun:test";
import { createHmac, timingSafeEqual } from "node:crypto";
import { buildDocument } from "#api/openapi.ts";
import { apiRoutes } from "#api/server.ts";
import { unixMs } from "#domain/time.ts";
import { newSecret, signedHeaders } from "#runtime/webhook-signature.ts";
import { size } from "../../src/ui/lib/size.ts";
import {
  type ApiDocument,
  kindOf,
  operationsOf,
  resolve,
  sampleOf,
} from "../../src/ui/pages/developers/openapi.ts";
import { RECIPES } from "../../src/ui/pages/developers/recipes.ts";

const recipe = (language: string) => RECIPES.find((each) => each.language === language)?.code ?? "";

describe("a recipe", () => {
  const secret = newSecret();
  const body = JSON.stringify({ type: "webhook.test", data: { name: "Zoë 🚚" } });
  const headers = signedHeaders([secret, newSecret()], {
    id: "01952c6a-4000-7000-8000-000000000100",
    at: unixMs(Date.now()),
    body,
  });

  test("in JavaScript takes what we sign, and nothing else", async () => {
    const verify = runnable(recipe("JavaScript"));
    expect(verify(secret, headers, body)).toEqual(JSON.parse(body));
    expect(() => verify(secret, headers, `${body} `)).toThrow();
    expect(() => verify(newSecret(), headers, body)).toThrow();
    expect(() => verify(secret, { ...headers, "webhook-timestamp": "1" }, body)).toThrow();
  });

  test.skipIf(Bun.which("python3") === null)("in Python does the same", () => {
    const run = (text: string) =>
      Bun.spawnSync(["python3", "-c", `${recipe("Python")}\n${PYTHON_MAIN}`], {
        stdin: Buffer.from(JSON.stringify({ secret, headers, body: text })),
      });
    expect(run(body).stdout.toString().trim()).toBe("webhook.test");
    expect(run(`${body} `).exitCode).not.toBe(0);
  });
});

/** The function of the recipe, with the one import that it has. */
function runnable(code: string) {
  const body = code.replace(/^import .*$/m, "").replace("export function", "return function");
  const make = new Function("createHmac", "timingSafeEqual", body);
  return make(createHmac, timingSafeEqual) as (
    secret: string,
    headers: Record<string, string>,
    body: string,
  ) => unknown;
}

const PYTHON_MAIN = `
import sys
given = json.load(sys.stdin)
print(verify(given["secret"], given["headers"], given["body"].encode())["type"])`;

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

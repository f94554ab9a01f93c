/** Keys that are none, and what a key may not do, are a line of the log each; the key itself is in none. */

import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { LogFields } from "#platform/log.ts";
import { createTestApp, type TestApp } from "../support/app.ts";

let lines: { message: string; fields: LogFields | undefined }[] = [];
const tell = (message: string, fields?: LogFields) => {
  lines.push({ message, fields });
};
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ log: { debug: tell, info: tell, warn: tell, error: tell } });
});
afterAll(() => app.close());
beforeEach(() => {
  lines = [];
});

const refused = () => lines.filter(({ message }) => message === "request refused");

test("a key that is none", async () => {
  const key = "outrider_test_00000000000000000000000000000000000000";
  const { status } = await app.call("GET", "/campaigns", undefined, { key });
  expect(status).toBe(401);
  expect(refused()).toEqual([
    {
      message: "request refused",
      fields: expect.objectContaining({
        ...{ status: 401, method: "GET", path: "/api/v1/campaigns" },
        ...{ cause: "this API key is not valid", requestId: expect.any(String) },
      }),
    },
  ]);
  expect(JSON.stringify(lines)).not.toContain(key);
});

test("what a key may not do, with who it was", async () => {
  const asked = { name: "reads", env: "test", scopes: ["campaigns:read"] };
  const { id, key } = (await app.call("POST", "/keys", asked)).body;
  lines = [];
  expect((await app.call("POST", "/campaigns", { name: "A" }, { key })).status).toBe(403);
  expect(refused().map(({ fields }) => fields)).toEqual([
    expect.objectContaining({ status: 403, actor: `key:${id}`, method: "POST" }),
  ]);
});

test("what is wrong with a request is none of it", async () => {
  expect((await app.call("POST", "/campaigns", {})).status).toBe(422);
  expect((await app.call("GET", "/nowhere")).status).toBe(404);
  expect(refused()).toEqual([]);
});

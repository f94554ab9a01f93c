/** `Outrider-Version`: a day that this server has is taken, any other is refused, whatever the operation. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { API_VERSIONS } from "#api/plugins/api-version.ts";
import { createTestApp, type TestApp } from "../support/app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const ask = (method: string, version: string, body?: unknown) =>
  app.call(method, "/campaigns", body, { headers: { "Outrider-Version": version } });

test.each([...API_VERSIONS])("%s is taken", async (version) => {
  expect((await ask("GET", version)).status).toBe(200);
});

test.each(["2026-11-28", "2027-01-01", "1", "latest", ""])(
  "%j is refused, and nothing is done",
  async (version) => {
    const { status, body } = await ask("POST", version, { name: "Spring" });
    expect(status).toBe(400);
    expect(body).toMatchObject({ type: "invalid_request", field: "Outrider-Version" });
    expect((await app.call("GET", "/campaigns")).body.total).toBe(0);
  },
);

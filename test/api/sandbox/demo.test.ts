/** The contract of `POST /sandbox/demo`: it fills an empty sandbox with campaigns that run, and no other. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { DAY_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const total = async (path: string) => (await app.call("GET", path)).body.total as number;

test("200: mailboxes, leads, and campaigns under way, each by the key that asked", async () => {
  const { status, body } = await app.call("POST", "/sandbox/demo", { leads: 30 });
  expect([status, body]).toEqual([200, { accounts: 7, campaigns: 4, leads: 30 }]);
  expect(await total("/campaigns?status=active")).toBe(4);
  // The bad list has 66 addresses of its own.
  expect(await total("/leads")).toBe(96);
  const { body: log } = await app.call("GET", "/audit?action=campaign.start&limit=10");
  expect(log.data).toHaveLength(4);
  expect(new Set(log.data.map(({ actor }: { actor: string }) => actor.split(":")[0]))).toEqual(
    new Set(["key"]),
  );
  await app.advance(7 * DAY_MS);
  expect(await total("/events?type=email.sent&limit=1")).toBeGreaterThan(30);
});

test("409: not beside what somebody has made; again once the sandbox is reset", async () => {
  await app.call("POST", "/accounts", { email: "ann@sender.example", provider: "smtp" });
  const { status, body } = await app.call("POST", "/sandbox/demo", { leads: 10 });
  expect([status, body.type]).toEqual([409, "conflict"]);
  expect(body.message).toContain("reset it");
  expect(await total("/campaigns")).toBe(0);
  expect((await app.call("DELETE", "/sandbox")).status).toBe(204);
  expect((await app.call("POST", "/sandbox/demo", { leads: 10 })).status).toBe(200);
});

test.each([
  [{ leads: 9 }, "leads"],
  [{ leads: 2001 }, "leads"],
  [{ seed: 1 }, "seed"],
])("422: %j names %s", async (given, field) => {
  const { status, body } = await app.call("POST", "/sandbox/demo", given);
  expect([status, body.field]).toEqual([422, field]);
});

/** `strict: false`: malformed items are errors of their own; what is whole is imported. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { makeCampaign } from "../../support/campaigns.ts";

let app: TestApp;
let at: string;
beforeEach(async () => {
  app = await createTestApp();
  at = `/campaigns/${(await makeCampaign(app)).id}/leads`;
});
afterEach(() => app.close());

test("an unknown field, a wrong type and no object are error rows; the three add up", async () => {
  const leads = [
    { email: "a@example.com", first_name: "Ann" },
    { email: "b@example.com", frist_name: "Bob" },
    { email: "c@example.com", company: 7 },
    { company: "Acme" },
    "d@example.com",
    null,
    { email: "nonsense" },
  ];
  const strict = await app.call("POST", at, { leads });
  expect([strict.status, strict.body.field]).toEqual([422, "leads.1.frist_name"]);
  const { status, body } = await app.call("POST", at, { leads, strict: false });
  expect(status).toBe(200);
  expect([body.imported, body.skipped, body.errors.length]).toEqual([1, 0, 6]);
  expect(body.errors).toContainEqual({
    ...{ email: "b@example.com", reason: "invalid_item" },
    ...{ field: "frist_name", message: "unknown field" },
  });
  expect(body.errors[0]).toEqual({ email: "nonsense", reason: "invalid_email" });
  expect(body.errors.map(({ field }: { field?: string }) => field)).toEqual([
    undefined,
    "frist_name",
    "company",
    "email",
    undefined,
    undefined,
  ]);
});

test("ten thousand malformed items are as many rows; more items than there may be refuse it", async () => {
  const leads = Array.from({ length: 10_000 }, (_, n) => ({ email: `p${n}@x.example`, mail: 1 }));
  const { body } = await app.call("POST", at, { leads, strict: false });
  expect([body.imported, body.errors.length]).toEqual([0, 10_000]);
  expect(body.errors[9_999]).toEqual({ email: "p9999@x.example", reason: "invalid_item" });
  const repeated = { leads: [{ email: "a@x.example" }], strict: false, dry: 1 };
  expect((await app.call("POST", at, repeated)).body.field).toBe("dry");
});

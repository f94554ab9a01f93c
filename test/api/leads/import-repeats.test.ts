/** An import that is asked for again: the same is answered as before, anything else is refused and not taken for it. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { makeCampaign } from "../../support/campaigns.ts";
import { importFile } from "../../support/imports.ts";

let app: TestApp;
let campaign: string;
beforeEach(async () => {
  app = await createTestApp();
  campaign = (await makeCampaign(app)).id;
});
afterEach(() => app.close());

test.each<[what: string, query: Record<string, string>]>([
  ["no dry run", {}],
  ["another rule", { dry_run: "true", existing: "keep" }],
  ["another name", { dry_run: "true", file_name: "list.csv" }],
  ["another delimiter", { dry_run: "true", delimiter: ";" }],
  ["another map", { dry_run: "true", map: '{"name":null}' }],
])("its Idempotency-Key with %s: 422", async (_what, query) => {
  const headers = { "Idempotency-Key": "once" };
  const file = "email,name\na@example.com,Ann\n";
  const dry = { headers, query: { dry_run: "true" } };
  const first = await importFile(app, campaign, file, dry);
  const { status, body } = await importFile(app, campaign, file, { headers, query });
  expect([status, body.field]).toEqual([422, "Idempotency-Key"]);
  expect((await importFile(app, campaign, file, dry)).body).toEqual(first.body);
});

test("its id in another campaign: 422", async () => {
  const { body: first } = await importFile(app, campaign, "email\na@example.com\n");
  const query = { import_id: first.id };
  const other = (await makeCampaign(app)).id;
  const { status, body } = await importFile(app, other, "email\na@example.com\n", { query });
  expect([status, body.field]).toEqual([422, "import_id"]);
});

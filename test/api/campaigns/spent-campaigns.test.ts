/** A campaign that has completed: an answer that gives it leads says whether they are written to. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS } from "#domain/time.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { endEnrollment } from "#usecases/leads/enrollments.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../../support/campaigns.ts";
import { importFile } from "../../support/imports.ts";

const STEP = { type: "email", subject: "Hello", body: "Hi there" };
const BOB = "bob@quiet.example";

let app: TestApp;
let id: string;
/** A lead whose only email was refused for good. */
let refused: string;
beforeEach(async () => {
  app = await createTestApp();
  await addAccount(app);
  id = (await makeCampaign(app, [STEP])).id;
});
afterEach(() => app.close());

async function complete(evergreen: boolean): Promise<void> {
  await app.call("PATCH", `/campaigns/${id}`, { evergreen });
  const [eve] = await addLeads(app, id, "eve@quiet.example", BOB, "cy@quiet.example");
  refused = eve.id;
  const env = app.environments.test;
  await env.commit(() => {
    const row = enrollmentById(env.db, refused);
    if (row !== undefined) {
      endEnrollment(env, row, "failed", "refused");
    }
  });
  await app.call("POST", "/suppressions", { email: BOB });
  await app.call("POST", `/campaigns/${id}/start`);
  await app.advance(DAY_MS);
  expect((await app.call("GET", `/campaigns/${id}`)).body.status).toBe("completed");
}

async function sentLater(): Promise<number> {
  await app.advance(2 * DAY_MS);
  return (await app.call("GET", `/campaigns/${id}/stats`)).body.sent;
}

describe.each([
  [true, "active", null, 2],
  [false, "completed", expect.stringContaining("not evergreen"), 1],
])("evergreen %p", (evergreen, status, warning, sent) => {
  beforeEach(() => complete(evergreen));

  test("leads are added", async () => {
    const leads = [{ email: "dan@quiet.example" }];
    const { body } = await app.call("POST", `/campaigns/${id}/leads`, { leads });
    expect(body).toMatchObject({ imported: 1, campaign_status: status, warning });
    expect(await sentLater()).toBe(sent);
  });

  test.each([
    ["CSV", "text/csv", "email\ndan@quiet.example\n"],
    ["NDJSON", "application/x-ndjson", '{"email": "dan@quiet.example"}\n'],
  ])("leads come by a file, %s", async (_format, type, file) => {
    const dry = await importFile(app, id, file, { type, query: { dry_run: "true" } });
    expect(dry.body.warning).toBeUndefined();
    const { body } = await importFile(app, id, file, { type });
    expect([body.imported, body.warning]).toEqual([1, warning ?? undefined]);
    expect(await sentLater()).toBe(sent);
  });

  test("the lead is resumed", async () => {
    const { status: code, body } = await app.call("PATCH", `/campaigns/${id}/leads/${refused}`, {
      status: "active",
    });
    expect([code, body.status, body.warning]).toEqual([200, "pending", warning ?? undefined]);
    expect(await sentLater()).toBe(sent);
  });

  test("the lead is resumed with others", async () => {
    const change = { action: "resume", lead_ids: [refused] };
    const { body } = await app.call("POST", `/campaigns/${id}/leads/bulk`, change);
    expect([body.changed, body.warning]).toEqual([1, warning ?? undefined]);
    expect(await sentLater()).toBe(sent);
  });

  test("a suppression is lifted with ?resume=true", async () => {
    const [{ id: suppression }] = (await app.call("GET", "/suppressions")).body.data;
    const lifted = await app.call("DELETE", `/suppressions/${suppression}?resume=true`);
    expect([lifted.status, lifted.headers.get("Outrider-Warning")]).toEqual([204, warning]);
    expect(await sentLater()).toBe(sent);
  });
});

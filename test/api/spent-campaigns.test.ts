/** A campaign that has completed: an answer that gives it leads says whether they are written to. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../support/campaigns.ts";

const STEP = { type: "email", subject: "Hello", body: "Hi there" };
const BOB = "bob@quiet.example";

let app: TestApp;
let id: string;
beforeEach(async () => {
  app = await createTestApp();
  await addAccount(app);
  id = (await makeCampaign(app, [STEP])).id;
});
afterEach(() => app.close());

async function complete(evergreen: boolean): Promise<void> {
  await app.call("PATCH", `/campaigns/${id}`, { evergreen });
  await addLeads(app, id, BOB, "cy@quiet.example");
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

  test("a suppression is lifted with ?resume=true", async () => {
    const [{ id: suppression }] = (await app.call("GET", "/suppressions")).body.data;
    const lifted = await app.call("DELETE", `/suppressions/${suppression}?resume=true`);
    expect([lifted.status, lifted.headers.get("Outrider-Warning")]).toEqual([204, warning]);
    expect(await sentLater()).toBe(sent);
  });
});

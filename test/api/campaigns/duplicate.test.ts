/** A duplicate is a draft with the same settings and steps; leads and experiments come only when asked for. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, EMAIL_STEP, makeCampaign } from "../../support/campaigns.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const OWN = ["id", "name", "created_at", "updated_at", "started_at", "status"];
const settings = (campaign: object) =>
  Object.fromEntries(Object.entries(campaign).filter(([name]) => !OWN.includes(name)));

test("settings, steps and tags go along; leads and experiments stay", async () => {
  const account = await addAccount(app);
  const { id } = await makeCampaign(app, [
    EMAIL_STEP,
    { type: "email", body: "Again <b>", format: "plain", wait_days: 3 },
  ]);
  const change = {
    notes: "Mind the fair.",
    daily_limit: 7,
    evergreen: false,
    tracking: { clicks: true },
    send_window: { start_hour: 5 },
    account_ids: [account.id],
  };
  const { body: source } = await app.call("PATCH", `/campaigns/${id}`, change);
  await app.call("POST", "/campaigns/tags", { ids: [id], add: ["q3"] });
  await addLeads(app, id, "ann@example.com");
  const variants = [{ name: "A" }, { name: "B", config: { subject: "Other" } }];
  const made = { campaign_id: id, name: "Subject", variants };
  expect((await app.call("POST", "/experiments", made)).status).toBe(201);

  const { status, body } = await app.call("POST", `/campaigns/${id}/duplicate`);

  expect([status, body.status, body.name]).toEqual([200, "draft", `${source.name} (copy)`]);
  expect(settings(body)).toEqual(settings(source));
  const stepsOf = async (of: string) =>
    (await app.call("GET", `/campaigns/${of}/steps`)).body.data.map(
      ({ type, subject, body: text, format, wait_days, position }: Record<string, unknown>) => [
        ...[type, subject, text, format, wait_days, position],
      ],
    );
  expect(await stepsOf(body.id)).toEqual(await stepsOf(id));
  const tags = await app.call("GET", `/campaigns/tags?ids=${body.id}`);
  expect(tags.body.data[0].tags).toEqual(["q3"]);
  expect((await app.call("GET", `/campaigns/${body.id}/leads`)).body.total).toBe(0);
  expect((await app.call("GET", "/experiments")).body).toHaveLength(1);
});

test("with leads and experiments; who is suppressed is left out", async () => {
  const { id } = await makeCampaign(app);
  await addLeads(app, id, ...Array.from({ length: 502 }, (_, n) => `p${n}@example.com`));
  await app.call("POST", "/suppressions", { email: "p7@example.com" });
  const variants = [{ name: "A" }, { name: "B", config: { subject: "Other" }, weight: 2 }];
  await app.call("POST", "/experiments", { campaign_id: id, name: "Subject", variants });
  const headers = { "Idempotency-Key": "once" };
  const ask = () =>
    app.call(
      "POST",
      `/campaigns/${id}/duplicate`,
      { name: "Mine", leads: true, experiments: true },
      { headers },
    );
  const { body } = await ask();
  expect(body.name).toBe("Mine");
  expect((await ask()).body.id).toBe(body.id);
  expect((await app.call("GET", `/campaigns/${body.id}/leads`)).body.total).toBe(501);
  const { body: all } = await app.call("GET", "/experiments");
  const copy = all.find((one: { campaign_id: string }) => one.campaign_id === body.id);
  const { body: shown } = await app.call("GET", `/experiments/${copy.id}`);
  expect(shown).toMatchObject({ name: "Subject", variants });
});

test("another team's campaign is nobody's", async () => {
  const { id } = await makeCampaign(app);
  const { keys } = await app.addTeam("Other");
  const asked = app.call("POST", `/campaigns/${id}/duplicate`, {}, { key: keys.test });
  expect((await asked).status).toBe(404);
});

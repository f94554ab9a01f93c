/**
 * The HTTP contract of one change to many leads, of previews of unsaved words, and of forecasts of what
 * has not been started.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../../support/campaigns.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const people = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@quiet.example`);
const UNKNOWN = "00000000-0000-7000-8000-00000000dead";

describe("POST /campaigns/{id}/leads/bulk", () => {
  test("200: pauses those that are named, and skips who is not there", async () => {
    const { id } = await makeCampaign(app);
    const leads = await addLeads(app, id, ...people(3));
    const lead_ids = [leads[0].lead_id, leads[1].id, UNKNOWN];
    const path = `/campaigns/${id}/leads/bulk`;
    const { status, body } = await app.call("POST", path, { action: "pause", lead_ids });
    expect({ status, body }).toEqual({
      status: 200,
      body: { changed: 2, skipped: 1, next_cursor: null },
    });
    const paused = await app.call("GET", `/campaigns/${id}/leads?status=paused`);
    expect(paused.body.total).toBe(2);
  });

  test("200: all that a filter finds, page by page", async () => {
    const { id } = await makeCampaign(app);
    const leads = people(620).map((email) => ({ email }));
    await app.call("POST", `/campaigns/${id}/leads`, { leads });
    const path = `/campaigns/${id}/leads/bulk`;
    const input = { action: "pause", filter: { status: "pending" } };
    const first = (await app.call("POST", path, input)).body;
    expect(first).toMatchObject({ changed: 500, skipped: 0 });
    const second = (await app.call("POST", path, { ...input, after: first.next_cursor })).body;
    expect(second).toEqual({ changed: 120, skipped: 0, next_cursor: null });
    const removed = await app.call("POST", path, { action: "remove", filter: {} });
    expect(removed.body.changed).toBe(500);
    expect((await app.call("GET", `/campaigns/${id}`)).status).toBe(200);
    expect((await app.call("GET", `/campaigns/${id}/leads`)).body.total).toBe(120);
  });

  test("200: others get their turn meanwhile, and who no longer fits the filter is left alone", async () => {
    const { id } = await makeCampaign(app);
    const leads = await addLeads(app, id, ...people(120));
    const done: string[] = [];
    const path = `/campaigns/${id}/leads`;
    const bulk = app
      .call("POST", `${path}/bulk`, { action: "pause", filter: { status: "pending" } })
      .finally(() => done.push("bulk"));
    // The oldest is the last that is changed.
    await app.call("PATCH", `${path}/${leads[0].id}`, { status: "completed" });
    done.push("other");
    expect((await bulk).body).toEqual({ changed: 119, skipped: 0, next_cursor: null });
    expect(done).toEqual(["other", "bulk"]);
    expect((await app.call("GET", `${path}?status=completed`)).body.total).toBe(1);
    expect((await app.call("GET", `${path}?status=paused`)).body.total).toBe(119);
  });

  test("422: both, neither, or a cursor that is none", async () => {
    const { id } = await makeCampaign(app);
    const path = `/campaigns/${id}/leads/bulk`;
    const bodies = [
      { action: "pause" },
      { action: "pause", lead_ids: [UNKNOWN], filter: {} },
      { action: "pause", filter: {}, after: "?" },
      { action: "erase", filter: {} },
    ];
    for (const body of bodies) {
      expect((await app.call("POST", path, body)).status).toBe(422);
    }
  });
});

describe("POST /campaigns/{id}/preview", () => {
  test("200: words that are not saved yet, with the headers", async () => {
    const { id, steps } = await makeCampaign(app);
    await addAccount(app);
    const input = { step_id: steps[0], subject: "New {{first_name}}", body: "{Hi|Hello}" };
    const lead = { first_name: "Eve" };
    const { body } = await app.call("POST", `/campaigns/${id}/preview`, { ...input, lead });
    expect(body.subject).toBe("New Eve");
    expect(body.text).toMatch(/^(Hi|Hello)/);
    expect(body.headers).toContainEqual({ name: "From", value: "Ann Sender <ann@sender.example>" });
    expect(body.headers).toContainEqual({ name: "Subject", value: "New Eve" });
    const kept = await app.call("GET", `/campaigns/${id}/steps/${steps[0]}`);
    expect(kept.body.subject).toBe("Hello {{first_name}}");
  });

  test("200: rolls give each choice of the spintax; 0 is the lead's own", async () => {
    const { id } = await makeCampaign(app, [{ type: "email", subject: "S", body: "{Hi|Hello}" }]);
    const at = async (roll?: number) => {
      const input = roll === undefined ? {} : { roll };
      return (await app.call("POST", `/campaigns/${id}/preview`, input)).body.text.split(/\s/)[0];
    };
    const rolled = await Promise.all(Array.from({ length: 20 }, (_, roll) => at(roll)));
    expect(new Set(rolled)).toEqual(new Set(["Hi", "Hello"]));
    expect(await at()).toBe(await at(0));
  });

  test("422: words that cannot be rendered are named as the step's", async () => {
    const { id } = await makeCampaign(app);
    const { status, body } = await app.call("POST", `/campaigns/${id}/preview`, {
      body: "{{ oops",
    });
    expect({ status, field: body.field }).toEqual({ status: 422, field: "steps.0.body" });
  });
});

describe("GET /campaigns/{id}/forecast", () => {
  test("200: a draft as if it were started, by mailbox and day", async () => {
    app.environments.clock.setSpeed(0);
    const { id } = await makeCampaign(app, [{ type: "email", subject: "S", body: "B" }]);
    const { id: accountId } = await addAccount(app);
    await addLeads(app, id, ...people(5));
    const read = async (query: string) =>
      (await app.call("GET", `/campaigns/${id}/forecast${query}`)).body;
    expect(await read("?days=14")).toMatchObject({ total: 0, accounts: [] });
    const started = await read("?days=14&as_if_started=true");
    expect(started.total).toBe(5);
    expect(started.accounts).toHaveLength(1);
    const [{ account_id, sends }] = started.accounts;
    expect({ account_id, length: sends.length }).toEqual({
      account_id: accountId,
      length: started.days.length,
    });
    const byDay = started.days.map(
      (day: { new_leads: number; follow_ups: number }) => day.new_leads + day.follow_ups,
    );
    expect(sends).toEqual(byDay);
    await app.call("POST", `/campaigns/${id}/start`);
    expect((await read("?days=14")).accounts).toEqual(started.accounts);
  });
});

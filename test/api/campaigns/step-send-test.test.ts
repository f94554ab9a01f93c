/** The contract of `POST /campaigns/{id}/steps/{stepId}/send-test`. */

import { afterEach, describe, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../../support/campaigns.ts";

let app: TestApp;
afterEach(() => app.close());

const STEP = {
  type: "email",
  subject: "Deliveries at {{company}}",
  body: "Hello {{first_name}}, it is about {{goods}}.",
};
const ME = "me@team.example";

async function ready(step: object = STEP) {
  app = await createTestApp({ publicUrl: "https://mail.acme.example" });
  const sender = await addAccount(app);
  const { id, steps } = await makeCampaign(app, [step]);
  return { sender, campaign: id, path: `/campaigns/${id}/steps/${steps[0]}/send-test` };
}

const captured = async () => (await app.call("GET", "/sandbox/messages")).body.data;

describe("200", () => {
  test("a draft's step arrives at once, as somebody who lacks nothing would get it", async () => {
    const { path, campaign } = await ready();
    const { status, body } = await app.call("POST", path, { to: " Me@Team.example " });
    expect(status).toBe(200);
    expect(body).toMatchObject({ position: 1, from: "ann@sender.example", status: "sent" });
    expect(body.response).toStartWith("250 ");
    const [mail, ...others] = await captured();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      recipient: "me@team.example",
      subject: "Deliveries at Example Works",
    });
    const raw = (await app.call("GET", `/sandbox/messages/${mail.id}/raw`)).text;
    expect(raw).toContain("Hello Ann, it is about sample.");
    expect(raw).toContain(`Message-ID: ${body.message_id}`);
    expect(raw).toContain("List-Unsubscribe: ");
    expect((await app.call("GET", `/campaigns/${campaign}/stats`)).body).toMatchObject({ sent: 0 });
    expect((await app.call("GET", "/events?type=email.*")).body.total).toBe(0);
  });

  test("for a lead it has the lead's values, and goes elsewhere", async () => {
    const { path, campaign } = await ready();
    const bob = { email: "bob@x.example", first_name: "Bob", company: "Tinworks" };
    const [row] = await addLeads(app, campaign, { ...bob, ...{ variables: { goods: "tin" } } });
    const { body } = await app.call("POST", path, { to: ME, lead_id: row.lead_id });
    expect(body.status).toBe("sent");
    const [mail] = await captured();
    expect(mail).toMatchObject({ recipient: ME, subject: "Deliveries at Tinworks" });
    expect((await app.call("GET", `/campaigns/${campaign}/leads`)).body.data[0].status).toBe(
      "pending",
    );
  });

  test("what the mail server refuses is told in its words, and counts against nothing", async () => {
    const { path, sender } = await ready();
    const faults = { auth_failures: [sender.id] };
    await app.call("PATCH", "/sandbox/settings", { faults });
    const { status, body } = await app.call("POST", path, { to: ME });
    expect([status, body.status]).toEqual([200, "failed"]);
    expect(body.response).not.toBe("");
    await app.call("PATCH", "/sandbox/settings", { faults: { auth_failures: [] } });
    await app.call("PATCH", `/accounts/${sender.id}`, { status: "active", daily_limit: 1 });
    expect((await app.call("POST", path, { to: ME })).body.status).toBe("sent");
  });

  test.each([
    ["smtp550@sandbox.test", "failed", /^550 /],
    ["smtp421@sandbox.test", "failed", /^421 /],
    ["timeout@sandbox.test", "failed", /./],
  ])("%s: it is %s, and the next one goes out", async (to, outcome, words) => {
    const { path, sender } = await ready();
    await app.call("PATCH", `/accounts/${sender.id}`, { daily_limit: 1 });
    const { status, body } = await app.call("POST", path, { to });
    expect([status, body.status]).toEqual([200, outcome]);
    expect(body.response).toMatch(words);
    const next = await app.call("POST", path, { to: ME });
    expect([next.status, next.body.status]).toEqual([200, "sent"]);
    expect((await app.call("GET", `/accounts/${sender.id}`)).body.status).toBe("active");
  });

  test("a connection that is cut in the body leaves it unknown, and counted", async () => {
    const { path, sender } = await ready();
    await app.call("PATCH", `/accounts/${sender.id}`, { daily_limit: 1 });
    await app.call("PATCH", "/sandbox/settings", { faults: { cut: 1 } });
    expect((await app.call("POST", path, { to: ME })).body.status).toBe("unknown");
    expect((await app.call("POST", path, { to: ME })).status).toBe(409);
  });

  test("repeated with its Idempotency-Key it is not sent twice", async () => {
    const { path } = await ready();
    const headers = { "Idempotency-Key": "look" };
    const first = await app.call("POST", path, { to: ME }, { headers });
    const again = await app.call("POST", path, { to: ME }, { headers });
    expect(again.body).toEqual(first.body);
    expect(await captured()).toHaveLength(1);
  });
});

describe("409", () => {
  test("a suppressed address or domain gets no test either", async () => {
    const { path } = await ready();
    for (const email of [ME, "@other.example"]) {
      await app.call("POST", "/suppressions", { email });
    }
    for (const to of [ME, "any@other.example"]) {
      const { status, body } = await app.call("POST", path, { to });
      expect([status, body.type]).toEqual([409, "conflict"]);
    }
    expect(await captured()).toEqual([]);
  });

  test("a mailbox whose limit is reached holds it, and none is none", async () => {
    const { path, sender } = await ready();
    await app.call("PATCH", `/accounts/${sender.id}`, { daily_limit: 1 });
    expect((await app.call("POST", path, { to: ME })).status).toBe(200);
    const held = await app.call("POST", path, { to: ME });
    expect([held.status, held.body.message]).toEqual([
      409,
      expect.stringContaining("can't send again until"),
    ]);
    await app.call("PATCH", `/accounts/${sender.id}`, { status: "paused" });
    expect((await app.call("POST", path, { to: ME })).body.message).toContain(
      "none of this campaign's mailboxes",
    );
    expect(await captured()).toHaveLength(1);
  });
});

describe("422", () => {
  test.each([
    ["no address", {}, "to"],
    ["a word", { to: "me" }, "to"],
    ["two addresses", { to: "a@x.example, b@x.example" }, "to"],
    ["an unknown lead", { to: ME, lead_id: "01900000-0000-7000-8000-000000000000" }, "lead_id"],
  ])("%s", async (_name, body, field) => {
    const { path } = await ready();
    expect((await app.call("POST", path, body)).body).toMatchObject({ status: 422, field });
  });

  test.each([
    ["no words", {}, "steps.0.body"],
    ["no subject", { body: "Hello" }, "steps.0.subject"],
    ["no body", { subject: "Hello" }, "steps.0.body"],
  ])("a step with %s has nothing to show", async (_name, words, field) => {
    const { path } = await ready({ type: "email", ...words });
    const { body } = await app.call("POST", path, { to: ME });
    expect(body).toMatchObject({ status: 422, field });
  });

  test("a lead that would be held, and a task", async () => {
    const { path, campaign } = await ready();
    const [row] = await addLeads(app, campaign, "bob@x.example");
    const { body } = await app.call("POST", path, { to: ME, lead_id: row.lead_id });
    expect(body).toMatchObject({ status: 422, field: "lead_id" });
    const task = await app.call("POST", `/campaigns/${campaign}/steps`, { type: "task" });
    const asked = `/campaigns/${campaign}/steps/${task.body.id}/send-test`;
    expect((await app.call("POST", asked, { to: ME })).status).toBe(422);
  });
});

test("404: another team's step, and one that is not there", async () => {
  const { path, campaign } = await ready();
  const { keys } = await app.addTeam("Other");
  const answer = await app.call("POST", path, { to: ME }, { key: keys.test });
  expect(answer.status).toBe(404);
  const gone = `/campaigns/${campaign}/steps/01900000-0000-7000-8000-000000000000/send-test`;
  expect((await app.call("POST", gone, { to: ME })).status).toBe(404);
});

/** What a campaign would say, what it lacks before it can start, and what it has done. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, EMAIL_STEP, makeCampaign } from "../../support/campaigns.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const UNKNOWN = "00000000-0000-7000-8000-00000000dead";
const HELLO = {
  type: "email",
  subject: "Hello {{first_name}}",
  body: "Hi {{first_name}},\n\n{{sender.name}} of {{company | default: 'here'}}",
};

describe("POST /campaigns/{id}/preview", () => {
  test("200: as the lead would get it, from the account that would write", async () => {
    const { id, steps } = await makeCampaign(app, [HELLO]);
    await addAccount(app);
    const [lead] = await addLeads(app, id, { email: "bob@example.com", ...{ first_name: "Bob" } });
    const { status, body } = await app.call("POST", `/campaigns/${id}/preview`, {
      step_id: steps[0],
      lead_id: lead.lead_id,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      step_id: steps[0],
      position: 1,
      subject: "Hello Bob",
      missing: [],
    });
    expect(body.text).toStartWith("Hi Bob,\n\nAnn Sender of here");
    expect(body.text).toContain("Unsubscribe: mailto:ann@sender.example");
    expect(body.html).toContain("Hi Bob");
  });

  test("200: for somebody who is no lead, and without an account", async () => {
    const { id } = await makeCampaign(app, [HELLO]);
    const lead = { first_name: "Eve", variables: { company: "ignored" }, company: "Acme" };
    const { body } = await app.call("POST", `/campaigns/${id}/preview`, { lead });
    expect(body).toMatchObject({ subject: "Hello Eve", missing: [] });
    expect(body.text).toContain("of Acme");
  });

  test("200: what is missing is named, and nothing is rendered", async () => {
    const { id } = await makeCampaign(app, [{ ...HELLO, body: "{{first_name}} {{plan}}" }]);
    const { status, body } = await app.call("POST", `/campaigns/${id}/preview`, {});
    expect(status).toBe(200);
    expect(body).toMatchObject({ subject: null, text: null, html: null });
    expect(body.missing.toSorted()).toEqual(["first_name", "plan"]);
  });

  test("200: a later step without a subject answers in the thread", async () => {
    const { id } = await makeCampaign(app, [HELLO, { type: "email", body: "Still there?" }]);
    const input = { position: 2, lead: { first_name: "Eve" } };
    const { body } = await app.call("POST", `/campaigns/${id}/preview`, input);
    expect(body.subject).toBe("Re: Hello Eve");
  });

  test("200: words that are not saved, in the format that they are written in", async () => {
    const { id } = await makeCampaign(app, [{ ...HELLO, format: "html" }]);
    const preview = async (words: object) =>
      (await app.call("POST", `/campaigns/${id}/preview`, { subject: "Hi", ...words })).body;
    const body = "a <b>b</b>\nc";
    expect((await preview({ body })).text).toStartWith("a b c\n");
    expect((await preview({ body, format: "plain" })).text).toStartWith(`${body}\n`);
    expect((await preview({ body, format: null })).text).toStartWith("a b c\n");
  });

  test("a line end in a variable ends no header", async () => {
    const { id } = await makeCampaign(app, [{ ...HELLO, subject: "Hi {{x}}", body: "b" }]);
    const lead = { variables: { x: "a\r\nBcc: spy@example.com" } };
    const { body } = await app.call("POST", `/campaigns/${id}/preview`, { lead });
    expect(body.subject).toBe("Hi a Bcc: spy@example.com");
  });

  test.each([
    ["an unknown step", { step_id: UNKNOWN }, "step_id"],
    ["a position past the end", { position: 3 }, "position"],
    ["a task", { position: 2 }, "position"],
    ["an unknown lead", { lead_id: UNKNOWN }, "lead_id"],
    ["two leads", { lead_id: UNKNOWN, lead: {} }, "lead"],
    ["variables that cannot be", { lead: { variables: { "": 1 } } }, "lead.variables."],
    ["an unknown field", { to: "x" }, "to"],
  ])("422: %s", async (_name, input, field) => {
    const { id } = await makeCampaign(app, [HELLO, { type: "task" }]);
    const { status, body } = await app.call("POST", `/campaigns/${id}/preview`, input);
    expect([status, body.field]).toEqual([422, field]);
  });

  test("422: a template that does not parse names its step", async () => {
    const { id } = await makeCampaign(app, [{ ...HELLO, body: "{% if x %}" }]);
    const { status, body } = await app.call("POST", `/campaigns/${id}/preview`, {});
    expect([status, body.field]).toEqual([422, "steps.0.body"]);
  });
});

describe("starting is refused, and the launch check says the same", () => {
  test.each([
    ["without a step", [], "steps"],
    ["without a body", [{ type: "email", subject: "Hi" }], "steps.0.body"],
    ["without a first subject", [{ type: "email", body: "Hi" }], "steps.0.subject"],
    [
      "with a subject that does not parse",
      [EMAIL_STEP, { ...HELLO, subject: "{{" }],
      "steps.1.subject",
    ],
    ["with a body that does not parse", [{ ...HELLO, body: "{% if %}" }], "steps.0.body"],
  ])("%s", async (_name, steps, field) => {
    await addAccount(app);
    const { id } = await makeCampaign(app, steps);
    const { status, body } = await app.call("POST", `/campaigns/${id}/start`);
    expect([status, body.type, body.field]).toEqual([422, "validation_error", field]);
    const check = (await app.call("GET", `/campaigns/${id}/launch-check`)).body;
    expect(check.ready).toBe(false);
    expect(check.problems[0]).toEqual({ field, message: body.message });
    expect((await app.call("GET", `/campaigns/${id}`)).body.status).toBe("draft");
  });

  test("without an active account", async () => {
    const { id } = await makeCampaign(app);
    const account = await addAccount(app);
    await app.call("PATCH", `/accounts/${account.id}`, { status: "paused" });
    const { status, body } = await app.call("POST", `/campaigns/${id}/start`);
    expect([status, body.field]).toEqual([422, "account_ids"]);
    await addAccount(app, "bob@sender.example");
    expect((await app.call("POST", `/campaigns/${id}/start`)).status).toBe(200);
  });

  test("without one of the accounts that it may use", async () => {
    const { id } = await makeCampaign(app);
    const own = await addAccount(app);
    await addAccount(app, "bob@sender.example");
    await app.call("PATCH", `/campaigns/${id}`, { account_ids: [own.id] });
    await app.call("PATCH", `/accounts/${own.id}`, { status: "paused" });
    expect((await app.call("POST", `/campaigns/${id}/start`)).body.field).toBe("account_ids");
  });

  test("in live, while no active account is ready", async () => {
    const campaign = await app.live("POST", "/campaigns", { name: "Spring" });
    const path = `/campaigns/${campaign.body.id}`;
    await app.live("POST", `${path}/steps`, EMAIL_STEP);
    await app.live("POST", "/accounts", { email: "ann@sender.example", provider: "smtp" });
    const { status, body } = await app.live("POST", `${path}/start`);
    expect([status, body.field]).toEqual([422, "account_ids"]);
    const check = (await app.live("GET", `${path}/launch-check`)).body;
    expect(check.warnings.map(({ code }: { code: string }) => code)).toContain(
      "accounts_not_ready",
    );
  });
});

describe("GET /campaigns/{id}/launch-check", () => {
  test("200: ready, with what is worth knowing and how many leads would be held", async () => {
    const { id } = await makeCampaign(app, [EMAIL_STEP, { type: "email", body: "{{plan}}" }]);
    await addAccount(app);
    await addLeads(
      app,
      id,
      { email: "a@example.com", ...{ first_name: "Ann", variables: { plan: "pro" } } },
      { email: "b@example.com", ...{ first_name: "Bob" } },
      "c@example.com",
    );
    const { status, body } = await app.call("GET", `/campaigns/${id}/launch-check`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ready: true, problems: [], held_leads: 2, scanned: 3 });
    expect(body.warnings.map(({ code }: { code: string }) => code)).toEqual([
      "no_public_url",
      "no_postal_address",
    ]);
    expect((await app.call("POST", `/campaigns/${id}/start`)).status).toBe(200);
  });

  test("200: looks at a bounded number of leads", async () => {
    const { id } = await makeCampaign(app);
    for (const part of [0, 1]) {
      const leads = Array.from({ length: 6_000 }, (_, n) => ({
        email: `p${part}x${n}@example.com`,
      }));
      await app.call("POST", `/campaigns/${id}/leads`, { leads });
    }
    const { body } = await app.call("GET", `/campaigns/${id}/launch-check`);
    expect(body).toMatchObject({ held_leads: 10_000, scanned: 10_000 });
  });
});

describe("GET /campaigns/{id}/stats", () => {
  test("200: counters of a campaign and its steps", async () => {
    const { id, steps } = await makeCampaign(app, [{ ...EMAIL_STEP, subject: "Hi" }]);
    await addAccount(app);
    const none = (await app.call("GET", `/campaigns/${id}/stats`)).body;
    expect(none).toMatchObject({
      campaign_id: id,
      enrolled: 0,
      reply_rate: null,
      bounce_rate: null,
    });
    await addLeads(app, id, "reply@sandbox.test", "quiet@example.com");
    await app.call("POST", `/campaigns/${id}/start`);
    await app.call("POST", "/sandbox/clock", { advance: "7d" });
    const { body } = await app.call("GET", `/campaigns/${id}/stats`);
    expect(body).toMatchObject({ enrolled: 2, open: 0, sent: 2, replied: 1, reply_rate: 0.5 });
    expect(body.steps).toMatchObject([{ step_id: steps[0], position: 1, sent: 2, replied: 1 }]);
  });
});

test("404: another team's campaign, on every route", async () => {
  const { id } = await makeCampaign(app);
  const { keys } = await app.addTeam("Other");
  for (const [method, path, body] of [
    ["POST", "preview", {}],
    ["GET", "launch-check", undefined],
    ["GET", "stats", undefined],
  ] as const) {
    const answer = await app.call(method, `/campaigns/${id}/${path}`, body, { key: keys.test });
    expect(answer.status).toBe(404);
  }
});

/** What a webhook may ask for beside its events: included records, campaigns, a name, headers of its own. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { checkDeliveries } from "#usecases/events/check-deliveries.ts";
import { DOWN } from "../../engine/events/webhooks-support.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { makeCampaign } from "../../support/campaigns.ts";
import { comeBack, type Underway, underway } from "../../support/inbox.ts";
import { deliverDue, OK, type ScriptedHttp, scriptedHttp } from "../../support/webhooks.ts";

let app: TestApp;
let http: ScriptedHttp;
beforeEach(async () => {
  http = scriptedHttp();
  app = await createTestApp({ http });
});
afterEach(() => app.close());

const URL_OF = "https://hooks.example.com/outrider";
const make = (body: object = {}, key?: string) =>
  app.call("POST", "/webhooks", { url: URL_OF, ...body }, key === undefined ? {} : { key });
const create = async (body: object = {}) => (await make(body)).body;
const patch = (id: string, body: object) => app.call("PATCH", `/webhooks/${id}`, body);
const deliver = () => deliverDue(app.environments.test);
const sentOf = (type: string) => http.sent.filter(({ event }) => event.type === type);
const bodiesOf = (type: string) => sentOf(type).map(({ body }) => JSON.parse(body));

const REPLY = `Call me on Tuesday.\r\n\r\nBob\r\n\r\nOn Mon, 2 Mar 2026 at 09:00, Ann wrote:\r\n> Hello\r\n`;

/** A reply of the lead's own has come back to the first email. */
async function replied(webhook: object): Promise<Underway & { webhook: string }> {
  const stage = await underway(app);
  const { id } = await create(webhook);
  const lead_id = stage.leads[0]?.lead_id;
  expect((await comeBack(app, { kind: "reply", lead_id, text: REPLY })).status).toBe(200);
  return { ...stage, webhook: id };
}

describe("included", () => {
  test("is absent unless asked for: the delivery is the event as the feed has it, byte for byte", async () => {
    await replied({ events: ["reply.received"] });
    await deliver();
    const { data } = (await app.call("GET", "/events?type=reply.received")).body;
    expect(data).toHaveLength(1);
    expect(sentOf("reply.received").map(({ body }) => body)).toEqual([JSON.stringify(data[0])]);
  });

  test("has what was asked for, as it is at the time, beside the event", async () => {
    const stage = await replied({
      events: ["reply.received"],
      include: ["lead", "campaign", "reply.text", "message"],
    });
    const lead = stage.leads[0]?.lead_id ?? "";
    await app.call("PATCH", `/leads/${lead}`, { company: "Acme", variables: { plan: "pro" } });
    await deliver();
    const [body] = bodiesOf("reply.received");
    const { data } = (await app.call("GET", "/events?type=reply.received")).body;
    const { included, ...event } = body;
    expect(event).toEqual(data[0]);
    expect(included).toEqual({
      lead: {
        id: lead,
        email: "bob@client.example",
        first_name: null,
        last_name: null,
        company: "Acme",
        website: null,
        phone: null,
        timezone: null,
        variables: { plan: "pro" },
      },
      campaign: { id: stage.campaign, name: "Spring", status: expect.any(String) },
      reply: { text: "Call me on Tuesday.\n\nBob" },
      message: {
        id: event.data.email_id,
        to: "bob@client.example",
        subject: "Offer",
        text: expect.stringContaining("Hello"),
        sent_at: expect.stringMatching(/^2026-.*Z$/),
      },
    });
  });

  test("is null for what an event is about none of", async () => {
    await create({ events: ["suppression.created"], include: ["lead", "message", "campaign"] });
    await app.call("POST", "/suppressions", { email: "ann@example.com" });
    await deliver();
    const [body] = bodiesOf("suppression.created");
    expect(body.included).toEqual({ lead: null, message: null, campaign: null });
  });

  test("has nothing of a person who was erased while the delivery waited, at any later attempt", async () => {
    http.answer = () => DOWN;
    const include = ["lead", "campaign", "reply.text", "message"];
    const stage = await replied({ include });
    await deliver();
    expect(sentOf("reply.received")[0]?.body).toContain("Call me on Tuesday");
    http.sent.length = 0;
    expect((await app.call("DELETE", `/leads/${stage.leads[0]?.lead_id}`)).status).toBe(204);
    http.answer = () => OK;
    await patch(stage.webhook, { active: false });
    await patch(stage.webhook, { active: true });
    await app.call("POST", `/webhooks/${stage.webhook}/replay`, { all: true });
    await deliver();
    const [body] = bodiesOf("reply.received");
    expect(body.included).toEqual({
      lead: null,
      campaign: { id: stage.campaign, name: "Spring", status: expect.any(String) },
      reply: null,
      message: null,
    });
    expect(body.data).toMatchObject({ snippet: null, from: null, subject: null });
    const sent = http.sent.map(({ body }) => body).join("\n");
    expect(sent).not.toContain("Tuesday");
    expect(sent).not.toContain("bob@client");
  });

  test.each([
    ["an unknown one", ["reply"], "include.0"],
    ["one twice", ["lead", "lead"], "include"],
    ["none that is a list", "lead", "include"],
  ])("422: %s", async (_name, include, field) => {
    const { status, body } = await make({ include });
    expect({ status, field: body.field }).toEqual({ status: 422, field });
  });

  test("403: what the key may not read, by a new webhook or by moving one that includes it", async () => {
    const { body } = await app.call("POST", "/keys", { name: "hooks", scopes: ["webhooks:write"] });
    const key: string = body.key;
    const refused = await make({ include: ["campaign", "lead"] }, key);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ type: "permission_error", field: "include" });
    expect((await make({}, key)).status).toBe(201);
    const { id } = await create({ include: ["lead"] });
    const move = { url: "https://other.example.com/" };
    expect((await app.call("PATCH", `/webhooks/${id}`, move, { key })).status).toBe(403);
    expect((await app.call("PATCH", `/webhooks/${id}`, { name: "CRM" }, { key })).status).toBe(200);
  });
});

describe("reply.received", () => {
  test("has the beginning of what the person wrote, without the quote", async () => {
    await replied({ events: ["reply.received"] });
    await deliver();
    expect(bodiesOf("reply.received")[0].data.snippet).toBe("Call me on Tuesday. Bob");
  });
});

describe("campaign_ids", () => {
  test("only events of these campaigns, at once and by a replay, and none that belong to no campaign", async () => {
    const [spring, fall] = [await makeCampaign(app), await makeCampaign(app)];
    const { id } = await create({ campaign_ids: [spring.id] });
    const all = await create({ url: "https://all.example.com/" });
    const cause = async () => {
      for (const campaign of [spring, fall]) {
        const leads = [{ email: `${Math.random()}@client.example` }];
        await app.call("POST", `/campaigns/${campaign.id}/leads`, { leads });
      }
      await app.call("POST", "/suppressions", { email: `${Math.random()}@example.com` });
      await deliver();
    };
    const told = (url: string) => http.sent.filter((sent) => sent.url === url);
    await cause();
    expect(told(URL_OF).map(({ event }) => event.data["campaign_id"])).toEqual([spring.id]);
    expect(told("https://all.example.com/")).toHaveLength(3);
    const { env } = { env: app.environments.test };
    expect(checkDeliveries(env, app.team.id)).toEqual({ missing: 0, stranded: 0 });
    const replayed = await app.call("POST", `/webhooks/${id}/replay`, { all: true });
    expect(replayed.body.replayed).toBe(1);
    await patch(id, { campaign_ids: null });
    http.sent.length = 0;
    await cause();
    expect(told(URL_OF)).toHaveLength(4);
    expect(checkDeliveries(env, app.team.id)).toEqual({ missing: 0, stranded: 0 });
    expect(all.campaign_ids).toBeNull();
  });

  test.each([
    ["an unknown one", ["00000000-0000-7000-8000-00000000dead"], "campaign_ids.0"],
    ["none", [], "campaign_ids"],
    ["what is no id", ["x"], "campaign_ids.0"],
  ])("422: %s", async (_name, campaign_ids, field) => {
    const { status, body } = await make({ campaign_ids });
    expect({ status, field: body.field }).toEqual({ status: 422, field });
  });

  test("422: a campaign of the other environment", async () => {
    const { body } = await app.live("POST", "/campaigns", { name: "Live" });
    expect((await make({ campaign_ids: [body.id] })).body.field).toBe("campaign_ids.0");
  });
});

describe("headers", () => {
  const TOKEN = "Bearer a-secret-of-the-gateway";

  test("go with every delivery, beside the signature, and are never shown or stored in clear", async () => {
    const made = await create({ name: "CRM", headers: { Authorization: TOKEN, "X-Tenant": "7" } });
    expect(made).toMatchObject({ name: "CRM", headers: { Authorization: "…", "X-Tenant": "…" } });
    await app.call("POST", `/webhooks/${made.id}/test`);
    expect(http.sent[0]?.headers).toMatchObject({
      Authorization: TOKEN,
      "X-Tenant": "7",
      "Content-Type": "application/json",
      "webhook-signature": expect.stringMatching(/^v1,/),
    });
    const seen = await Promise.all(
      [`/webhooks/${made.id}`, "/webhooks", "/audit"].map((path) => app.call("GET", path)),
    );
    expect(JSON.stringify(seen)).not.toContain("a-secret");
    const bytes = Buffer.from(app.environments.test.db.raw.serialize());
    expect(bytes.includes("a-secret-of-the-gateway")).toBe(false);
  });

  test("are merged: null removes one, what was read may be sent back, names are the same in any case", async () => {
    const { id, headers } = await create({ headers: { Authorization: TOKEN, "X-Tenant": "7" } });
    expect((await patch(id, { headers })).body.headers).toEqual(headers);
    const changed = await patch(id, { headers: { authorization: "Basic eA==", "X-Tenant": null } });
    expect(changed.body.headers).toEqual({ authorization: "…" });
    await app.call("POST", `/webhooks/${id}/test`);
    expect(http.sent[0]?.headers).toMatchObject({ authorization: "Basic eA==" });
    expect(http.sent[0]?.headers).not.toHaveProperty("X-Tenant");
  });

  test("422: another server doesn't get them from somebody who doesn't know them", async () => {
    const { id } = await create({ headers: { Authorization: TOKEN } });
    const url = "https://elsewhere.example.com/";
    expect((await patch(id, { url })).body.field).toBe("headers.Authorization");
    expect((await patch(id, { url: `${URL_OF}/other` })).status).toBe(200);
    expect((await patch(id, { url, headers: { Authorization: "…" } })).status).toBe(422);
    const known = await patch(id, { url, headers: { authorization: TOKEN } });
    expect(known.body).toMatchObject({ url, headers: { authorization: "…" } });
  });

  test.each([
    ["Host", "x"],
    ["content-length", "1"],
    ["Content-Type", "text/plain"],
    ["Connection", "close"],
    ["Transfer-Encoding", "chunked"],
    ["Proxy-Authorization", "x"],
    ["webhook-signature", "v1,x"],
    ["Webhook-Id", "x"],
    ["X Y", "x"],
    ["X:Y", "x"],
    ["X-Split", "a\r\nX-Evil: 1"],
    ["X-Unicode", "ü"],
    ["X-Blank", " "],
    ["X-Long", "a".repeat(1_001)],
    ["a".repeat(65), "x"],
    ["X-Masked", "…"],
  ])("422: %s", async (name, value) => {
    const { status, body } = await make({ headers: { [name]: value } });
    expect({ status, field: body.field }).toEqual({ status: 422, field: `headers.${name}` });
  });

  test("422: more than ten, or one twice", async () => {
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`X-${n}`, "1"]));
    expect((await make({ headers: many })).body.field).toBe("headers");
    expect((await make({ headers: { "X-A": "1", "x-a": "2" } })).body.field).toBe("headers.x-a");
  });
});

/** The HTTP contract of `/leads`: records, holds that lift when they are fixed, and erasure. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { holdEnrollment } from "#usecases/leads/enrollments.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import {
  addAccount,
  addLeads,
  EMAIL_STEP,
  makeCampaign,
  writeTo,
} from "../../support/campaigns.ts";

let app: TestApp;
let id: string;
beforeEach(async () => {
  app = await createTestApp();
  ({ id } = await makeCampaign(app));
});
afterEach(() => app.close());

const UNKNOWN = "00000000-0000-7000-8000-00000000dead";
const add = async (email: string | { email: string }) => (await addLeads(app, id, email))[0];

describe("GET /leads", () => {
  test("200: newest first, by pages of either kind", async () => {
    for (const email of ["a@example.com", "b@example.com", "c@example.com"]) {
      await add(email);
    }
    const first = (await app.call("GET", "/leads?limit=2")).body;
    expect(emailsOf(first)).toEqual(["c@example.com", "b@example.com"]);
    expect(first).toMatchObject({ total: 3, limit: 2, offset: 0, hasMore: true });
    const byCursor = (await app.call("GET", `/leads?limit=2&after=${first.next_cursor}`)).body;
    const byOffset = (await app.call("GET", "/leads?limit=2&offset=2")).body;
    expect(emailsOf(byCursor)).toEqual(["a@example.com"]);
    expect(emailsOf(byOffset)).toEqual(["a@example.com"]);
    expect(byCursor).toMatchObject({ total: 3, hasMore: false, next_cursor: null });
  });

  test("200: the same rows wherever a page begins, counted to from either end", async () => {
    const emails = Array.from({ length: 9 }, (_, at) => `p${at}@example.com`);
    for (const email of emails) {
      await add(email);
    }
    const newest = emails.toReversed();
    for (let offset = 0; offset <= emails.length + 1; offset += 1) {
      for (const limit of [1, 3, 20]) {
        const { body } = await app.call("GET", `/leads?limit=${limit}&offset=${offset}`);
        expect(emailsOf(body)).toEqual(newest.slice(offset, offset + limit));
        expect(body).toMatchObject({ total: 9, hasMore: offset + limit < emails.length });
      }
    }
  });

  test("200: by the whole address, or by how a word of it begins", async () => {
    await add("ann@example.com");
    await add("anna@example.com");
    await add("bob@example.com");
    const found = async (query: string) =>
      emailsOf((await app.call("GET", `/leads?${query}`)).body);
    expect(await found("email=Ann@Example.com")).toEqual(["ann@example.com"]);
    expect(await found("email=ann")).toEqual([]);
    await app.advance(1);
    expect(await found("search=Ann")).toEqual(["anna@example.com", "ann@example.com"]);
    expect(await found("search=%25")).toEqual([]);
  });

  test("200: by where they stand in one of their campaigns, each lead once", async () => {
    const first = await addLeads(app, id, "ann@example.com", "bob@example.com", "cy@example.com");
    const other = await makeCampaign(app);
    const second = await addLeads(app, other.id, "ann@example.com", "bob@example.com");
    const set = async (campaign: string, lead: { lead_id: string }, body: object) => {
      const path = `/campaigns/${campaign}/leads/${lead.lead_id}`;
      expect((await app.call("PATCH", path, body)).status).toBe(200);
    };
    const [ann, bob] = first;
    await set(id, ann, { status: "completed", interest: "interested" });
    await set(other.id, second[0], { interest: "meeting" });
    await set(id, bob, { interest: "interested" });
    await app.advance(1);
    const found = async (query: string) => {
      const { body } = await app.call("GET", `/leads?${query}`);
      expect(body.total).toBe(body.data.length);
      return emailsOf(body);
    };
    expect(await found("status=pending")).toEqual([
      "cy@example.com",
      "bob@example.com",
      "ann@example.com",
    ]);
    expect(await found("interest=interested")).toEqual(["bob@example.com", "ann@example.com"]);
    expect(await found("status=completed&interest=interested")).toEqual(["ann@example.com"]);
    expect(await found("status=completed&interest=meeting")).toEqual([]);
    expect(await found("search=bob&interest=interested")).toEqual(["bob@example.com"]);
    expect(await found("search=cy&interest=interested")).toEqual([]);
    const { keys } = await app.addTeam("Other");
    const there = await app.call("GET", "/leads?status=pending", undefined, { key: keys.test });
    expect(there.body).toMatchObject({ total: 0, data: [] });
    expect((await app.call("GET", "/leads?status=gone")).status).toBe(422);
  });

  test("another team sees none of them", async () => {
    const lead = await add("ann@example.com");
    const { keys } = await app.addTeam("Other");
    expect((await app.call("GET", "/leads", undefined, { key: keys.test })).body.total).toBe(0);
    for (const answer of [
      await app.call("GET", `/leads/${lead.lead_id}`, undefined, { key: keys.test }),
      await app.call("PATCH", `/leads/${lead.lead_id}`, {}, { key: keys.test }),
      await app.call("DELETE", `/leads/${lead.lead_id}`, undefined, { key: keys.test }),
      await app.live("GET", `/leads/${lead.lead_id}`),
      await app.call("GET", `/leads/${UNKNOWN}`),
    ]) {
      expect([answer.status, answer.body.type]).toEqual([404, "not_found"]);
    }
  });
});

describe("PATCH /leads/{id}", () => {
  test("200: fields are set and cleared, variables merged", async () => {
    const { lead_id } = await add({
      email: "ann@example.com",
      ...{ first_name: "Ann", company: "Acme", variables: { a: 1, b: 2 } },
    });
    const { status, body } = await app.call("PATCH", `/leads/${lead_id}`, {
      first_name: "Anna",
      company: null,
      timezone: "europe/berlin",
      variables: { b: null, c: true },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      first_name: "Anna",
      company: null,
      timezone: "Europe/Berlin",
      variables: { a: 1, c: true },
    });
  });

  test("200: {} and a record sent back whole change nothing", async () => {
    const { lead_id } = await add({ email: "ann@example.com", ...{ variables: { a: 1 } } });
    await app.call("POST", "/sandbox/clock", { advance: "1m" });
    const before = (await app.call("GET", `/leads/${lead_id}`)).body;
    await app.call("POST", "/sandbox/clock", { advance: "1h" });
    expect((await app.call("PATCH", `/leads/${lead_id}`, {})).body).toEqual(before);
    expect((await app.call("PATCH", `/leads/${lead_id}`, before)).body).toEqual(before);
  });

  test("the zone of its enrollments follows, and when they are due does not", async () => {
    const { id: enrollmentId, lead_id } = await add("ann@example.com");
    const row = () => enrollmentById(app.environments.test.db, enrollmentId);
    const dueAt = row()?.dueAt;
    await app.call("PATCH", `/leads/${lead_id}`, { timezone: "Asia/Tokyo" });
    expect(row()).toMatchObject({ zone: "Asia/Tokyo", dueAt });
    await app.call("PATCH", `/leads/${lead_id}`, { timezone: null });
    expect(row()).toMatchObject({ zone: "", dueAt });
  });

  test("lifts the hold of a missing variable, and no other", async () => {
    const env = app.environments.test;
    const { id: held, lead_id } = await add("ann@example.com");
    const hold = async (reason: "missing_variable" | "task") => {
      const row = enrollmentById(env.db, held);
      await env.commit(() => row && holdEnrollment(env, row, reason, "first_name"));
    };
    const read = async () => (await app.call("GET", `/campaigns/${id}/leads/${held}`)).body;
    await hold("missing_variable");
    expect((await app.call("GET", `/campaigns/${id}/stats`)).body).toMatchObject({
      open: 1,
      held: 1,
    });
    await app.call("PATCH", `/leads/${lead_id}`, { first_name: "Ann" });
    expect(await read()).toMatchObject({ hold_reason: null, hold_detail: null, status: "pending" });
    expect((await app.call("GET", `/campaigns/${id}/stats`)).body).toMatchObject({
      open: 1,
      held: 0,
    });
    await hold("task");
    await app.call("PATCH", `/leads/${lead_id}`, { first_name: "Anna" });
    expect(await read()).toMatchObject({ hold_reason: "task" });
  });

  test("a lead held for what its email lacks is written to once somebody fills it in", async () => {
    const step = { type: "email", subject: "Hello", body: "Dear {{first_name}}, {{plan}}" };
    const { id: campaignId, steps } = await makeCampaign(app, [step]);
    await addAccount(app);
    const [lead] = await addLeads(app, campaignId, "quiet@example.com");
    await app.call("POST", `/campaigns/${campaignId}/start`);
    const path = `/campaigns/${campaignId}/leads/${lead.id}`;
    const pass = async () => {
      await app.call("POST", "/sandbox/clock", { advance: "1d" });
      return (await app.call("GET", path)).body;
    };
    expect(await pass()).toMatchObject({ hold_reason: "missing_variable", current_step: 0 });
    await app.call("PATCH", `/leads/${lead.lead_id}`, { first_name: "Ann" });
    expect(await pass()).toMatchObject({ hold_reason: "missing_variable", hold_detail: "plan" });
    const body = "Dear {{first_name}}, {{plan | default: 'all'}}";
    await app.call("PATCH", `/campaigns/${campaignId}/steps/${steps[0]}`, { body });
    expect(await pass()).toMatchObject({ hold_reason: null, status: "completed", current_step: 1 });
    expect((await app.call("GET", `/campaigns/${campaignId}/stats`)).body.sent).toBe(1);
  });

  test.each([
    [{ email: "other@example.com" }, "email"],
    [{ timezone: "Mars/Olympus" }, "timezone"],
    [{ timezone: "+02:00" }, "timezone"],
    [{ first_name: "a\r\nBcc: x" }, "first_name"],
    [{ first_name: 5 }, "first_name"],
    [{ first_name: "x".repeat(501) }, "first_name"],
    [{ variables: null }, "variables"],
    [{ variables: { a: {} } }, "variables.a"],
    [{ variables: { a: "x".repeat(10_001) } }, "variables.a"],
    [
      { variables: Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`v${n}`, n])) },
      "variables",
    ],
    [{ id: UNKNOWN }, "id"],
    [{ team_id: UNKNOWN }, "team_id"],
    [{ nonsense: 1 }, "nonsense"],
  ])("422: case %#", async (change, field) => {
    const { lead_id } = await add("ann@example.com");
    const before = (await app.call("GET", `/leads/${lead_id}`)).body;
    const { status, body } = await app.call("PATCH", `/leads/${lead_id}`, change);
    expect([status, body.type, body.field]).toEqual([422, "validation_error", field]);
    expect((await app.call("GET", `/leads/${lead_id}`)).body).toEqual(before);
  });

  test("names of objects' own parts are variables like others", async () => {
    const { lead_id } = await add("ann@example.com");
    const body = '{"variables":{"__proto__":"a","constructor":"b","toString":"c"}}';
    const answer = await app.call("PATCH", `/leads/${lead_id}`, body);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body.variables).sort()).toEqual([
      "__proto__",
      "constructor",
      "toString",
    ]);
  });

  test("412: a stale If-Match changes nothing", async () => {
    const { lead_id } = await add("ann@example.com");
    const read = await app.call("GET", `/leads/${lead_id}`);
    const headers = { "If-Match": read.headers.get("etag") ?? "" };
    const path = `/leads/${lead_id}`;
    expect((await app.call("PATCH", path, { phone: "1" }, { headers })).status).toBe(200);
    expect((await app.call("PATCH", path, { phone: "2" }, { headers })).status).toBe(412);
  });
});

describe("DELETE /leads/{id}", () => {
  test("204: nothing in the file names the person any more, and it stays suppressed", async () => {
    const canary = "canary-7f3a";
    const email = `${canary}@example.com`;
    const { id: campaignId } = await makeCampaign(app, [{ ...EMAIL_STEP, subject: "Hi" }]);
    await addAccount(app);
    const item = { email, first_name: canary, variables: { note: canary } };
    const [lead] = await addLeads(app, campaignId, item, "other@example.com");
    await app.call("PATCH", `/leads/${lead.lead_id}`, { company: canary });
    await app.call("POST", `/campaigns/${campaignId}/start`);
    await app.call("POST", "/sandbox/clock", { advance: "3d" });
    await app.call("POST", "/suppressions", { email });
    const before = (await app.call("GET", `/campaigns/${campaignId}/stats`)).body;
    expect(before.sent).toBe(2);

    const { status, text } = await app.call("DELETE", `/leads/${lead.lead_id}`);

    expect([status, text]).toEqual([204, ""]);
    expect(everyText(canary)).toEqual([]);
    expect((await app.call("GET", `/leads/${lead.lead_id}`)).status).toBe(404);
    expect((await app.call("GET", `/campaigns/${campaignId}/leads/${lead.id}`)).status).toBe(404);
    const after = (await app.call("GET", `/campaigns/${campaignId}/stats`)).body;
    expect(after).toMatchObject({ enrolled: 2, sent: 2, open: before.open });
    const check = await app.call("GET", `/suppressions/check?email=${email}`);
    expect(check.body).toMatchObject({ suppressed: true });
    const again = await app.call("POST", `/campaigns/${campaignId}/leads`, { leads: [{ email }] });
    expect(again.body.skipped_details).toEqual([{ email, reason: "suppressed" }]);
  });

  test("409: not while a message to it is being handed over", async () => {
    const lead = await add("ann@example.com");
    await writeTo(app, lead.id, "sending");
    const { status, body, headers } = await app.call("DELETE", `/leads/${lead.lead_id}`);
    expect([status, body.type, headers.get("retry-after")]).toEqual([409, "conflict", "60"]);
    expect((await app.call("GET", `/leads/${lead.lead_id}`)).status).toBe(200);
  });

  test("204: it keeps its campaign from completing no more", async () => {
    const lead = await add("ann@example.com");
    await app.call("DELETE", `/leads/${lead.lead_id}`);
    expect((await app.call("GET", `/campaigns/${id}/stats`)).body).toMatchObject({ open: 0 });
    expect((await app.call("DELETE", `/leads/${lead.lead_id}`)).status).toBe(404);
  });
});

function emailsOf(page: { data: { email: string }[] }): string[] {
  return page.data.map(({ email }) => email);
}

/** Places (table and column) of the test environment's file that hold `text`, in whatever type. */
function everyText(text: string): string[] {
  const { raw } = app.environments.test.db;
  const tables = raw.query<{ name: string }, []>(
    "select name from sqlite_master where type = 'table'",
  );
  const needle = Buffer.from(text);
  return tables.all().flatMap(({ name }) =>
    raw
      .query<Record<string, unknown>, []>(`select * from "${name}"`)
      .all()
      .flatMap((row) => Object.entries(row))
      .filter(([, value]) => {
        const bytes = value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value));
        return bytes.includes(needle);
      })
      .map(([column]) => `${name}.${column}`),
  );
}

test("a listed lead says where it stands, if that is asked for", async () => {
  const { id } = await makeCampaign(app);
  const [lead] = await addLeads(app, id, "bob@example.com");
  const other = await makeCampaign(app);
  await addLeads(app, other.id, "bob@example.com");
  const [plain] = (await app.call("GET", "/leads")).body.data;
  expect(plain.campaign).toBeNull();
  for (const query of ["include=campaign", "include=campaign&filter=email:bob"]) {
    const [listed] = (await app.call("GET", `/leads?${query}`)).body.data;
    expect(listed.campaign).toMatchObject({ status: "pending", last_sent_at: null, campaigns: 2 });
    expect([id, other.id]).toContain(listed.campaign.id);
  }
  await app.call("PATCH", `/campaigns/${id}/leads/${lead.id}`, { interest: "interested" });
  await app.call("POST", "/leads", { leads: [{ email: "nobody@example.com" }] });
  const { data } = (await app.call("GET", "/leads?include=campaign&email=nobody@example.com")).body;
  expect(data.map(({ campaign }: { campaign: unknown }) => campaign)).toEqual([null]);
  expect((await app.call("GET", "/leads?include=all")).status).toBe(422);
});

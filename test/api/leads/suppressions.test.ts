/** The HTTP contract of `/suppressions`, and what a suppression does to leads under way. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readEvents } from "#store/events/events.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addLeads, makeCampaign } from "../../support/campaigns.ts";

/** As the specification has it: what somebody asked for outweighs what a server or a colleague said. */
const WEAKEST_FIRST = ["import", "manual", "bounce", "unsubscribe", "complaint"] as const;

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const UNKNOWN = "00000000-0000-7000-8000-00000000dead";
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const suppress = (email: string, reason?: string) =>
  app.call("POST", "/suppressions", { email, ...(reason === undefined ? {} : { reason }) });

describe("POST /suppressions", () => {
  test("201: an address is enough; it is kept trimmed and in lower case", async () => {
    const { status, body, headers } = await suppress(" Ann@Example.COM ");
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/api/v1/suppressions/${body.id}`);
    expect(body).toEqual({
      id: body.id,
      team_id: app.team.id,
      email_hash: sha256("ann@example.com"),
      email: "ann@example.com",
      reason: "unsubscribe",
      in_flight: 0,
      created_at: "2026-03-02T15:00:00.000Z",
    });
    const { in_flight: _now, ...kept } = body;
    expect((await app.call("GET", `/suppressions/${body.id}`)).body).toEqual(kept);
  });

  test("201: a domain", async () => {
    const { status, body } = await suppress("@Bücher.Example", "manual");
    expect(status).toBe(201);
    expect(body).toMatchObject({
      email: "@xn--bcher-kva.example",
      email_hash: sha256("@xn--bcher-kva.example"),
      reason: "manual",
    });
  });

  test.each(WEAKEST_FIRST.flatMap((a) => WEAKEST_FIRST.map((b) => [a, b] as const)))(
    "200: %s and then %s keeps the stronger reason",
    async (first, second) => {
      const { body } = await suppress("ann@example.com", first);
      const again = await suppress("ANN@example.com", second);
      const rank = (reason: typeof first) => WEAKEST_FIRST.indexOf(reason);
      const reason = rank(second) > rank(first) ? second : first;
      expect(again.status).toBe(200);
      expect(again.body).toEqual({ ...body, reason });
      expect((await app.call("GET", "/suppressions")).body.total).toBe(1);
      const events = readEvents(app.environments.test.db, app.team.id, { after: 0, limit: 10 });
      expect(events.map(({ type }) => type)).toEqual(["suppression.created"]);
    },
  );

  test.each([
    ["no email", {}, "email"],
    ["an email that is none", { email: "ann" }, "email"],
    ["a domain that is none", { email: "@example" }, "email"],
    ["nothing", { email: "" }, "email"],
    ["a line end", { email: "ann@example.com\r\n" }, "email"],
    ["two addresses", { email: "a@x.example,b@x.example" }, "email"],
    ["a number", { email: 5 }, "email"],
    ["an unknown reason", { email: "a@x.example", reason: "mood" }, "reason"],
    ["an unknown field", { email: "a@x.example", colour: "red" }, "colour"],
  ])("422: %s is named, and nothing is stored", async (_name, input, field) => {
    const { body } = await app.call("POST", "/suppressions", input);
    expect(body).toMatchObject({ type: "validation_error", field, status: 422 });
    expect((await app.call("GET", "/suppressions")).body.total).toBe(0);
  });

  test("201: the same Idempotency-Key gets the first answer again", async () => {
    const call = () =>
      app.call(
        "POST",
        "/suppressions",
        { email: "a@x.example" },
        { headers: { "Idempotency-Key": "k" } },
      );
    const first = await call();
    const second = await call();
    expect([second.status, second.body]).toEqual([201, first.body]);
  });

  test.each([
    ["unsubscribe", "unsubscribed"],
    ["bounce", "bounced"],
    ["complaint", "suppressed"],
    ["manual", "suppressed"],
    ["import", "suppressed"],
  ])("201: %s ends what is open to the address as %s, and nothing else", async (reason, status) => {
    const one = await makeCampaign(app);
    const two = await makeCampaign(app);
    await addLeads(app, one.id, "ann@x.example", "bob@x.example");
    await addLeads(app, two.id, "ann@x.example");
    await app.call("POST", `/campaigns/${one.id}/archive`);

    await suppress("Ann@x.example", reason);

    const leadsOf = async (id: string) =>
      (await app.call("GET", `/campaigns/${id}/leads`)).body.data;
    for (const { id } of [one, two]) {
      const leads = await leadsOf(id);
      const ann = leads.find((lead: { email: string }) => lead.email === "ann@x.example");
      expect(ann).toMatchObject({ status, stop_reason: reason, next_attempt_at: null });
    }
    const bob = (await leadsOf(one.id)).find(
      (lead: { email: string }) => lead.email === "bob@x.example",
    );
    expect(bob).toMatchObject({ status: "pending", stop_reason: null });
  });

  test("201: an ended sequence keeps its end", async () => {
    const { id } = await makeCampaign(app);
    const [lead] = await addLeads(app, id, "ann@x.example");
    await app.call("PATCH", `/campaigns/${id}/leads/${lead.id}`, { status: "completed" });
    await suppress("ann@x.example", "bounce");
    const { body } = await app.call("GET", `/campaigns/${id}/leads/${lead.id}`);
    expect(body.status).toBe("completed");
  });

  test("201: leads at a suppressed domain end within a minute, its subdomains do not", async () => {
    const { id } = await makeCampaign(app);
    const leads = ["a@x.example", "b@y.example", "c@sub.x.example", "d@x.example"];
    await addLeads(app, id, ...leads);
    await suppress("@x.example", "manual");
    await app.advance(60_000);
    const { data } = (await app.call("GET", `/campaigns/${id}/leads`)).body;
    const open = data.filter((lead: { status: string }) => lead.status === "pending");
    expect(open.map((lead: { email: string }) => lead.email).sort()).toEqual([
      "b@y.example",
      "c@sub.x.example",
    ]);
  });

  test("a team's suppression is no other team's, nor the other environment's", async () => {
    const other = await app.addTeam("Other");
    await suppress("ann@x.example");
    const path = "/suppressions/check?email=ann@x.example";
    expect((await app.call("GET", path)).body.suppressed).toBe(true);
    expect((await app.live("GET", path)).body.suppressed).toBe(false);
    const theirs = await app.call("GET", path, undefined, { key: other.keys.test });
    expect(theirs.body.suppressed).toBe(false);
  });
});

describe("GET /suppressions", () => {
  test("200: newest first, with the envelope", async () => {
    for (const name of ["a", "b", "c"]) {
      await suppress(`${name}@x.example`);
    }
    const emails = async (query: string) => {
      const { data, ...envelope } = (await app.call("GET", `/suppressions${query}`)).body;
      return [data.map(({ email }: { email: string }) => email), envelope];
    };
    expect(await emails("")).toEqual([
      ["c@x.example", "b@x.example", "a@x.example"],
      { total: 3, limit: 50, offset: 0, hasMore: false },
    ]);
    expect(await emails("?limit=1&offset=1")).toEqual([
      ["b@x.example"],
      { total: 3, limit: 1, offset: 1, hasMore: true },
    ]);
  });

  test("200: by reason, and by address in any form", async () => {
    await suppress("a@x.example", "bounce");
    await suppress("b@x.example");
    const total = async (query: string) =>
      (await app.call("GET", `/suppressions?${query}`)).body.total;
    expect(await total("reason=bounce")).toBe(1);
    expect(await total("reason=complaint")).toBe(0);
    expect(await total("email=%20B@X.example")).toBe(1);
    expect(await total("email=b@x.example&reason=bounce")).toBe(0);
  });

  test.each([
    ["reason=mood", "reason"],
    ["email=ann", "email"],
    ["limit=0", "limit"],
    ["colour=red", "colour"],
  ])("422: %s", async (query, field) => {
    const { body } = await app.call("GET", `/suppressions?${query}`);
    expect(body).toMatchObject({ status: 422, field });
  });
});

describe("GET /suppressions/check", () => {
  test("200: the address itself goes before its domain", async () => {
    const check = async (email: string) =>
      (await app.call("GET", `/suppressions/check?email=${encodeURIComponent(email)}`)).body;
    await suppress("@x.example", "manual");
    await suppress("ann@x.example", "complaint");
    expect(await check("Ann@X.example")).toEqual({
      suppressed: true,
      match: "address",
      reason: "complaint",
    });
    const byDomain = { suppressed: true, match: "domain", reason: "manual" };
    expect(await check("bob@x.example")).toEqual(byDomain);
    expect(await check("@x.example")).toEqual(byDomain);
    const none = { suppressed: false, match: null, reason: null };
    expect(await check("bob@sub.x.example")).toEqual(none);
    expect(await check("@y.example")).toEqual(none);
  });

  test.each(["", "?email=", "?email=ann"])("422: %p names email", async (query) => {
    const { body } = await app.call("GET", `/suppressions/check${query}`);
    expect(body).toMatchObject({ status: 422, field: "email" });
  });
});

describe("DELETE /suppressions/{id}", () => {
  test("204: the address may be written to again; what had ended stays ended", async () => {
    const { id } = await makeCampaign(app);
    const [lead] = await addLeads(app, id, "ann@x.example");
    const { body } = await suppress("ann@x.example");

    const { status, text } = await app.call("DELETE", `/suppressions/${body.id}`);

    expect([status, text]).toEqual([204, ""]);
    const check = await app.call("GET", "/suppressions/check?email=ann@x.example");
    expect(check.body.suppressed).toBe(false);
    const path = `/campaigns/${id}/leads/${lead.id}`;
    expect((await app.call("GET", path)).body.status).toBe("unsubscribed");
    expect((await app.call("DELETE", `/suppressions/${body.id}`)).status).toBe(404);
    expect((await suppress("ann@x.example")).status).toBe(201);
  });
});

describe("every operation", () => {
  test.each([
    ["GET", "/suppressions"],
    ["POST", "/suppressions"],
    ["GET", "/suppressions/check?email=a@x.example"],
    ["GET", `/suppressions/${UNKNOWN}`],
    ["DELETE", `/suppressions/${UNKNOWN}`],
  ])("401: %s %s", async (method, path) => {
    expect((await app.call(method, path, undefined, { key: null })).status).toBe(401);
  });

  test.each(["GET", "DELETE"])(
    "404: %s of another team's and another environment's",
    async (method) => {
      const { body } = await suppress("ann@x.example");
      const other = await app.addTeam("Other");
      const path = `/suppressions/${body.id}`;
      const key = other.keys.test;
      expect((await app.call(method, path, undefined, { key })).body.type).toBe("not_found");
      expect((await app.live(method, path)).body.type).toBe("not_found");
      expect((await app.call(method, `/suppressions/${UNKNOWN}`)).status).toBe(404);
      expect((await app.call("GET", path)).status).toBe(200);
    },
  );

  test("403: a key needs the scope; 405: a method that is none", async () => {
    const { key } = (await app.call("POST", "/keys", { name: "k", scopes: ["read"] })).body;
    const { body } = await app.call("POST", "/suppressions", { email: "a@x.example" }, { key });
    expect(body).toMatchObject({ type: "permission_error", status: 403 });
    const { status, headers } = await app.call("PATCH", `/suppressions/${UNKNOWN}`, {});
    expect([status, headers.get("allow")]).toEqual([405, "DELETE, GET, HEAD, OPTIONS"]);
  });
});

/**
 * The HTTP contract of `/accounts` but for creating one. Sections follow operations, tests within them
 * status codes.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../../support/campaigns.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const UNKNOWN = "00000000-0000-7000-8000-00000000dead";
const SERVER = { host: "smtp.example.com", port: 465, security: "tls", username: "ann" };

describe("GET /accounts", () => {
  test("200: all of the team's accounts of this environment, oldest first, in data alone", async () => {
    const [one, two] = [await addAccount(app, "b@x.example"), await addAccount(app, "a@x.example")];
    await app.live("POST", "/accounts", { email: "c@x.example", provider: "smtp" });
    const other = await app.addTeam("Other");
    expect((await app.call("GET", "/accounts")).body).toEqual({ data: [one, two] });
    expect((await app.call("GET", "/accounts?limit=1&offset=1")).body).toEqual({ data: [two] });
    const theirs = await app.call("GET", "/accounts", undefined, { key: other.keys.test });
    expect(theirs.body).toEqual({ data: [] });
  });

  test.each(["limit=0", "limit=101", "limit=x", "offset=-1", "colour=red"])(
    "422: %s",
    async (query) => {
      const { body } = await app.call("GET", `/accounts?${query}`);
      expect(body).toMatchObject({ status: 422, field: query.split("=")[0] });
    },
  );
});

describe("PATCH /accounts/{id}", () => {
  test("200: what is given changes, also inside servers; the rest stays", async () => {
    const { id } = await addAccount(app);
    await app.call("PATCH", `/accounts/${id}`, { smtp: SERVER });
    app.wall.move(1000);

    const { status, body } = await app.call("PATCH", `/accounts/${id}`, {
      display_name: null,
      daily_limit: 0,
      smtp: { port: 587, security: "starttls" },
      ramp: { start: 10, increment: 5 },
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      display_name: null,
      daily_limit: 0,
      hourly_limit: 10,
      smtp: { host: "smtp.example.com", port: 587, security: "starttls", username: "ann" },
      ramp: { start: 10, increment: 5, from: "2026-03-02" },
      updated_at: "2026-03-02T15:00:01.000Z",
    });
    const { body: later } = await app.call("PATCH", `/accounts/${id}`, { ramp: { increment: 0 } });
    expect(later.ramp).toEqual({ start: 10, increment: 0, from: "2026-03-02" });
    const cleared = await app.call("PATCH", `/accounts/${id}`, { ramp: null, smtp: null });
    expect(cleared.body).toMatchObject({ ramp: null, smtp: null });
  });

  test("200: a record sent back as it was read changes nothing, nor does {}", async () => {
    const { id } = await addAccount(app);
    const change = { smtp: { ...SERVER, password: "secret" }, ramp: { start: 1, increment: 1 } };
    const { body: read } = await app.call("PATCH", `/accounts/${id}`, change);
    app.wall.move(60_000);
    expect((await app.call("PATCH", `/accounts/${id}`, read)).body).toEqual(read);
    expect((await app.call("PATCH", `/accounts/${id}`, {})).body).toEqual(read);
    expect((await app.call("PATCH", `/accounts/${id}`, change)).body).toEqual(read);
  });

  test("200: read-only fields are ignored", async () => {
    const account = await addAccount(app);
    const change = { health_score: 1, consecutive_smtp_errors: 9, last_error: "x", ready: false };
    const { body } = await app.call("PATCH", `/accounts/${account.id}`, change);
    expect(body).toEqual(account);
  });

  test.each(["id", "team_id", "created_at", "email", "provider"])(
    "422: %s cannot change",
    async (field) => {
      const { id } = await addAccount(app);
      const value = field === "provider" ? "google" : field === "email" ? "b@x.example" : UNKNOWN;
      const { body } = await app.call("PATCH", `/accounts/${id}`, { [field]: value });
      expect(body).toMatchObject({ status: 422, field });
    },
  );

  test.each([
    ["an unknown field", { colour: "red" }, "colour"],
    ["an unknown field of a server", { smtp: { colour: "red" } }, "smtp.colour"],
    ["an unknown status", { status: "asleep" }, "status"],
    ["null where there must be a value", { daily_limit: null }, "daily_limit"],
    ["a server without a host", { imap: { port: 993 } }, "imap.host"],
    [
      "a gap above the largest one",
      { min_gap_seconds: 700, max_gap_seconds: 600 },
      "max_gap_seconds",
    ],
  ])("422: %s", async (_name, change, field) => {
    const account = await addAccount(app);
    const { body } = await app.call("PATCH", `/accounts/${account.id}`, change);
    expect(body).toMatchObject({ status: 422, type: "validation_error", field });
    expect((await app.call("GET", `/accounts/${account.id}`)).body).toEqual(account);
  });

  test("200: paused and disabled by hand, and active again", async () => {
    const { id } = await addAccount(app);
    const set = async (status: string) =>
      (await app.call("PATCH", `/accounts/${id}`, { status })).body;
    expect(await set("paused")).toMatchObject({ status: "paused", status_reason: "manual" });
    expect(await set("disabled")).toMatchObject({ status: "disabled", status_reason: "manual" });
    expect(await set("active")).toMatchObject({ status: "active", status_reason: null });
  });

  test("409: nobody puts an account into error", async () => {
    const { id } = await addAccount(app);
    const { body } = await app.call("PATCH", `/accounts/${id}`, { status: "error" });
    expect(body).toMatchObject({ type: "conflict", field: "status", status: 409 });
  });

  test("412: the record has changed since it was read; engine fields do not count", async () => {
    const { id } = await addAccount(app);
    const path = `/accounts/${id}`;
    const tag = (await app.call("GET", path)).headers.get("etag") ?? "";
    const headers = { "If-Match": tag };
    const first = await app.call(
      "PATCH",
      path,
      { smtp: { ...SERVER, password: "p" } },
      { headers },
    );
    expect(first.status).toBe(200);
    const stale = await app.call("PATCH", path, { daily_limit: 2 }, { headers });
    expect(stale.body).toMatchObject({ type: "precondition_failed", status: 412 });
    expect(first.headers.get("etag")).toBe((await app.call("GET", path)).headers.get("etag"));
  });
});

describe("DELETE /accounts/{id}", () => {
  test("204: it is gone, its address is free, and campaigns forget it", async () => {
    const [a, b] = [await addAccount(app, "a@x.example"), await addAccount(app, "b@x.example")];
    const { id } = await makeCampaign(app);
    await app.call("PATCH", `/campaigns/${id}`, { account_ids: [a.id, b.id] });

    const { status, text } = await app.call("DELETE", `/accounts/${a.id}`);

    expect([status, text]).toEqual([204, ""]);
    expect((await app.call("GET", `/accounts/${a.id}`)).status).toBe(404);
    expect((await app.call("GET", `/campaigns/${id}`)).body.account_ids).toEqual([b.id]);
    expect((await addAccount(app, "a@x.example")).id).not.toBe(a.id);
    expect((await app.call("DELETE", `/accounts/${a.id}`)).status).toBe(404);
  });

  test("409: a campaign sends from it alone, unless that is archived", async () => {
    const { id: accountId } = await addAccount(app);
    const { id } = await makeCampaign(app);
    await app.call("PATCH", `/campaigns/${id}`, { account_ids: [accountId] });
    const { body } = await app.call("DELETE", `/accounts/${accountId}`);
    expect(body).toMatchObject({ type: "conflict", status: 409 });
    expect((await app.call("GET", `/accounts/${accountId}`)).body.status).toBe("active");
    await app.call("POST", `/campaigns/${id}/archive`);
    expect((await app.call("DELETE", `/accounts/${accountId}`)).status).toBe(204);
  });

  test("204: leads whom it has not written to go on with another account", async () => {
    const { id: accountId } = await addAccount(app);
    const { id } = await makeCampaign(app);
    await addLeads(app, id, "lead@y.example");
    await app.call("DELETE", `/accounts/${accountId}`);
    const { data } = (await app.call("GET", `/campaigns/${id}/leads`)).body;
    expect(data[0]).toMatchObject({ status: "pending", hold_reason: null });
  });
});

describe("every operation", () => {
  const operations = [
    ["GET", `/accounts/${UNKNOWN}`],
    ["PATCH", `/accounts/${UNKNOWN}`],
    ["DELETE", `/accounts/${UNKNOWN}`],
    ["POST", `/accounts/${UNKNOWN}/test`],
  ] as const;
  const bodyOf = (method: string) => (method === "PATCH" ? {} : undefined);

  test.each([...operations, ["GET", "/accounts"], ["POST", "/accounts"]])(
    "401: %s %s",
    async (method, path) => {
      const { body } = await app.call(method, path, bodyOf(method), { key: null });
      expect(body).toMatchObject({ type: "authentication_error", status: 401 });
    },
  );

  test.each(operations)(
    "404: %s %s, another team's and another environment's",
    async (method, path) => {
      const { id } = await addAccount(app);
      const other = await app.addTeam("Other");
      const own = path.replace(UNKNOWN, id);
      const answers = [
        await app.call(method, path, bodyOf(method)),
        await app.call(method, own, bodyOf(method), { key: other.keys.test }),
        await app.live(method, own, bodyOf(method)),
      ];
      for (const { status, body } of answers) {
        expect([status, body]).toEqual([404, { ...answers[0]?.body, type: "not_found" }]);
      }
      expect((await app.call("GET", `/accounts/${id}`)).status).toBe(200);
    },
  );

  test("422: an id that is none; 405: a method that is none", async () => {
    expect((await app.call("GET", "/accounts/nine")).body).toMatchObject({
      status: 422,
      field: "id",
    });
    const { status, headers } = await app.call("PUT", `/accounts/${UNKNOWN}`, {});
    expect([status, headers.get("allow")]).toEqual([405, "DELETE, GET, HEAD, OPTIONS, PATCH"]);
  });

  test("403: a key needs the scope", async () => {
    const make = (scopes: string[]) => app.call("POST", "/keys", { name: "k", scopes });
    const key = (await make(["accounts:read", "campaigns:write"])).body.key;
    expect((await app.call("GET", "/accounts", undefined, { key })).status).toBe(200);
    const { body } = await app.call(
      "POST",
      "/accounts",
      { email: "ann@example.com", provider: "smtp" },
      { key },
    );
    expect(body).toMatchObject({ type: "permission_error", status: 403 });
  });
});

/** Guarantees of `dry_run`: the response of the real request, and a database that is the same to the byte. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../support/campaigns.ts";

let app: TestApp;
let campaign: string;
let account: string;
let lead: { id: string; lead_id: string };
beforeEach(async () => {
  app = await createTestApp();
  campaign = (await makeCampaign(app)).id;
  account = (await addAccount(app)).id;
  [lead] = await addLeads(app, campaign, "bob@example.com");
  await app.call("POST", "/webhooks", { url: "https://hooks.example/", events: ["*"] });
});
afterEach(() => app.close());

/** Every row of every table. */
function everything(): string {
  const { raw } = app.environments.test.db;
  const tables = raw
    .query<{ name: string }, []>(
      "select name from sqlite_master where type = 'table' order by name",
    )
    .all()
    .filter(({ name }) => !name.startsWith("search_text") && !name.startsWith("sqlite_"));
  return JSON.stringify(
    tables.map(({ name }) => [name, raw.query(`select * from "${name}"`).all()]),
  );
}

type Write = [
  what: string,
  method: string,
  path: () => string,
  body: object | undefined,
  status: number,
];
const WRITES: Write[] = [
  ["create", "POST", () => "/campaigns", { name: "Autumn" }, 201],
  ["patch", "PATCH", () => `/campaigns/${campaign}`, { name: "Other" }, 200],
  ["start", "POST", () => `/campaigns/${campaign}/start`, undefined, 200],
  ["delete", "DELETE", () => `/campaigns/${campaign}`, undefined, 204],
  ["slow down", "PATCH", () => `/accounts/${account}`, { daily_limit: 5 }, 200],
  ["suppress", "POST", () => "/suppressions", { email: "bob@example.com" }, 201],
  ["rename", "PATCH", () => `/leads/${lead.lead_id}`, { company: "Acme" }, 200],
  ["end", "PATCH", () => `/campaigns/${campaign}/leads/${lead.id}`, { status: "paused" }, 200],
];

describe("a dry run", () => {
  test.each(WRITES)(
    "%s: answers, and changes nothing",
    async (_what, method, path, body, status) => {
      const before = everything();
      const tried = await app.call(method, `${path()}?dry_run=true`, body);
      expect([tried.status, tried.headers.get("dry-run")]).toEqual([status, "true"]);
      expect(everything()).toBe(before);
      const real = await app.call(method, path(), body);
      expect([real.status, real.headers.get("dry-run")]).toEqual([status, null]);
      expect(everything()).not.toBe(before);
      if (status === 200) {
        const { forecast: _beside, ...answer } = tried.body;
        expect(answer).toEqual(real.body);
      }
    },
  );

  test("is refused as the real request would be", async () => {
    await addAccount(app, "cy@sender.example");
    const { body } = await app.call("POST", "/campaigns", { name: "empty" });
    const { status, body: problem } = await app.call(
      "POST",
      `/campaigns/${body.id}/start?dry_run=true`,
    );
    expect([status, problem.field]).toEqual([422, "steps"]);
    const stale = { headers: { "If-Match": '"old"' } };
    const path = `/campaigns/${campaign}?dry_run=true`;
    expect((await app.call("PATCH", path, { name: "x" }, stale)).status).toBe(412);
  });

  test("keeps nothing under an Idempotency-Key", async () => {
    const headers = { "Idempotency-Key": "one" };
    await app.call("POST", "/campaigns?dry_run=true", { name: "Autumn" }, { headers });
    const { status, body } = await app.call("POST", "/campaigns", { name: "Autumn" }, { headers });
    expect(status).toBe(201);
    expect((await app.call("GET", `/campaigns/${body.id}`)).status).toBe(200);
  });

  test("false is no dry run", async () => {
    const { status, body } = await app.call("POST", "/campaigns?dry_run=false", { name: "Autumn" });
    expect(status).toBe(201);
    expect((await app.call("GET", `/campaigns/${body.id}`)).status).toBe(200);
  });

  test.each([
    ["POST", () => `/accounts/${account}/test?dry_run=true`],
    ["DELETE", () => `/leads/${lead.lead_id}?dry_run=true`],
    ["POST", () => `/keys?dry_run=true`],
  ])("%s that one transaction cannot undo is refused by name", async (method, path) => {
    const before = everything();
    const { status, body } = await app.call(method, path());
    expect([status, body.field]).toEqual([422, "dry_run"]);
    expect(body.message).toContain("no dry run");
    expect(everything()).toBe(before);
  });
});

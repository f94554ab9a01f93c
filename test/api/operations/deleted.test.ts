/**
 * What was deleted can be brought back for thirty days, and is then what it was: every row of the team is compared.
 * Meanwhile it is nowhere, and nothing is sent.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS } from "#domain/time.ts";
import { engineCaller } from "#environment.ts";
import { CAMPAIGN_TABLES } from "#store/operations/deleted.ts";
import { teamRows } from "#store/operations/team-copy.ts";
import { emptyDraft, restoreCampaign } from "#usecases/operations/campaign-removal.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../../support/campaigns.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
  app.environments.clock.setSpeed(0);
});
afterEach(() => app.close());

const HOUR_MS = 3_600_000;
const ok = async (method: string, path: string, body?: unknown) => {
  const answer = await app.call(method, path, body);
  expect([method, path, answer.status < 300 ? "" : answer.text]).toEqual([method, path, ""]);
  return answer.body;
};
const statusOf = async (method: string, path: string) => (await app.call(method, path)).status;
const env = () => app.environments.test;

/** All rows of the team but for what was logged, in the order of their text; `left`: columns that may differ. */
function everything(...left: string[]): string[] {
  const rows = [...teamRows(env().db, app.team.id)].filter(
    ({ table }) => !["events", "audit", "deliveries", "attempts"].includes(table),
  );
  return rows
    .map(({ table, cells }) => {
      const own = Object.entries(cells).filter(
        ([name]) => !["updated_at", "since_seq", ...left].includes(name),
      );
      const text = own.map(([name, value]) => {
        return `${name}=${value instanceof Uint8Array ? value.toHex() : value}`;
      });
      // A count that is zero may be left out.
      return `${table} ${text
        .join(" ")
        .replaceAll(/(?<=[{,])"\w+":0,?/g, "")
        .replaceAll(",}", "}")}`;
    })
    .sort();
}

const aside = () =>
  env().db.raw.query<{ n: number }, []>("select count(*) n from deleted_rows").get()?.n;

describe("a campaign", () => {
  const draft = async () => {
    const { id } = await makeCampaign(app, [
      { type: "email", subject: "Hi {{first_name}}", body: "Hello" },
      { type: "email", body: "Again", wait_days: 2 },
    ]);
    const [, paused] = await addLeads(
      app,
      id,
      "a@x.example.org",
      "b@x.example.org",
      "c@y.example.org",
    );
    await ok("PATCH", `/campaigns/${id}/leads/${paused?.id}`, { status: "paused" });
    await ok("POST", "/campaigns/tags", { ids: [id], add: ["spring", "vip"] });
    const variants = [{ name: "A" }, { name: "B", config: { subject: "Hey" } }];
    await ok("POST", "/experiments", { campaign_id: id, name: "Subject", variants });
    return id;
  };

  test("comes back as it was", async () => {
    const id = await draft();
    const before = everything();
    const shown = await ok("GET", `/campaigns/${id}`);
    expect(await statusOf("DELETE", `/campaigns/${id}`)).toBe(204);

    expect(await statusOf("GET", `/campaigns/${id}`)).toBe(404);
    expect((await ok("GET", "/campaigns")).total).toBe(0);
    expect(await ok("GET", "/experiments")).toEqual([]);
    const gone = everything();
    expect(gone.filter((row) => /^(enrollments|steps|campaigns|variants|tags) /.test(row))).toEqual(
      [],
    );
    expect((await ok("GET", "/deleted")).data).toMatchObject([
      { id, kind: "campaign", name: "Spring" },
    ]);

    const back = await ok("POST", `/campaigns/${id}/restore`);
    expect(back.status).toBe("draft");
    expect(everything()).toEqual(before);
    const { updated_at: _, ...rest } = await ok("GET", `/campaigns/${id}`);
    expect(shown).toMatchObject(rest);
    expect(await ok("GET", "/deleted")).toMatchObject({ data: [], total: 0 });
    expect(aside()).toBe(0);
    // Asked for again, as by a second tab.
    expect((await ok("POST", `/campaigns/${id}/restore`)).id).toBe(id);
    const { data } = (await app.call("GET", `/audit?target=campaign:${id}`)).body;
    expect(data[0].action).toBe("campaign.restore");
  });

  test("comes back without people who were erased, and never writes to the suppressed", async () => {
    const id = await draft();
    const { data } = await ok("GET", "/leads");
    const of = (email: string) => data.find((lead: { email: string }) => lead.email === email).id;
    await ok("DELETE", `/campaigns/${id}`);
    await ok("DELETE", `/leads/${of("a@x.example.org")}`);
    await ok("POST", "/suppressions", { email: "c@y.example.org" });
    await ok("POST", "/suppressions", { email: "@x.example.org", reason: "manual" });
    const held = env().db.raw.query("select cells from deleted_rows").all();
    expect(JSON.stringify(held)).not.toContain("a@x.example.org");
    await ok("POST", `/campaigns/${id}/restore`);
    const leads = (await ok("GET", `/campaigns/${id}/leads`)).data;
    expect(
      leads.map(({ email, status }: Record<string, string>) => [email, status]).sort(),
    ).toEqual([
      ["b@x.example.org", "suppressed"],
      ["c@y.example.org", "unsubscribed"],
    ]);
    expect(await ok("GET", `/campaigns/${id}/stats`)).toMatchObject({ enrolled: 2 });
  });

  test.each([["b"], ["a", "b"]])(
    "comes back with %s after b was merged into a",
    async (...names) => {
      const { id: other } = await makeCampaign(app);
      await addLeads(app, other, "a@x.example.org", "b@x.example.org");
      const { id } = await makeCampaign(app);
      await addLeads(app, id, ...names.map((name) => `${name}@x.example.org`));
      const { data } = await ok("GET", "/leads?filter=email:a@x.example.org");
      const gone = (await ok("GET", "/leads?filter=email:b@x.example.org")).data[0].id;
      await ok("DELETE", `/campaigns/${id}`);
      await ok("POST", `/leads/${data[0].id}/merge`, { lead_ids: [gone] });
      await ok("POST", `/campaigns/${id}/restore`);
      const leads = (await ok("GET", `/campaigns/${id}/leads`)).data;
      expect(leads.map((lead: { lead_id: string }) => lead.lead_id)).toEqual([data[0].id]);
      expect(await ok("GET", `/campaigns/${id}/stats`)).toMatchObject({ enrolled: 1 });
    },
  );

  test("is whole again though deleting and restoring it were interrupted", async () => {
    const { id } = await makeCampaign(app);
    const leads = Array.from({ length: 1_201 }, (_, nth) => ({
      email: `p${nth}@firm.example.org`,
    }));
    await ok("POST", `/campaigns/${id}/leads`, { leads });
    const before = everything();
    const caller = engineCaller(app.team.id);
    // Killed before its last transaction, by a planted fault.
    await emptyDraft(env(), caller, id);
    expect((await ok("GET", `/campaigns/${id}/stats`)).enrolled).toBe(0);
    await ok("POST", `/campaigns/${id}/restore`);
    expect(everything()).toEqual(before);

    await ok("DELETE", `/campaigns/${id}`);
    let commits = 0;
    const killed = {
      ...env(),
      commit: <Result>(work: () => Result) => {
        commits += 1;
        if (commits > 3) {
          throw new Error("killed");
        }
        return env().commit(work);
      },
    };
    await expect(restoreCampaign(killed as never, caller, id)).rejects.toThrow("killed");
    const part = (await ok("GET", `/campaigns/${id}/stats`)).enrolled;
    expect(part).toBeGreaterThan(0);
    expect(part).toBeLessThan(1_201);
    await ok("DELETE", `/campaigns/${id}`);
    await ok("POST", `/campaigns/${id}/restore`);
    expect(everything()).toEqual(before);
  });

  test("has all its rows set aside that would go with it", () => {
    const { raw } = env().db;
    const tables = raw.query<{ name: string }, []>(
      "select name from sqlite_schema where type = 'table'",
    );
    const owners = new Set(["campaigns", "experiments"]);
    const dependent = tables.all().flatMap(({ name }) => {
      const keys = raw.query<{ table: string }, []>(`pragma foreign_key_list("${name}")`).all();
      return keys.some(({ table }) => owners.has(table)) ? [name] : [];
    });
    const known = ["enrollments", ...CAMPAIGN_TABLES] as readonly string[];
    expect(dependent.filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe("an account", () => {
  const scene = async () => {
    const [a, b] = [
      await addAccount(app, "a@s.example.org"),
      await addAccount(app, "b@s.example.org"),
    ];
    await ok("PATCH", `/accounts/${a.id}`, {
      aliases: [{ email: "sales@s.example.org" }],
      smtp: { host: "mail.s.example.org", password: "a password" },
    });
    await ok("POST", "/accounts/tags", { ids: [a.id], add: ["warm"] });
    const { id } = await makeCampaign(app, [
      { type: "email", subject: "Hi", body: "Hello" },
      { type: "email", body: "Again", wait_days: 1 },
    ]);
    await ok("PATCH", `/campaigns/${id}`, { account_ids: [a.id, b.id] });
    await addLeads(app, id, ...Array.from({ length: 12 }, (_, nth) => `p${nth}@x.example.org`));
    await ok("POST", `/campaigns/${id}/start`);
    await app.advance(4 * HOUR_MS);
    return { a, b, id };
  };
  const sentBy = (accountId: string) =>
    env()
      .db.raw.query<{ n: number }, [string]>(
        "select count(*) n from messages where lower(hex(account_id)) = ? and kind = 'step'",
      )
      .get(accountId.replaceAll("-", ""))?.n ?? 0;

  test("comes back paused, and its leads are due when they were", async () => {
    const { a, b, id } = await scene();
    await ok("PATCH", `/accounts/${a.id}`, { status: "paused" });
    await ok("PATCH", `/accounts/${b.id}`, { status: "paused" });
    const { data: sent } = await ok("GET", `/campaigns/${id}/leads?status=active&limit=100`);
    const booked = sent.filter(({ account_id }: { account_id: string }) => account_id === a.id);
    const path = `/campaigns/${id}/leads/${booked[0].id}`;
    await ok("PATCH", path, { status: "paused" });
    await ok("PATCH", path, { next_attempt_at: "2026-03-20T10:00:00.000Z" });
    const workers = ["wake_at", "poll_at", "poll_cursor", "health_at"];
    const before = everything(...workers);
    const forecast = await ok("GET", `/campaigns/${id}/forecast`);
    await ok("DELETE", `/accounts/${a.id}`);
    expect(await statusOf("GET", `/accounts/${a.id}`)).toBe(404);
    expect((await ok("GET", `/campaigns/${id}`)).account_ids).toEqual([b.id]);
    const { on_hold } = await ok("GET", `/campaigns/${id}`);
    expect(JSON.stringify(on_hold)).toContain("account_gone");

    const back = await ok("POST", `/accounts/${a.id}/restore`);
    expect(back).toMatchObject({ status: "paused", status_reason: "manual", email: a.email });
    expect(everything(...workers)).toEqual(before);
    expect(await ok("GET", `/campaigns/${id}/forecast`)).toEqual(forecast);
    expect(aside()).toBe(0);
    expect((await ok("POST", `/accounts/${a.id}/restore`)).id).toBe(a.id);
  });

  test("sends nothing until it is resumed, and then its leads go on", async () => {
    const { a, id } = await scene();
    const sent = sentBy(a.id);
    expect(sent).toBeGreaterThan(0);
    await ok("DELETE", `/accounts/${a.id}`);
    await app.advance(3 * DAY_MS);
    expect(sentBy(a.id)).toBe(sent);
    await ok("POST", `/accounts/${a.id}/restore`);
    await app.advance(DAY_MS);
    expect(sentBy(a.id)).toBe(sent);
    await ok("PATCH", `/accounts/${a.id}`, { status: "active" });
    await app.advance(3 * DAY_MS);
    expect(sentBy(a.id)).toBeGreaterThan(sent);
    const { data } = await ok("GET", `/campaigns/${id}/leads?limit=100`);
    const open = data.filter(({ status }: { status: string }) => !/completed|replied/.test(status));
    expect(open).toEqual([]);
  });

  test("409 naming the field: its address or an alias was taken meanwhile", async () => {
    const { a } = await scene();
    await ok("DELETE", `/accounts/${a.id}`);
    const other = await addAccount(app, "a@s.example.org");
    const path = `/accounts/${a.id}/restore`;
    expect((await app.call("POST", path)).body).toMatchObject({ status: 409, field: "email" });
    await ok("DELETE", `/accounts/${other.id}`);
    const third = await addAccount(app, "sales@s.example.org");
    expect((await app.call("POST", path)).body).toMatchObject({ status: 409, field: "aliases" });
    await ok("DELETE", `/accounts/${third.id}`);
    expect((await ok("POST", path)).status).toBe("paused");
    expect((await ok("GET", "/deleted")).data.map((row: { id: string }) => row.id)).toEqual([
      third.id,
      other.id,
    ]);
  });

  test("keeps its credentials sealed, and purging forgets them", async () => {
    const { a } = await scene();
    await ok("DELETE", `/accounts/${a.id}`);
    const { raw } = env().db;
    const kept = raw.query<{ secrets: string }, []>("select secrets from deleted").get();
    expect(kept?.secrets).toMatch(/v1\./);
    expect(JSON.stringify(raw.query("select cells from deleted_rows").all())).not.toContain("v1.");
    expect(await statusOf("DELETE", `/deleted/${a.id}`)).toBe(204);
    expect(raw.query("select * from deleted").all()).toEqual([]);
    expect(aside()).toBe(0);
    expect(await statusOf("POST", `/accounts/${a.id}/restore`)).toBe(404);
    expect(await statusOf("DELETE", `/deleted/${a.id}`)).toBe(404);
  });
});

describe("a webhook", () => {
  const make = () => ok("POST", "/webhooks", { url: "https://hooks.example.org/in", name: "CRM" });

  test("comes back as it was, and events of the time between are not made up", async () => {
    const hook = await make();
    const before = everything();
    await ok("DELETE", `/webhooks/${hook.id}`);
    expect(await statusOf("GET", `/webhooks/${hook.id}`)).toBe(404);
    expect((await ok("GET", "/webhooks")).total).toBe(0);
    await ok("POST", "/suppressions", { email: "gone@x.example.org" });
    expect((await ok("GET", "/deleted")).data).toMatchObject([
      { id: hook.id, kind: "webhook", name: "CRM" },
    ]);
    const back = await ok("POST", `/webhooks/${hook.id}/restore`);
    expect(back).toMatchObject({ secret: hook.secret, active: true, url: hook.url });
    expect(everything().filter((row) => row.startsWith("webhooks "))).toEqual(
      before.filter((row) => row.startsWith("webhooks ")),
    );
    expect((await ok("GET", `/webhooks/${hook.id}/deliveries`)).data).toEqual([]);
    await ok("POST", "/suppressions", { email: "next@x.example.org" });
    expect((await ok("GET", `/webhooks/${hook.id}/deliveries`)).data).toHaveLength(1);
  });

  test("its secret goes when it is purged", async () => {
    const hook = await make();
    await ok("DELETE", `/webhooks/${hook.id}`);
    await ok("DELETE", `/deleted/${hook.id}`);
    const { raw } = env().db;
    expect(raw.query("select secret from webhooks").all()).toEqual([{ secret: "" }]);
    await app.advance(2 * HOUR_MS);
    expect(raw.query("select id from webhooks").all()).toEqual([]);
  });
});

describe("after thirty days", () => {
  test("all is purged", async () => {
    const [a] = [
      await addAccount(app, "a@s.example.org"),
      await addAccount(app, "b@s.example.org"),
    ];
    const { id } = await makeCampaign(app);
    await addLeads(app, id, "a@x.example.org");
    const hook = await ok("POST", "/webhooks", { url: "https://hooks.example.org/in" });
    await ok("DELETE", `/campaigns/${id}`);
    await ok("DELETE", `/accounts/${a.id}`);
    await ok("DELETE", `/webhooks/${hook.id}`);
    const { data } = await ok("GET", "/deleted");
    for (const { deleted_at, purge_at } of data) {
      expect(Date.parse(purge_at) - Date.parse(deleted_at)).toBe(30 * DAY_MS);
    }
    await app.advance(30 * DAY_MS - 2 * HOUR_MS);
    expect((await ok("GET", "/deleted")).total).toBe(3);
    await app.advance(4 * HOUR_MS);
    expect((await ok("GET", "/deleted")).total).toBe(0);
    const { raw } = env().db;
    expect(aside()).toBe(0);
    expect(raw.query("select id from webhooks").all()).toEqual([]);
    expect(await statusOf("POST", `/campaigns/${id}/restore`)).toBe(404);
    expect(await statusOf("POST", `/accounts/${a.id}/restore`)).toBe(404);
    expect(await statusOf("POST", `/webhooks/${hook.id}/restore`)).toBe(404);
  });

  test("404: another team's is not found, listed or purged", async () => {
    const { id } = await makeCampaign(app);
    await ok("DELETE", `/campaigns/${id}`);
    const { keys } = await app.addTeam("Other");
    const theirs = { key: keys.test };
    expect((await app.call("GET", "/deleted", undefined, theirs)).body.total).toBe(0);
    for (const [method, path] of [
      ["POST", `/campaigns/${id}/restore`],
      ["DELETE", `/deleted/${id}`],
    ] as const) {
      expect((await app.call(method, path, undefined, theirs)).status).toBe(404);
    }
    expect((await ok("GET", "/deleted")).total).toBe(1);
  });
});

/** ETags, and what is answered when something is wrong on our side. */

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MINUTE_MS } from "#domain/time.ts";
import type { Log, LogFields } from "#platform/log.ts";
import { campaignById, updateCampaign } from "#store/campaigns/campaigns.ts";
import { type Answer, createTestApp, type TestApp } from "../support/app.ts";
import { makeCampaign } from "../support/campaigns.ts";

/** Long enough that what is to be answered meanwhile is. */
const BUSY_MS = 2_000;

let top: string;
let app: TestApp;
let logged: { message: string; fields: LogFields | undefined }[];
beforeEach(async () => {
  top = mkdtempSync(join(tmpdir(), "outrider-faults-"));
  logged = [];
  const note = (message: string, fields?: LogFields) => {
    logged.push({ message, fields });
  };
  const log: Log = { debug: () => undefined, info: () => undefined, warn: note, error: note };
  const paths = { live: join(top, "live.db"), test: join(top, "test.db") };
  app = await createTestApp({ log, paths, busyMs: BUSY_MS });
});
afterEach(async () => {
  await app.close();
  rmSync(top, { recursive: true, force: true });
});

describe("ETags", () => {
  const path = async () => `/campaigns/${(await makeCampaign(app)).id}`;
  const tagOf = (answer: Answer) => answer.headers.get("etag") ?? "";
  const patch = (to: string, body: object, tag: string) =>
    app.call("PATCH", to, body, { headers: { "If-Match": tag } });

  test("a change under the tag that was read is made, and answers the next tag", async () => {
    const to = await path();
    const first = tagOf(await app.call("GET", to));
    const changed = await patch(to, { name: "Summer" }, first);
    expect(changed.status).toBe(200);
    expect(tagOf(changed)).not.toBe(first);
    expect(tagOf(changed)).toBe(tagOf(await app.call("GET", to)));
  });

  test("412 under a stale one: nothing is changed, and the answer has the current tag", async () => {
    const to = await path();
    const first = tagOf(await app.call("GET", to));
    const second = tagOf(await patch(to, { name: "Summer" }, first));
    const { status, body, headers } = await patch(to, { name: "Autumn" }, first);
    expect([status, body.type, body.field]).toEqual([412, "precondition_failed", null]);
    expect(headers.get("etag")).toBe(second);
    expect((await app.call("GET", to)).body.name).toBe("Summer");
  });

  test("a list of tags, and *, match; a weak one and no tag do not", async () => {
    const to = await path();
    const tag = tagOf(await app.call("GET", to));
    expect((await patch(to, {}, `"x", ${tag}`)).status).toBe(200);
    expect((await patch(to, {}, "*")).status).toBe(200);
    for (const wrong of [`W/${tag}`, tag.replaceAll('"', ""), '""', "x"]) {
      expect((await patch(to, {}, wrong)).status).toBe(412);
    }
  });

  test("counters, and what else the engine moves, make no edit stale", async () => {
    const to = await path();
    const tag = tagOf(await app.call("GET", to));
    const env = app.environments.test;
    await env.commit(() => {
      const row = campaignById(env.db, to.slice("/campaigns/".length));
      if (row !== undefined) {
        updateCampaign(env.db, { ...row, sent: 99, open: 3, updatedAt: env.clock.now() });
      }
    });
    await app.advance(MINUTE_MS);
    expect(tagOf(await app.call("GET", to))).toBe(tag);
    expect((await patch(to, { name: "Summer" }, tag)).status).toBe(200);
  });

  test("every settable field is covered", async () => {
    const to = await path();
    const changes: object[] = [
      { name: "x" },
      { stop_on_reply: false },
      { stop_on_auto_reply: true },
      { max_leads_per_day: 7 },
      { daily_limit: 5 },
      { priority: "new_leads" },
      { max_per_domain_per_day: 2 },
      { stop_company_on_reply: true },
      { evergreen: false },
      { send_window: { end_hour: 18 } },
      { tracking: { opens: true } },
      { status: "archived" },
    ];
    const tags = [tagOf(await app.call("GET", to))];
    for (const change of changes) {
      tags.push(tagOf(await app.call("PATCH", to, change)));
    }
    expect(new Set(tags).size).toBe(changes.length + 1);
  });

  test("409 of two who read the same: the first wins", async () => {
    const to = await path();
    const tag = tagOf(await app.call("GET", to));
    const both = await Promise.all([patch(to, { name: "a" }, tag), patch(to, { name: "b" }, tag)]);
    expect(both.map(({ status }) => status)).toEqual([200, 412]);
  });
});

describe("our fault", () => {
  test("500 with a request id and nothing of the cause, which the log has", async () => {
    app.environments.test.db.raw.run("DROP TABLE suppressions");
    const { status, body, text, headers } = await app.call("GET", "/suppressions");
    expect([status, body.type, body.field]).toEqual([500, "internal_error", null]);
    const id = headers.get("x-request-id") ?? "";
    expect(body.message).toContain(id);
    expect(text).not.toMatch(/sql|table|suppressions|at |\.ts/i);
    const entry = logged.find(({ fields }) => fields?.["requestId"] === id);
    expect(entry?.message).toBe("request failed");
    expect(entry?.fields?.["cause"]).toContain("no such table: suppressions");
    expect(entry?.fields?.["cause"]).toContain(".ts:");
  });

  test("500 for a write too, of which nothing stays", async () => {
    const { raw } = app.environments.test.db;
    raw.run("CREATE TRIGGER no BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'planted'); END");
    const { status, text } = await app.call("POST", "/campaigns", { name: "x" });
    expect(status).toBe(500);
    expect(text).not.toContain("planted");
    expect(JSON.stringify(logged)).toContain("planted");
    expect((await app.call("GET", "/campaigns")).body.total).toBe(0);
  });

  test("500 rather than an answer that is not what the document says", async () => {
    const { id } = await makeCampaign(app);
    app.environments.test.db.raw.run("UPDATE campaigns SET priority = 'sometimes'");
    expect((await app.call("GET", `/campaigns/${id}`)).status).toBe(500);
  });
});

describe("the store cannot be written", () => {
  const create = () => app.call("POST", "/campaigns", { name: "x".repeat(255) });

  async function refused(change: () => void, request = create) {
    change();
    const { status, body, headers } = await request();
    expect([status, body.type]).toEqual([503, "unavailable"]);
    expect(headers.get("retry-after")).toBe("5");
    expect(logged.some(({ message }) => message === "store unavailable")).toBe(true);
    expect((await app.call("GET", "/campaigns")).status).toBe(200);
  }

  test("503 while another process writes on and on, and it goes on afterwards", async () => {
    const other = new Database(join(top, "test.db"));
    await refused(() => other.run("BEGIN IMMEDIATE"));
    other.run("ROLLBACK");
    other.close();
    expect((await create()).status).toBe(201);
  });

  test("a write waits while another process writes, and nobody else does", async () => {
    const other = new Database(join(top, "test.db"));
    other.run("BEGIN IMMEDIATE");
    const done: string[] = [];
    const waiting = create().then(({ status }) => {
      done.push("write");
      return status;
    });
    const health = await app.fetch(new Request("http://localhost/healthz"));
    const list = await app.call("GET", "/campaigns");
    const live = await app.live("POST", "/campaigns", { name: "live" });
    expect([health.status, list.status, list.body.total, live.status]).toEqual([200, 200, 0, 201]);
    expect(done).toEqual([]);
    other.run("ROLLBACK");
    other.close();
    expect(await waiting).toBe(201);
    expect((await app.call("GET", "/campaigns")).body.total).toBe(1);
  });

  test("503 where it may only be read", async () => {
    const { raw } = app.environments.test.db;
    await refused(() => raw.run("PRAGMA query_only = ON"));
    raw.run("PRAGMA query_only = OFF");
    expect((await create()).status).toBe(201);
  });

  test("503 where it is full, and it closes all the same", async () => {
    const full = () => {
      app.environments.test.db.raw.run("PRAGMA max_page_count = 1");
    };
    await refused(full, async () => {
      let answer = await create();
      for (let made = 0; made < 500 && answer.status === 201; made += 1) {
        answer = await create();
      }
      return answer;
    });
  });
});

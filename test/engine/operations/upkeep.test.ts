/** Guarantees of what is done beside sending: probes, copies of what was sent, swept domains, and what is forgotten. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus } from "#domain/time.ts";
import { upkeepWorker } from "#engine/upkeep.ts";
import { createLive, type LiveApp, START } from "../support.ts";

const STEP = { type: "email", subject: "Hi", body: "Hello" };
const AWAY = { ok: false, error: "connection refused" };
const DOWN = { smtp: AWAY, imap: AWAY };

let live: LiveApp;
beforeEach(async () => {
  live = await createLive();
});
afterEach(() => live.app.close());

const rows = (sql: string) => live.env.db.raw.query<{ n: number }, []>(sql).get()?.n;

describe("probes", () => {
  test("a new mailbox is tried by itself and becomes ready", async () => {
    const server = { host: "mail.sender.example", password: "secret" };
    const body = { email: "ann@sender.example", provider: "smtp", smtp: server, imap: server };
    const made = (await live.call("POST", "/accounts", body)).body;
    expect(made).toMatchObject({ ready: false, not_ready_reason: "untested" });
    await live.run(MINUTE_MS);
    const { body: now } = await live.call("GET", `/accounts/${made.id}`);
    expect(now).toMatchObject({ ready: true, not_ready_reason: null });
    expect(live.mail.offered).toEqual([]);
  });

  test("a refused login at the first try stays; it is not tried again by itself", async () => {
    const refused = { ok: false, error: "535 no", login: true };
    live.mail.tests.push({ smtp: refused, imap: refused });
    const id = await live.addAccount();
    expect(live.account(id)).toMatchObject({ status: "error", statusReason: "auth" });
    await live.days(1);
    expect(live.account(id)).toMatchObject({ status: "error", probeAt: null });
  });

  test("use up nobody's attempt", async () => {
    const id = await live.addAccount();
    live.env.db.raw.run("UPDATE accounts SET status = 'error', status_reason = 'smtp_errors'");
    live.env.db.raw.run(`UPDATE accounts SET probe_at = ${START}`);
    live.mail.tests.push(DOWN, DOWN);
    await live.run(HOUR_MS);
    expect(live.account(id).status).toBe("active");
    expect(live.mail.offered).toEqual([]);
  });
});

describe("a copy for the Sent folder", () => {
  test("is put there once for each email, and is the email to the byte", async () => {
    await live.addAccount();
    await live.launch([STEP], "bob@example.com", "cy@example.com");
    await live.run(HOUR_MS);
    expect(live.mail.copied).toHaveLength(2);
    expect(live.mail.copied).toEqual(live.mail.taken);
    await live.days(1);
    expect(live.mail.copied).toHaveLength(2);
  });

  test("that is there already is left alone", async () => {
    await live.addAccount();
    live.mail.copies.push({ kind: "present" });
    await live.launch([STEP], "bob@example.com");
    await live.run(2 * HOUR_MS);
    expect(live.mail.copied).toHaveLength(1);
  });

  test("that fails is tried again for a day, and then given up", async () => {
    await live.addAccount();
    const failed = { kind: "failed", reason: "no Sent folder" } as const;
    live.mail.copies.push(failed);
    await live.launch([STEP], "bob@example.com");
    await live.run(MINUTE_MS);
    expect(live.mail.copied).toHaveLength(1);
    await live.run(14 * MINUTE_MS);
    expect(live.mail.copied).toHaveLength(2);
    await live.days(1);
    expect(live.mail.copied).toHaveLength(2);
    live.mail.copies.push(...Array.from({ length: 1000 }, () => failed));
    await live.launch([STEP], "cy@example.com");
    await live.days(3);
    const tries = live.mail.copied.length;
    expect(rows("SELECT count(*) n FROM messages WHERE copy_due_at IS NOT NULL")).toBe(0);
    await live.days(1);
    expect(live.mail.copied).toHaveLength(tries);
  });

  test("is not made where the provider keeps one", async () => {
    const id = await live.addAccount();
    await live.call("PATCH", `/accounts/${id}`, { imap: { save_sent: false } });
    await live.run(MINUTE_MS);
    await live.launch([STEP], "bob@example.com");
    await live.run(HOUR_MS);
    expect(live.mail.taken).toHaveLength(1);
    expect(live.mail.copied).toEqual([]);
  });

  test("of an email to somebody who was erased meanwhile is not made", async () => {
    await live.addAccount();
    live.mail.copies.push({ kind: "failed", reason: "later" });
    const { leads } = await live.launch([STEP], "bob@example.com");
    await live.run(MINUTE_MS);
    const { leadId } = live.lead(leads[0] ?? "");
    expect((await live.call("DELETE", `/leads/${leadId}`)).status).toBe(204);
    await live.run(HOUR_MS);
    expect(live.mail.copied).toHaveLength(1);
  });
});

describe("a suppressed domain", () => {
  test("ends its leads within a minute, all of them", async () => {
    await live.addAccount();
    const emails = Array.from({ length: 1200 }, (_, n) => `p${n}@many.example`);
    const { body } = await live.call("POST", "/campaigns", { name: "x" });
    const leads = [...emails, "bob@example.com"].map((email) => ({ email }));
    await live.call("POST", `/campaigns/${body.id}/leads`, { leads });
    await live.call("POST", "/suppressions", { email: "@many.example", reason: "manual" });
    await live.run(MINUTE_MS);
    expect(rows("SELECT count(*) n FROM enrollments WHERE status = 'suppressed'")).toBe(1200);
    expect(rows("SELECT count(*) n FROM enrollments WHERE status = 'pending'")).toBe(1);
  });
});

describe("what is past its time", () => {
  test("kept answers go after a day, counters after eight, those of months after a year", async () => {
    await live.addAccount();
    await live.launch([STEP], "bob@example.com");
    const headers = { "Idempotency-Key": "one" };
    await live.call("POST", "/campaigns", { name: "x" }, { headers });
    await live.run(MINUTE_MS);
    const [answers, usage] = ["SELECT count(*) n FROM idempotency", "SELECT count(*) n FROM usage"];
    expect([rows(answers), (rows(usage) ?? 0) > 0]).toEqual([1, true]);
    live.app.wall.move(DAY_MS - HOUR_MS);
    await live.run(MINUTE_MS);
    expect(rows(answers)).toBe(1);
    live.app.wall.move(2 * HOUR_MS);
    await live.run(MINUTE_MS);
    expect([rows(answers), (rows(usage) ?? 0) > 0]).toEqual([0, true]);
    live.app.wall.move(8 * DAY_MS);
    await live.run(MINUTE_MS);
    const month = "SELECT count(*) n FROM usage WHERE kind = 'team_month'";
    expect([rows(usage), rows(month)]).toEqual([1, 1]);
    live.app.wall.move(400 * DAY_MS);
    await live.run(MINUTE_MS);
    expect(rows(usage)).toBe(0);
  });
});

test("a step with nothing to do says when it next has work, an hour at most", async () => {
  const worker = upkeepWorker(live.env);
  const next = await worker.step(START);
  expect(next).toBe(plus(START, HOUR_MS));
  expect(await worker.step(plus(START, 1))).toBe(plus(START, HOUR_MS));
});

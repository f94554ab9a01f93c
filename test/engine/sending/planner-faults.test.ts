/**
 * Guarantees of the planner where planning one lead throws: that lead is put on hold, logged and shown, and
 * every other lead, mailbox and question goes on.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, MINUTE_MS, unixMs } from "#domain/time.ts";
import type { Log } from "#platform/log.ts";
import { enrollmentById, updateEnrollment } from "#store/leads/enrollments.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import { createLive, type LiveApp } from "../support.ts";

const STEP = { type: "email", subject: "Hi", body: "Hello" };
const FOLLOW_UP = { type: "email", body: "Again", wait_days: 1 };
/** The last instant that Temporal can name: what a PATCH could store before it was bounded. */
const LAST = unixMs(8.64e15);

let live: LiveApp;
let errors: [string, Record<string, unknown>][];
beforeEach(async () => {
  errors = [];
  const log: Log = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: (message, fields = {}) => {
      errors.push([message, fields]);
    },
  };
  live = await createLive({ log });
});
afterEach(() => live.app.close());

function plant(enrollmentId: string, change: Partial<EnrollmentRow>): Promise<void> {
  const { db } = live.env;
  return live.env.commit(() => {
    const row = enrollmentById(db, enrollmentId);
    if (row === undefined) {
      throw new Error("no such enrollment");
    }
    updateEnrollment(db, { ...row, ...change });
  });
}

const FAULTS: [string, Partial<EnrollmentRow>][] = [
  ["is due at the last instant there is", { dueAt: LAST }],
  ["is due beyond it", { dueAt: unixMs(9e15) }],
  ["is in a zone that does not exist", { zone: "Mars/Olympus" }],
];

describe.each(FAULTS)("a lead that %s", (_name, change) => {
  test("is on hold and logged, and the others are sent to from every mailbox", async () => {
    await live.addAccount("ann@sender.example");
    await live.addAccount("ben@sender.example");
    const { id, leads } = await live.launch(
      [STEP],
      "bad@a.example",
      "bob@b.example",
      "dee@d.example",
    );
    const [bad = "", ...good] = leads;
    await plant(bad, change);

    await live.days(1);

    expect(live.lead(bad)).toMatchObject({
      status: "pending",
      holdReason: "planning_failed",
      dueAt: null,
    });
    expect(good.map((lead) => live.lead(lead).status)).toEqual(["completed", "completed"]);
    expect(live.mail.taken.map(({ to }) => to).toSorted()).toEqual([
      "bob@b.example",
      "dee@d.example",
    ]);
    expect(errors).toEqual([
      ["planning a lead failed", { enrollment: bad, cause: expect.stringContaining("Error") }],
    ]);
    const shown = await live.call("GET", `/campaigns/${id}/leads?hold_reason=planning_failed`);
    expect(shown.body.data).toEqual([expect.objectContaining({ email: "bad@a.example" })]);
    expect(shown.body.data[0].hold_detail).not.toBeNull();
  });

  test("stops no question about the campaign meanwhile", async () => {
    await live.addAccount();
    const { id, leads } = await live.launch([STEP], "bad@a.example", "bob@b.example");
    await plant(leads[0] ?? "", change);
    for (const path of [`/campaigns/${id}`, `/campaigns/${id}/forecast`]) {
      expect((await live.call("GET", path)).status).toBe(200);
    }
    const forecast = await live.call("GET", `/campaigns/${id}/forecast`);
    await live.days(2);
    const started = forecast.body.days.map(({ new_leads }: { new_leads: number }) => new_leads);
    expect(live.mail.taken).toHaveLength(1);
    expect(Math.max(...started)).toBe(1);
  });
});

test("follow-ups too; resumed by a person it goes on", async () => {
  await live.addAccount();
  const { id, leads } = await live.launch([STEP, FOLLOW_UP], "bad@a.example", "bob@b.example");
  await live.run(60 * MINUTE_MS);
  expect(live.mail.taken).toHaveLength(2);
  const [bad = "", good = ""] = leads;
  await plant(bad, { dueAt: LAST });
  await live.days(2);
  expect(live.lead(bad)).toMatchObject({ status: "active", holdReason: "planning_failed" });
  expect(live.lead(good).status).toBe("completed");

  const resumed = await live.call("PATCH", `/campaigns/${id}/leads/${bad}`, { status: "active" });

  expect(resumed.body).toMatchObject({ hold_reason: null, status: "active" });
  await live.days(2);
  expect(live.lead(bad).status).toBe("completed");
  expect(live.mail.taken).toHaveLength(4);
});

test("a hundred of them do not hold the others up", async () => {
  await live.addAccount();
  const bad = Array.from({ length: 100 }, (_, n) => `bad${n}@a${n}.example`);
  const { leads } = await live.launch([STEP], ...bad, "bob@b.example");
  for (const lead of leads.slice(0, 100)) {
    await plant(lead, { zone: "Mars/Olympus" });
  }
  await live.run(DAY_MS / 24);
  expect(live.mail.taken.map(({ to }) => to)).toEqual(["bob@b.example"]);
  expect(errors).toHaveLength(100);
});

/** Lists of conversations are read off an index, whatever they are filtered by. */

import { Database } from "bun:sqlite";
import { afterAll, expect, spyOn, test } from "bun:test";
import { unixMs } from "#domain/time.ts";
import { listThreads, type ThreadFilter } from "#store/inbox/threads.ts";
import { messagesToCompany, nextReply } from "#store/sending/messages.ts";
import { createTestApp } from "../../support/app.ts";

const ID = "019caf10-3180-7000-8000-000000000001";
const app = await createTestApp();
afterAll(() => app.close());

/** SQLite's plan for each statement that `read` has prepared. */
function plansOf(read: () => unknown): string[] {
  const { db } = app.environments.test;
  const spy = spyOn(Database.prototype, "prepare");
  read();
  const statements = spy.mock.calls.map(([sql]) => sql);
  spy.mockRestore();
  return statements.flatMap((sql) => {
    const given = Array.from({ length: sql.split("?").length - 1 }, () => 1);
    return db.raw
      .query<{ detail: string }, number[]>(`explain query plan ${sql}`)
      .all(...given)
      .map(({ detail }) => detail);
  });
}

test.each<[string, ThreadFilter, string]>([
  ["nothing", {}, "threads_team"],
  ["unread", { unread: true }, "threads_unread"],
  ["kind", { kind: "reply" }, "threads_kind"],
  ["interest", { interest: "meeting" }, "threads_interest"],
  ["campaign", { campaignId: ID }, "threads_campaign"],
  ["account", { accountId: ID }, "threads_account"],
])("by %s: a seek, no sorting", (_name, filter, index) => {
  const after = { at: unixMs(1), id: ID };
  const plans = plansOf(() => {
    listThreads(app.environments.test.db, ID, filter, { limit: 50, offset: 0, after });
  });
  expect(plans.some((plan) => plan.includes(`INDEX ${index} `))).toBe(true);
  expect(plans.filter((plan) => /^SCAN|TEMP B-TREE/.test(plan))).toEqual([]);
});

test("what the workers ask of answers and companies is a seek too", () => {
  const { db } = app.environments.test;
  const plans = plansOf(() => {
    nextReply(db, ID);
    messagesToCompany(db, ID, "client.example", 20);
  });
  expect(plans.filter((plan) => /^SCAN|messages USING INDEX messages_(?!due)/.test(plan))).toEqual(
    [],
  );
  expect(plans.some((plan) => plan.includes("messages_due"))).toBe(true);
  expect(plans.some((plan) => plan.includes("enrollments_company"))).toBe(true);
});

/** What `/metrics` counts is what there is, and none of it is counted by reading a table. */

import { Database } from "bun:sqlite";
import { afterAll, expect, spyOn, test } from "bun:test";
import { DAY_MS, plus, unixMs } from "#domain/time.ts";
import {
  countLeadsOnHold,
  countStoppedMailboxes,
  countWebhooksFailing,
  oldestDue,
} from "#store/sending/queues.ts";
import { createTestApp, START } from "../../support/app.ts";
import {
  addAccount,
  addLeads,
  EMAIL_STEP,
  makeCampaign,
  rowOf,
  writeTo,
} from "../../support/campaigns.ts";

const app = await createTestApp();
afterAll(() => app.close());
const { db } = app.environments.test;
const now = START;
const NONE = { sends: 0, polls: 0, deliveries: 0, copies: 0, underWayMs: 0 };
const ago = (seconds: number) => plus(now, -seconds * 1000);

test("each is an index", () => {
  const spy = spyOn(Database.prototype, "query");
  oldestDue(db, now, now);
  countStoppedMailboxes(db);
  countLeadsOnHold(db);
  countWebhooksFailing(db);
  const statements = spy.mock.calls.map(([sql]) => sql);
  spy.mockRestore();
  const plans = statements.flatMap((sql) =>
    db.raw
      .query<{ detail: string }, []>(`explain query plan ${sql}`)
      .all()
      .map(({ detail }) => detail),
  );
  expect(statements).toHaveLength(8);
  expect(plans.filter((plan) => /^SCAN (?!.*USING|\(|json_each)/.test(plan))).toEqual([]);
  expect(plans.join()).toContain("COVERING INDEX accounts_stopped");
  expect(plans.join()).toContain("COVERING INDEX campaigns_on_hold");
  expect(plans.join()).toContain("INDEX webhooks_failing");
});

test("the oldest is as old as it is; told to look anew, a mailbox has waited for nothing", async () => {
  const { id } = await addAccount(app);
  const set = (column: string, at: number | null) =>
    db.raw.query(`update accounts set wake_at = null, poll_at = null, ${column} = ?1`).run(at);
  set("wake_at", 0);
  expect(oldestDue(db, now, now)).toEqual(NONE);
  set("wake_at", ago(90));
  expect(oldestDue(db, now, now)).toEqual({ ...NONE, sends: 90_000 });
  set("wake_at", plus(now, 90_000));
  expect(oldestDue(db, now, now)).toEqual(NONE);
  set("poll_at", ago(7));
  expect(oldestDue(db, now, now)).toEqual({ ...NONE, polls: 7_000 });
  expect(oldestDue(db, unixMs(0), now)).toEqual(NONE);
  set("poll_at", null);

  const campaign = await makeCampaign(app);
  const [lead] = await addLeads(app, campaign.id, "bo@x.example");
  await writeTo(app, lead.id, "sending");
  db.raw.query("update messages set claimed_at = ?1").run(ago(30));
  expect(oldestDue(db, now, now)).toEqual({ ...NONE, underWayMs: 30_000 });
  expect(rowOf(app, lead.id).holdReason).toBe(null);
  expect(id).toBeString();
});

test("mailboxes by status, leads by reason, and webhooks that fail while they are active", async () => {
  await addAccount(app, "bea@sender.example");
  db.raw.query("update accounts set status = 'error' where email like 'bea%'").run();
  expect([...countStoppedMailboxes(db)]).toEqual([
    ["paused", 0],
    ["error", 1],
    ["disabled", 0],
  ]);
  expect(countLeadsOnHold(db).get("missing_variable")).toBe(0);
  const { id } = await makeCampaign(app, [{ ...EMAIL_STEP, body: "{{company}}" }]);
  await addLeads(app, id, "cy@x.example", "di@x.example");
  await app.call("POST", `/campaigns/${id}/start`);
  await app.advance(DAY_MS);
  expect(countLeadsOnHold(db).get("missing_variable")).toBe(2);
  expect(countLeadsOnHold(db).get("task")).toBe(0);

  const webhook = { url: "https://hooks.example.org/in", events: ["*"] };
  await app.call("POST", "/webhooks", webhook);
  expect(countWebhooksFailing(db)).toBe(0);
  db.raw.query("update webhooks set failures = 1, failing_since = ?1").run(now);
  expect(countWebhooksFailing(db)).toBe(1);
  db.raw.query("update webhooks set active = 0").run();
  expect(countWebhooksFailing(db)).toBe(0);
});

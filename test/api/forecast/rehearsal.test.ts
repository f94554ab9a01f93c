/** The contract of `/campaigns/{id}/rehearsal`: what it plays, and that nothing of it stays. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { MINUTE_MS } from "../../../src/domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../../support/campaigns.ts";
import { ROUND_THE_CLOCK, TWO_STEPS } from "../../support/inbox.ts";
import { NOBODY } from "../sandbox/sandbox-support.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

async function draft(emails: readonly string[], change: object = {}, daily = 50) {
  const account = await addAccount(app);
  const limits = { min_gap_seconds: 0, hourly_limit: 100, daily_limit: daily };
  await app.call("PATCH", `/accounts/${account.id}`, limits);
  const { id } = await makeCampaign(app, TWO_STEPS);
  await app.call("PATCH", `/campaigns/${id}`, { send_window: ROUND_THE_CLOCK, ...change });
  await addLeads(app, id, ...emails);
  return { id: id as string, account: account.id as string };
}
const people = (count: number) =>
  Array.from({ length: count }, (_, nth) => `person${nth}@firm${nth}.example`);
const rehearse = (id: string, query = "") => app.call("GET", `/campaigns/${id}/rehearsal${query}`);
const stored = () =>
  app.environments.test.db.raw
    .query<{ name: string }, []>(
      "select name from sqlite_schema where type = 'table' and name not like 'search%'",
    )
    .all()
    .map(({ name }) => [
      name,
      app.environments.test.db.raw.query(`select count(*) as n from "${name}"`).get(),
    ]);

test("a draft is played by its own steps, mailboxes and limits, and nothing of it stays", async () => {
  const { id, account } = await draft(people(120), {}, 20);
  const before = [stored(), (await app.call("GET", `/campaigns/${id}`)).body];
  const { status, body } = await rehearse(id);
  expect(status).toBe(200);
  expect(body).toMatchObject({ campaign_id: id, seed: 1, leads: 120, played: 120, broken: [] });
  expect(body.checked).toBeGreaterThan(10);
  expect(body.days.length).toBeGreaterThanOrEqual(30);
  // Twenty a day, and never more.
  expect(Math.max(...body.days.map(({ sent }: { sent: number }) => sent))).toBe(20);
  expect(body.totals.sent).toBeGreaterThan(150);
  expect(body.totals.replied).toBeGreaterThan(0);
  const standing = body.lead_statuses.reduce(
    (sum: number, { leads }: { leads: number }) => sum + leads,
    0,
  );
  expect(standing).toBe(120);
  expect(body.mailboxes).toEqual([
    expect.objectContaining({ account_id: account, sent: body.totals.sent }),
  ]);
  expect(Date.parse(body.last_sent_at)).toBeGreaterThan(Date.parse(body.first_sent_at));
  expect([stored(), (await app.call("GET", `/campaigns/${id}`)).body]).toEqual(before);
});

test("the same seed plays the same people, another one others", async () => {
  const { id } = await draft(people(60));
  const first = (await rehearse(id, "?days=14&seed=5")).body;
  expect((await rehearse(id, "?days=14&seed=5")).body).toEqual(first);
  expect((await rehearse(id, "?days=14&seed=6")).body.totals).not.toEqual(first.totals);
});

test("a bad list is paused by its guard, and says so", async () => {
  const gone = Array.from({ length: 40 }, (_, nth) => `bounce+${nth}@sandbox.test`);
  const { id } = await draft([...gone, ...people(40)]);
  const { body } = await rehearse(id);
  expect([body.status, body.status_reason]).toEqual(["paused", "bounce_rate"]);
  expect(body.events.map(({ type }: { type: string }) => type)).toContain("campaign.paused");
  expect(body.totals.sent).toBeLessThan(80);
});

test("a bad list is paused from mailboxes too that were never read, or by another program", async () => {
  const gone = Array.from({ length: 80 }, (_, nth) => `bounce+${nth}@sandbox.test`);
  const { id } = await draft(gone);
  for (const cursor of ["", "1772463600000.4", "17:40312"]) {
    // Read before long, when the first bounces have come back.
    const soon = app.environments.test.clock.now() + 10 * MINUTE_MS;
    app.environments.test.db.raw.run("update accounts set poll_cursor = ?, poll_at = ?", [
      cursor,
      soon,
    ]);
    const { body } = await rehearse(id);
    expect([cursor, body.status, body.status_reason]).toEqual([cursor, "paused", "bounce_rate"]);
    // None comes back to a mailbox that looks away.
    expect(body.totals.bounced).toBe(body.totals.sent);
  }
});

test("who is suppressed is not written to in it", async () => {
  const { id } = await draft([...people(10), "eve@client.example"]);
  await app.call("POST", "/suppressions", { email: "eve@client.example", reason: "manual" });
  const { body } = await rehearse(id);
  expect(body.broken).toEqual([]);
  expect(body.played).toBe(10);
});

test("mailboxes with passwords, consents and a published key play too: nothing outside is asked", async () => {
  const server = { host: "mail.sender.example", username: "ann", password: "secret" };
  const ann = { email: "ann@sender.example", provider: "smtp", smtp: server, imap: server };
  const bob = {
    email: "bob@gmail.com",
    provider: "google",
    oauth: { client_id: "i", client_secret: "s", refresh_token: "r" },
  };
  const ids = [];
  for (const account of [ann, bob]) {
    const { status, body } = await app.live("POST", "/accounts", account);
    expect([account.email, status]).toEqual([account.email, 201]);
    ids.push(body.id);
  }
  await app.live("POST", `/accounts/${ids[0]}/dkim`, { selector: "mail" });
  const { db } = app.environments.live;
  db.raw.run("update accounts set dkim = json_set(dkim, '$.activeAt', 1) where dkim is not null");
  const { body: campaign } = await app.live("POST", "/campaigns", {
    name: "Live",
    send_window: ROUND_THE_CLOCK,
  });
  for (const step of TWO_STEPS) {
    await app.live("POST", `/campaigns/${campaign.id}/steps`, step);
  }
  const leads = people(40).map((email) => ({ email }));
  await app.live("POST", `/campaigns/${campaign.id}/leads`, { leads });
  const { body } = await app.live("GET", `/campaigns/${campaign.id}/rehearsal`);
  expect(body).toMatchObject({ status: "completed", played: 40, broken: [] });
  expect(
    body.mailboxes.map(({ account_id }: { account_id: string }) => account_id).toSorted(),
  ).toEqual(ids.toSorted());
  expect(body.totals.sent).toBeGreaterThan(60);
  expect(body.totals.replied + body.totals.bounced).toBeGreaterThan(0);
  const errors = body.events.filter(({ type }: { type: string }) => type === "account.error");
  expect(errors).toEqual([]);
});

describe("is refused", () => {
  test("for a campaign that was started: 409", async () => {
    const { id } = await draft(people(2));
    await app.call("POST", `/campaigns/${id}/start`);
    expect((await rehearse(id)).status).toBe(409);
  });

  test("where it can't be started: 422 by the field", async () => {
    const { id } = await makeCampaign(app, []);
    const refused = await rehearse(id);
    expect([refused.status, refused.body.field]).toEqual([422, "steps"]);
  });

  test.each(["?days=0", "?days=61", "?seed=-1", "?days=x"])("%s", async (query) => {
    const { id } = await draft(people(1));
    expect((await rehearse(id, query)).status).toBe(422);
  });

  test("for nobody's: 404", async () => {
    expect((await rehearse(NOBODY)).status).toBe(404);
  });
});

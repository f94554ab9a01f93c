/**
 * Guarantees of the simulated servers' answers to callouts: they never leave the sandbox, and say of an address what an email
 * to it would then come to.
 */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../support/campaigns.ts";
import { ROUND_THE_CLOCK } from "../support/inbox.ts";

const STEP = { type: "email", subject: "Hello", body: "Hi" };

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

test("a callout finds who would bounce, and a domain that takes anything", async () => {
  const rates = { hard_bounce: 0.3, reply: 0, interested: 0, unsubscribe: 0, soft_bounce: 0 };
  await app.call("PATCH", "/sandbox/settings", { rates });
  const account = await addAccount(app);
  const change = { verify_addresses: true, min_gap_seconds: 0, hourly_limit: 100, daily_limit: 0 };
  await app.call("PATCH", `/accounts/${account.id}`, change);
  const { id } = await makeCampaign(app, [STEP]);
  await app.call("PATCH", `/campaigns/${id}`, { send_window: ROUND_THE_CLOCK });
  const domains = Array.from({ length: 30 }, (_, at) => `firm${at}.example`);
  const people = domains.flatMap((domain) => [`ann@${domain}`, `bob@${domain}`]);
  await addLeads(app, id, ...people, "cat@catchall.test");
  await app.call("POST", `/campaigns/${id}/start`);
  await app.advance(6 * HOUR_MS);
  const emails = async (filter: string) => {
    const { body } = await app.call("GET", `/leads?limit=100&filter=${encodeURIComponent(filter)}`);
    return body.data.map(({ email }: { email: string }) => email);
  };
  const gone = await emails("address_reason=no_such_mailbox");
  expect(gone.length).toBeGreaterThan(2);
  await app.call("PATCH", `/accounts/${account.id}`, { daily_limit: 200 });
  await app.advance(2 * DAY_MS);
  const { body } = await app.call("GET", "/sandbox/messages?limit=100");
  const written = body.data.map(({ recipient }: { recipient: string }) => recipient);
  expect(written.filter((one: string) => gone.includes(one))).toEqual([]);
  expect(written.length).toBeGreaterThan(10);
  // Those that it wrote to after it had asked don't bounce; of those that nobody asks about some do.
  const bounced = (await app.call("GET", `/campaigns/${id}/leads?status=bounced&limit=100`)).body;
  const asked = app.environments.test.db.raw
    .query<{ email: string }, []>("select email from leads where callout = 'accepted'")
    .all()
    .map(({ email }) => email);
  expect(asked.length).toBeGreaterThan(5);
  expect(bounced.data.filter(({ email }: { email: string }) => asked.includes(email))).toEqual([]);
});

test("a domain that takes anything is simulated, too", async () => {
  const account = await addAccount(app);
  await app.call("PATCH", `/accounts/${account.id}`, { verify_addresses: true, daily_limit: 0 });
  const { id } = await makeCampaign(app, [STEP]);
  const names = ["catchall.test", ...Array.from({ length: 9 }, (_, at) => `s${at}.catchall.test`)];
  await addLeads(app, id, ...names.map((name) => `cat@${name}`));
  await app.call("POST", `/campaigns/${id}/start`);
  await app.advance(6 * HOUR_MS);
  const found = (await app.call("GET", "/leads?filter=address_reason%3Dcatch_all")).body;
  expect(found.data.length).toBeGreaterThan(0);
});

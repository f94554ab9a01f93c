/** The contract of `GET /attention`, through HTTP. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { campaignById, updateCampaign } from "#store/campaigns/campaigns.ts";
import { updateWebhook, webhookById } from "#store/events/webhooks.ts";
import { accountById, updateAccount } from "#store/mailboxes/accounts.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import type { WebhookRow } from "#store/tables/webhooks.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, makeCampaign } from "../../support/campaigns.ts";
import { comeBack, underway } from "../../support/inbox.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const NOTHING = {
  accounts: [],
  campaigns: [],
  domains: [],
  webhooks: [],
  workspaces: [],
  experiments: [],
};
const read = async (key?: string) =>
  (await app.call("GET", "/attention", undefined, key === undefined ? {} : { key })).body;
const db = () => app.environments.test.db;

const changeAccount = (id: string, change: Partial<AccountRow>) =>
  updateAccount(db(), { ...(accountById(db(), id) as AccountRow), ...change });
const changeCampaign = (id: string, change: Partial<CampaignRow>) =>
  updateCampaign(db(), { ...(campaignById(db(), id) as CampaignRow), ...change });
const changeWebhook = (id: string, change: Partial<WebhookRow>) =>
  updateWebhook(db(), { ...(webhookById(db(), id) as WebhookRow), ...change });

test("200: nothing of a team that is new, and the plan with its usage", async () => {
  const { body } = await app.call("GET", "/billing/subscription");
  expect(await read()).toEqual({
    ...NOTHING,
    subscription: body,
    interested_threads: 0,
    open_tasks: 0,
    setup: { mailbox: false, leads: false, sequence: false, campaign_id: null },
  });
});

test("200: what is set up of a first campaign, and null once one has started", async () => {
  const setup = async () => (await read()).setup;
  await addAccount(app, "ann@sender.example");
  const { body: campaign } = await app.call("POST", "/campaigns", { name: "First" });
  const first = { mailbox: true, leads: false, sequence: false, campaign_id: campaign.id };
  expect(await setup()).toEqual(first);
  const leads = [{ email: "bob@client.example" }];
  await app.call("POST", `/campaigns/${campaign.id}/leads`, { leads });
  expect(await setup()).toEqual({ ...first, leads: true });
  const step = { type: "email", subject: "Offer", body: "Hello" };
  await app.call("POST", `/campaigns/${campaign.id}/steps`, step);
  expect(await setup()).toEqual({ ...first, leads: true, sequence: true });
  await app.call("POST", `/campaigns/${campaign.id}/start`);
  expect(await setup()).toBeNull();
});

test("200: accounts that don't send though nobody paused them, as GET /accounts has them", async () => {
  const refusal = { receiver: "google", count: 3, since: 0, words: "550 5.7.1 no" };
  const changes = {
    well: {},
    error: { status: "error", statusReason: "auth" },
    health: { status: "paused", statusReason: "health" },
    manual: { status: "paused", statusReason: "manual" },
    disabled: { status: "disabled" },
    refused: { refusals: [{ ...refusal, until: 9_000_000_000_000 }] },
    once: { refusals: [{ ...refusal, until: null }] },
  } as const;
  for (const [name, change] of Object.entries(changes)) {
    const { id } = await addAccount(app, `${name}@sender.example`);
    changeAccount(id, change as unknown as Partial<AccountRow>);
  }
  const waiting = ["error", "health", "refused"].map((name) => `${name}@sender.example`);
  const { data } = (await app.call("GET", "/accounts")).body;
  expect((await read()).accounts).toEqual(
    data.filter(({ email }: { email: string }) => waiting.includes(email)),
  );
});

test("200: campaigns that were paused automatically or have leads on hold, newest first", async () => {
  const changes = {
    held: { onHold: { missing_variable: 2, task: 0 } },
    none: { onHold: { missing_variable: 0 } },
    bounced: { status: "paused", statusReason: "bounce_rate" },
    manual: { status: "paused", statusReason: "manual" },
    archived: { status: "archived", onHold: { missing_variable: 2 } },
  } as const;
  const ids: Record<string, string> = {};
  for (const [name, change] of Object.entries(changes)) {
    const { id } = await makeCampaign(app);
    ids[name] = id;
    changeCampaign(id, change);
  }
  const { campaigns } = await read();
  expect(campaigns.map(({ id }: { id: string }) => id)).toEqual([
    ids["bounced"] ?? "",
    ids["held"] ?? "",
  ]);
});

test("200: webhooks that fail or were turned off for it, and none that somebody turned off", async () => {
  const changes = {
    well: {},
    failing: { failures: 3 },
    off: { active: false, disabledReason: "failing", failures: 9 },
    manual: { active: false, failures: 2 },
  };
  const ids: Record<string, string> = {};
  for (const [name, change] of Object.entries(changes)) {
    const url = `https://${name}.example/events`;
    ids[name] = (await app.call("POST", "/webhooks", { url })).body.id;
    changeWebhook(ids[name] ?? "", change as Partial<WebhookRow>);
  }
  const { webhooks } = await read();
  expect(webhooks.map(({ id }: { id: string }) => id)).toEqual([
    ids["failing"] ?? "",
    ids["off"] ?? "",
  ]);
});

test("200: unread interested conversations are counted until they are read", async () => {
  const at = await underway(app, ["bob@client.example"]);
  await comeBack(app, { kind: "interested", enrollment_id: at.leads[0]?.id });
  expect((await read()).interested_threads).toBe(1);
  const { data } = (await app.call("GET", "/inbox/threads")).body;
  await app.call("PATCH", `/inbox/threads/${data[0].id}`, { read: true });
  expect((await read()).interested_threads).toBe(0);
});

test("200: of a resource that the key may not read there is nothing", async () => {
  const { id } = await addAccount(app);
  changeAccount(id, { status: "error", statusReason: "auth" });
  const scopes = ["campaigns:read"];
  const made = await app.call("POST", "/keys", { name: "narrow", scopes });
  const narrow = await read(made.body.key);
  expect([narrow.accounts, narrow.subscription]).toEqual([[], null]);
  expect((await read()).accounts).toHaveLength(1);
});

test("200: another team's are none of it", async () => {
  const { id } = await makeCampaign(app);
  changeCampaign(id, { onHold: { missing_variable: 1 } });
  const other = await app.addTeam("Other");
  expect(await read(other.keys.test)).toMatchObject(NOTHING);
});

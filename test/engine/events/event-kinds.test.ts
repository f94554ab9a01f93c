/**
 * Every kind of event is caused by a test: most of them here, by what people, servers and the passing of
 * time do in the test environment; a few in the tests of what emits them. A kind that is emitted and is in
 * neither list, or is listed and is never emitted, fails.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EVENT_TYPES, type EventType } from "#domain/events/event.ts";
import { DAY_MS, HOUR_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, EMAIL_STEP, makeCampaign } from "../../support/campaigns.ts";
import { faultsOf } from "../../support/events.ts";
import { answered, deliverDue, scriptedHttp } from "../../support/webhooks.ts";

const TOP = join(import.meta.dir, "../../..");

/** Caused in these files, which need more than a campaign. */
const ELSEWHERE: Partial<Record<EventType, string>> = {
  "email.opened": "test/web/tracking.test.ts",
  "email.clicked": "test/web/tracking.test.ts",
  "experiment.variant_paused": "test/engine/experiments/experiment-ends.test.ts",
  "experiment.completed": "test/engine/experiments/experiment-ends.test.ts",
  "placement.completed": "test/engine/placement/placement.test.ts",
  "lead.erased": "test/api/leads/erasures.test.ts",
  "workspace.refused": "test/api/mailboxes/workspaces.test.ts",
  "workspace.connected": "test/api/mailboxes/workspaces.test.ts",
  "domain.error": "test/api/mailboxes/domains.test.ts",
  "domain.recovered": "test/api/mailboxes/domains.test.ts",
  "billing.limit_warning": "test/api/billing/plan-limits.test.ts",
  "billing.limit_reached": "test/api/billing/plan-limits.test.ts",
};

const HERE = EVENT_TYPES.filter((type) => !(type in ELSEWHERE));

interface Told {
  seq: number;
  type: EventType;
  data: Record<string, unknown>;
}

/** Everything that was told in a week in which everything happens once. */
async function eventfulWeek(app: TestApp): Promise<Told[]> {
  const { call } = app;
  const post = async (path: string, body: object = {}) => (await call("POST", path, body)).body;
  const account = await addAccount(app);
  const disturbed = await addAccount(app, "bob@sender.example");
  await post("/webhooks", { url: "https://gone.example.com", events: ["campaign.started"] });
  const tested = await post("/webhooks", { url: "https://fine.example.com" });
  await post(`/webhooks/${tested.id}/test`);

  const at = (name: string) => `${name}@sandbox.test`;
  const lead = (name: string) => ({ email: at(name), first_name: name });
  const names = ["reply", "interested", "ooo", "bounce", "complaint", "unsubscribe"];
  const troubles = ["smtp421", "smtp550", "timeout"];
  const { id } = await makeCampaign(app, [
    EMAIL_STEP,
    { type: "task", subject: "Call {{email}}", wait_days: 1 },
  ]);
  await call("PATCH", `/campaigns/${id}`, { account_ids: [account.id], max_leads_per_day: 100 });
  await addLeads(app, id, ...[...names, ...troubles, "quiet"].map(lead));
  await call("POST", `/campaigns/${id}/start`);
  await deliverDue(app.environments.test);
  await call("POST", `/campaigns/${id}/pause`);
  await call("POST", `/campaigns/${id}/resume`);
  await app.advance(3 * DAY_MS);

  const unasked = { kind: "reply", account_id: disturbed.id, from: at("waiting") };
  await makeCampaign(app).then((draft) => addLeads(app, draft.id, lead("waiting")));
  await post("/sandbox/inject", { ...unasked, text: "You do not know me yet" });
  await app.advance(HOUR_MS);
  await call("PATCH", "/sandbox/settings", { faults: { auth_failures: [disturbed.id] } });
  const other = await makeCampaign(app);
  await call("PATCH", `/campaigns/${other.id}`, { account_ids: [disturbed.id] });
  await addLeads(app, other.id, lead("later"));
  await call("POST", `/campaigns/${other.id}/start`);
  await app.advance(2 * DAY_MS);
  await call("PATCH", "/sandbox/settings", { faults: { auth_failures: [] } });
  await call("POST", `/accounts/${disturbed.id}/test`);
  await app.advance(2 * DAY_MS);
  await app.advance(HOUR_MS);
  const twins = await post("/leads", { leads: [lead("twin"), lead("twin+b")] });
  await post(`/leads/${twins.data[0].id}/merge`, { lead_ids: [twins.data[1].id] });
  const told: Told[] = [];
  for (let cursor = "0", more = true; more; ) {
    const { body } = await call("GET", `/events?limit=100&after=${cursor}`);
    told.push(...body.data);
    cursor = body.next_cursor;
    more = body.hasMore;
  }
  return told;
}

describe("a week in which everything happens", () => {
  let told: Told[] = [];
  let app: TestApp;
  beforeAll(async () => {
    const http = scriptedHttp();
    http.answer = ({ url }) => answered(url.includes("gone") ? 410 : 200);
    app = await createTestApp({ http });
    told = await eventfulWeek(app);
  });
  afterAll(() => app.close());

  test.each(HERE)("causes %s, and it fits its schema", (type) => {
    const own = told.filter((event) => event.type === type);
    expect(own.length).toBeGreaterThan(0);
    expect(own.flatMap(({ data }) => faultsOf(type, data))).toEqual([]);
  });

  test("is told in order", () => {
    const seqs = told.map(({ seq }) => seq);
    expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
  });

  test("every email that is reported names the same facts", () => {
    const mails = told.filter(({ type }) => type.startsWith("email."));
    const facts = ["email_id", "lead_id", "campaign_id", "account_id", "message_id", "to"];
    for (const { data } of mails) {
      expect(facts.filter((name) => typeof data[name] !== "string")).toEqual([]);
    }
  });
});

describe("the lists", () => {
  test.each(Object.entries(ELSEWHERE))("%s is caused in %s", (type, path) => {
    expect(readFileSync(join(TOP, path), "utf8")).toContain(type);
  });
});

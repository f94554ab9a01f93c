/** Guarantees of what is told of assignments: leads, messages, events and exports name the variant that was sent. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { DAY_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { makeExperiment, setPeople } from "../../support/experiments.ts";

const LEADS = 60;

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp({ seed: 11 });
});
afterEach(() => app.close());

async function get(path: string) {
  const { status, body, text } = await app.call("GET", path);
  expect(status).toBe(200);
  return body ?? text;
}

async function lines(path: string) {
  const { text } = await app.call("GET", `${path}${path.includes("?") ? "&" : "?"}format=ndjson`);
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** Half of the leads are written to; half of them reply. */
async function play() {
  await setPeople(app, { reply: 0.5, unsubscribe: 0.2 }, [], {});
  const made = await makeExperiment(app, { leads: LEADS, perDay: LEADS / 4, accounts: 2 });
  await app.advance(2 * DAY_MS);
  const sent = await lines(`/exports/messages?campaign_id=${made.campaignId}`);
  const [a = { id: "" }, b = { id: "" }] = made.variants;
  const variantOf = new Map<string, string>(
    sent.map(({ lead_id, subject }) => [lead_id, subject === "A word" ? a.id : b.id]),
  );
  expect(variantOf.size).toBeGreaterThan(10);
  expect(variantOf.size).toBeLessThan(LEADS);
  expect(new Set(variantOf.values()).size).toBe(2);
  return { ...made, sent, variantOf };
}

test("a lead has the variant that it was sent, and none before", async () => {
  const { id, campaignId, variantOf } = await play();
  const told = (leadId: string) => {
    const variant_id = variantOf.get(leadId);
    return variant_id === undefined ? [] : [{ experiment_id: id, variant_id }];
  };

  const { data } = await get(`/campaigns/${campaignId}/leads?limit=100`);
  expect(data).toHaveLength(LEADS);
  for (const { lead_id, assignments } of data) {
    expect(assignments).toEqual(told(lead_id));
  }
  const filtered = await get(`/campaigns/${campaignId}/leads?limit=100&filter=email:person`);
  expect(filtered.data).toHaveLength(LEADS);
  for (const { lead_id, assignments } of filtered.data) {
    expect(assignments).toEqual(told(lead_id));
  }
  const [first] = data.filter(({ lead_id }: { lead_id: string }) => variantOf.has(lead_id));
  const one = await get(`/campaigns/${campaignId}/leads/${first.id}`);
  const campaigns = await get(`/leads/${first.lead_id}/campaigns`);
  expect([one.assignments, campaigns.data[0].assignments]).toEqual(
    Array(2).fill(told(first.lead_id)),
  );
  const exported = await lines(`/exports/leads?campaign_id=${campaignId}`);
  expect(exported).toHaveLength(LEADS);
  for (const { id: leadId, campaign_lead } of exported) {
    expect(campaign_lead.assignments).toEqual(told(leadId));
  }
  const csv = (await app.call("GET", `/exports/leads?campaign_id=${campaignId}`)).text;
  const [heading = "", ...rows] = csv.trimEnd().split("\r\n");
  const column = heading.split(",").indexOf("variant_ids");
  const cells = rows.map((row) => row.split(",").at(column - heading.split(",").length));
  expect(cells.filter((cell) => cell !== "").toSorted()).toEqual(
    [...variantOf.values()].toSorted(),
  );

  const { variants } = await get(`/experiments/${id}`);
  for (const { id: variantId, emails_sent } of variants) {
    const own = data.filter(({ assignments }: { assignments: { variant_id: string }[] }) =>
      assignments.some(({ variant_id }) => variant_id === variantId),
    );
    expect(own).toHaveLength(emails_sent);
  }
});

test("a message has the variant that it was made from, a received one none", async () => {
  const { id, sent, variantOf } = await play();
  for (const { lead_id, experiment_id, variant_id } of sent) {
    expect([experiment_id, variant_id]).toEqual([id, variantOf.get(lead_id)]);
  }
  const { data } = await get("/inbox/threads");
  const thread = await get(`/inbox/threads/${data[0].id}`);
  const directions = new Set<string>();
  for (const message of thread.messages) {
    const isSent = message.direction === "out";
    directions.add(message.direction);
    const expected = isSent ? [id, variantOf.get(thread.lead_id)] : [null, null];
    expect([message.experiment_id, message.variant_id]).toEqual(expected);
    const same = await get(`/messages/${message.id}`);
    expect([same.experiment_id, same.variant_id]).toEqual(expected);
  }
  expect(directions).toEqual(new Set(["in", "out"]));
  const timeline = await get(`/leads/${thread.lead_id}/timeline`);
  const written = timeline.data.filter(({ kind }: { kind: string }) => kind === "written");
  expect(written).toHaveLength(1);
  expect(written[0].message.variant_id).toBe(variantOf.get(thread.lead_id));
});

test("events of emails and replies name the variant", async () => {
  const { id, variantOf } = await play();
  const events = await lines("/exports/events");
  const of = (type: string) =>
    events.filter((event) => event.type === type).map(({ data }) => data);

  expect(of("email.sent")).toHaveLength(variantOf.size);
  for (const { lead_id, experiment_id, variant_id } of of("email.sent")) {
    expect([experiment_id, variant_id]).toEqual([id, variantOf.get(lead_id)]);
  }
  for (const type of ["reply.received", "lead.unsubscribed"]) {
    expect(of(type).length).toBeGreaterThan(0);
    for (const { lead_id, assignments } of of(type)) {
      expect(assignments).toEqual([{ experiment_id: id, variant_id: variantOf.get(lead_id) }]);
    }
  }
});

test("without an experiment there is none", async () => {
  const { id, campaignId } = await makeExperiment(app, { leads: 1, starts: false });
  await app.call("POST", `/experiments/${id}/cancel`);
  await app.call("POST", `/campaigns/${campaignId}/start`);
  await app.advance(4 * DAY_MS);

  const [message] = await lines("/exports/messages");
  expect([message.experiment_id, message.variant_id]).toEqual([null, null]);
  const { data } = await get(`/campaigns/${campaignId}/leads`);
  expect(data[0].assignments).toEqual([]);
  const [sent] = (await lines("/exports/events")).filter(({ type }) => type === "email.sent");
  expect([sent.data.experiment_id, sent.data.variant_id]).toEqual([null, null]);
});

test("an email that the server refused keeps its variant, and its lead was sent none", async () => {
  await setPeople(app, {});
  await app.call("PATCH", "/sandbox/settings", { faults: { smtp550: 1 } });
  const { campaignId, variants } = await makeExperiment(app, { leads: 1 });
  await app.advance(DAY_MS);

  const [message] = await lines("/exports/messages");
  expect(message.status).toBe("failed");
  expect(variants.map(({ id }) => id)).toContain(message.variant_id);
  const { data } = await get(`/campaigns/${campaignId}/leads`);
  expect(data[0].assignments).toEqual([]);
});

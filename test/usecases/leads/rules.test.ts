/**
 * Guarantees of rules that move leads on: what moves whom, what keeps them, and what takes a move back.
 *
 * The cases were collected before the rule was written, from what others do: Instantly's subsequences
 * (developer.instantly.ai, `POST /api/v2/subsequences`: conditions `crm_status` and `lead_activity`, `pre_delay` in
 * minutes, hours, or days, the parent's sequence ends), Smartlead's (a subsequence starts by the category of a reply,
 * the main one stops) and lemlist's triggers (a lead stops or moves on as it replies).
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { blocks } from "../../docs/pages.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addLeads, makeCampaign } from "../../support/campaigns.ts";
import {
  comeBack,
  leadOf,
  ROUND_THE_CLOCK,
  statsOf,
  TWO_STEPS,
  threadOf,
  type Underway,
  underway,
} from "../../support/inbox.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const BOB = "bob@client.example";

/** Another campaign that runs, with two emails. */
async function another(change: object = {}): Promise<string> {
  const { id } = await makeCampaign(app, TWO_STEPS);
  await app.call("PATCH", `/campaigns/${id}`, { send_window: ROUND_THE_CLOCK, ...change });
  expect((await app.call("POST", `/campaigns/${id}/start`)).status).toBe(200);
  return id;
}

const setRules = (id: string, ...rules: object[]) =>
  app.call("PATCH", `/campaigns/${id}`, { rules });

/** How Bob stands in a campaign; undefined where he isn't. */
async function bobIn(campaign: string) {
  const { body } = await app.call("GET", `/campaigns/${campaign}/leads?email=${BOB}`);
  return body.data[0];
}

const sentIn = async (campaign: string) =>
  (await app.call("GET", `/campaigns/${campaign}/stats`)).body.sent;

async function begun(rule: object, change: object = {}): Promise<{ at: Underway; to: string }> {
  const at = await underway(app, [BOB], change);
  const to = await another();
  expect((await setRules(at.campaign, { campaign_id: to, ...rule })).status).toBe(200);
  return { at, to };
}

/** Why he stays, as the timeline of the lead says. */
async function keptBecause(at: Underway): Promise<string[]> {
  const { data } = (await app.call("GET", `/leads/${at.leads[0]?.lead_id}/timeline`)).body;
  return data
    .filter(({ words }: { words: string }) => words === "campaign_lead.move")
    .map(({ after }: { after: { stays: string } }) => after.stays);
}

const bobs = ({ leads }: Underway) => leads[0]?.id ?? "";
const interested = (at: Underway) => comeBack(app, { kind: "interested", enrollment_id: bobs(at) });

describe("moves on", () => {
  test("who replies with interest: nothing more from here, the first email there after the wait", async () => {
    const { at, to } = await begun({ on: "interested", wait_days: 2, wait_minutes: 30 });
    await interested(at);
    expect(await leadOf(app, at)).toMatchObject({ status: "replied", interest: "interested" });
    const moved = await bobIn(to);
    expect(moved).toMatchObject({ status: "pending", current_step: 0 });
    const wait = Date.parse(moved.next_attempt_at) - Date.parse(moved.enrolled_at);
    expect(wait).toBe(2 * DAY_MS + 30 * MINUTE_MS);
    expect(await statsOf(app, at)).toMatchObject({ moved: 1 });
    await app.advance(2 * DAY_MS);
    expect(await sentIn(to)).toBe(0);
    await app.advance(HOUR_MS);
    expect(await sentIn(to)).toBe(1);
    await app.advance(20 * DAY_MS);
    expect([await sentIn(at.campaign), await sentIn(to)]).toEqual([1, 2]);
  });

  test("who hasn't replied to the last email, after the wait; a reply meanwhile keeps it", async () => {
    const { at, to } = await begun({ on: "completed", wait_days: 3 });
    await app.advance(4 * DAY_MS);
    expect(await leadOf(app, at)).toMatchObject({ status: "completed" });
    expect(await bobIn(to)).toMatchObject({ status: "pending" });
    await comeBack(app, { kind: "reply", enrollment_id: bobs(at) });
    expect(await bobIn(to)).toBeUndefined();
    await app.advance(10 * DAY_MS);
    expect(await sentIn(to)).toBe(0);
    expect(await statsOf(app, at)).toMatchObject({ moved: 0, replied: 1 });
  });

  test("who replied in whatever way, where no rule is about the interest", async () => {
    const { at, to } = await begun({ on: "replied", wait_days: 1 });
    await comeBack(app, { kind: "reply", enrollment_id: bobs(at), text: "Who are you?" });
    expect(await bobIn(to)).toMatchObject({ status: "pending" });
  });

  test("whom a person says to be interested, in the midst of the sequence", async () => {
    const { at, to } = await begun({ on: "interested", wait_days: 0 });
    const path = `/campaigns/${at.campaign}/leads/${bobs(at)}`;
    await app.call("PATCH", path, { interest: "interested" });
    expect(await leadOf(app, at)).toMatchObject({ status: "completed", stop_reason: "moved" });
    await app.advance(20 * DAY_MS);
    expect([await sentIn(at.campaign), await sentIn(to)]).toEqual([1, 2]);
  });

  test("through one campaign into the next, each once", async () => {
    const { at, to } = await begun({ on: "completed", wait_days: 1 });
    const last = await another();
    await setRules(to, { on: "completed", campaign_id: last, wait_days: 1 });
    await app.advance(40 * DAY_MS);
    expect(await Promise.all([at.campaign, to, last].map(sentIn))).toEqual([2, 2, 2]);
  });

  test("into a draft, where the lead waits until it starts", async () => {
    const { at } = await begun({ on: "meeting" });
    const { id: draft } = await makeCampaign(app, TWO_STEPS);
    await setRules(at.campaign, { on: "interested", campaign_id: draft, wait_days: 0 });
    await interested(at);
    expect(await bobIn(draft)).toMatchObject({ status: "pending" });
    const check = await app.call("GET", `/campaigns/${at.campaign}/launch-check`);
    expect(JSON.stringify(check.body.warnings)).toContain("rule_target");
  });
});

describe("stays, and the timeline says why", () => {
  test.each<[string, string, (at: Underway, to: string) => Promise<unknown>]>([
    ["suppressed", "suppressed", () => app.call("POST", "/suppressions", { email: BOB })],
    [
      "its domain suppressed",
      "suppressed",
      () => app.call("POST", "/suppressions", { email: "@client.example" }),
    ],
    ["there already", "already_enrolled", (_at, to) => addLeads(app, to, BOB)],
    ["in a third campaign", "in_other_campaign", async () => addLeads(app, await another(), BOB)],
    [
      "the campaign archived",
      "campaign_archived",
      (_at, to) => app.call("POST", `/campaigns/${to}/archive`),
    ],
  ])("%s", async (_name, stays, prepare) => {
    const { at, to } = await begun({ on: "interested", wait_days: 0 }, { stop_on_reply: false });
    await prepare(at, to);
    const before = await bobIn(to);
    await app.call("PATCH", `/campaigns/${at.campaign}/leads/${bobs(at)}`, {
      interest: "interested",
    });
    expect((await bobIn(to))?.id).toBe(before?.id);
    expect(await keptBecause(at)).toEqual([stays]);
    expect(await statsOf(app, at)).toMatchObject({ moved: 0 });
  });

  test("who has refused in another campaign", async () => {
    const { at, to } = await begun({ on: "interested", wait_days: 0 });
    const other = await another();
    const [there] = await addLeads(app, other, BOB);
    const refusal = { interest: "not_interested", status: "completed" };
    await app.call("PATCH", `/campaigns/${other}/leads/${there.id}`, refusal);
    await interested(at);
    expect(await bobIn(to)).toBeUndefined();
    expect(await keptBecause(at)).toEqual(["refused"]);
  });

  test("not interested, which no rule can be about, nor one for any reply", async () => {
    const { at, to } = await begun({ on: "replied", wait_days: 0 });
    await comeBack(app, {
      kind: "reply",
      enrollment_id: bobs(at),
      text: "Not interested, thanks.",
    });
    expect(await leadOf(app, at)).toMatchObject({ interest: "not_interested" });
    expect(await bobIn(to)).toBeUndefined();
    const refused = await setRules(at.campaign, { on: "not_interested", campaign_id: to });
    expect([refused.status, refused.body.field]).toEqual([422, "rules.0.on"]);
  });
});

describe("a move is taken back while nothing is sent", () => {
  const label = (at: Underway, interest: string | null) =>
    app.call("PATCH", `/campaigns/${at.campaign}/leads/${bobs(at)}`, { interest });

  test("by another interest; the sequence goes on that had ended only for it", async () => {
    const { at, to } = await begun({ on: "interested", wait_days: 1 });
    const before = await leadOf(app, at);
    await label(at, "interested");
    expect(await bobIn(to)).toBeDefined();
    await label(at, null);
    expect(await bobIn(to)).toBeUndefined();
    expect(await leadOf(app, at)).toMatchObject({
      status: "active",
      next_attempt_at: before.next_attempt_at,
    });
    expect((await app.call("GET", `/campaigns/${to}`)).body.status).toBe("active");
  });

  test("by a reply that is read anew as none", async () => {
    const { at, to } = await begun({ on: "replied", wait_days: 1 }, { stop_on_reply: false });
    await comeBack(app, { kind: "reply", enrollment_id: bobs(at), text: "Who are you?" });
    expect(await leadOf(app, at)).toMatchObject({ status: "completed", stop_reason: "moved" });
    const [mail] = (await threadOf(app, bobs(at))).messages.filter(
      ({ direction }: { direction: string }) => direction === "in",
    );
    await app.call("PATCH", `/messages/${mail.id}`, { kind: "notice" });
    expect(await bobIn(to)).toBeUndefined();
    expect(await leadOf(app, at)).toMatchObject({ status: "active" });
  });

  test("but not once an email has gone out", async () => {
    const { at, to } = await begun({ on: "interested", wait_days: 0 });
    await interested(at);
    await app.advance(HOUR_MS);
    expect(await sentIn(to)).toBe(1);
    await label(at, "neutral");
    expect(await bobIn(to)).toMatchObject({ status: "active" });
  });
});

describe("what has begun stops", () => {
  test("by a reply to the emails before it, and goes on when that was none", async () => {
    const { at, to } = await begun({ on: "completed", wait_days: 1 });
    await app.advance(5 * DAY_MS);
    expect(await sentIn(to)).toBe(1);
    await comeBack(app, { kind: "reply", enrollment_id: bobs(at) });
    expect(await bobIn(to)).toMatchObject({ status: "completed", stop_reason: "source_replied" });
    const [mail] = (await threadOf(app, bobs(at))).messages.filter(
      ({ direction }: { direction: string }) => direction === "in",
    );
    await app.call("PATCH", `/messages/${mail.id}`, { kind: "notice" });
    expect(await bobIn(to)).toMatchObject({ status: "active" });
  });

  test("by a refusal to them", async () => {
    const { at, to } = await begun({ on: "completed", wait_days: 1 });
    await app.advance(5 * DAY_MS);
    await app.call("PATCH", `/campaigns/${at.campaign}/leads/${bobs(at)}`, {
      interest: "not_interested",
    });
    expect(await bobIn(to)).toMatchObject({ status: "completed", stop_reason: "moved" });
  });
});

test("a circle over campaigns is refused, with the field", async () => {
  const { at, to } = await begun({ on: "completed", wait_days: 1 });
  const refused = await setRules(to, { on: "replied", campaign_id: at.campaign });
  expect([refused.status, refused.body.field]).toEqual([422, "rules.0.campaign_id"]);
  expect(refused.body.message).toContain("circle");
});

test("the rules that the documentation shows", async () => {
  const at = await underway(app, [BOB]);
  const [first, second] = [await another(), await another()];
  const [shown = ""] = blocks("docs/concepts.md", "json");
  const body = JSON.parse(
    shown.replace(/"01[^"]*100"/, `"${first}"`).replace(/"01[^"]*101"/, `"${second}"`),
  );
  const { rules } = (await app.call("PATCH", `/campaigns/${at.campaign}`, body)).body;
  expect(rules.map((rule: { campaign_id: string }) => rule.campaign_id)).toEqual([first, second]);
});

test("rules are the campaign's: shown, copied, and in the audit log", async () => {
  const { at, to } = await begun({ on: "interested" });
  const rules = [{ on: "interested", campaign_id: to, wait_days: 1, wait_minutes: 0 }];
  expect((await app.call("GET", `/campaigns/${at.campaign}`)).body.rules).toEqual(rules);
  const copy = await app.call("POST", `/campaigns/${at.campaign}/duplicate`);
  expect(copy.body.rules).toEqual(rules);
  const { data } = (await app.call("GET", `/audit?target=campaign:${at.campaign}`)).body;
  expect(data[0].after).toEqual({ rules });
});

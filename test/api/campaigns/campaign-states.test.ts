/** The states of a campaign: who may move it where, what that changes, and what a start wants. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CAMPAIGN_STATUSES, type CampaignStatus } from "#domain/campaigns/campaign.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { campaignById, updateCampaign } from "#store/campaigns/campaigns.ts";
import { readEvents } from "#store/events/events.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, EMAIL_STEP, makeCampaign } from "../../support/campaigns.ts";

/** Anybody can be written to with it. */
const PLAIN = { type: "email", subject: "Hello", body: "Hi there" };

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
  app.environments.clock.setSpeed(0);
});
afterEach(() => app.close());

const act = (id: string, action: string) => app.call("POST", `/campaigns/${id}/${action}`);
const set = (id: string, status: string) => app.call("PATCH", `/campaigns/${id}`, { status });
const read = async (id: string) => (await app.call("GET", `/campaigns/${id}`)).body;
const events = () =>
  readEvents(app.environments.test.db, app.team.id, { after: 0, limit: 100 })
    .map(({ type }) => type)
    .filter((type) => type.startsWith("campaign."));

/** A campaign that could start, put into `status` as the engine would. */
async function inStatus(status: CampaignStatus): Promise<string> {
  if ((await app.call("GET", "/accounts")).body.data.length === 0) {
    await addAccount(app);
  }
  const { id } = await makeCampaign(app, [PLAIN]);
  const env = app.environments.test;
  await env.commit(() => {
    const row = campaignById(env.db, id);
    if (row !== undefined) {
      updateCampaign(env.db, { ...row, status });
    }
  });
  return id;
}

/** Spec: draft→active; active⇄paused; completed→active; any→archived→paused. */
const ALLOWED: Record<CampaignStatus, readonly CampaignStatus[]> = {
  draft: ["active", "archived"],
  active: ["paused", "archived"],
  paused: ["active", "archived"],
  completed: ["active", "archived"],
  archived: ["paused"],
};
const PAIRS = CAMPAIGN_STATUSES.flatMap((from) =>
  CAMPAIGN_STATUSES.map((to) => [from, to] as const),
);

describe("PATCH {status}", () => {
  test.each(PAIRS.filter(([from, to]) => ALLOWED[from].includes(to)))(
    "200: %s may become %s",
    async (from, to) => {
      const id = await inStatus(from);
      await app.advance(MINUTE_MS);
      const before = await read(id);
      const { status, body } = await set(id, to);
      expect([status, body.status]).toEqual([200, to]);
      expect(body.updated_at > before.updated_at).toBe(true);
      expect(body.status_reason).toBe(to === "paused" ? "manual" : null);
      expect(body.started_at).toBe(to === "active" ? body.updated_at : null);
    },
  );

  test.each(PAIRS.filter(([from, to]) => from !== to && !ALLOWED[from].includes(to)))(
    "409: %s cannot become %s, and nothing else of the patch is stored",
    async (from, to) => {
      const id = await inStatus(from);
      const { status, body } = await app.call("PATCH", `/campaigns/${id}`, {
        name: "Summer",
        status: to,
      });
      expect([status, body.type, body.field]).toEqual([409, "conflict", "status"]);
      expect(body.message).toContain(from);
      expect(await read(id)).toMatchObject({ status: from, name: "Spring" });
    },
  );

  test.each(CAMPAIGN_STATUSES)("200: %s may stay what it is", async (status) => {
    const id = await inStatus(status);
    const before = await read(id);
    await app.environments.test.commit(() => undefined);
    const { status: code, body } = await set(id, status);
    expect([code, body.updated_at]).toEqual([200, before.updated_at]);
    expect(events()).toEqual([]);
  });

  test("422: a status that is none", async () => {
    const { status, body } = await set(await inStatus("draft"), "running");
    expect([status, body.field]).toEqual([422, "status"]);
  });

  test("with other fields: all of it or nothing", async () => {
    const id = await inStatus("draft");
    const both = { name: "Summer", status: "active" };
    expect((await app.call("PATCH", `/campaigns/${id}`, both)).body).toMatchObject(both);
    const { id: bare } = await makeCampaign(app, []);
    const refused = await app.call("PATCH", `/campaigns/${bare}`, both);
    expect([refused.status, refused.body.field]).toEqual([422, "steps"]);
    expect(await read(bare)).toMatchObject({ name: "Spring", status: "draft" });
  });
});

describe("actions", () => {
  const FROM = { start: "draft", pause: "active", resume: "paused" } as const;
  const TO = { start: "active", pause: "paused", resume: "active" } as const;
  const actions = ["start", "pause", "resume"] as const;
  const cases = actions.flatMap((action) =>
    CAMPAIGN_STATUSES.map((from) => [action, from] as const),
  );

  test.each(cases)("%s of what is %s", async (action, from) => {
    const id = await inStatus(from);
    const { status, body } = await act(id, action);
    if (from === FROM[action]) {
      expect([status, body.status]).toEqual([200, TO[action]]);
    } else {
      expect([status, body.type, body.field]).toEqual([409, "conflict", "status"]);
      expect((await read(id)).status).toBe(from);
    }
  });

  test.each(CAMPAIGN_STATUSES)("archive of what is %s is allowed", async (from) => {
    const { status, body } = await act(await inStatus(from), "archive");
    expect([status, body.status, body.status_reason]).toEqual([200, "archived", null]);
  });

  test.each(["start", "pause", "resume", "archive"])("%s: 404 for another team", async (action) => {
    const id = await inStatus("draft");
    const { keys } = await app.addTeam("Other");
    const path = `/campaigns/${id}/${action}`;
    expect((await app.call("POST", path, undefined, { key: keys.test })).status).toBe(404);
    expect((await app.live("POST", path)).status).toBe(404);
  });

  test.each([
    ["an empty body", "{}"],
    ["no body", undefined],
  ])("take %s", async (_name, body) => {
    const id = await inStatus("draft");
    expect((await app.call("POST", `/campaigns/${id}/start`, body)).status).toBe(200);
  });

  test("tell what happened, once each", async () => {
    const id = await inStatus("draft");
    for (const action of ["start", "pause", "pause", "resume", "archive", "archive"]) {
      await act(id, action);
    }
    await set(id, "paused");
    expect(events()).toEqual([
      "campaign.started",
      "campaign.paused",
      "campaign.resumed",
      "campaign.paused",
    ]);
  });
});

describe("a start is refused", () => {
  const refused = async (id: string) => {
    const { status, body } = await act(id, "start");
    expect([status, body.type]).toEqual([422, "validation_error"]);
    expect((await read(id)).status).toBe("draft");
    const check = (await app.call("GET", `/campaigns/${id}/launch-check`)).body;
    expect(check.ready).toBe(false);
    expect(check.problems[0].field).toBe(body.field);
    return body.field;
  };

  const steps: [string, object[], string][] = [
    ["without a step", [], "steps"],
    ["with a first email without a subject", [{ type: "email", body: "Hi" }], "steps.0.subject"],
    ["with an email without a body", [{ type: "email", subject: "Hi" }], "steps.0.body"],
    ["with a later email without a body", [EMAIL_STEP, { type: "email" }], "steps.1.body"],
  ];
  test.each(steps)("%s", async (_name, given, field) => {
    await addAccount(app);
    expect(await refused((await makeCampaign(app, given)).id)).toBe(field);
  });

  test("without an account", async () => {
    expect(await refused((await makeCampaign(app)).id)).toBe("account_ids");
  });

  test("with accounts of which none is active, or none is the campaign's", async () => {
    const { id: account } = await addAccount(app);
    const { id: other } = await addAccount(app, "b@sender.example");
    const { id } = await makeCampaign(app);
    await app.call("PATCH", `/campaigns/${id}`, { account_ids: [account] });
    await app.call("PATCH", `/accounts/${account}`, { status: "paused" });
    expect(await refused(id)).toBe("account_ids");
    await app.call("PATCH", `/campaigns/${id}`, { account_ids: [other] });
    expect((await act(id, "start")).status).toBe(200);
  });

  test("in live with an account that is not ready", async () => {
    const body = { email: "ann@example.com", provider: "google" };
    await app.live("POST", "/accounts", body);
    const { id } = (await app.live("POST", "/campaigns", { name: "x" })).body;
    await app.live("POST", `/campaigns/${id}/steps`, EMAIL_STEP);
    const { status, body: answer } = await app.live("POST", `/campaigns/${id}/start`);
    expect([status, answer.field]).toEqual([422, "account_ids"]);
  });

  test("a resume is refused for the same reasons", async () => {
    const { id } = await makeCampaign(app);
    await app.environments.test.commit(() => {
      const row = campaignById(app.environments.test.db, id);
      if (row !== undefined) {
        updateCampaign(app.environments.test.db, { ...row, status: "paused" });
      }
    });
    expect((await act(id, "resume")).body.field).toBe("account_ids");
  });

  test("but not for a lead's missing variable, nor for no leads", async () => {
    await addAccount(app);
    const step = { type: "email", subject: "Hi {{nickname}}", body: "Hello" };
    const { id } = await makeCampaign(app, [step]);
    await addLeads(app, id, "bob@example.com");
    const check = (await app.call("GET", `/campaigns/${id}/launch-check`)).body;
    expect(check).toMatchObject({ ready: true, held_leads: 1 });
    expect((await act(id, "start")).status).toBe(200);
  });
});

describe("by itself", () => {
  test("an active campaign without leads stays active", async () => {
    const id = await inStatus("draft");
    await act(id, "start");
    await app.advance(3 * DAY_MS);
    expect(await read(id)).toMatchObject({ status: "active", sending_status: "nothing_due" });
  });

  test("one whose leads have all ended completes, and says so once", async () => {
    const id = await inStatus("draft");
    await addLeads(app, id, "bob@quiet.example");
    await act(id, "start");
    await app.advance(DAY_MS);
    expect(await read(id)).toMatchObject({ status: "completed", status_reason: null });
    expect(events().filter((type) => type === "campaign.completed")).toHaveLength(1);
  });

  test("a lead on hold does not complete, and neither does its campaign", async () => {
    await addAccount(app);
    const step = { type: "email", subject: "Hi {{nickname}}", body: "Hello" };
    const { id } = await makeCampaign(app, [step]);
    const [lead] = await addLeads(app, id, "bob@example.com");
    await act(id, "start");
    await app.advance(DAY_MS);
    expect((await read(id)).status).toBe("active");
    const { body } = await app.call("GET", `/campaigns/${id}/leads/${lead.id}`);
    expect(body).toMatchObject({ status: "pending", hold_reason: "missing_variable" });
  });

  test("completed and evergreen, it goes on when leads are added; else it waits", async () => {
    for (const evergreen of [true, false]) {
      const id = await inStatus("draft");
      await app.call("PATCH", `/campaigns/${id}`, { evergreen });
      await addLeads(app, id, "bob@quiet.example");
      await act(id, "start");
      await app.advance(DAY_MS);
      expect((await read(id)).status).toBe("completed");
      const leads = [{ email: "cy@quiet.example" }];
      const { body } = await app.call("POST", `/campaigns/${id}/leads`, { leads });
      expect(body.campaign_status).toBe(evergreen ? "active" : "completed");
      expect(body.warning).toEqual(evergreen ? null : expect.stringContaining("not evergreen"));
      const { status } = await read(id);
      expect(status).toBe(evergreen ? "active" : "completed");
      if (!evergreen) {
        await set(id, "active");
      }
      await app.advance(2 * DAY_MS);
      expect((await app.call("GET", `/campaigns/${id}/stats`)).body.sent).toBe(2);
      expect((await read(id)).status).toBe("completed");
    }
  });

  test("an import that imports nobody wakes no completed campaign", async () => {
    const id = await inStatus("draft");
    await addLeads(app, id, "bob@quiet.example");
    await act(id, "start");
    await app.advance(DAY_MS);
    await addLeads(app, id, "bob@quiet.example");
    expect((await read(id)).status).toBe("completed");
  });

  test("completed without an active account, it goes on when leads are added and waits", async () => {
    const id = await inStatus("draft");
    await act(id, "start");
    const [account] = (await app.call("GET", "/accounts")).body.data;
    await app.call("PATCH", `/accounts/${account.id}`, { status: "paused" });
    await addLeads(app, id, "bob@quiet.example");
    await app.advance(HOUR_MS);
    expect(await read(id)).toMatchObject({
      status: "active",
      sending_status: "no_active_account",
      next_send_at: null,
    });
  });
});

test("a paused campaign sends nothing; resumed, it goes on at the mailbox's pace", async () => {
  const id = await inStatus("draft");
  await addLeads(app, id, ...Array.from({ length: 20 }, (_, n) => `p${n}@quiet.example`));
  await act(id, "start");
  await app.advance(20 * MINUTE_MS);
  const sent = async () => (await app.call("GET", `/campaigns/${id}/stats`)).body.sent;
  const before = await sent();
  expect(before).toBeGreaterThan(0);
  await act(id, "pause");
  await app.advance(HOUR_MS);
  expect(await sent()).toBe(before);
  await act(id, "resume");
  await app.advance(6 * MINUTE_MS);
  expect((await sent()) - before).toBeLessThanOrEqual(3);
});

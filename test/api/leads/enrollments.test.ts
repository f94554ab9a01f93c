/** The HTTP contract of the leads of a campaign, beside their import. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { HoldReason } from "#domain/campaigns/enrollment.ts";
import { messagesOf } from "#store/sending/messages.ts";
import { holdEnrollment } from "#usecases/leads/enrollments.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import {
  addAccount,
  addLeads,
  EMAIL_STEP,
  makeCampaign,
  rowOf,
  writeTo,
} from "../../support/campaigns.ts";

let app: TestApp;
let id: string;
beforeEach(async () => {
  app = await createTestApp();
  ({ id } = await makeCampaign(app, [EMAIL_STEP, EMAIL_STEP, EMAIL_STEP]));
});
afterEach(() => app.close());

const UNKNOWN = "00000000-0000-7000-8000-00000000dead";
const path = (leadId: string) => `/campaigns/${id}/leads/${leadId}`;
const patch = (leadId: string, body: object) => app.call("PATCH", path(leadId), body);
const lead = async (email = "ann@example.com") => (await addLeads(app, id, email))[0];

describe("GET /campaigns/{id}/leads", () => {
  test("200: newest first, and the cursor leads through all of them once", async () => {
    const emails = Array.from({ length: 7 }, (_, n) => `p${n}@example.com`);
    await addLeads(app, id, ...emails);
    const seen: string[] = [];
    let after = "";
    do {
      const { body } = await app.call("GET", `/campaigns/${id}/leads?limit=3${after}`);
      expect(body).toMatchObject({ total: 7, limit: 3, offset: 0 });
      expect(body.hasMore).toBe(body.next_cursor !== null);
      seen.push(...body.data.map(({ email }: { email: string }) => email));
      after = body.next_cursor === null ? "" : `&after=${body.next_cursor}`;
    } while (after !== "");
    expect(seen).toEqual(emails.toReversed());
  });

  test("200: filters by status, hold_reason, interest and address", async () => {
    const [ann, bob, eve] = await addLeads(
      app,
      id,
      "ann@x.example",
      "bob@x.example",
      "eve@x.example",
    );
    await patch(ann.id, { status: "paused" });
    await patch(bob.id, { interest: "meeting" });
    await hold(eve.id, "missing_variable");
    const found = async (query: string) => {
      const { body } = await app.call("GET", `/campaigns/${id}/leads?${query}`);
      expect(body.total).toBe(body.data.length);
      return body.data.map(({ email }: { email: string }) => email);
    };
    expect(await found("status=paused")).toEqual(["ann@x.example"]);
    expect(await found("interest=meeting")).toEqual(["bob@x.example"]);
    expect(await found("hold_reason=missing_variable")).toEqual(["eve@x.example"]);
    expect(await found("email=BOB@x.example")).toEqual(["bob@x.example"]);
    expect(await found("email=nobody@x.example")).toEqual([]);
    expect(await found("email=nonsense")).toEqual([]);
  });

  test.each([
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["offset=-1", "offset"],
    ["status=lost", "status"],
    ["after=nonsense", "after"],
    ["color=red", "color"],
    ["limit=1&limit=2", "limit"],
  ])("422: %s", async (query, field) => {
    const { status, body } = await app.call("GET", `/campaigns/${id}/leads?${query}`);
    expect([status, body.field]).toEqual([422, field]);
  });
});

describe("GET /campaigns/{id}/leads/{leadId}", () => {
  test("200: by the lead's id and by its own, in either case", async () => {
    const made = await lead();
    for (const name of [made.id, made.lead_id, made.id.toUpperCase()]) {
      const { status, body } = await app.call("GET", path(name));
      expect([status, body]).toEqual([200, made]);
    }
  });

  test("404: unknown, in another campaign, another team's, another environment's", async () => {
    const made = await lead();
    const other = await makeCampaign(app);
    const { keys } = await app.addTeam("Other");
    for (const answer of [
      await app.call("GET", path(UNKNOWN)),
      await app.call("GET", `/campaigns/${other.id}/leads/${made.lead_id}`),
      await app.call("GET", path(made.id), undefined, { key: keys.test }),
      await app.call("PATCH", path(made.id), {}, { key: keys.test }),
      await app.call("DELETE", path(made.id), undefined, { key: keys.test }),
      await app.live("GET", path(made.id)),
    ]) {
      expect([answer.status, answer.body.type]).toEqual([404, "not_found"]);
    }
  });
});

describe("PATCH /campaigns/{id}/leads/{leadId}", () => {
  test("200: {} and a record sent back whole change nothing", async () => {
    const made = await lead();
    await app.call("POST", "/sandbox/clock", { advance: "1h" });
    expect((await patch(made.id, {})).body).toEqual(made);
    expect((await patch(made.id, made)).body).toEqual(made);
  });

  test("200: paused, and active again where it was", async () => {
    const made = await lead();
    const paused = await patch(made.id, { status: "paused" });
    expect(paused.body).toMatchObject({ status: "paused", next_attempt_at: null });
    const resumed = await patch(made.id, { status: "active" });
    expect(resumed.body).toMatchObject({ status: "pending", next_attempt_at: null });
    expect((await patch(made.id, { status: "active" })).status).toBe(200);
  });

  test("200: paused until an instant", async () => {
    const made = await lead();
    const next_attempt_at = "2026-03-09T10:00:00.000Z";
    const { body } = await patch(made.id, { status: "paused", next_attempt_at });
    expect(body).toMatchObject({ status: "paused", next_attempt_at });
    const cleared = await patch(made.id, { next_attempt_at: null });
    expect(cleared.body).toMatchObject({ status: "paused", next_attempt_at: null });
  });

  test("200: a pause outlasts neither a hold nor the reverse", async () => {
    const made = await lead();
    await hold(made.id, "unknown_send");
    await patch(made.id, { status: "paused" });
    const { body } = await patch(made.id, { status: "active" });
    expect(body).toMatchObject({ status: "pending", hold_reason: "unknown_send" });
  });

  test("200: completed by hand, and then nothing more", async () => {
    const made = await lead();
    const { body } = await patch(made.id, { status: "completed" });
    expect(body).toMatchObject({
      status: "completed",
      stop_reason: "manual",
      next_attempt_at: null,
    });
    for (const status of ["active", "paused"]) {
      const refused = await patch(made.id, { status });
      expect([refused.status, refused.body.field]).toEqual([409, "status"]);
    }
    expect((await patch(made.id, { interest: "neutral" })).body.interest).toBe("neutral");
  });

  test("200: unsubscribed suppresses the address, everywhere, also after the end", async () => {
    const made = await lead();
    const other = await makeCampaign(app);
    const [elsewhere] = await addLeads(app, other.id, "ann@example.com");
    await patch(made.id, { status: "completed" });
    expect((await patch(made.id, { status: "unsubscribed" })).body.status).toBe("unsubscribed");
    const check = await app.call("GET", "/suppressions/check?email=ann@example.com");
    expect(check.body).toMatchObject({ suppressed: true, reason: "unsubscribe" });
    const there = await app.call("GET", `/campaigns/${other.id}/leads/${elsewhere.id}`);
    expect(there.body.status).toBe("unsubscribed");
  });

  test("200: interest, and cleared", async () => {
    const made = await lead();
    expect((await patch(made.id, { interest: "interested" })).body.interest).toBe("interested");
    expect((await patch(made.id, { interest: null })).body.interest).toBeNull();
  });

  test("200: the next attempt, also in the past", async () => {
    const made = await lead();
    const next_attempt_at = "2026-04-01T10:00:00.000Z";
    expect((await patch(made.id, { next_attempt_at })).body.next_attempt_at).toBe(next_attempt_at);
    const past = await patch(made.id, { next_attempt_at: "2020-01-01T00:00:00Z" });
    expect(past.status).toBe(200);
  });

  test("200: the step that it has reached", async () => {
    const made = await lead();
    expect((await patch(made.id, { current_step: 2 })).body.current_step).toBe(2);
  });

  test.each(["pending", "replied", "bounced", "failed", "suppressed"])(
    "409: %s is the engine's to say",
    async (status) => {
      const made = await lead();
      await patch(made.id, { status: "paused" });
      const refused = await patch(made.id, { status });
      expect([refused.status, refused.body.type, refused.body.field]).toEqual([
        409,
        "conflict",
        "status",
      ]);
      expect((await app.call("GET", path(made.id))).body.status).toBe("paused");
    },
  );

  test.each([
    [{ next_attempt_at: "2026-04-01T10:00:00.000Z" }, "next_attempt_at"],
    [{ current_step: 1 }, "current_step"],
  ])("409: one that has ended takes no %j", async (change, field) => {
    const made = await lead();
    await patch(made.id, { status: "completed" });
    const refused = await patch(made.id, change);
    expect([refused.status, refused.body.field]).toEqual([409, field]);
  });

  test("409: one that goes on cannot lose its next attempt", async () => {
    const made = await lead();
    await patch(made.id, { next_attempt_at: "2026-04-01T10:00:00.000Z" });
    const refused = await patch(made.id, { next_attempt_at: null });
    expect([refused.status, refused.body.field]).toEqual([409, "next_attempt_at"]);
  });

  test.each([
    [{ status: "gone" }, "status"],
    [{ status: null }, "status"],
    [{ interest: "hot" }, "interest"],
    [{ next_attempt_at: "tomorrow" }, "next_attempt_at"],
    [{ next_attempt_at: "2026-04-01T10:00:00" }, "next_attempt_at"],
    [{ current_step: 4 }, "current_step"],
    [{ current_step: -1 }, "current_step"],
    [{ current_step: 99 }, "current_step"],
    [{ lead_id: UNKNOWN }, "lead_id"],
    [{ campaign_id: UNKNOWN }, "campaign_id"],
    [{ nonsense: 1 }, "nonsense"],
  ])("422: %j", async (change, field) => {
    const made = await lead();
    const refused = await patch(made.id, change);
    expect([refused.status, refused.body.field]).toEqual([422, field]);
    expect((await app.call("GET", path(made.id))).body).toEqual(made);
  });

  test("422: a wrong part leaves the right parts undone", async () => {
    const made = await lead();
    const refused = await patch(made.id, { status: "paused", current_step: 9 });
    expect(refused.status).toBe(422);
    expect((await app.call("GET", path(made.id))).body).toEqual(made);
  });

  test("412: a stale If-Match changes nothing", async () => {
    const made = await lead();
    const headers = { "If-Match": '"stale"' };
    const body = { interest: "neutral" };
    const answer = await app.call("PATCH", path(made.id), body, { headers });
    expect(answer.status).toBe(412);
  });
});

describe("DELETE /campaigns/{id}/leads/{leadId}", () => {
  test("204: a lead that got nothing is gone, and may be added again", async () => {
    const made = await lead();
    const { status, text } = await app.call("DELETE", path(made.lead_id));
    expect([status, text]).toEqual([204, ""]);
    expect((await app.call("GET", path(made.id))).status).toBe(404);
    expect((await app.call("GET", `/leads/${made.lead_id}`)).status).toBe(200);
    expect(await counters()).toEqual({ enrolled: 0, open: 0, completed: 0 });
    expect((await lead()).lead_id).toBe(made.lead_id);
  });

  test("204: one that was written to ends and stays", async () => {
    const made = await lead();
    await writeTo(app, made.id, "sent");
    expect((await app.call("DELETE", path(made.id))).status).toBe(204);
    const { body } = await app.call("GET", path(made.id));
    expect(body).toMatchObject({ status: "completed", stop_reason: "removed" });
    expect(await counters()).toEqual({ enrolled: 1, open: 0, completed: 1 });
  });

  test("the last open lead completes its campaign as it goes", async () => {
    await addAccount(app);
    const [ann, bob] = await addLeads(app, id, "ann@example.com", "bob@example.com");
    const started = await app.call("POST", `/campaigns/${id}/start`);
    expect(started.status).toBe(200);
    await patch(bob.id, { status: "completed" });
    await app.call("DELETE", path(ann.id));
    expect((await app.call("GET", `/campaigns/${id}`)).body.status).toBe("completed");
  });
});

describe("POST /campaigns/{id}/leads/{leadId}/resolve", () => {
  test("200: treat_as_sent goes on to the next step", async () => {
    const made = await lead();
    await writeTo(app, made.id, "unknown");
    await hold(made.id, "unknown_send");
    const { status, body } = await app.call("POST", `${path(made.id)}/resolve`, {
      action: "treat_as_sent",
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "active", current_step: 1, hold_reason: null });
  });

  test("200: send_again is due at once", async () => {
    const made = await lead();
    await writeTo(app, made.id, "unknown");
    await hold(made.id, "unknown_send");
    const { body } = await app.call("POST", `${path(made.id)}/resolve`, { action: "send_again" });
    expect(body).toMatchObject({ current_step: 0, hold_reason: null });
    expect(messagesOf(app.environments.test.db, made.id).map(({ status }) => status)).toEqual([
      "deferred",
    ]);
  });

  test("409: nothing is in doubt", async () => {
    const made = await lead();
    const body = { action: "send_again" };
    expect((await app.call("POST", `${path(made.id)}/resolve`, body)).status).toBe(409);
  });

  test("422: another action", async () => {
    const made = await lead();
    const answer = await app.call("POST", `${path(made.id)}/resolve`, { action: "forget" });
    expect([answer.status, answer.body.field]).toEqual([422, "action"]);
  });
});

async function hold(enrollmentId: string, reason: HoldReason): Promise<void> {
  const env = app.environments.test;
  await env.commit(() => holdEnrollment(env, rowOf(app, enrollmentId), reason, null));
}

async function counters() {
  const { body } = await app.call("GET", `/campaigns/${id}/stats`);
  const { enrolled, open, completed } = body;
  return { enrolled, open, completed };
}

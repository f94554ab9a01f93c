/** The HTTP contract of `/tasks`: a task holds its lead until it is done, once. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, EMAIL_STEP, makeCampaign } from "../../support/campaigns.ts";

let app: TestApp;
let id: string;
beforeEach(async () => {
  app = await createTestApp();
  const call = { type: "task", subject: "Call", body: "Ring them up" };
  ({ id } = await makeCampaign(app, [call, { ...EMAIL_STEP, subject: "Hi", wait_days: 1 }]));
  await addAccount(app);
});
afterEach(() => app.close());

const UNKNOWN = "00000000-0000-7000-8000-00000000dead";

/** The task of one lead, come to by the engine itself. */
async function openOne() {
  const [lead] = await addLeads(app, id, "ann@example.com");
  await app.call("POST", `/campaigns/${id}/start`);
  await app.call("POST", "/sandbox/clock", { advance: "2h" });
  const { body } = await app.call("GET", "/tasks");
  return { lead, task: body.data[0], page: body };
}

describe("GET /tasks", () => {
  test("200: a lead that comes to a task waits for a person", async () => {
    const { lead, task, page } = await openOne();
    expect(page).toMatchObject({ total: 1, hasMore: false, next_cursor: null });
    expect(task).toMatchObject({
      campaign_id: id,
      lead_id: lead.lead_id,
      enrollment_id: lead.id,
      email: "ann@example.com",
      subject: "Call",
      body: "Ring them up",
      done: false,
      skipped: false,
      note: null,
      done_at: null,
    });
    const { body } = await app.call("GET", `/campaigns/${id}/leads/${lead.id}`);
    expect(body).toMatchObject({ hold_reason: "task", next_attempt_at: null, current_step: 0 });
    expect((await app.call("GET", `/tasks/${task.id}`)).body).toEqual(task);
  });

  test("200: it has the lead's values and one of each choice, and is as it was written where one is missing", async () => {
    const call = {
      ...{ type: "task", subject: "{Call|Ring} {{ first_name }}" },
      body: "{{ company }}, for {{ sender.first_name }}: {a|b}",
    };
    const { id: campaign } = await makeCampaign(app, [call]);
    const who = { first_name: "Flo", company: "Client" };
    await addLeads(app, campaign, { email: "flo@client.example", ...who }, "eve@client.example");
    await app.call("POST", `/campaigns/${campaign}/start`);
    await app.call("POST", "/sandbox/clock", { advance: "2h" });
    const { data } = (await app.call("GET", `/tasks?campaign_id=${campaign}`)).body;
    const of = (email: string) => data.find((task: { email: string }) => task.email === email);
    expect(of("flo@client.example").subject).toMatch(/^(Call|Ring) Flo$/);
    expect(of("flo@client.example").body).toMatch(/^Client, for Ann: [ab]$/);
    expect(of("eve@client.example")).toMatchObject({ subject: call.subject, body: call.body });
  });

  test("200: filters by done and campaign", async () => {
    const { task } = await openOne();
    const other = await makeCampaign(app);
    const total = async (query: string) => (await app.call("GET", `/tasks?${query}`)).body.total;
    expect(await total("done=false")).toBe(1);
    expect(await total("done=true")).toBe(0);
    expect(await total(`campaign_id=${id}`)).toBe(1);
    expect(await total(`campaign_id=${other.id}`)).toBe(0);
    await app.call("PATCH", `/tasks/${task.id}`, { done: true });
    expect(await total("done=true")).toBe(1);
  });

  test.each([
    ["done=maybe", 422, "done"],
    ["campaign_id=x", 422, "campaign_id"],
    ["lead=x", 422, "lead"],
    [`campaign_id=${UNKNOWN}`, 404, null],
  ])("%s: %i", async (query, status, field) => {
    const answer = await app.call("GET", `/tasks?${query}`);
    expect([answer.status, answer.body.field]).toEqual([status, field]);
  });
});

describe("PATCH /tasks/{id}", () => {
  test("200: done lets the lead go on, and the next step waits from then", async () => {
    const { lead, task } = await openOne();
    await app.call("POST", "/sandbox/clock", { advance: "20h" });
    const { status, body } = await app.call("PATCH", `/tasks/${task.id}`, {
      done: true,
      note: "ok",
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ done: true, note: "ok" });
    expect(body.done_at).not.toBeNull();
    const after = (await app.call("GET", `/campaigns/${id}/leads/${lead.id}`)).body;
    expect(after).toMatchObject({ status: "active", current_step: 1, hold_reason: null });
    expect(Date.parse(after.next_attempt_at) - Date.parse(body.done_at)).toBe(86_400_000);
  });

  test("200: skipped lets the lead go on too, and says that nobody did it", async () => {
    const { lead, task } = await openOne();
    const skipped = await app.call("PATCH", `/tasks/${task.id}`, { skipped: true });
    expect(skipped.body).toMatchObject({ done: true, skipped: true });
    expect(skipped.body.done_at).not.toBeNull();
    const { body } = await app.call("GET", `/campaigns/${id}/leads/${lead.id}`);
    expect(body).toMatchObject({ hold_reason: null, current_step: 1 });
    const timeline = (await app.call("GET", `/leads/${lead.lead_id}/timeline`)).body.data;
    expect(timeline.map(({ kind }: { kind: string }) => kind)).toContain("task_skipped");
    for (const change of [{ skipped: false }, { done: false }]) {
      expect((await app.call("PATCH", `/tasks/${task.id}`, change)).status).toBe(409);
    }
  });

  test("409: what is done was not skipped", async () => {
    const { task } = await openOne();
    await app.call("PATCH", `/tasks/${task.id}`, { done: true });
    const late = await app.call("PATCH", `/tasks/${task.id}`, { skipped: true });
    expect([late.status, late.body.field]).toEqual([409, "skipped"]);
  });

  test("200: a note alone leaves the lead waiting; done twice is done once", async () => {
    const { lead, task } = await openOne();
    await app.call("PATCH", `/tasks/${task.id}`, { note: "called, nobody there" });
    const waiting = (await app.call("GET", `/campaigns/${id}/leads/${lead.id}`)).body;
    expect(waiting.hold_reason).toBe("task");
    const first = (await app.call("PATCH", `/tasks/${task.id}`, { done: true })).body;
    await app.call("POST", "/sandbox/clock", { advance: "1h" });
    expect((await app.call("PATCH", `/tasks/${task.id}`, { done: true })).body).toEqual(first);
    expect((await app.call("PATCH", `/tasks/${task.id}`, first)).body).toEqual(first);
  });

  test("200: a task outlives its step and still lets its lead go on", async () => {
    const { lead, task } = await openOne();
    await app.call("DELETE", `/campaigns/${id}/steps/${task.step_id}`);
    expect((await app.call("PATCH", `/tasks/${task.id}`, { done: true })).status).toBe(200);
    const { body } = await app.call("GET", `/campaigns/${id}/leads/${lead.id}`);
    expect(body.hold_reason).toBeNull();
  });

  test("409: what is done stays done", async () => {
    const { task } = await openOne();
    await app.call("PATCH", `/tasks/${task.id}`, { done: true });
    const { status, body } = await app.call("PATCH", `/tasks/${task.id}`, { done: false });
    expect([status, body.field]).toEqual([409, "done"]);
  });

  test.each([
    [{ done: "yes" }, "done"],
    [{ done: null }, "done"],
    [{ note: "x".repeat(10_001) }, "note"],
    [{ lead_id: UNKNOWN }, "lead_id"],
    [{ nonsense: 1 }, "nonsense"],
  ])("422: case %#", async (change, field) => {
    const { task } = await openOne();
    const { status, body } = await app.call("PATCH", `/tasks/${task.id}`, change);
    expect([status, body.field]).toEqual([422, field]);
  });

  test("404: unknown, another team's, another environment's", async () => {
    const { task } = await openOne();
    const { keys } = await app.addTeam("Other");
    for (const answer of [
      await app.call("PATCH", `/tasks/${UNKNOWN}`, {}),
      await app.call("GET", `/tasks/${task.id}`, undefined, { key: keys.test }),
      await app.call("PATCH", `/tasks/${task.id}`, {}, { key: keys.test }),
      await app.live("GET", `/tasks/${task.id}`),
    ]) {
      expect(answer.status).toBe(404);
    }
  });
});

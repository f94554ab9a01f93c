/** The HTTP contract of `/campaigns/{id}/steps`. Positions run from 1 without holes, whatever is done. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { makeCampaign } from "../../support/campaigns.ts";
import { underway } from "../../support/inbox.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const UNKNOWN = "00000000-0000-7000-8000-00000000dead";

describe("POST /campaigns/{id}/steps", () => {
  test("201: a type is enough; waits default to none, then three days", async () => {
    const { id } = await makeCampaign(app, []);

    const first = await app.call("POST", `/campaigns/${id}/steps`, { type: "email" });
    const second = await app.call("POST", `/campaigns/${id}/steps`, { type: "task" });

    expect(first.status).toBe(201);
    expect(first.headers.get("location")).toBe(`/api/v1/campaigns/${id}/steps/${first.body.id}`);
    expect(first.body).toEqual({
      id: first.body.id,
      campaign_id: id,
      position: 1,
      type: "email",
      subject: null,
      body: null,
      format: null,
      attachment_ids: [],
      revision: 1,
      wait_days: 0,
      wait_minutes: 0,
      created_at: "2026-03-02T15:00:00.000Z",
      updated_at: "2026-03-02T15:00:00.000Z",
    });
    expect(second.body).toMatchObject({ position: 2, type: "task", wait_days: 3 });
  });

  test("201: a position inserts and shifts the others", async () => {
    const { id, steps } = await makeCampaign(app, [{ type: "email" }, { type: "email" }]);
    const added = await app.call("POST", `/campaigns/${id}/steps`, { type: "email", position: 1 });
    expect(added.body).toMatchObject({ position: 1, wait_days: 0 });
    expect(await order(id)).toEqual([added.body.id, ...steps]);
  });

  test("a format is kept with its body, and null leaves it to what the body looks like", async () => {
    const { id } = await makeCampaign(app, []);
    const step = { type: "email", subject: "Hi", body: "1 <b>2</b>\n3", format: "plain" };
    const { body: made } = await app.call("POST", `/campaigns/${id}/steps`, step);
    expect(made).toMatchObject(step);
    const path = `/campaigns/${id}/steps/${made.id}`;
    const text = async () => (await app.call("POST", `/campaigns/${id}/preview`, {})).body.text;
    expect(await text()).toStartWith("1 <b>2</b>\n3\n");
    expect((await app.call("PATCH", path, { format: null })).body.format).toBeNull();
    expect(await text()).toStartWith("1 2 3\n");
  });

  test("201: an empty subject is none", async () => {
    const { id } = await makeCampaign(app, []);
    const step = { type: "email", subject: "", body: "x" };
    const { body } = await app.call("POST", `/campaigns/${id}/steps`, step);
    expect(body.subject).toBeNull();
  });

  test.each([
    ["no type", {}, "type"],
    ["an unknown type", { type: "sms" }, "type"],
    ["a line end in the subject", { type: "email", subject: "a\r\nBcc: x@y.example" }, "subject"],
    ["a NUL in the subject", { type: "email", subject: "a\u0000b" }, "subject"],
    ["a long subject", { type: "email", subject: "x".repeat(999) }, "subject"],
    ["an empty body", { type: "email", body: "" }, "body"],
    ["a long body", { type: "email", body: "x".repeat(100_001) }, "body"],
    ["an unknown format", { type: "email", body: "x", format: "rtf" }, "format"],
    ["a wait below 0", { type: "email", wait_days: -1 }, "wait_days"],
    ["a wait above a year", { type: "email", wait_days: 366 }, "wait_days"],
    ["a fraction of a day", { type: "email", wait_days: 1.5 }, "wait_days"],
    ["position 0", { type: "email", position: 0 }, "position"],
    ["a position past the end", { type: "email", position: 2 }, "position"],
    ["an unknown field", { type: "email", delay: 1 }, "delay"],
  ])("422: %s is named, and nothing is stored", async (_name, input, field) => {
    const { id } = await makeCampaign(app, []);
    const { status, body } = await app.call("POST", `/campaigns/${id}/steps`, input);
    expect([status, body.type, body.field]).toEqual([422, "validation_error", field]);
    expect(await order(id)).toEqual([]);
  });

  test("422: one step too many", async () => {
    const { id } = await makeCampaign(
      app,
      Array.from({ length: 50 }, () => ({ type: "email" })),
    );
    const { status } = await app.call("POST", `/campaigns/${id}/steps`, { type: "email" });
    expect(status).toBe(422);
    expect(await order(id)).toHaveLength(50);
  });

  test("the same Idempotency-Key adds one step", async () => {
    const { id } = await makeCampaign(app, []);
    const headers = { "Idempotency-Key": "once" };
    const first = await app.call("POST", `/campaigns/${id}/steps`, { type: "email" }, { headers });
    const again = await app.call("POST", `/campaigns/${id}/steps`, { type: "email" }, { headers });
    expect(again.body).toEqual(first.body);
    expect(await order(id)).toHaveLength(1);
  });
});

describe("PATCH /campaigns/{id}/steps/{stepId}", () => {
  test("200: what is absent stays, and null clears", async () => {
    const { id, steps } = await makeCampaign(app, [{ type: "email", subject: "a", body: "b" }]);
    const path = `/campaigns/${id}/steps/${steps[0]}`;
    const { status, body } = await app.call("PATCH", path, { type: "email", subject: null });
    expect(status).toBe(200);
    expect(body).toMatchObject({ subject: null, body: "b" });
  });

  test("a text is revised once its campaign has been started, and an email says which it was made from", async () => {
    const draft = await makeCampaign(app);
    const { campaign, leads } = await underway(app, ["bob@client.example"]);
    const [first] = (await app.call("GET", `/campaigns/${campaign}/steps`)).body.data;
    const revise = async (id: string, step: string, patch: object) =>
      (await app.call("PATCH", `/campaigns/${id}/steps/${step}`, patch)).body.revision;

    expect(await revise(draft.id, draft.steps[0] ?? "", { body: "Still a draft" })).toBe(1);
    expect(await revise(campaign, first.id, { body: "For later leads" })).toBe(2);
    expect(await revise(campaign, first.id, { wait_days: 4 })).toBe(2);
    expect(await revise(campaign, first.id, { format: "plain" })).toBe(3);
    const { data } = (await app.call("GET", `/leads/${leads[0]?.lead_id}/timeline`)).body;
    const { message } = data.find(({ kind }: { kind: string }) => kind === "written");
    expect(message).toMatchObject({ step_id: first.id, step_position: 1, step_revision: 1 });
  });

  test("200: nothing to change leaves updated_at alone, also for a record sent back whole", async () => {
    const { id, steps } = await makeCampaign(app);
    const path = `/campaigns/${id}/steps/${steps[0]}`;
    const before = (await app.call("GET", path)).body;
    await app.call("POST", "/sandbox/clock", { advance: "1h" });
    expect((await app.call("PATCH", path, {})).body).toEqual(before);
    expect((await app.call("PATCH", path, before)).body).toEqual(before);
  });

  test.each([
    [1, 3, [1, 2, 0]],
    [3, 1, [2, 0, 1]],
    [2, 2, [0, 1, 2]],
  ])("200: moving %i to %i shifts the others", async (from, to, expected) => {
    const { id, steps } = await makeCampaign(app, [
      { type: "email" },
      { type: "email" },
      { type: "email" },
    ]);
    const path = `/campaigns/${id}/steps/${steps[from - 1]}`;
    const { body } = await app.call("PATCH", path, { position: to });
    expect(body.position).toBe(to);
    expect(await order(id)).toEqual(expected.map((index) => steps[index] ?? ""));
  });

  test.each([
    [{ position: 2 }, "position"],
    [{ type: null }, "type"],
    [{ campaign_id: UNKNOWN }, "campaign_id"],
    [{ id: UNKNOWN }, "id"],
    [{ team_id: UNKNOWN }, "team_id"],
    [{ nonsense: 1 }, "nonsense"],
  ])("422: %j", async (patch, field) => {
    const { id, steps } = await makeCampaign(app);
    const answer = await app.call("PATCH", `/campaigns/${id}/steps/${steps[0]}`, patch);
    expect([answer.status, answer.body.field]).toEqual([422, field]);
  });

  test("412: a stale If-Match changes nothing", async () => {
    const { id, steps } = await makeCampaign(app);
    const path = `/campaigns/${id}/steps/${steps[0]}`;
    const read = await app.call("GET", path);
    const headers = { "If-Match": read.headers.get("etag") ?? "" };
    expect((await app.call("PATCH", path, { wait_days: 1 }, { headers })).status).toBe(200);
    expect((await app.call("PATCH", path, { wait_days: 2 }, { headers })).status).toBe(412);
    expect((await app.call("GET", path)).body.wait_days).toBe(1);
  });
});

describe("DELETE /campaigns/{id}/steps/{stepId}", () => {
  test("204: the later steps move up", async () => {
    const { id, steps } = await makeCampaign(app, [
      { type: "email" },
      { type: "email" },
      { type: "email" },
    ]);
    const { status, text } = await app.call("DELETE", `/campaigns/${id}/steps/${steps[1]}`);
    expect([status, text]).toEqual([204, ""]);
    expect(await order(id)).toEqual([steps[0] ?? "", steps[2] ?? ""]);
    const again = await app.call("DELETE", `/campaigns/${id}/steps/${steps[1]}`);
    expect(again.status).toBe(404);
  });
});

describe("every step route", () => {
  test("404: unknown, another campaign's, another team's and another environment's step alike", async () => {
    const { id, steps } = await makeCampaign(app);
    const other = await makeCampaign(app);
    const stranger = await app.addTeam("Other");
    const path = `/campaigns/${id}/steps/${steps[0]}`;
    for (const answer of [
      await app.call("GET", `/campaigns/${id}/steps/${UNKNOWN}`),
      await app.call("GET", `/campaigns/${UNKNOWN}/steps`),
      await app.call("GET", `/campaigns/${other.id}/steps/${steps[0]}`),
      await app.call("GET", path, undefined, { key: stranger.keys.test }),
      await app.call("PATCH", path, {}, { key: stranger.keys.test }),
      await app.call("DELETE", path, undefined, { key: stranger.keys.test }),
      await app.live("GET", path),
    ]) {
      expect([answer.status, answer.body.type]).toEqual([404, "not_found"]);
    }
  });

  test("422: a path that holds no UUID", async () => {
    const { id } = await makeCampaign(app);
    const { status, body } = await app.call("GET", `/campaigns/${id}/steps/undefined`);
    expect([status, body.field]).toEqual([422, "stepId"]);
  });

  test("403: a key that may only read changes nothing", async () => {
    const { id } = await makeCampaign(app);
    const made = await app.call("POST", "/keys", { name: "reader", scopes: ["campaigns:read"] });
    const { key } = made.body;
    expect((await app.call("GET", `/campaigns/${id}/steps`, undefined, { key })).status).toBe(200);
    const input = { type: "email" };
    const refused = await app.call("POST", `/campaigns/${id}/steps`, input, { key });
    expect([refused.status, refused.body.type]).toEqual([403, "permission_error"]);
    expect((await app.call("GET", `/campaigns/${id}/leads`, undefined, { key })).status).toBe(403);
  });

  test("401 without a key", async () => {
    const { id } = await makeCampaign(app);
    for (const [method, path] of [
      ["GET", `/campaigns/${id}/steps`],
      ["POST", `/campaigns/${id}/steps`],
    ] as const) {
      expect((await app.call(method, path, undefined, { key: null })).status).toBe(401);
    }
  });
});

test("positions stay 1 to n in the order asked for, whatever is inserted, moved and deleted", async () => {
  const edit = fc.record({
    kind: fc.constantFrom("insert", "move", "remove"),
    from: fc.nat(100),
    to: fc.nat(100),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { maxLength: 15 }), async (edits) => {
      const { id } = await makeCampaign(app, []);
      const model: string[] = [];
      for (const { kind, from, to } of edits) {
        const target = model[from % Math.max(1, model.length)];
        if (kind === "insert") {
          const position = (to % (model.length + 1)) + 1;
          const input = { type: "email", position };
          const { body } = await app.call("POST", `/campaigns/${id}/steps`, input);
          model.splice(position - 1, 0, body.id);
        } else if (target !== undefined && kind === "move") {
          const position = (to % model.length) + 1;
          await app.call("PATCH", `/campaigns/${id}/steps/${target}`, { position });
          model.splice(model.indexOf(target), 1);
          model.splice(position - 1, 0, target);
        } else if (target !== undefined) {
          await app.call("DELETE", `/campaigns/${id}/steps/${target}`);
          model.splice(model.indexOf(target), 1);
        }
      }
      expect(await order(id)).toEqual(model);
    }),
    { numRuns: 30 },
  );
});

/** Ids in the order of their positions, which must run from 1. */
async function order(campaignId: string): Promise<string[]> {
  const { body } = await app.call("GET", `/campaigns/${campaignId}/steps`);
  expect(Object.keys(body)).toEqual(["data"]);
  const positions = body.data.map((step: { position: number }) => step.position);
  expect(positions).toEqual(positions.map((_: number, index: number) => index + 1));
  return body.data.map((step: { id: string }) => step.id);
}

/** Sequences to one person after a merge: nothing comes twice, and nothing after a refusal. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount } from "../../support/campaigns.ts";
import { comeBack } from "../../support/inbox.ts";
import { addFastAccount, merging } from "../../support/merges/calls.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const { at, enroll, leadsOf, makeSteps, merge, sentTo } = merging(() => app);

describe("emails after a merge", () => {
  async function underWay() {
    await addAccount(app);
    const id = await makeSteps();
    await enroll(id, "old@x.example");
    await app.call("POST", `/campaigns/${id}/start`);
    await app.advance(DAY_MS / 2);
    await enroll(id, "new@y.example");
    const { data } = (await app.call("GET", "/leads")).body;
    const idOf = (email: string) =>
      data.find((lead: { email: string }) => lead.email === email)?.id as string;
    return { id, older: idOf("old@x.example"), newer: idOf("new@y.example") };
  }

  test("one sequence goes on, the furthest, and at the address that stays; no step comes twice", async () => {
    const { id, older, newer } = await underWay();
    expect(await sentTo("old@x.example")).toEqual(["Step 1"]);
    const { body } = await merge(newer, older);
    expect(body.stopped).toBe(1);
    const rows = await leadsOf(id);
    expect(rows.map((row) => [row.lead_id, row.status, row.stop_reason, row.current_step])).toEqual(
      [[newer, "active", null, 1]],
    );
    const { enrolled, completed } = (await app.call("GET", `/campaigns/${id}/stats`)).body;
    expect([enrolled, completed]).toEqual([1, 0]);
    await app.advance(10 * DAY_MS);
    expect(await sentTo("old@x.example")).toEqual(["Step 1"]);
    expect(await sentTo("new@y.example")).toEqual(["Step 2", "Step 3"]);
    const timeline = (await app.call("GET", `/leads/${newer}/timeline`)).body.data;
    expect(timeline.filter(({ kind }: { kind: string }) => kind === "written")).toHaveLength(3);
    expect((await app.call("GET", `/campaigns/${id}/leads/${newer}`)).body.stop_reason).not.toBe(
      "merged",
    );
  });

  test("none goes on where one of them has finished the sequence", async () => {
    await addAccount(app);
    const id = await makeSteps(1);
    await enroll(id, "old@x.example");
    await app.call("POST", `/campaigns/${id}/start`);
    await app.advance(DAY_MS);
    const [older = ""] = (await leadsOf(id)).map(({ lead_id }) => lead_id);
    await app.call("POST", `/campaigns/${id}/pause`);
    await enroll(id, "new@y.example");
    const [newer = ""] = (await leadsOf(id)).map(({ lead_id }) => lead_id);
    expect(newer).not.toBe(older);
    expect((await merge(newer, older)).body.stopped).toBe(1);
    await app.call("POST", `/campaigns/${id}/start`);
    await app.advance(5 * DAY_MS);
    expect(await sentTo("new@y.example")).toEqual([]);
  });

  test.each([
    ["unsubscribe", "unsubscribe"],
    ["complaint", "complaint"],
    ["manual", "manual"],
    ["bounce", null],
  ])(
    "who is suppressed at the old address by %s: %s at the one that stays",
    async (reason, kept) => {
      const { id, older, newer } = await underWay();
      await app.call("POST", "/suppressions", { email: "old@x.example", reason });
      const { body } = await merge(newer, older);
      expect(body.suppressed).toBe(kept);
      const check = await app.call("GET", "/suppressions/check?email=new@y.example");
      expect(check.body.suppressed).toBe(kept !== null);
      await app.advance(10 * DAY_MS);
      const sent = await sentTo("new@y.example");
      expect(sent.length > 0).toBe(kept === null);
      expect((await enroll(id, "new@y.example")).body.imported).toBe(0);
    },
  );

  test("an opt-out at the old address afterwards ends what goes to the other, and so does a reply", async () => {
    const { older, newer } = await underWay();
    await merge(newer, older);
    await app.call("POST", "/suppressions", { email: "old@x.example", reason: "unsubscribe" });
    await app.advance(10 * DAY_MS);
    expect(await sentTo("new@y.example")).toEqual([]);
    const check = await app.call("GET", "/suppressions/check?email=new@y.example");
    expect(check.body.suppressed).toBe(true);
  });

  test("a reply to what the ended sequence has sent ends the other", async () => {
    await addAccount(app);
    const id = await makeSteps();
    await enroll(id, "old@x.example", "new@y.example");
    await app.call("POST", `/campaigns/${id}/start`);
    await app.advance(DAY_MS);
    const [older, newer] = [await at(id, "old@x.example"), await at(id, "new@y.example")];
    expect((await merge(newer.lead_id, older.lead_id)).body.stopped).toBe(1);
    const ended = (await leadsOf(id)).find((row) => row.stop_reason === "merged");
    const reply = { kind: "reply", enrollment_id: ended?.id, text: "Thanks, let's talk." };
    expect((await comeBack(app, reply)).status).toBeLessThan(300);
    const statuses = (await leadsOf(id)).map(({ status }) => status);
    expect(statuses).toEqual(["replied", "replied"]);
    await app.advance(10 * DAY_MS);
    const all = [...(await sentTo("new@y.example")), ...(await sentTo("old@x.example"))];
    expect(all).toEqual(["Step 1", "Step 1"]);
    expect((await app.call("GET", "/inbox/threads")).body.data[0].lead_id).toBe(newer.lead_id);
  });

  test("an erasure takes the old address along", async () => {
    const { older, newer } = await underWay();
    await app.call("POST", "/suppressions", { email: "old@x.example", reason: "manual" });
    await merge(newer, older);
    expect((await app.call("DELETE", `/leads/${newer}`)).status).toBe(204);
    const dump = JSON.stringify([
      (await app.call("GET", "/messages?limit=100")).body,
      (await app.call("GET", "/suppressions?limit=100")).body,
      (await app.call("GET", "/events?limit=100")).body,
      (await app.call("GET", "/sandbox/messages?limit=100")).body,
    ]);
    expect(dump).not.toContain("old@x.example");
    expect(dump).not.toContain("new@y.example");
    expect((await enroll(await makeSteps(1), "old@x.example")).body.imported).toBe(0);
  });
});

const OLD = "old@x.example";
const NEW = "new@y.example";

/** Two addresses of one person, both of which have had the first step. */
async function bothWritten(change: object = {}) {
  await addFastAccount(app);
  const id = await makeSteps();
  await app.call("PATCH", `/campaigns/${id}`, change);
  await enroll(id, OLD, NEW);
  await app.call("POST", `/campaigns/${id}/start`);
  await app.advance(DAY_MS / 4);
  expect([await sentTo(OLD), await sentTo(NEW)]).toEqual([["Step 1"], ["Step 1"]]);
  return { id, older: await at(id, OLD), newer: await at(id, NEW) };
}

/** All that came to the person, whichever the address. */
const sentToBoth = async () => [...(await sentTo(OLD)), ...(await sentTo(NEW))].sort();

const inboundOf = async (enrollment: string) => {
  const { messages } = (await app.call("GET", `/inbox/threads/${enrollment}`)).body;
  return messages.findLast(({ direction }: { direction: string }) => direction === "in").id;
};

const statusOf = async (campaign: string, enrollment: string): Promise<unknown[]> => {
  const { body } = await app.call("GET", `/campaigns/${campaign}/leads/${enrollment}`);
  return [body.status, body.stop_reason, body.next_attempt_at];
};

describe("a sequence that gave way stays ended", () => {
  test("when the notice of a bounce turns out to be none: PATCH /messages/{id}", async () => {
    const { id, older, newer } = await bothWritten();
    await comeBack(app, { kind: "bounce", enrollment_id: older.id });
    expect((await at(id, OLD)).status).toBe("bounced");
    await merge(newer.lead_id, older.lead_id);
    const path = `/messages/${await inboundOf(older.id)}`;
    expect((await app.call("PATCH", path, { kind: "notice" })).status).toBe(200);
    expect(await statusOf(id, older.id)).toEqual(["completed", "merged", null]);
    await app.advance(10 * DAY_MS);
    expect(await sentToBoth()).toEqual(["Step 1", "Step 1", "Step 2", "Step 3"]);
  });

  test("when a suppression is lifted: DELETE /suppressions?resume=true", async () => {
    const { id, older, newer } = await bothWritten();
    const given = { email: OLD, reason: "bounce" };
    const suppression = (await app.call("POST", "/suppressions", given)).body.id;
    await merge(newer.lead_id, older.lead_id);
    const lifted = await app.call("DELETE", `/suppressions/${suppression}?resume=true`);
    expect(lifted.status).toBeLessThan(300);
    expect(await statusOf(id, older.id)).toEqual(["completed", "merged", null]);
    await app.advance(10 * DAY_MS);
    expect(await sentToBoth()).toEqual(["Step 1", "Step 1", "Step 2", "Step 3"]);
  });

  test("when it is resumed by hand, one by one or many at once", async () => {
    await addFastAccount(app);
    const id = await makeSteps();
    await app.call("PATCH", "/sandbox/settings", { faults: { smtp450: 1 } });
    await enroll(id, OLD);
    await app.call("POST", `/campaigns/${id}/start`);
    await app.advance(10 * DAY_MS);
    const refused = await at(id, OLD);
    expect(refused).toMatchObject({ status: "failed", stop_reason: "refused" });
    await app.call("PATCH", "/sandbox/settings", { faults: { smtp450: 0 } });
    await enroll(id, NEW);
    const { lead_id } = await at(id, NEW);
    await merge(lead_id, refused.lead_id);
    const path = `/campaigns/${id}/leads`;
    const resumed = await app.call("PATCH", `${path}/${refused.id}`, { status: "active" });
    expect([resumed.status, resumed.body.field]).toEqual([409, "status"]);
    const many = { action: "resume", lead_ids: [refused.id] };
    expect((await app.call("POST", `${path}/bulk`, many)).body.skipped).toBe(1);
    await app.advance(10 * DAY_MS);
    expect(await sentToBoth()).toEqual(["Step 1", "Step 2", "Step 3"]);
  });
});

test("an email that may have been delivered isn't sent again where the other sequence has sent it", async () => {
  await addFastAccount(app);
  const id = await makeSteps();
  await enroll(id, NEW);
  await app.call("POST", `/campaigns/${id}/start`);
  await app.advance(DAY_MS / 4);
  await app.call("PATCH", "/sandbox/settings", { faults: { cut: 1 } });
  await enroll(id, OLD);
  await app.advance(DAY_MS / 4);
  await app.call("PATCH", "/sandbox/settings", { faults: { cut: 0 } });
  const [older, newer] = [await at(id, OLD), await at(id, NEW)];
  expect((await app.call("GET", `/campaigns/${id}/leads/${older.id}`)).body.hold_reason).toBe(
    "unknown_send",
  );
  await comeBack(app, { kind: "bounce", enrollment_id: newer.id });
  await merge(older.lead_id, newer.lead_id);
  expect((await app.call("GET", `/campaigns/${id}/leads/${older.lead_id}`)).body.id).toBe(older.id);
  for (const { id: enrollment } of await leadsOf(id)) {
    const path = `/campaigns/${id}/leads/${enrollment}/resolve`;
    expect((await app.call("POST", path, { action: "send_again" })).status).toBe(409);
  }
});

describe("what a person has done before or does afterwards counts for the one that goes on", () => {
  test("a reply to a sequence that had bounced and gave way", async () => {
    const { id, older, newer } = await bothWritten();
    await comeBack(app, { kind: "bounce", enrollment_id: older.id });
    await merge(newer.lead_id, older.lead_id);
    await comeBack(app, { kind: "reply", enrollment_id: older.id, text: "Let's talk." });
    expect((await statusOf(id, newer.id))[0]).toBe("replied");
    await app.advance(10 * DAY_MS);
    expect(await sentToBoth()).toEqual(["Step 1", "Step 1"]);
  });

  test("a reply before a bounce, which ended the sequence at the old address", async () => {
    const { id, older, newer } = await bothWritten();
    await comeBack(app, { kind: "reply", enrollment_id: older.id });
    const reply = await inboundOf(older.id);
    await comeBack(app, { kind: "bounce", enrollment_id: older.id });
    expect((await at(id, OLD)).status).toBe("bounced");
    expect((await merge(newer.lead_id, older.lead_id)).body.stopped).toBe(1);
    expect(await statusOf(id, newer.id)).toEqual(["replied", "reply", null]);
    // The reply turns out to be none.
    await app.call("PATCH", `/messages/${reply}`, { kind: "notice" });
    expect((await statusOf(id, newer.id))[0]).toBe("active");
    await app.advance(10 * DAY_MS);
    expect(await sentToBoth()).toEqual(["Step 1", "Step 1", "Step 2", "Step 3"]);
  });

  test("a reply at one address, when what ended the sequence at the other is taken back", async () => {
    const { id, older, newer } = await bothWritten();
    await comeBack(app, { kind: "reply", enrollment_id: older.id });
    await comeBack(app, { kind: "reply", enrollment_id: newer.id });
    const replies = {
      [older.id]: await inboundOf(older.id),
      [newer.id]: await inboundOf(newer.id),
    };
    await merge(newer.lead_id, older.lead_id);
    const standing = (await app.call("GET", `/campaigns/${id}/leads/${newer.lead_id}`)).body.id;
    const other = standing === older.id ? newer.id : older.id;
    await app.call("PATCH", `/messages/${replies[standing]}`, { kind: "notice" });
    expect((await statusOf(id, standing))[0]).toBe("replied");
    await app.call("PATCH", `/messages/${replies[other]}`, { kind: "notice" });
    expect((await statusOf(id, standing))[0]).toBe("active");
    await app.advance(10 * DAY_MS);
    expect(await sentToBoth()).toEqual(["Step 1", "Step 1", "Step 2", "Step 3"]);
  });

  test("an email that one sequence has sent does not come again from the other, which is behind", async () => {
    const { id, older, newer } = await bothWritten();
    await comeBack(app, { kind: "reply", enrollment_id: older.id });
    const reply = await inboundOf(older.id);
    await app.advance(2 * DAY_MS);
    expect(await sentTo(NEW)).toEqual(["Step 1", "Step 2"]);
    expect((await merge(newer.lead_id, older.lead_id)).body.stopped).toBe(1);
    await app.call("PATCH", `/messages/${reply}`, { kind: "notice" });
    expect((await statusOf(id, older.id))[0]).toBe("active");
    await app.advance(10 * DAY_MS);
    expect(await sentToBoth()).toEqual(["Step 1", "Step 1", "Step 2", "Step 3"]);
  });
});

test("who was taken out of a campaign before the first email may come back to it after a merge", async () => {
  await addFastAccount(app);
  const id = await makeSteps();
  await enroll(id, OLD, NEW);
  const [older, newer] = [await at(id, OLD), await at(id, NEW)];
  expect((await merge(newer.lead_id, older.lead_id)).body.stopped).toBe(1);
  expect((await leadsOf(id)).map((row) => row.status)).toEqual(["pending"]);
  const path = `/campaigns/${id}/leads/${newer.lead_id}`;
  expect((await app.call("DELETE", path)).status).toBeLessThan(300);
  expect((await enroll(id, NEW)).body).toMatchObject({ imported: 1, skipped: 0 });
});

test("who is taken out of a campaign after an email to the old address does not come back to it", async () => {
  const { id, older } = await bothWritten();
  await comeBack(app, { kind: "bounce", enrollment_id: older.id });
  await app.call("POST", `/campaigns/${id}/pause`);
  await enroll(id, "third@z.example");
  const { lead_id } = await at(id, "third@z.example");
  await merge(lead_id, older.lead_id);
  const path = `/campaigns/${id}/leads/${lead_id}`;
  expect((await app.call("DELETE", path)).status).toBeLessThan(300);
  const { status, stop_reason } = (await app.call("GET", path)).body;
  expect([status, stop_reason]).toEqual(["completed", "removed"]);
  expect((await enroll(id, "third@z.example")).body.imported).toBe(0);
});

test("a mailbox that its lead has left is no reason not to write to another address", async () => {
  const { id, older, newer } = await bothWritten();
  await comeBack(app, { kind: "left_company", enrollment_id: older.id });
  expect((await at(id, OLD)).stop_reason).toBe("left_company");
  await merge(newer.lead_id, older.lead_id);
  await app.advance(10 * DAY_MS);
  expect(await sentToBoth()).toEqual(["Step 1", "Step 1", "Step 2", "Step 3"]);
});

test("a campaign lists and counts who is left after an erasure of who was merged", async () => {
  const { id, older, newer } = await bothWritten();
  await merge(newer.lead_id, older.lead_id);
  expect((await leadsOf(id)).length).toBe(2);
  await enroll(id, "third@z.example");
  expect((await app.call("DELETE", `/leads/${newer.lead_id}`)).status).toBe(204);
  const { total, data } = (await app.call("GET", `/campaigns/${id}/leads`)).body;
  expect([total, data.length]).toEqual([1, 1]);
});

describe("who refused at one address", () => {
  test("is suppressed at the other, also where the old address bounced besides", async () => {
    const { older, newer } = await bothWritten();
    await app.call("POST", "/suppressions", { email: OLD, reason: "bounce" });
    await app.call("POST", "/suppressions", { email: "@x.example", reason: "manual" });
    expect((await merge(newer.lead_id, older.lead_id)).body.suppressed).toBe("manual");
    await app.advance(10 * DAY_MS);
    expect(await sentTo(NEW)).toEqual(["Step 1"]);
  });

  test("gets nothing at the other while the domain of the old one is suppressed, and then goes on", async () => {
    const { id, older, newer } = await bothWritten();
    await merge(newer.lead_id, older.lead_id);
    const given = { email: "@x.example", reason: "manual" };
    const suppression = (await app.call("POST", "/suppressions", given)).body.id;
    const check = await app.call("GET", `/suppressions/check?email=${NEW}`);
    expect(check.body).toEqual({ suppressed: true, match: "domain", reason: "manual" });
    await app.advance(10 * DAY_MS);
    expect(await sentTo(NEW)).toEqual(["Step 1"]);
    const { status, stop_reason } = (
      await app.call("GET", `/campaigns/${id}/leads/${newer.lead_id}`)
    ).body;
    expect([status, stop_reason]).toEqual(["suppressed", "manual"]);
    await app.call("DELETE", `/suppressions/${suppression}?resume=true`);
    await app.advance(10 * DAY_MS);
    expect(await sentTo(NEW)).toEqual(["Step 1", "Step 2", "Step 3"]);
  });

  test("by hand after a bounce, which is the stronger reason, is suppressed at the other", async () => {
    const { older, newer } = await bothWritten();
    await app.call("POST", "/suppressions", { email: OLD, reason: "bounce" });
    await app.call("POST", "/suppressions", { email: OLD, reason: "manual" });
    expect((await merge(newer.lead_id, older.lead_id)).body.suppressed).toBe("manual");
    await app.advance(10 * DAY_MS);
    expect(await sentTo(NEW)).toEqual(["Step 1"]);
  });

  test("a domain that bounces is no refusal", async () => {
    const { older, newer } = await bothWritten();
    await merge(newer.lead_id, older.lead_id);
    await app.call("POST", "/suppressions", { email: "@x.example", reason: "bounce" });
    await app.advance(10 * DAY_MS);
    expect(await sentTo(NEW)).toEqual(["Step 1", "Step 2", "Step 3"]);
  });
});

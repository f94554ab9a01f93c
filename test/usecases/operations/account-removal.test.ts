/** Guarantee of deleting an account: nothing that it had begun is lost from sight, however much it is. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { standingBeside, updateEnrollment } from "#store/leads/enrollments.ts";
import { leadByEmail } from "#store/leads/leads.ts";
import { accountById, updateAccount } from "#store/mailboxes/accounts.ts";
import { insertMessage, messagesOf, updateMessage } from "#store/sending/messages.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { createTestApp, START, type TestApp } from "../../support/app.ts";
import { addAccount, makeCampaign } from "../../support/campaigns.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

/** A campaign of `count` leads, the enrollment of the n-th changed by `change(n)`. */
async function enroll(count: number, change: (index: number) => Partial<EnrollmentRow>) {
  const { db, commit } = app.environments.test;
  const campaign = await makeCampaign(app);
  const leads = Array.from({ length: count }, (_, index) => ({ email: `u${index}@x.example` }));
  await app.call("POST", `/campaigns/${campaign.id}/leads`, { leads });
  const row = (index: number): EnrollmentRow => {
    const lead = leadByEmail(db, app.team.id, `u${index}@x.example`);
    const found = lead && standingBeside(db, { campaignId: campaign.id, leadId: lead.id });
    if (found === undefined) {
      throw new Error(`lead ${index} is not enrolled`);
    }
    return found;
  };
  await commit(() => {
    for (let index = 0; index < count; index += 1) {
      updateEnrollment(db, { ...row(index), ...change(index) });
    }
  });
  return { id: campaign.id, row };
}

describe("deleteAccount", () => {
  test("409 while it isn't known what it sent since the data was put back: others would send it again", async () => {
    const { id } = await addAccount(app, "a@x.example");
    const { db, commit } = app.environments.test;
    const mark = (unconfirmed: AccountRow["unconfirmed"]) =>
      commit(() => {
        const row = accountById(db, id);
        if (row !== undefined) {
          updateAccount(db, { ...row, unconfirmed });
        }
      });
    await mark({ since: START, until: START });
    const { status, body } = await app.call("DELETE", `/accounts/${id}`);
    expect([status, body.type]).toEqual([409, "conflict"]);
    expect(body.message).toContain("disable it");
    await mark(null);
    expect((await app.call("DELETE", `/accounts/${id}`)).status).toBe(204);
  });

  test("holds what was begun from it, and only that", async () => {
    const [own, other] = [
      await addAccount(app, "a@x.example"),
      await addAccount(app, "b@x.example"),
    ];
    const changes: Partial<EnrollmentRow>[] = [
      { accountId: own.id, status: "active" },
      { accountId: own.id, status: "paused", dueAt: null },
      { accountId: own.id, status: "active", dueAt: null, holdReason: "unknown_send" },
      { accountId: own.id, status: "completed", dueAt: null },
      { accountId: other.id, status: "active" },
      {},
    ];
    const { row } = await enroll(changes.length, (index) => changes[index] ?? {});

    expect((await app.call("DELETE", `/accounts/${own.id}`)).status).toBe(204);

    expect(changes.map((_, index) => row(index).holdReason)).toEqual([
      "account_gone",
      "account_gone",
      "unknown_send",
      null,
      null,
      null,
    ]);
    expect(row(0)).toMatchObject({ dueAt: null, holdDetail: "a@x.example was deleted" });
    expect([row(3).status, row(0).accountId]).toEqual(["completed", own.id]);
  });

  test("holds it for good: going on needs a mailbox", async () => {
    const { id: accountId } = await addAccount(app);
    const { id, row } = await enroll(1, () => ({ accountId, status: "active", lastSentAt: START }));
    await app.call("POST", `/campaigns/${id}/steps`, { type: "email", body: "Again" });
    await app.call("DELETE", `/accounts/${accountId}`);
    await app.call("PATCH", `/campaigns/${id}/leads/${row(0).id}`, { status: "active" });
    expect(row(0)).toMatchObject({ status: "active", holdReason: "account_gone", dueAt: null });
  });

  test("holds more than fits into one slice", async () => {
    const { id } = await addAccount(app);
    const { row } = await enroll(4001, () => ({ accountId: id, status: "active" }));
    expect((await app.call("DELETE", `/accounts/${id}`)).status).toBe(204);
    const held = Array.from({ length: 4001 }, (_, index) => row(index).holdReason);
    expect(new Set(held)).toEqual(new Set(["account_gone"]));
  });

  test("waits for a message that is under way, and keeps the messages that went out", async () => {
    const { db, commit } = app.environments.test;
    const { id } = await addAccount(app);
    const { row } = await enroll(1, () => ({ accountId: id, status: "active" }));
    const message = sending(row(0), id);
    await commit(() => insertMessage(db, message));

    const refused = await app.call("DELETE", `/accounts/${id}`);
    expect(refused.body).toMatchObject({ type: "conflict", status: 409 });
    expect((await app.call("GET", `/accounts/${id}`)).body.status).toBe("active");
    expect(row(0).holdReason).toBeNull();

    await commit(() => updateMessage(db, { ...message, status: "sent", sentAt: START }));
    expect((await app.call("DELETE", `/accounts/${id}`)).status).toBe(204);
    expect(messagesOf(db, row(0).id)).toMatchObject([{ accountId: id, status: "sent" }]);
  });
});

function sending(enrollment: EnrollmentRow, accountId: string): MessageRow {
  return {
    id: "00000000-0000-7000-8000-000000000abc",
    teamId: enrollment.teamId,
    campaignId: enrollment.campaignId,
    enrollmentId: enrollment.id,
    leadId: enrollment.leadId,
    accountId,
    stepId: "00000000-0000-7000-8000-000000000def",
    kind: "step",
    stepPosition: 1,
    stepRevision: 1,
    status: "sending",
    messageId: "<one@x.example>",
    inReplyTo: null,
    references: [],
    recipient: "u0@x.example",
    subject: "Hello",
    text: "Hi",
    html: "<p>Hi</p>",
    attempts: 1,
    claimedAt: START,
    dataAt: null,
    sentAt: null,
    response: null,
    code: null,
    bouncedAt: null,
    repliedAt: null,
    reserved: [],
    copyDueAt: null,
    dueAt: null,
    providerId: null,
    recipientHash: null,
    sentAs: null,
    threadId: null,
    placementTestId: null,
  };
}

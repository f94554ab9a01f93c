/** Campaigns as tests need them, made through the API. */

import type { MessageStatus } from "#domain/sending/message.ts";
import { stepsOf } from "#store/campaigns/steps.ts";
import { enrollmentById, updateEnrollment } from "#store/leads/enrollments.ts";
import { insertMessage } from "#store/sending/messages.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import type { TestApp } from "./app.ts";

export const EMAIL_STEP = { type: "email", subject: "Hello {{first_name}}", body: "Hi there" };

/** A draft with these steps, by default one email; returns its id and those of the steps. */
export async function makeCampaign(
  app: TestApp,
  steps: readonly object[] = [EMAIL_STEP],
): Promise<{ id: string; steps: string[] }> {
  const campaign = await app.call("POST", "/campaigns", { name: "Spring" });
  const ids: string[] = [];
  for (const step of steps) {
    const { body } = await app.call("POST", `/campaigns/${campaign.body.id}/steps`, step);
    ids.push(body.id);
  }
  return { id: campaign.body.id, steps: ids };
}

/** Imports these addresses (or items) and answers the campaign leads in the order given. */
export async function addLeads(
  app: TestApp,
  campaignId: string,
  ...items: readonly (string | { email: string })[]
) {
  const leads = items.map((item) => (typeof item === "string" ? { email: item } : item));
  await app.call("POST", `/campaigns/${campaignId}/leads`, { leads });
  const found = [];
  for (const { email } of leads) {
    const path = `/campaigns/${campaignId}/leads?email=${encodeURIComponent(email)}`;
    found.push((await app.call("GET", path)).body.data[0]);
  }
  return found;
}

/** A mailbox of the test environment, ready at once. */
export async function addAccount(app: TestApp, email = "ann@sender.example") {
  const body = { email, provider: "smtp", display_name: "Ann Sender" };
  return (await app.call("POST", "/accounts", body)).body;
}

/** The row of an enrollment of the test environment. */
export function rowOf(app: TestApp, enrollmentId: string): EnrollmentRow {
  const row = enrollmentById(app.environments.test.db, enrollmentId);
  if (row === undefined) {
    throw new Error("no such enrollment");
  }
  return row;
}

/** A message of the first step, in the state in which the engine would leave it. */
export async function writeTo(
  app: TestApp,
  enrollmentId: string,
  status: MessageStatus,
): Promise<void> {
  const env = app.environments.test;
  const row = rowOf(app, enrollmentId);
  const step = stepsOf(env.db, row.campaignId)[0];
  const now = env.clock.now();
  await env.commit(() => {
    updateEnrollment(env.db, { ...row, nextPlaceId: step?.placeId ?? null });
    insertMessage(env.db, {
      id: env.ids.next(now),
      teamId: row.teamId,
      campaignId: row.campaignId,
      enrollmentId: row.id,
      leadId: row.leadId,
      accountId: row.accountId ?? row.id,
      stepId: step?.id ?? row.id,
      kind: "step",
      stepPosition: 1,
      stepRevision: 1,
      status,
      messageId: `<${row.id}@sender.example>`,
      inReplyTo: null,
      references: [],
      recipient: "ann@example.com",
      subject: "Hello",
      text: "Hi",
      html: "<p>Hi</p>",
      attempts: 1,
      claimedAt: now,
      dataAt: now,
      sentAt: status === "sent" ? now : null,
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
    });
  });
}

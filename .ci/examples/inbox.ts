/** Replies: played in by the sandbox, read, sorted and answered. */

import { MINUTE_MS, SECOND_MS } from "#domain/time.ts";
import { DANA, type Underway } from "./campaigns.ts";
import type { Scene } from "./scene.ts";

export async function recordInbox(scene: Scene, campaign: Underway): Promise<void> {
  const { app, show } = scene;
  const [enrollmentId] = campaign.enrollments;
  const text = "That would be me. Could you call on Thursday?";
  await show.injectIntoSandbox({ body: { kind: "reply", enrollment_id: enrollmentId, text } });
  await app.advance(SECOND_MS);
  await show.listInboxFolders();
  const { data } = await show.listInboxThreads({ limit: 1 });
  const id = data[0]?.id ?? "";
  const { messages } = await show.getInboxThread({ id });
  const messageId = messages.at(-1)?.id ?? "";
  await show.patchInboxThread({ id, body: { read: true, interest: "meeting" } });
  await show.changeInboxThreads({
    body: { ids: [id], change: { done: false }, add_tags: ["hot"] },
  });
  await show.tagInboxThreads({ body: { ids: [id], add: ["pricing"] } });
  await show.listInboxThreadTags({ ids: id });
  const noted = { body: "Met them at the fair in May" };
  const { id: noteId } = await show.createInboxThreadNote({ id, body: noted });
  await show.listInboxThreadNotes({ id });
  await show.deleteInboxThreadNote({ id, noteId });
  await show.getMessage({ id: messageId });
  await show.patchMessage({ id: messageId, body: { kind: "reply" } });
  await show.getMessageRaw({ id: messageId });
  await show.replyToInboxThread({ id, body: { body: "Thursday at ten it is. I'll call you." } });
  await show.forwardInboxThread({
    id,
    body: { to: "cleo@example.com", body: "Can you join the call?" },
  });
  const canned = { name: "Times", body: "Hi {{ first_name }}, would Tuesday at three suit you?" };
  const { id: cannedId } = await show.createCannedReply({ body: canned });
  await show.listCannedReplies({ thread_id: id });
  await show.getCannedReply({ id: cannedId });
  await show.patchCannedReply({ id: cannedId, body: { name: "Suggest a time" } });
  await show.deleteCannedReply({ id: cannedId });
  await recordStray(scene, campaign);
}

/** An offer, to be attached. */
export async function recordFiles({ show }: Scene): Promise<void> {
  const contentType = "application/octet-stream" as const;
  const { id } = await show.uploadFile({ name: "offer.txt", contentType, body: "Our offer" });
  await show.listFiles({ limit: 1, include: "uses" });
  await show.getFile({ id });
  await show.deleteFile({ id });
}

/** Dana writes to a mailbox that has not written to her. */
async function recordStray({ app, show, ask }: Scene, campaign: Underway): Promise<void> {
  const other = await ask.createAccount({ body: { email: "cleo@example.com", provider: "smtp" } });
  await app.advance(20 * MINUTE_MS);
  const email = { from: DANA.email, text: "A colleague sent me your email." };
  await ask.injectIntoSandbox({ body: { kind: "reply", account_id: other.id, ...email } });
  await app.advance(SECOND_MS);
  const { data } = await ask.listInboxThreads({ limit: 1 });
  const [, enrollmentId] = campaign.enrollments;
  await show.attachInboxThread({
    id: data[0]?.id ?? "",
    body: { enrollment_id: enrollmentId },
  });
}

/** What the sandbox has captured, and its clock. */
export async function recordSandbox({ show }: Scene): Promise<void> {
  const { data } = await show.listSandboxMessages({ limit: 1 });
  const id = data[0]?.id ?? "";
  await show.getSandboxMessage({ id });
  await show.getSandboxMessageRaw({ id });
  await show.getSandboxSettings();
  await show.getSandboxClock();
  await show.moveSandboxClock({ body: { advance: "1h" } });
}

export async function recordSuppressions({ show }: Scene): Promise<void> {
  const body = { email: "gus@hooli.example", reason: "manual" } as const;
  const { id } = await show.createSuppression({ body });
  await show.createSuppression({ body });
  await show.listSuppressions({ limit: 1 });
  await show.getSuppression({ id });
  await show.checkSuppression({ email: body.email });
  await show.deleteSuppression({ id });
}

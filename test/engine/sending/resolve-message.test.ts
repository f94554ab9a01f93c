/**
 * A person decides about the unconfirmed message that they name: of several that one, and also when its
 * lead has ended.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { MINUTE_MS } from "#domain/time.ts";
import { insertMessage } from "#store/sending/messages.ts";
import { createLive, type LiveApp } from "../support.ts";

const STEPS = [
  { type: "email", subject: "Offer", body: "Hello" },
  { type: "email", body: "Again", wait_days: 1 },
  { type: "email", body: "Once more", wait_days: 1 },
];

let live: LiveApp;
let campaign: string;
let lead: string;

/** A lead whose first email was handed over when the connection broke. */
beforeEach(async () => {
  live = await createLive();
  await live.addAccount();
  live.mail.outcomes.push({ kind: "unreachable", stage: "data", reason: "cut", bodySent: true });
  const { id, leads } = await live.launch(STEPS, "bob@example.com");
  campaign = id;
  lead = leads[0] ?? "";
  await live.run(MINUTE_MS);
  expect(live.messages(lead).map(({ status }) => status)).toEqual(["unknown"]);
});
afterEach(() => live.app.close());

const statuses = () => live.messages(lead).map(({ status }) => status);
const first = () => live.messages(lead)[0]?.id ?? "";
const resolve = (message: string, action: string) =>
  live.call("POST", `/messages/${message}/resolve`, { action });
const resolveLead = (body: object) =>
  live.call("POST", `/campaigns/${campaign}/leads/${lead}/resolve`, body);
const end = () =>
  live.call("PATCH", `/campaigns/${campaign}/leads/${lead}`, { status: "completed" });

/** The same of the second step. */
async function addSecond(): Promise<string> {
  const env = live.app.environments.live;
  const [message] = live.messages(lead);
  const { body } = await live.call("GET", `/campaigns/${campaign}/steps`);
  if (message === undefined) {
    throw new Error("no message");
  }
  const id = env.ids.next(env.clock.now());
  const second = { ...message, id, messageId: `<${id}@sender.example>`, stepPosition: 2 };
  await env.commit(() => insertMessage(env.db, { ...second, stepId: body.data[1].id }));
  return id;
}

describe("whose lead has ended", () => {
  test.each([
    ["by the message", () => resolve(first(), "treat_as_sent")],
    ["by the lead", () => resolveLead({ action: "treat_as_sent" })],
  ])("%s: it was sent, and the lead stays as it ended", async (_name, decide) => {
    await end();
    expect((await decide()).status).toBe(200);
    expect(statuses()).toEqual(["sent"]);
    expect(live.lead(lead)).toMatchObject({ status: "completed", stopReason: "manual" });
    expect(live.campaign(campaign)).toMatchObject({ sent: 1, completed: 1, open: 0 });
    await live.days(3);
    expect(live.mail.taken).toEqual([]);
  });

  test("409: it is not sent again, and the answer says why", async () => {
    await end();
    const { status, body } = await resolve(first(), "send_again");
    expect([status, body.type]).toEqual([409, "conflict"]);
    expect(body.message).toContain("completed");
    expect(statuses()).toEqual(["unknown"]);
  });
});

describe("one of several", () => {
  test("the one that is named is decided about, and the lead goes on after the last", async () => {
    const second = await addSecond();
    expect((await resolve(first(), "treat_as_sent")).status).toBe(200);
    expect(statuses()).toEqual(["sent", "unknown"]);
    expect(live.lead(lead)).toMatchObject({ currentStep: 1, holdReason: "unknown_send" });
    expect((await resolve(first(), "treat_as_sent")).status).toBe(409);
    expect((await resolve(second, "treat_as_sent")).status).toBe(200);
    expect(live.lead(lead)).toMatchObject({ currentStep: 2, holdReason: null, status: "active" });
    await live.days(3);
    expect(live.mail.taken).toHaveLength(1);
    expect(live.lead(lead)).toMatchObject({ currentStep: 3, status: "completed" });
  });

  test("in the other order the lead stands at the last step that was sent", async () => {
    const second = await addSecond();
    expect((await resolve(second, "treat_as_sent")).status).toBe(200);
    expect(statuses()).toEqual(["unknown", "sent"]);
    expect((await resolve(first(), "treat_as_sent")).status).toBe(200);
    expect(live.lead(lead)).toMatchObject({ currentStep: 2, holdReason: null });
    expect(live.campaign(campaign).sent).toBe(2);
  });

  test("by the lead: 409 until one of them is named", async () => {
    const second = await addSecond();
    const unnamed = await resolveLead({ action: "treat_as_sent" });
    expect([unnamed.status, unnamed.body.field]).toEqual([409, "message_id"]);
    expect(statuses()).toEqual(["unknown", "unknown"]);
    const named = await resolveLead({ action: "treat_as_sent", message_id: second });
    expect([named.status, named.body.hold_reason]).toEqual([200, "unknown_send"]);
    expect(statuses()).toEqual(["unknown", "sent"]);
    const stranger = { action: "treat_as_sent", message_id: lead };
    expect((await resolveLead(stranger)).status).toBe(404);
  });

  test("one that its lead has gone past is not sent again", async () => {
    const second = await addSecond();
    await resolve(second, "treat_as_sent");
    const { status, body } = await resolve(first(), "send_again");
    expect([status, body.type]).toEqual([409, "conflict"]);
    expect(statuses()).toEqual(["unknown", "sent"]);
  });
});

/**
 * Guarantees of `usecases/delivery/unconfirmed.ts` where no person decides: an email that comes back and names a
 * message in doubt shows that it was sent; whatever it asks for happens as to any other; and nothing less shows
 * it.
 */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { MINUTE_MS } from "#domain/time.ts";
import { createLive, type LiveApp, START } from "../support.ts";

const OWN = "ann@sender.example";
const TO = "bob@example.com";
const STEPS = [
  { type: "email", subject: "Offer", body: "Hello" },
  { type: "email", body: "Again", wait_days: 1 },
];

let live: LiveApp;
let campaign: string;
let lead: string;

/** A lead whose email was handed over when the connection broke. */
beforeEach(async () => {
  live = await createLive();
  await live.addAccount(OWN);
  live.mail.outcomes.push({ kind: "unreachable", stage: "data", reason: "cut", bodySent: true });
  const { id, leads } = await live.launch(STEPS, TO);
  campaign = id;
  lead = leads[0] ?? "";
  await live.run(MINUTE_MS);
  expect(message()).toMatchObject({ status: "unknown", dataAt: START });
  expect(live.lead(lead)).toMatchObject({ holdReason: "unknown_send", dueAt: null });
  expect(live.campaign(campaign).sent).toBe(0);
});
afterEach(() => live.app.close());

const message = () => live.messages(lead)[0];

async function receive(headers: string[], body: string): Promise<void> {
  const common = [
    `To: ${OWN}`,
    `Message-ID: <${crypto.randomUUID()}@example.com>`,
    "Date: Mon, 02 Mar 2026 15:30:00 +0000",
    "MIME-Version: 1.0",
  ];
  live.deliver(OWN, [...headers, ...common, "", body].join("\n"));
  await live.run(2 * MINUTE_MS);
}

function answer(named: boolean): Promise<void> {
  const headers = [`From: Bob <${TO}>`, "Subject: Re: Offer", "Content-Type: text/plain"];
  const names = named ? [`In-Reply-To: ${message()?.messageId}`] : [];
  return receive([...headers, ...names], "Tell me more.");
}

function report(action: string, status: string): Promise<void> {
  const part = (type: string, text: string) => `--b\nContent-Type: ${type}\n\n${text}\n`;
  const headers = [
    "From: Mail Delivery System <mailer-daemon@mx.example.com>",
    "Subject: Delivery Status Notification",
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
  ];
  const parts = [
    part("text/plain", "About your message."),
    part(
      "message/delivery-status",
      `Reporting-MTA: dns; mx.example.com\n\nFinal-Recipient: rfc822; ${TO}\nAction: ${action}\nStatus: ${status}\n`,
    ),
    part("text/rfc822-headers", `To: ${TO}\nMessage-ID: ${message()?.messageId}\n`),
    "--b--",
  ];
  return receive(headers, parts.join(""));
}

test("an answer that names it: it was sent, and answered", async () => {
  await answer(true);
  expect(message()).toMatchObject({ status: "sent", sentAt: START });
  expect(live.lead(lead)).toMatchObject({ status: "replied", holdReason: null });
  expect(live.campaign(campaign)).toMatchObject({ sent: 1, replied: 1 });
  expect(live.events().filter((type) => type === "email.sent")).toHaveLength(1);
});

test("a report of its failure: it was sent, and bounced", async () => {
  await report("failed", "5.1.1");
  expect(message()?.status).toBe("sent");
  expect(live.lead(lead)).toMatchObject({ status: "bounced", stopReason: "bounce_hard" });
  expect(live.campaign(campaign)).toMatchObject({ sent: 1, bounced: 1 });
});

test("a report of a delay: it was sent, and its lead goes on without a person", async () => {
  await report("delayed", "4.4.1");
  expect(message()?.status).toBe("sent");
  expect(live.lead(lead)).toMatchObject({ status: "active", currentStep: 1, holdReason: null });
  await live.days(2);
  expect(live.mail.taken.map(({ to }) => to)).toEqual([TO]);
  expect(live.messages(lead).map(({ status }) => status)).toEqual(["sent", "sent"]);
});

test("the same report twice counts once", async () => {
  await report("delayed", "4.4.1");
  await report("delayed", "4.4.1");
  expect(live.campaign(campaign).sent).toBe(1);
});

test("an email of theirs that names nothing stops what is to come, and shows nothing of the one before", async () => {
  await answer(false);
  expect(message()?.status).toBe("unknown");
  expect(live.campaign(campaign).sent).toBe(0);
  await live.days(2);
  expect(live.mail.taken).toEqual([]);
});

test("a lead that a person has taken out meanwhile stays out, and the email is counted", async () => {
  await live.call("PATCH", `/campaigns/${campaign}/leads/${lead}`, { status: "completed" });
  await report("delayed", "4.4.1");
  expect(live.lead(lead).status).toBe("completed");
  expect(message()?.status).toBe("sent");
  await live.days(2);
  expect(live.mail.taken).toEqual([]);
});

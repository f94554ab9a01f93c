/**
 * What nobody should send, end to end: no crash, no lost message, no effect without a match, and the email
 * after it is read. That each is read in bounded time is shown in `test/domain/inbound/fuzz.test.ts`.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS, unixMs } from "#domain/time.ts";
import { MALFORMED } from "../../support/fuzz/malformed.ts";
import { createLive, type LiveApp } from "../support.ts";

const OWN = "ann@sender.example";
const TO = "bob@client.example";
const STEPS = [{ type: "email", subject: "Offer", body: "Hello" }];
const OTHERS = ["cy@one.example", "di@two.example"];

let live: LiveApp;
let leads: string[];
beforeEach(async () => {
  live = await createLive();
  await live.addAccount(OWN);
  leads = (await live.launch(STEPS, TO, ...OTHERS)).leads;
  await live.run(HOUR_MS);
});
afterEach(() => live.app.close());

const idOf = (lead = "") => live.messages(lead)[0]?.messageId ?? "";
const statuses = () => leads.map((id) => live.lead(id).status);

/** Into the mailbox as bytes: some of these are no text. */
function deliver(raw: Uint8Array): void {
  const box = live.mail.boxes.get(OWN) ?? [];
  const receivedAt = unixMs(live.app.wall.now());
  live.mail.boxes.set(OWN, [
    ...box,
    { folder: "INBOX", uid: String(box.length + 1), receivedAt, raw },
  ]);
}

const answer = (lead: string | undefined, from: string) =>
  Buffer.from(
    `From: ${from}\r\nIn-Reply-To: ${idOf(lead)}\r\nSubject: Re: Offer\r\n\r\nTell me.\r\n`,
  );

async function threads() {
  return (await live.call("GET", "/inbox/threads?limit=100")).body.data;
}

test("mails that answer nothing have no effect, and the next one is read", async () => {
  for (const { make } of MALFORMED) {
    deliver(make());
  }
  deliver(answer(leads[1], OTHERS[0] ?? ""));
  await live.run(5 * MINUTE_MS);
  expect(statuses()).toEqual(["completed", "replied", "completed"]);
  for (const { enrollment_id, kind } of await threads()) {
    expect(enrollment_id === null || kind === "reply").toBe(true);
  }
  expect(live.events().filter((type) => type === "email.bounced")).toEqual([]);
});

describe("an email that answers ours is kept as it came, and the next one is read", () => {
  test.each(MALFORMED.map(({ name, make }) => [name, make] as const))("%s", async (_name, make) => {
    const head = `From: ${TO}\r\nIn-Reply-To: ${idOf(leads[0])}\r\nMessage-ID: <odd@a.b>\r\n`;
    const raw = Buffer.concat([Buffer.from(head), make()]);
    deliver(raw);
    deliver(answer(leads[1], OTHERS[0] ?? ""));
    await live.run(5 * MINUTE_MS);
    expect(statuses()[1]).toBe("replied");
    const kept = live.env.db.raw
      .query<{ raw: Uint8Array }, []>(
        "select raw from inbound_mails where message_id = '<odd@a.b>'",
      )
      .all();
    expect(kept).toHaveLength(1);
    expect(Buffer.from(kept[0]?.raw ?? []).equals(raw)).toBe(true);
    const shown = (await threads()).find((one: { id: string }) => one.id === leads[0]);
    const { messages } = (await live.call("GET", `/inbox/threads/${shown?.id}`)).body;
    const inbound = messages.find((one: { direction: string }) => one.direction === "in");
    expect(inbound.evidence).not.toBe("");
    expect((await live.call("GET", `/messages/${inbound.id}/raw`)).status).toBe(200);
  });
});

describe("a delivery report", () => {
  const report = (status: string, returned: string, text: string) =>
    Buffer.from(
      [
        "Return-Path: <>",
        "From: Mail Delivery System <mailer-daemon@mx.client.example>",
        "Subject: Undelivered Mail Returned to Sender",
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
        "",
        `--b\r\nContent-Type: text/plain\r\n\r\n${text}\r\n`,
        `--b\r\nContent-Type: message/delivery-status\r\n\r\n${status}\r\n`,
        `--b\r\nContent-Type: text/rfc822-headers\r\n\r\n${returned}\r\n`,
        "--b--",
      ].join("\r\n"),
    );
  const said = `<${TO}>: 550 5.1.1 User unknown`;

  test("whose delivery-status is empty is read by its text", async () => {
    deliver(report("", `To: ${TO}\r\nMessage-ID: ${idOf(leads[0])}`, said));
    await live.run(5 * MINUTE_MS);
    expect(statuses()).toEqual(["bounced", "completed", "completed"]);
  });

  test("that is empty throughout has no effect", async () => {
    deliver(report("", "", ""));
    await live.run(5 * MINUTE_MS);
    expect(statuses()).toEqual(["completed", "completed", "completed"]);
  });

  test("that returns a Message-ID which is none of ours has no effect", async () => {
    const fields = `Final-Recipient: rfc822; ${TO}\r\nAction: failed\r\nStatus: 5.1.1`;
    deliver(report(fields, `To: ${TO}\r\nMessage-ID: <forged@sender.example>`, said));
    await live.run(5 * MINUTE_MS);
    expect(statuses()).toEqual(["completed", "completed", "completed"]);
    expect((await live.call("GET", `/suppressions/check?email=${TO}`)).body.suppressed).toBe(false);
  });
});

test("an answer of a lead that was deleted is kept without a lead, and has no effect", async () => {
  const { leadId } = live.lead(leads[0] ?? "");
  const raw = answer(leads[0], TO);
  expect((await live.call("DELETE", `/leads/${leadId}`)).status).toBe(204);
  deliver(raw);
  deliver(answer(leads[1], OTHERS[0] ?? ""));
  await live.run(5 * MINUTE_MS);
  expect(live.lead(leads[1] ?? "").status).toBe("replied");
  expect(live.events().filter((type) => type === "reply.received")).toHaveLength(1);
});

/**
 * Guarantees of receiving: what an email does to the lead, the address and the campaign; each email takes
 * effect once; and one mailbox's trouble is nobody else's.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS, unixMs } from "#domain/time.ts";
import { inboundOf } from "#store/inbox/inbound.ts";
import { createLive, type LiveApp } from "../support.ts";

const OWN = "ann@sender.example";
const TO = "bob@example.com";
const STEPS = [
  { type: "email", subject: "Offer", body: "Hello" },
  { type: "email", body: "Again", wait_days: 2 },
];

let live: LiveApp;
let accountId: string;
beforeEach(async () => {
  live = await createLive();
  accountId = await live.addAccount(OWN);
});
afterEach(() => live.app.close());

/** A lead that has been sent the first of two emails. */
async function written(change: object = {}, ...others: string[]) {
  const { id, leads } = await live.launch(STEPS, TO, ...others);
  await live.call("PATCH", `/campaigns/${id}`, change);
  await live.run(HOUR_MS / 4);
  const lead = leads[0] ?? "";
  const message = live.messages(lead)[0];
  expect(message?.status).toBe("sent");
  return { id, lead, leads, messageId: message?.messageId ?? "", message };
}

interface Draft {
  from?: string;
  subject?: string;
  id?: string;
  answers?: string | null;
  headers?: string[];
  type?: string;
}

function mail(answers: string, body: string, draft: Draft = {}): string {
  const id = draft.id ?? `<${crypto.randomUUID()}@example.com>`;
  const to = draft.answers === undefined ? answers : draft.answers;
  return [
    `From: ${draft.from ?? `Bob <${TO}>`}`,
    `To: ${OWN}`,
    `Subject: ${draft.subject ?? "Re: Offer"}`,
    `Message-ID: ${id}`,
    "Date: Mon, 02 Mar 2026 15:30:00 +0000",
    ...(to === null ? [] : [`In-Reply-To: ${to}`, `References: ${to}`]),
    ...(draft.headers ?? []),
    "MIME-Version: 1.0",
    `Content-Type: ${draft.type ?? "text/plain; charset=utf-8"}`,
    "",
    body,
  ].join("\n");
}

function bounceOf(messageId: string, status: string, words: string): string {
  const part = (type: string, text: string) => `--b\nContent-Type: ${type}\n\n${text}\n`;
  const body = [
    part("text/plain", "Your message could not be delivered."),
    part(
      "message/delivery-status",
      `Reporting-MTA: dns; mx.example.com\n\nFinal-Recipient: rfc822; ${TO}\nAction: failed\nStatus: ${status}\nDiagnostic-Code: smtp; ${words}\n`,
    ),
    part("text/rfc822-headers", `To: ${TO}\nMessage-ID: ${messageId}\n`),
    "--b--",
  ].join("");
  return mail("", body, {
    from: "Mail Delivery System <mailer-daemon@mx.example.com>",
    subject: "Undelivered Mail Returned to Sender",
    answers: null,
    type: 'multipart/report; report-type=delivery-status; boundary="b"',
  });
}

function complaintOf(messageId: string, feedback = "abuse"): string {
  const part = (type: string, text: string) => `--b\nContent-Type: ${type}\n\n${text}\n`;
  const body = [
    part("text/plain", "This is an abuse report."),
    part(
      "message/feedback-report",
      `Feedback-Type: ${feedback}\nUser-Agent: x/1\nVersion: 1\nOriginal-Rcpt-To: ${TO}\n`,
    ),
    part("message/rfc822", `From: ${OWN}\nTo: ${TO}\nMessage-ID: ${messageId}\n\nHello\n`),
    "--b--",
  ].join("");
  return mail("", body, {
    from: "feedback@isp.example",
    subject: "Abuse report",
    answers: null,
    type: 'multipart/report; report-type=feedback-report; boundary="b"',
  });
}

const receive = async (raw: string, folder?: string) => {
  live.deliver(OWN, raw, folder);
  await live.run(2 * MINUTE_MS);
};
const count = (type: string) => live.events().filter((told) => told === type).length;
const check = async (email: string) =>
  (await live.call("GET", `/suppressions/check?email=${email}`)).body;

describe("a reply", () => {
  test("ends the sequence, is counted and shown, and nothing more is sent", async () => {
    const { id, lead, messageId } = await written();
    await receive(mail(messageId, "Sounds good, tell me more."));
    expect(live.lead(lead)).toMatchObject({ status: "replied", stopReason: "reply", dueAt: null });
    expect(live.campaign(id)).toMatchObject({ replied: 1, status: "completed" });
    const [step] = (await live.call("GET", `/campaigns/${id}/stats`)).body.steps;
    expect(step).toMatchObject({ sent: 1, replied: 1 });
    expect(live.messages(lead)[0]?.repliedAt).not.toBeNull();
    expect(count("reply.received")).toBe(1);
    await live.days(3);
    expect(live.mail.taken).toHaveLength(1);
    expect((await check(TO)).suppressed).toBe(false);
  });

  test("that only the References name is matched too, and so is one by its sender alone", async () => {
    const { lead, messageId } = await written();
    const headers = [`References: <x@y.example> ${messageId} <z@y.example>`];
    await receive(mail("", "Yes?", { answers: null, headers }));
    expect(live.lead(lead).status).toBe("replied");
  });

  test("without any reference is matched by whom we wrote to", async () => {
    const { lead } = await written();
    await receive(mail("", "Hi Ann, about your mail", { answers: null, subject: "Question" }));
    expect(live.lead(lead).status).toBe("replied");
  });

  test("of a stranger does nothing and is not kept", async () => {
    const { lead } = await written();
    await receive(mail("", "Hi", { answers: null, from: "zoe@elsewhere.example" }));
    expect(live.lead(lead).status).toBe("active");
    expect(inboundOf(live.env.db, lead)).toEqual([]);
    expect(count("reply.received") + count("reply.untracked")).toBe(0);
  });

  test("where replies do not stop: counted, and the sequence goes on", async () => {
    const { id, lead, messageId } = await written({ stop_on_reply: false });
    await receive(mail(messageId, "Maybe later this year."));
    await receive(mail(messageId, "One more thing about it."));
    expect(live.lead(lead).status).toBe("active");
    expect(live.campaign(id).replied).toBe(1);
    expect(count("reply.received")).toBe(2);
    await live.days(3);
    expect(live.mail.taken).toHaveLength(2);
  });

  test("ends the company's other leads where the campaign says so", async () => {
    const change = { stop_company_on_reply: true };
    const { leads, messageId } = await written(change, "cy@example.com", "di@other.example");
    await receive(mail(messageId, "Please talk to me only."));
    expect(leads.map((id) => live.lead(id).status)).toEqual(["replied", "completed", "active"]);
    expect(live.lead(leads[1] ?? "").stopReason).toBe("company_replied");
  });

  test("after the sequence has ended still counts as one", async () => {
    const { id, lead, messageId } = await written();
    await live.days(3);
    expect(live.lead(lead).status).toBe("completed");
    await receive(mail(messageId, "Sorry for the delay, yes please."));
    expect(live.lead(lead).status).toBe("replied");
    expect(live.campaign(id)).toMatchObject({ replied: 1, completed: 0, status: "completed" });
  });

  test("our own email, copied into the inbox, is none", async () => {
    const { lead, messageId } = await written();
    await receive(mail(messageId, "Hello", { from: `Ann <${OWN}>` }));
    expect(live.lead(lead).status).toBe("active");
    expect(count("reply.received")).toBe(0);
  });
});

describe("an automatic answer", () => {
  const away = (messageId: string, text: string, id?: string) =>
    mail(messageId, text, {
      subject: "Automatic reply: Offer",
      headers: ["Auto-Submitted: auto-replied"],
      ...(id === undefined ? {} : { id }),
    });

  test("with a date pauses the lead until then, and it goes on by itself", async () => {
    const { id, lead, messageId } = await written();
    await receive(away(messageId, "I am out of the office until 10 March 2026."));
    const row = live.lead(lead);
    expect(row).toMatchObject({ status: "paused", stopReason: "auto_reply" });
    // Back on the 11th; that day is for the email that has piled up.
    expect(new Date(row.dueAt ?? 0).toISOString()).toBe("2026-03-12T09:00:00.000Z");
    expect(live.campaign(id)).toMatchObject({ replied: 0, autoReplied: 1, status: "active" });
    expect(count("reply.auto")).toBe(1);
    live.app.wall.set(unixMs((row.dueAt ?? 0) - MINUTE_MS));
    await live.run(HOUR_MS / 2);
    expect(live.mail.taken).toHaveLength(2);
    expect(live.lead(lead).status).toBe("completed");
  });

  test("that says less than the wait before the next step takes no time away", async () => {
    const { lead, messageId } = await written();
    const { dueAt } = live.lead(lead);
    await receive(away(messageId, "I am out of the office until 2 March 2026."));
    expect(live.lead(lead)).toMatchObject({ status: "active", dueAt });
  });

  test("ends the sequence where the campaign says so", async () => {
    const { lead, messageId } = await written({ stop_on_auto_reply: true });
    await receive(away(messageId, "I am out of the office."));
    expect(live.lead(lead)).toMatchObject({ status: "replied", stopReason: "auto_reply" });
  });

  test("does not free a lead that a person has paused", async () => {
    const { id, lead, messageId } = await written();
    await live.call("PATCH", `/campaigns/${id}/leads/${lead}`, { status: "paused" });
    await receive(away(messageId, "I am out of the office until 10 March 2026."));
    expect(live.lead(lead)).toMatchObject({ status: "paused", dueAt: null });
  });
});

describe("a bounce", () => {
  test("that is hard ends the sequence and suppresses the address", async () => {
    const { id, lead, messageId } = await written();
    await receive(bounceOf(messageId, "5.1.1", "550 5.1.1 User unknown"));
    expect(live.lead(lead)).toMatchObject({ status: "bounced", stopReason: "bounce_hard" });
    expect(await check(TO)).toMatchObject({ suppressed: true });
    expect(live.campaign(id)).toMatchObject({ bounced: 1, sent: 1, replied: 0 });
    expect(count("email.bounced")).toBe(1);
  });

  test("that is soft counts once a message; the third message in a row is one too many", async () => {
    const more = { type: "email", body: "Again", wait_days: 1 };
    const { leads } = await live.launch([STEPS[0] ?? {}, more, more, more], TO);
    const lead = leads[0] ?? "";
    for (let sent = 1; sent <= 3; sent += 1) {
      await live.days(sent === 1 ? 0 : 1);
      await live.run(HOUR_MS / 2);
      expect(live.messages(lead)).toHaveLength(sent);
      expect(live.lead(lead).status).toBe("active");
      const { messageId } = live.messages(lead)[sent - 1] ?? { messageId: "" };
      await receive(bounceOf(messageId, "4.2.2", "452 4.2.2 Mailbox full"));
      await receive(bounceOf(messageId, "4.2.2", "452 4.2.2 Mailbox full"));
      expect(count("email.bounced")).toBe(sent);
    }
    expect(live.lead(lead)).toMatchObject({ status: "bounced", stopReason: "bounce_soft" });
    expect((await check(TO)).suppressed).toBe(true);
  });

  test("of somebody whom we did not write to does nothing", async () => {
    const { lead, messageId } = await written();
    await receive(bounceOf(messageId, "5.1.1", "550 gone").replaceAll(TO, "zoe@x.example"));
    expect(live.lead(lead).status).toBe("active");
  });
});

describe("who wants no more", () => {
  test("a complaint ends the sequence and suppresses with the strongest reason", async () => {
    const { lead, messageId } = await written();
    await receive(complaintOf(messageId));
    expect(live.lead(lead)).toMatchObject({ status: "unsubscribed", stopReason: "complaint" });
    expect(await check(TO)).toMatchObject({ suppressed: true });
    const { data } = (await live.call("GET", "/suppressions")).body;
    expect(data[0].reason).toBe("complaint");
    expect(count("complaint.received")).toBe(1);
  });

  test.each([
    ...["abuse", "fraud", "opt-out", "opt-out-list", "other"].map((type) => [type, true] as const),
    ...["auth-failure", "virus", "not-spam", "dmarc"].map((type) => [type, false] as const),
  ])("a report of %s suppresses: %p; shown in any case", async (feedback, suppressed) => {
    const { lead, messageId } = await written();
    await receive(complaintOf(messageId, feedback));
    expect(await check(TO)).toMatchObject({ suppressed });
    expect(count("complaint.received")).toBe(Number(suppressed));
    expect(inboundOf(live.env.db, lead)).toHaveLength(1);
  });

  test("a typed opt-out unsubscribes", async () => {
    const { id, lead, messageId } = await written();
    await receive(mail(messageId, "Unsubscribe me please"));
    expect(live.lead(lead).status).toBe("unsubscribed");
    expect(live.campaign(id)).toMatchObject({ unsubscribed: 1, replied: 0 });
    expect(await check(TO)).toMatchObject({ suppressed: true });
  });

  test.each([
    ["from the lead", `Bob <${TO}>`],
    ["from another address of the lead", "Robert <bob@private.example>"],
  ])("the mailto form, %s, unsubscribes whom we wrote to", async (_name, from) => {
    const { id, lead, message } = await written();
    const subject = /subject=([^\s"]+)/.exec(message?.text ?? "")?.[1] ?? "";
    const raw = mail("", "", { answers: null, from, subject: decodeURIComponent(subject) });
    await receive(raw);
    expect(live.lead(lead)).toMatchObject({ status: "unsubscribed", stopReason: "unsubscribe" });
    expect(await check(TO)).toMatchObject({ suppressed: true });
    const [step] = (await live.call("GET", `/campaigns/${id}/stats`)).body.steps;
    expect(step.unsubscribed).toBe(1);
  });

  test("a token that we did not sign does nothing", async () => {
    const { lead, message } = await written();
    const token = /unsubscribe%20([\w-]+)/.exec(message?.text ?? "")?.[1] ?? "";
    const forged = token.slice(0, -1) + (token.endsWith("A") ? "Q" : "A");
    const from = "mallory@elsewhere.example";
    await receive(mail("", "x", { answers: null, from, subject: `unsubscribe ${forged}` }));
    expect(live.lead(lead).status).toBe("active");
  });
});

describe("the same email twice", () => {
  test("in the inbox and in junk takes effect once", async () => {
    const { id, messageId, lead } = await written({ stop_on_reply: false });
    const raw = mail(messageId, "Interesting.", { id: "<one@example.com>" });
    live.deliver(OWN, raw, "Junk");
    await receive(raw);
    expect(count("reply.received")).toBe(1);
    expect(live.campaign(id).replied).toBe(1);
    expect(inboundOf(live.env.db, lead)).toHaveLength(1);
  });

  test("because the cursor was lost takes effect once", async () => {
    const { messageId } = await written({ stop_on_reply: false });
    await receive(mail(messageId, "Interesting."));
    live.env.db.raw.run("UPDATE accounts SET poll_cursor = ''");
    await live.run(2 * MINUTE_MS);
    expect(count("reply.received")).toBe(1);
  });
});

describe("a mailbox", () => {
  test("that cannot be read is tried less and less often, and says why until it can", async () => {
    live.mail.broken.set(OWN, { reason: "no route to host", login: false });
    await live.run(HOUR_MS);
    const tries = live.mail.polls.length;
    expect(tries).toBeGreaterThan(3);
    expect(tries).toBeLessThan(8);
    expect(live.account(accountId)).toMatchObject({ status: "active" });
    expect(live.account(accountId).lastError).toContain("no route to host");
    live.mail.broken.clear();
    await live.run(2 * HOUR_MS);
    expect(live.account(accountId)).toMatchObject({ pollErrors: 0, lastError: null });
  });

  test("whose credentials are refused goes into error and is not read again", async () => {
    live.mail.broken.set(OWN, { reason: "AUTHENTICATIONFAILED", login: true });
    await live.days(1);
    expect(live.mail.polls).toHaveLength(1);
    expect(live.account(accountId)).toMatchObject({ status: "error", statusReason: "auth" });
  });

  test("holds up no other: neither a broken one nor one whose reading fails inside", async () => {
    const { lead, messageId } = await written();
    const bad = await live.addAccount("eve@sender.example");
    const { poll } = live.mail;
    live.mail.poll = async (mailbox, cursor) => {
      if (mailbox.accountId === bad) {
        throw new Error("a bug");
      }
      return await poll(mailbox, cursor);
    };
    live.deliver(OWN, mail(messageId, "Sounds good."));
    await live.run(5 * MINUTE_MS);
    expect(live.lead(lead).status).toBe("replied");
    expect(live.account(bad)).toMatchObject({
      status: "active",
      lastError: "IMAP: internal error",
    });
    expect(live.account(bad).pollErrors).toBeLessThan(5);
  });

  test("that was changed while it was read keeps what it was changed to", async () => {
    const { poll } = live.mail;
    let changed = false;
    live.mail.poll = async (mailbox, cursor) => {
      if (!changed) {
        changed = true;
        await live.call("PATCH", `/accounts/${accountId}`, { imap: { password: "new" } });
        return { kind: "unreachable", reason: "AUTHENTICATIONFAILED", login: true };
      }
      return await poll(mailbox, cursor);
    };
    await live.run(2 * MINUTE_MS);
    expect(changed).toBe(true);
    expect(live.account(accountId)).toMatchObject({ status: "active", lastError: null });
  });

  test("with an email that is no email goes on to the next", async () => {
    const { lead, messageId } = await written();
    live.deliver(OWN, "");
    live.deliver(OWN, "\0\0\0 nothing of this is a header\n\n\ufffd");
    live.deliver(OWN, `Content-Type: multipart/mixed; boundary=\n${"--\n".repeat(5000)}`);
    await receive(mail(messageId, "Sounds good."));
    expect(live.lead(lead).status).toBe("replied");
  });
});

/**
 * Whose answer an email is, sign by sign in the order of trust; and what must have no effect: reports about
 * nothing of ours, our own email, lists, people whom we do not know.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { createLive, type LiveApp } from "../support.ts";

const OWN = "ann@sender.example";
const TO = "bob@client.example";
const STEPS = [
  { type: "email", subject: "Offer", body: "Hello" },
  { type: "email", body: "Again", wait_days: 2 },
];

let live: LiveApp;
beforeEach(async () => {
  live = await createLive();
  await live.addAccount(OWN);
});
afterEach(() => live.app.close());

async function written(...others: string[]) {
  const { id, leads } = await live.launch(STEPS, TO, ...others);
  await live.run(HOUR_MS * (others.length + 1));
  const [lead = ""] = leads;
  const message = live.messages(lead)[0];
  expect(message?.status).toBe("sent");
  return { id, leads, lead, messageId: message?.messageId ?? "" };
}

let mails = 0;
function mail(headers: Record<string, string>, body = "Thank you, tell me more."): string {
  mails += 1;
  const all = {
    From: `Bob <${TO}>`,
    To: OWN,
    Subject: "Something",
    "Message-ID": `<m${mails}@client.example>`,
    Date: "Mon, 02 Mar 2026 16:30:00 +0000",
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [...lines, "", body].join("\n");
}

/** A delivery report; `returned` are the headers of the message that it returns. */
function report(recipient: string, returned: string, status = "5.1.1", action = "failed"): string {
  const part = (type: string, text: string) => `--b\nContent-Type: ${type}\n\n${text}\n`;
  const fields =
    `Reporting-MTA: dns; mx.client.example\n\nFinal-Recipient: rfc822; ${recipient}\n` +
    `Action: ${action}\nStatus: ${status}\nDiagnostic-Code: smtp; 550 ${status} User unknown\n`;
  return mail(
    {
      From: "Mail Delivery System <mailer-daemon@mx.client.example>",
      Subject: "Undelivered Mail Returned to Sender",
      "Content-Type": 'multipart/report; report-type=delivery-status; boundary="b"',
    },
    [
      part("text/plain", "It could not be delivered."),
      part("message/delivery-status", fields),
      ...(returned === "" ? [] : [part("text/rfc822-headers", returned)]),
      "--b--",
    ].join(""),
  );
}

const receive = async (raw: string) => {
  live.deliver(OWN, raw);
  await live.run(2 * MINUTE_MS);
};
const threads = async () => (await live.call("GET", "/inbox/threads")).body.data;
const lastMail = async (id: string) =>
  (await live.call("GET", `/inbox/threads/${id}`)).body.messages.findLast(
    (one: { direction: string }) => one.direction === "in",
  );

describe("an email is matched by", () => {
  test.each([
    [
      "a plus address, whatever else it says",
      "token",
      (id: string) => ({ To: plus(id), "In-Reply-To": "<x@y.example>" }),
    ],
    ["Delivered-To with the token", "token", (id: string) => ({ "Delivered-To": plus(id) })],
    ["In-Reply-To", "message_id", (id: string) => ({ "In-Reply-To": id })],
    [
      "the newest of its References that is ours",
      "message_id",
      (id: string) => ({ References: `<a@b.example> ${id} <c@d.example>` }),
    ],
    ["its sender, to whom we wrote", "sender", () => ({})],
    [
      "Reply-To, where the sender is another",
      "sender",
      () => ({ From: "assistant@elsewhere.example", "Reply-To": TO }),
    ],
    [
      "company and subject",
      "company",
      () => ({ From: "Zoe <zoe@client.example>", Subject: "AW: [EXT] Re:  offer" }),
    ],
  ] as const)("%s", async (_name, by, headers) => {
    const { lead, messageId } = await written();
    await receive(mail(headers(messageId)));
    expect(live.lead(lead).status).toBe("replied");
    expect(await lastMail(lead)).toMatchObject({ matched_by: by, kind: "reply" });
  });

  test.each([
    [
      "Exchange names it whole",
      "250 2.0.0 OK <AM0PR1@prod.outlook.com> [Hostname=x]",
      "<AM0PR1@prod.outlook.com>",
    ],
    [
      "Amazon names its left part",
      "250 Ok 0102018f2a3b4c5d-1a2b3c4d-1111-2222-3333-444455556666-000000",
      "<0102018f2a3b4c5d-1a2b3c4d-1111-2222-3333-444455556666-000000@eu-west-1.amazonses.com>",
    ],
  ])("the name that the sending server gave it: %s", async (_name, response, theirs) => {
    live.mail.outcomes.push({ kind: "accepted", response });
    const { lead } = await written();
    const from = "assistant@elsewhere.example";
    await receive(mail({ From: from, "In-Reply-To": theirs, References: theirs }));
    expect(live.lead(lead).status).toBe("replied");
    expect((await lastMail(lead)).matched_by).toBe("provider_id");
  });

  test("their own earlier mail: what was forwarded and is answered by somebody else", async () => {
    const { lead, messageId } = await written();
    await receive(mail({ "In-Reply-To": messageId, "Message-ID": "<first@client.example>" }));
    const from = "Zoe <zoe@group.example>";
    await receive(mail({ From: from, "In-Reply-To": "<first@client.example>" }, "I take over."));
    expect(await threads()).toMatchObject([{ id: lead, mails: 2 }]);
    expect(await lastMail(lead)).toMatchObject({ matched_by: "thread", text: "I take over." });
  });

  test("the subject, where one person had email of two campaigns", async () => {
    const first = await written();
    const other = [{ type: "email", subject: "Invitation", body: "Hello" }];
    const second = await live.launch(other, TO);
    await live.run(HOUR_MS);
    await receive(mail({ Subject: "Re: Offer" }));
    expect(live.lead(first.lead).status).toBe("replied");
    expect(live.lead(second.leads[0] ?? "").status).not.toBe("replied");
  });

  test("the sender within thirty days, and not after", async () => {
    const { lead } = await written();
    await live.days(40);
    await receive(mail({}));
    expect(live.lead(lead).status).toBe("completed");
    expect(await threads()).toMatchObject([{ enrollment_id: null, from_address: TO }]);
  });
});

describe("a guess by company", () => {
  test("is none at a provider whose users are strangers to one another", async () => {
    const { leads } = await live.launch(STEPS, "bob@gmail.com");
    await live.run(HOUR_MS);
    await receive(mail({ From: "zoe@gmail.com", Subject: "Re: Offer" }));
    expect(live.lead(leads[0] ?? "").status).toBe("active");
  });

  test("takes another subject for another matter", async () => {
    const { lead } = await written();
    await receive(mail({ From: "zoe@client.example", Subject: "Invoice 7" }));
    expect(live.lead(lead).status).toBe("active");
    expect(await threads()).toEqual([]);
  });

  test.each([
    ["an opt-out", { Subject: "Re: Offer" }, "Unsubscribe"],
    [
      "an absence",
      { Subject: "Re: Offer", "Auto-Submitted": "auto-replied" },
      "I am out until 20 March 2026.",
    ],
  ])("does not let a colleague's %s stop or suppress the lead", async (_name, headers, body) => {
    const { lead } = await written();
    await receive(mail({ From: "zoe@client.example", ...headers }, body));
    expect(live.lead(lead).status).toBe("active");
    expect((await live.call("GET", "/suppressions")).body.total).toBe(0);
    expect(await threads()).toMatchObject([{ id: lead }]);
  });
});

describe("a report", () => {
  const returned = (messageId: string) => `To: ${TO}\nMessage-ID: ${messageId}\n`;

  test("that returns our message bounces it", async () => {
    const { lead, messageId } = await written();
    await receive(report(TO, returned(messageId)));
    expect(live.lead(lead).status).toBe("bounced");
    expect((await lastMail(lead)).matched_by).toBe("message_id");
  });

  test("that returns nothing is believed by its recipient", async () => {
    const { lead } = await written();
    await receive(report(TO, ""));
    expect(live.lead(lead).status).toBe("bounced");
    expect((await lastMail(lead)).matched_by).toBe("recipient");
  });

  test("naming a message that we never sent has no effect, though it names a lead; a person sees it", async () => {
    const { lead } = await written();
    await receive(report(TO, returned("<forged@sender.example>")));
    expect(live.lead(lead).status).toBe("active");
    expect((await live.call("GET", "/suppressions")).body.total).toBe(0);
    expect(await threads()).toMatchObject([{ enrollment_id: null, kind: "bounce" }]);
  });

  test("about somebody else's email has no effect and is not kept", async () => {
    const { lead } = await written();
    await receive(report("stranger@x.example", returned("<other@x.example>")));
    await receive(report("stranger@x.example", ""));
    expect(live.lead(lead).status).toBe("active");
    expect(await threads()).toEqual([]);
  });

  test("that returns our message and blames another address has no effect", async () => {
    const { lead, messageId } = await written();
    await receive(report("forwarded@x.example", returned(messageId)));
    expect(live.lead(lead).status).toBe("active");
    expect((await live.call("GET", "/suppressions")).body.total).toBe(0);
  });

  test("of a delay is no bounce", async () => {
    const { lead, messageId } = await written();
    await receive(report(TO, returned(messageId), "4.4.1", "delayed"));
    expect(live.lead(lead).status).toBe("active");
    expect(await threads()).toMatchObject([{ id: lead, kind: "notice" }]);
  });

  test("in another team's mailbox, naming our message, has no effect", async () => {
    const { lead, messageId } = await written();
    const other = await live.app.addTeam("Other");
    const server = { host: "mail.sender.example", password: "secret" };
    const made = await live.app.live(
      "POST",
      "/accounts",
      { email: "eve@other.example", provider: "smtp", smtp: server, imap: server },
      { key: other.keys.live },
    );
    await live.app.live("POST", `/accounts/${made.body.id}/test`, undefined, {
      key: other.keys.live,
    });
    await live.run(2 * MINUTE_MS);
    live.deliver("eve@other.example", report(TO, returned(messageId)));
    await live.run(2 * MINUTE_MS);
    expect(live.lead(lead).status).toBe("active");
  });
});

describe("never an answer", () => {
  test.each([
    ["the mailbox's own mail", (id: string) => ({ From: OWN, "In-Reply-To": id })],
    ["a copy of a message of ours", (id: string) => ({ "Message-ID": id })],
    [
      "a newsletter of the lead's",
      () => ({ "List-Unsubscribe": "<mailto:x@y.example>", "List-Id": "<n.example>" }),
    ],
  ] as const)("%s", async (_name, headers) => {
    const { lead, messageId } = await written();
    await receive(mail(headers(messageId)));
    expect(live.lead(lead).status).toBe("active");
    expect(await threads()).toEqual([]);
  });

  test("a colleague's mailbox of ours, copied in; but that mailbox as a lead may answer", async () => {
    await live.addAccount("eve@sender.example");
    const { lead, messageId } = await written();
    await receive(mail({ From: "eve@sender.example", "In-Reply-To": messageId }));
    expect(live.lead(lead).status).toBe("active");
    const own = await live.launch(STEPS, "eve@sender.example");
    await live.run(4 * HOUR_MS);
    const [message] = live.messages(own.leads[0] ?? "");
    live.deliver(
      message?.accountId === live.messages(lead)[0]?.accountId ? OWN : "eve@sender.example",
      mail({ From: "eve@sender.example", "In-Reply-To": message?.messageId ?? "" }),
    );
    await live.run(2 * MINUTE_MS);
    const isSelf = message?.accountId !== live.messages(lead)[0]?.accountId;
    expect(live.lead(own.leads[0] ?? "").status).toBe(isSelf ? "active" : "replied");
  });
});

describe("an email that cannot be read", () => {
  test("is kept as it came and shown as such; the next one is read", async () => {
    const { lead, messageId } = await written();
    const broken = "\u0000\u0001 nothing of this is a header";
    live.deliver(OWN, broken);
    await receive(mail({ "In-Reply-To": messageId }));
    expect(live.lead(lead).status).toBe("replied");
    const [, shown] = (await threads()).toSorted((a: { id: string }) => (a.id === lead ? -1 : 1));
    expect(shown).toMatchObject({ from_address: "", enrollment_id: null });
    const { messages } = (await live.call("GET", `/inbox/threads/${shown.id}`)).body;
    expect(messages[0].evidence).toStartWith("cannot be read");
    expect((await live.call("GET", `/messages/${shown.id}/raw`)).text).toContain(broken);
  });
});

describe("an email that we fail over", () => {
  test("is kept as it came and undone alone: those before and after it take effect", async () => {
    const { leads, messageId } = await written("cy@other.example");
    live.env.db.raw.run(
      "create trigger bug before insert on inbound_mails when new.subject = 'boom' " +
        "begin select raise(abort, 'a bug of ours'); end",
    );
    const second = live.messages(leads[1] ?? "")[0]?.messageId ?? "";
    live.deliver(OWN, mail({ "In-Reply-To": messageId }));
    live.deliver(OWN, mail({ "In-Reply-To": messageId, Subject: "boom" }, "Kept all the same."));
    await receive(mail({ From: "cy@other.example", "In-Reply-To": second }));
    expect(leads.map((id) => live.lead(id).status)).toEqual(["replied", "replied"]);
    const kept = (await threads()).find((one: { mails: number; enrollment_id: string | null }) => {
      return one.enrollment_id === null;
    });
    expect((await live.call("GET", `/messages/${kept.id}/raw`)).text).toContain(
      "Kept all the same.",
    );
    live.deliver(OWN, mail({}));
    await live.run(2 * MINUTE_MS);
    expect(live.account(live.messages(leads[0] ?? "")[0]?.accountId ?? "").pollErrors).toBe(0);
  });
});

describe("effects", () => {
  test("an absence pauses until the working day after the return, and a person can move it", async () => {
    const { id, lead, messageId } = await written();
    const headers = { "In-Reply-To": messageId, "Auto-Submitted": "auto-replied" };
    // Friday the 13th is the last day away, so Saturday the first back: Monday.
    await receive(mail(headers, "I am out of the office until 13 March 2026."));
    const paused = (await live.call("GET", `/campaigns/${id}/leads/${lead}`)).body;
    expect(paused).toMatchObject({ status: "paused", next_attempt_at: "2026-03-16T09:00:00.000Z" });
    const at = "2026-03-18T10:00:00.000Z";
    const moved = await live.call("PATCH", `/campaigns/${id}/leads/${lead}`, {
      next_attempt_at: at,
    });
    expect(moved.body).toMatchObject({ status: "paused", next_attempt_at: at });
    await live.days(18);
    expect(live.messages(lead)[1]?.sentAt).toBeGreaterThanOrEqual(Date.parse(at));
  });

  test("who has left the company is not written to again, in any campaign", async () => {
    const { lead, messageId } = await written();
    const other = await live.launch(
      [{ type: "email", subject: "Invitation", body: "Hello" }, STEPS[1] ?? {}],
      TO,
    );
    await live.run(HOUR_MS);
    const headers = { "In-Reply-To": messageId, "Auto-Submitted": "auto-replied" };
    await receive(mail(headers, "Bob no longer works here. Please contact zoe@client.example."));
    expect(live.lead(lead)).toMatchObject({ status: "completed", stopReason: "left_company" });
    expect(live.lead(other.leads[0] ?? "").stopReason).toBe("left_company");
    expect(await lastMail(lead)).toMatchObject({
      left_company: true,
      new_contact: "zoe@client.example",
    });
    expect((await live.call("GET", "/suppressions")).body.total).toBe(0);
    await live.call("PATCH", `/inbox/threads/${lead}`, { kind: "notice" });
    expect(live.lead(lead).status).toBe("active");
    expect(live.lead(other.leads[0] ?? "").status).toBe("active");
  });

  test("a complaint suppresses everywhere: every campaign of the lead ends", async () => {
    const { lead, messageId } = await written();
    const second = { type: "email", subject: "Invitation", body: "Hello", wait_days: 9 };
    const other = await live.launch([second, second], TO);
    const part = (type: string, text: string) => `--b\nContent-Type: ${type}\n\n${text}\n`;
    const body = [
      part("text/plain", "An abuse report."),
      part(
        "message/feedback-report",
        `Feedback-Type: abuse\nVersion: 1\nOriginal-Rcpt-To: ${TO}\n`,
      ),
      part("message/rfc822", `From: ${OWN}\nTo: ${TO}\nMessage-ID: ${messageId}\n\nHello\n`),
      "--b--",
    ].join("");
    const type = 'multipart/report; report-type=feedback-report; boundary="b"';
    await receive(mail({ From: "fbl@isp.example", Subject: "Report", "Content-Type": type }, body));
    expect(live.lead(lead)).toMatchObject({ status: "unsubscribed", stopReason: "complaint" });
    expect(live.lead(other.leads[0] ?? "").status).toBe("suppressed");
    const taken = live.mail.taken.length;
    await live.days(10);
    expect(live.mail.taken).toHaveLength(taken);
  });
});

/** `ann+<left part of the Message-ID>@sender.example`. */
function plus(messageId: string): string {
  return OWN.replace("@", `+${messageId.slice(1, messageId.indexOf("@")).toUpperCase()}@`);
}

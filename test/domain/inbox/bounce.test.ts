/** Guarantees of `domain/inbox/reports/bounce.ts`: what failed, for whom, how badly; and who never bounces. */

import { describe, expect, test } from "bun:test";
import { parseFields } from "#domain/inbox/fields.ts";
import { findBounce } from "#domain/inbox/reports/bounce.ts";
import { findStatus, gradeRefusal } from "#domain/inbox/reports/bounce-severity.ts";
import { makeMail } from "./make-mail.ts";

const DAEMON = { from: "mailer-daemon@mx.example.com", name: "Mail Delivery System" };

/** A delivery-status part with one group a recipient. */
function report(...groups: Readonly<Record<string, string>>[]): Record<string, string> {
  const blocks = [{ "Reporting-MTA": "dns; mx.example.com" }, ...groups].map((group) => {
    return Object.entries(group)
      .map(([name, value]) => `${name}: ${value}`)
      .join("\r\n");
  });
  return {
    "message/delivery-status": blocks.join("\r\n\r\n"),
    "text/rfc822-headers": "To: ada@example.com\r\nMessage-ID:\r\n <ours.1@out.test>\r\n",
  };
}

const failed = (diagnostic: string, status = "5.0.0") => ({
  "Final-Recipient": "rfc822; Ada@Example.com",
  Action: "failed",
  Status: status,
  "Diagnostic-Code": `smtp; ${diagnostic}`,
});

describe("a delivery-status part", () => {
  test("names the recipient, the status and the message of ours", () => {
    const parts = report(failed("550 5.1.1 User unknown", "5.1.1"));
    expect(findBounce(makeMail({ ...DAEMON, parts }))).toMatchObject({
      kind: "bounce",
      severity: "hard",
      status: "5.1.1",
      recipients: ["ada@example.com"],
      originalMessageIds: ["<ours.1@out.test>"],
      confidence: "high",
    });
  });

  test("counts though it carries the marks of an automatic answer", () => {
    const parts = report(failed("550 5.1.1 User unknown"));
    const headers = { "auto-submitted": "auto-replied" };
    expect(findBounce(makeMail({ ...DAEMON, parts, headers }))?.kind).toBe("bounce");
  });

  test.each(["delayed", "delivered", "relayed", "expanded"])(
    "that says %s is a notice",
    (action) => {
      const group = {
        "Final-Recipient": "rfc822;ada@example.com",
        Action: action,
        Status: "4.4.1",
      };
      const found = findBounce(makeMail({ ...DAEMON, parts: report(group) }));
      expect(found).toMatchObject({
        kind: "notice",
        severity: action === "delayed" ? "soft" : null,
      });
    },
  );

  test("with one failure among successes is a bounce of that recipient alone", () => {
    const delivered = { "Final-Recipient": "rfc822;bob@example.com", Action: "delivered" };
    const parts = report(delivered, failed("550 5.1.1 User unknown"));
    expect(findBounce(makeMail({ ...DAEMON, parts }))?.recipients).toEqual(["ada@example.com"]);
  });

  test("without fields leaves the word to the text", () => {
    const parts = { "message/delivery-status": "\r\n\r\n" };
    const text = "Your message to ada@example.com couldn't be delivered: 550 5.1.1 no such user";
    const subject = "Delivery Status Notification (Failure)";
    expect(findBounce(makeMail({ ...DAEMON, parts, subject, text }))).toMatchObject({
      kind: "bounce",
      severity: "hard",
      recipients: ["ada@example.com"],
    });
  });

  test("keeps both forms of a forwarded recipient", () => {
    const group = {
      ...failed("550 5.1.1 unknown"),
      "Original-Recipient": "rfc822;info@example.com",
    };
    expect(findBounce(makeMail({ ...DAEMON, parts: report(group) }))?.recipients).toEqual([
      "info@example.com",
      "ada@example.com",
    ]);
  });
});

describe("a text", () => {
  test.each([
    [
      "of qmail",
      "failure notice",
      "Hi. This is the qmail-send program at mx.example.com.\nI'm afraid I wasn't able to deliver " +
        "your message to the following addresses.\n\n<ada@example.com>:\n192.0.2.1 does not like " +
        "recipient.\nRemote host said: 550 5.1.1 unknown user\nGiving up on 192.0.2.1.\n\n--- Below " +
        "this line is a copy of the message.\n\nReturn-Path: <sam@out.test>\n" +
        "Message-ID: <ours.1@out.test>\nTo: Ada <ada@example.com>\n",
    ],
    [
      "of Exim",
      "Mail delivery failed: returning message to sender",
      "A message that you sent could not be delivered to one or more of its recipients.\n\n" +
        "  ada@example.com\n    550 No such user here\n\n------ This is a copy of the message. ------\n" +
        "Message-ID: <ours.1@out.test>\n",
    ],
  ])("%s is a bounce", (_name, subject, text) => {
    expect(findBounce(makeMail({ ...DAEMON, subject, text }))).toMatchObject({
      kind: "bounce",
      severity: "hard",
      recipients: ["ada@example.com"],
      originalMessageIds: ["<ours.1@out.test>"],
    });
  });

  test("names whom the original was for as well: a forward may have failed elsewhere", () => {
    const subject = "Undelivered Mail Returned to Sender";
    const text =
      "<ada@forward.example>: user unknown\n\n--- Original message ---\nTo: ada@example.com\n";
    expect(findBounce(makeMail({ ...DAEMON, subject, text }))?.recipients).toEqual([
      "ada@forward.example",
      "ada@example.com",
    ]);
  });

  test("that only warns of a delay is a notice", () => {
    const subject = "Warning: message delayed 24 hours";
    const text = "A message that you sent has not yet been delivered.\n  ada@example.com\n";
    expect(findBounce(makeMail({ ...DAEMON, subject, text }))).toMatchObject({
      kind: "notice",
      severity: "soft",
    });
  });

  test.each([
    [
      "answers",
      "Re: Undelivered Mail Returned to Sender",
      "Your message could not be delivered? Odd.",
    ],
    [
      "forwards one",
      "Fwd: Undelivered mail",
      "See below: 550 5.1.1 user unknown\nReceived: from mx",
    ],
    ["complains of one", "mail problem", "my last mail to you was not delivered, user unknown"],
  ])("of a person who %s is none", (_name, subject, text) => {
    expect(findBounce(makeMail({ subject, text, inReplyTo: "<ours.1@out.test>" }))).toBeNull();
  });

  test("of a daemon that names our message, under a subject of its own, is one", () => {
    const text = "Your message could not be delivered.\n\n<ada@example.com>: user unknown\n";
    const mail = { ...DAEMON, subject: "About your email", text, inReplyTo: "<ours.1@out.test>" };
    expect(findBounce(makeMail(mail))).toMatchObject({ kind: "bounce" });
    expect(findBounce(makeMail({ ...mail, subject: "Re: About your email" }))).toBeNull();
  });

  test("of a postmaster who writes about something else is none", () => {
    const mail = makeMail({
      from: "postmaster@example.com",
      name: "Ann",
      subject: "Offer",
      text: "Hi",
    });
    expect(findBounce(mail)).toBeNull();
  });
});

describe("the severity", () => {
  test.each([
    ["550 5.1.1 The email account that you tried to reach does not exist", "5.1.1", "hard"],
    ["550 5.4.1 Recipient address rejected: Access denied", "5.4.1", "hard"],
    ["550 5.7.1 <ada@example.com>... User unknown", "5.7.1", "hard"],
    ["554 delivery error: dd This user doesn't have a yahoo.com account", "5.0.0", "hard"],
    ["550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found", "5.1.10", "hard"],
    ["Host or domain name not found. Name service error", "5.4.4", "hard"],
    ["552 5.2.2 Mailbox full", "5.2.2", "soft"],
    ["552 5.2.2 The email account that you tried to reach is over quota", "5.2.2", "soft"],
    ["450 4.2.0 Greylisted, try again later", "4.2.0", "soft"],
    ["450 4.1.1 User unknown in local table", "4.1.1", "soft"],
    ["421 4.7.0 Our system has detected an unusual rate of mail", "4.7.0", "soft"],
    ["552 5.3.4 Message size exceeds fixed limit", "5.3.4", "soft"],
    ["delivery temporarily suspended: connection timed out", "4.4.1", "soft"],
    ["554 5.4.6 Too many hops", "5.4.6", "soft"],
    ["550 5.7.1 Message rejected as spam by content filter", "5.7.1", "block"],
    [
      "554 5.7.1 Service unavailable; client host [192.0.2.1] blocked using Spamhaus",
      "5.7.1",
      "block",
    ],
    ["550-5.7.26 This mail is unauthenticated: SPF did not pass", "5.7.26", "block"],
    [
      "550 5.7.25 The IP address sending this message does not have a PTR record",
      "5.7.25",
      "block",
    ],
    ["554 5.7.1 Relay access denied", "5.7.1", "block"],
    ["553 5.1.8 Domain of sender address sam@out.test does not exist", "5.1.8", "block"],
    ["550 rejected because of reasons <user-unknown@example.com>", "5.7.0", "block"],
    ["", "5.1.1", "hard"],
    ["", "5.2.2", "soft"],
    ["", "5.7.1", "block"],
    ["what nobody explains", "5.0.0", "soft"],
  ] as const)("of %p with %s is %s", (diagnostic, status, severity) => {
    expect(gradeRefusal({ diagnostic, status, text: "" }).severity).toBe(severity);
  });

  test.each([
    ["550 5.1.1 unknown", "5.1.1"],
    ["host 5.1.2.3 said: 550 no", null],
    ["#5.2.2 full", "5.2.2"],
    ["(reason: 554-5.7.1. spam)", "5.7.1"],
  ])("reads a status out of %p", (words, status) => {
    expect(findStatus(words)).toBe(status);
  });
});

describe("fields", () => {
  test("unfold, repeat, and stand in groups that blank lines part", () => {
    const [first, second, ...rest] = parseFields(
      "A: 1\r\n  2\nb:3\na: 4\n \n\nC-d: 5\nnot a field\n",
    );
    expect([...(first ?? [])]).toEqual([
      ["a", ["1 2", "4"]],
      ["b", ["3"]],
    ]);
    expect([...(second ?? [])]).toEqual([["c-d", ["5"]]]);
    expect(rest).toEqual([]);
  });
});

/** Guarantees of `domain/inbox/reports/complaint.ts`: a complaint names who complained, and nothing else is one. */

import { describe, expect, test } from "bun:test";
import { findComplaint } from "#domain/inbox/reports/complaint.ts";
import { makeMail } from "./make-mail.ts";

const ORIGINAL =
  "From: sam@out.test\nTo: Ada <ada@example.com>\nMessage-ID: <ours.1@out.test>\n\nHi";

const arf = (type: string, more = "") =>
  makeMail({
    from: "fbl@provider.example",
    parts: {
      "message/feedback-report": `Feedback-Type: ${type}\nUser-Agent: x\nVersion: 1\n${more}`,
      "message/rfc822": ORIGINAL,
    },
  });

describe("a feedback report", () => {
  test.each([
    ["abuse", "complaint"],
    ["Fraud", "complaint"],
    ["virus", "complaint"],
    ["other", "complaint"],
    ["opt-out", "complaint"],
    ["not-spam", "notice"],
    ["auth-failure", "complaint"],
  ])("of type %s is a %s", (type, kind) => {
    expect(findComplaint(arf(type))).toMatchObject({
      kind,
      feedbackType: type.toLowerCase(),
      originalMessageIds: ["<ours.1@out.test>"],
    });
  });

  test("names the recipient in its fields, else in the message that it returns", () => {
    expect(findComplaint(arf("abuse"))?.recipients).toEqual(["ada@example.com"]);
    const named = arf("abuse", "Original-Rcpt-To: <Bob@Example.com>\n");
    expect(findComplaint(named)?.recipients).toEqual(["bob@example.com"]);
  });

  test("of Hotmail's older form encloses the message", () => {
    const mail = makeMail({
      from: "staff@hotmail.com",
      subject: "complaint about message from 192.0.2.1",
      parts: { "message/rfc822": `X-HmXmrOriginalRecipient: bob@hotmail.com\n${ORIGINAL}` },
    });
    expect(findComplaint(mail)).toMatchObject({
      kind: "complaint",
      recipients: ["bob@hotmail.com"],
      originalMessageIds: ["<ours.1@out.test>"],
    });
  });
});

test("a person who complains in words is answered by people", () => {
  const mail = makeMail({
    subject: "complaint about message",
    text: "This is abuse. Feedback: bad",
  });
  expect(findComplaint(mail)).toBeNull();
});

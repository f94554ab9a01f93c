/** What servers say when they refuse, and what it means for the address: one row a way of saying it. */

import { describe, expect, test } from "bun:test";
import { findStatus, gradeRefusal, isTelling } from "#domain/inbox/reports/bounce-severity.ts";

const REPLIES: Readonly<Record<"hard" | "soft" | "block", readonly string[]>> = {
  hard: [
    "550 5.1.1 The email account that you tried to reach does not exist",
    "550 5.1.10 RESOLVER.ADR.RecipientNotFound; not found by SMTP address lookup",
    "550 5.4.1 Recipient address rejected: Access denied",
    "554 delivery error: dd This user doesn't have a yahoo.com account",
    "552 1 Requested mail action aborted, mailbox not found",
    "550 5.0.350 Remote server returned an error -> 550 5.1.1 User unknown",
    "550 Requested action not taken: mailbox unavailable",
    "550 Mailbox unavailable or access denied - <x@y.z>",
    "550 No Such User Here",
    "550 Unrouteable address",
    "all relevant MX records point to non-existent hosts",
    "Host or domain name not found. Name service error for name=y.z type=A: Host not found",
    "550 #5.1.0 Address rejected.",
    "556 5.1.10 Recipient address has null MX",
    "450 4.1.2 The domain y.z doesn't receive email",
    "511 sorry, no mailbox here by that name (#5.1.1 - chkuser)",
    "550 5.1.6 recipient no longer on server",
    "551 5.1.6 User has moved; please try <new@y.z>",
    "553 5.3.0 <x@y.z>... Addressee unknown",
    "550 5.7.1 No such user!",
    "550 5.4.310 DNS domain y.z does not exist",
    "550 Benutzer unbekannt",
    "550 5.1.1 Usuario desconocido",
    "ユーザーが存在しません",
    "550 用户不存在",
  ],
  soft: [
    "550 5.2.2 STOREDRV.Deliver; mailbox full",
    "552-5.2.2 The email account that you tried to reach is over quota",
    "451 4.7.500 Server busy. Please try again later",
    "connect to mail.y.z[192.0.2.1]:25: Connection timed out",
    "connect to y.z[192.0.2.1]:25: Connection refused",
    "450 4.2.0 <x@y.z>: Recipient address rejected: Greylisted",
    "450 4.1.1 <x@y.z>: Recipient address rejected: unverified address: unknown user",
    "554 5.4.6 Too many hops",
    "552 5.3.4 Message size exceeds fixed limit",
    "El buzón del destinatario está lleno",
    "La boîte aux lettres du destinataire est pleine",
    "邮箱已满",
    "something that nobody explains",
  ],
  block: [
    "550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required",
    "550-5.7.26 This mail has been blocked because the sender is unauthenticated",
    "550-5.7.1 this message is likely unsolicited mail and has been blocked",
    "553 5.7.1 [BL21] Connections will not be accepted, the ip is in Spamhaus's list",
    "550 5.7.606 Access denied, banned sending IP",
    "550 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP",
    "421 4.7.0 [TSS04] deferred due to unexpected volume or user complaints",
    "550 5.7.25 The IP address sending this message does not have a PTR record setup",
    "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using a list",
    "550 Administrative prohibition - envelope blocked",
    "550 Rejected by header based manually Blocked Senders: x@y.z",
    "550 5.5.0 Sender domain is empty.",
    "550 Sender verify failed",
    "554 5.7.1 <x@y.z>: Relay access denied",
    "554 DT:SPM 163 smtp1",
    "550 5.6.1 8bit data not accepted",
    "504 Command parameter not implemented",
    "501 5.0.0 Invalid domain name",
    "550 5.7.1 TRANSPORT.RULES.RejectMessage; the message was rejected by organization policy",
    "550 5.6.0 <x@y.z>: Recipient address rejected: Media error",
  ],
};

describe.each(Object.entries(REPLIES))("%s", (severity, replies) => {
  test.each([...replies])("%p", (diagnostic) => {
    const status = findStatus(diagnostic);
    expect(gradeRefusal({ diagnostic, status, text: "" }).severity).toBe(severity as "hard");
  });
});

test.each(["in reply to MAIL FROM command", "in reply to EHLO command", "after MAIL FROM:<a@b.c>"])(
  "an unknown user %s is the sender's fault",
  (phase) => {
    const diagnostic = `550 user unknown (${phase})`;
    expect(gradeRefusal({ diagnostic, status: null, text: "" }).severity).toBe("block");
  },
);

test.each([
  ["550 5.1.1 no such user", "5.1.1"],
  ["554 4.4.7 Message expired: <421 4.4.2 connection dropped>", "4.4.2"],
  ["5.1.0 - Unknown address error 550-'5.7.1 Access denied'", "5.7.1"],
  ["sorry, no mailbox here (#5.1.1)", "5.1.1"],
  ["host 5.1.1.5 said: 550 no", null],
  ["550 no", null],
] as const)("the status of %p is %p", (words, status) => {
  expect(findStatus(words)).toBe(status);
});

test("a status of two zeros tells nothing", () => {
  expect([isTelling("5.0.0"), isTelling(null), isTelling("5.1.1")]).toEqual([false, false, true]);
});

describe("a refusal of the sender's address", () => {
  const texts = [
    "550 5.1.1 <a@b.test> rejected: mail from 192.0.2.44 blocked using bl.antispam.example",
    "550 User unknown or IP blocked, ask postmaster",
    "550 5.1.1 recipient refused: your server's IP 192.0.2.44 is on our block list",
    "550 5.1.1 mailbox unavailable, connecting host has a poor reputation",
  ];
  test.each(texts)(
    "is never hard, even where the words say that the user is unknown: %s",
    (said) => {
      const status = /\d\.\d\.\d/.exec(said.slice(4))?.[0] ?? null;
      expect(gradeRefusal({ diagnostic: said, status, text: "" }).severity).toBe("block");
    },
  );

  test("and a user who is not listed in an address book is unknown", () => {
    const diagnostic = "User ada not listed in public Name & Address Book";
    expect(gradeRefusal({ diagnostic, status: null, text: "" }).severity).toBe("hard");
  });

  test("words without blanks around an address are read", () => {
    const text =
      "送信元のIPアドレスがブラックリストに登録されているため、a@b.test のサーバーが拒否しました。";
    expect(gradeRefusal({ diagnostic: "", status: null, text }).severity).toBe("block");
  });
});

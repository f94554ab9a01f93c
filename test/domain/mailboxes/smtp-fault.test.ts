/** Guarantees of `domain/mailboxes/smtp-fault.ts`: who is to blame for a failed send, and what is done about it. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { SEND_STAGES, type SendStage, type Verdict } from "#domain/mailboxes/send-outcome.ts";
import { classifyFault, type Fault } from "#domain/mailboxes/smtp-fault.ts";
import { HOUR_MS, MINUTE_MS } from "#domain/time.ts";

const RETRY: Fault = { kind: "retry", account: false };
const RETRY_COUNTED: Fault = { kind: "retry", account: true };
const BACKOFF: Fault = { kind: "backoff", ms: HOUR_MS, account: false };
const TURNED_AWAY: Fault = { kind: "backoff", ms: HOUR_MS, account: true };
const BOUNCE: Fault = { kind: "bounce" };
const SOFT: Fault = { kind: "soft_bounce" };
const FAILED: Fault = { kind: "failed", account: false };
const FAILED_COUNTED: Fault = { kind: "failed", account: true };

/** A verdict from its reply as a server writes it: `550 5.1.1 no such user`. */
function verdict(stage: SendStage, reply: string): Verdict<"deferred"> | Verdict<"refused"> {
  const [, digits = "", enhanced = null, response = ""] =
    /^(\d{3})(?: ([245]\.\d+\.\d+))?(?: (.*))?$/.exec(reply) ?? [];
  const code = Number(digits);
  return { kind: code < 500 ? "deferred" : "refused", stage, code, enhanced, response };
}

type Row = [string, SendStage, string, Fault];

describe("the lead again later", () => {
  test.each<Row>([
    ["a server that shuts down", "connect", "421 4.3.2 Service shutting down", RETRY_COUNTED],
    ["a server that wants nobody", "connect", "554 No SMTP service here", RETRY_COUNTED],
    ["a blocked address of ours", "connect", "550 5.7.1 Client host blocked", RETRY_COUNTED],
    ["a busy greeting", "connect", "450 Try later", RETRY_COUNTED],
    ["no room at MAIL", "mail", "452 4.3.1 Insufficient system storage", RETRY_COUNTED],
    ["trouble at MAIL", "mail", "451 4.3.0 Temporary lookup failure", RETRY_COUNTED],
    ["greylisting", "rcpt", "451 4.7.1 Greylisted, try again in 300 seconds", RETRY],
    ["a busy mailbox", "rcpt", "450 4.2.0 Mailbox busy", RETRY],
    ["a full mailbox, for now", "rcpt", "452 4.2.2 Mailbox full", RETRY],
    ["421 at RCPT", "rcpt", "421 4.3.2 Closing connection", RETRY_COUNTED],
    ["a disabled mailbox, for now", "rcpt", "450 4.2.1 Mailbox disabled", RETRY],
    ["one that is written to too much", "rcpt", "450 4.2.1 Receiving mail at a rate that", RETRY],
    ["the same, as for good", "rcpt", "550 5.2.1 Receiving mail at a rate that", RETRY],
    ["trouble after the body", "data", "451 4.3.0 Try again later", RETRY],
    ["no room after the body", "data", "452 4.3.1 Out of disk space", RETRY],
    ["421 after the body", "data", "421 Closing channel", RETRY_COUNTED],
    ["another kind of 421", "rcpt", "421 4.4.2 Timeout, too many errors", RETRY_COUNTED],
  ])("%s", (_name, stage, reply, fault) => {
    expect(classifyFault(verdict(stage, reply))).toEqual(fault);
  });

  const stages = SEND_STAGES.filter((stage) => stage !== "auth").map((stage) => [stage] as const);
  test.each(stages)("no verdict at %s, and no body sent", (stage) => {
    const cut = { kind: "unreachable", stage, reason: "ECONNRESET" } as const;
    expect(classifyFault({ ...cut, bodySent: false })).toEqual(RETRY_COUNTED);
  });

  test("no login, for want of a token or an answer: the mailbox rests, the lead has no part in it", () => {
    const silent = {
      kind: "unreachable",
      stage: "auth",
      reason: "token endpoint: timed out",
    } as const;
    expect(classifyFault({ ...silent, bodySent: false })).toMatchObject({
      kind: "backoff",
      ms: 300_000,
    });
  });
});

test("no verdict after the body: it may have been delivered, and is not sent again", () => {
  const cut = { kind: "unreachable", stage: "data", reason: "ECONNRESET" } as const;
  expect(classifyFault({ ...cut, bodySent: true })).toEqual({ kind: "unknown" });
});

describe("the mailbox rests", () => {
  test.each<Row>([
    ["421 4.7.x", "rcpt", "421 4.7.28 Unusual rate of unsolicited mail", BACKOFF],
    ["421 4.7.x, no words", "mail", "421 4.7.0", BACKOFF],
    ["421 4.7.x after the body", "data", "421 4.7.26 This mail is rate limited", BACKOFF],
    ["421 4.7.x in the greeting", "connect", "421 4.7.0 Too many connections", BACKOFF],
    ["450 4.2.1 and a rate", "rcpt", "450 4.2.1 Peak SMTP relay limit exceeded", BACKOFF],
    ["454", "rcpt", "454 4.7.1 Relay access denied", BACKOFF],
    ["454, no status", "data", "454 Not now", BACKOFF],
    ["550 5.4.5 at MAIL", "mail", "550 5.4.5 Daily user sending limit exceeded", BACKOFF],
    ["550 5.4.5 at RCPT", "rcpt", "550 5.4.5 Daily user sending limit exceeded", BACKOFF],
    ["550 5.4.5 after the body", "data", "550 5.4.5 Daily sending quota exceeded", BACKOFF],
    ["554 5.7.0 and a limit", "data", "554 5.7.0 Too many unauthenticated commands", BACKOFF],
    ["554 5.7.0 and a limit, at MAIL", "mail", "554 5.7.0 Sending limit reached", BACKOFF],
    [
      "Exchange Online's quota",
      "data",
      "554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException",
      BACKOFF,
    ],
    ["a sender refused at MAIL", "mail", "553 5.7.1 Sender address rejected", TURNED_AWAY],
    ["a sender refused at MAIL, no status", "mail", "550 Not allowed", TURNED_AWAY],
    [
      "a sender refused at RCPT",
      "rcpt",
      "553 5.7.1 <a@b>: Sender address rejected: not owned by user c",
      TURNED_AWAY,
    ],
    [
      "a sender's domain refused at RCPT",
      "rcpt",
      "550 5.1.8 <a@b>: Sender address rejected: Domain not found",
      TURNED_AWAY,
    ],
    [
      "an alias that Exchange Online doesn't let it send as",
      "data",
      "554 5.2.252 SendAsDenied; ann@out.test not allowed to send as sales@out.test; STOREDRV.Submission.Exception:SendAsDeniedException.MapiExceptionSendAsDenied; Failed to process message due to a permanent exception",
      TURNED_AWAY,
    ],
    [
      "an address that Exchange doesn't let it send as",
      "data",
      "550 5.7.60 SMTP; Client does not have permissions to send as this sender",
      TURNED_AWAY,
    ],
    ["a blocked sender", "data", "550 5.1.8 Access denied, bad outbound sender", TURNED_AWAY],
    ["a sender's address malformed", "rcpt", "553 5.1.7 Bad sender address syntax", TURNED_AWAY],
    ["a relay that does not know us", "rcpt", "554 5.7.1 <x@y>: Relay access denied", TURNED_AWAY],
  ])("%s", (_name, stage, reply, fault) => {
    expect(classifyFault(verdict(stage, reply))).toEqual(fault);
  });
});

describe("credentials", () => {
  const BUSY: Fault = { kind: "backoff", ms: 30 * MINUTE_MS, account: false };
  test.each<[string, string, Fault]>([
    ["a wrong password", "535 5.7.8 Username and password not accepted", { kind: "auth" }],
    ["a refused token", "535 invalid_grant: token revoked", { kind: "auth" }],
    ["a password that will not do", "534 5.7.9 App password required", { kind: "auth" }],
    ["a login that is busy", "454 4.7.0 Temporary authentication failure", BUSY],
    ["too many logins", "421 4.7.0 Too many logins", BUSY],
    ["too many logins, no status", "421 Too many connections", BUSY],
  ])("%s", (_name, reply, fault) => {
    expect(classifyFault(verdict("auth", reply))).toEqual(fault);
  });
});

describe("the address", () => {
  test.each<Row>([
    ["550 5.1.1", "rcpt", "550 5.1.1 User unknown", BOUNCE],
    ["551 5.1.6", "rcpt", "551 5.1.6 Mailbox has moved", BOUNCE],
    ["553 5.1.3", "rcpt", "553 5.1.3 Bad address syntax", BOUNCE],
    ["an unknown domain", "rcpt", "550 5.1.2 Host unknown", BOUNCE],
    ["5.1.10, which is not 5.1.1", "rcpt", "550 5.1.10 Recipient not found", BOUNCE],
    ["554 5.1.1", "rcpt", "554 5.1.1 Recipient rejected", BOUNCE],
    ["looked up after the body", "data", "550 5.1.1 User unknown", BOUNCE],
    ["a mailbox that is disabled", "rcpt", "550 5.2.1 The account is disabled", BOUNCE],
    ["no status, but words", "rcpt", "550 No such user here", BOUNCE],
    ["no status, but words, 551", "rcpt", "551 User unknown", BOUNCE],
    ["no status, but words, 553", "rcpt", "553 Invalid recipient", BOUNCE],
    ["a status that says nothing", "rcpt", "550 5.0.0 Mailbox unavailable", BOUNCE],
    ["another that says nothing", "rcpt", "550 5.5.0 Mailbox unavailable", BOUNCE],
    [
      "Exchange Online's directory",
      "rcpt",
      "550 5.4.1 Recipient address rejected: Access denied",
      BOUNCE,
    ],
    ["a full mailbox", "rcpt", "552 5.2.2 Mailbox full", SOFT],
    ["a full mailbox by status", "rcpt", "550 5.2.2 Over quota", SOFT],
    ["a full mailbox by code", "rcpt", "552 Storage allocation exceeded", SOFT],
    ["a full mailbox, after the body", "data", "552 5.2.2 Mailbox full", SOFT],
  ])("%s", (_name, stage, reply, fault) => {
    expect(classifyFault(verdict(stage, reply))).toEqual(fault);
  });
});

describe("the message", () => {
  test.each<Row>([
    ["552 5.7.1", "data", "552 5.7.1 Blocked for its content", FAILED_COUNTED],
    ["554 5.7.1", "data", "554 5.7.1 Spam message rejected", FAILED_COUNTED],
    ["550 5.7.1", "data", "550 5.7.1 Message rejected as spam", FAILED_COUNTED],
    ["552 5.7.0 with an attachment", "data", "552 5.7.0 Blocked for security", FAILED_COUNTED],
    ["554 5.7.0 without a limit", "data", "554 5.7.0 Reject", FAILED_COUNTED],
    ["554 without a status", "data", "554 Transaction failed", FAILED_COUNTED],
    ["552 without a status", "data", "552 Message refused", FAILED_COUNTED],
    ["550 without a status", "data", "550 Message refused", FAILED],
    ["a word of a user after the body", "data", "550 User unknown policy", FAILED],
    ["not wanted at RCPT", "rcpt", "554 5.7.1 Access denied by policy", FAILED_COUNTED],
    ["not wanted at RCPT, 552", "rcpt", "552 5.7.1 Access denied by policy", FAILED_COUNTED],
    ["a status beats words", "rcpt", "550 5.7.1 Recipient address rejected", FAILED_COUNTED],
    ["no status and no words", "rcpt", "550 Rejected", FAILED],
    ["words under a code that is none", "rcpt", "554 User unknown", FAILED],
    ["554 at RCPT", "rcpt", "554 Refused", FAILED],
    ["too large at MAIL", "mail", "552 5.3.4 Message size exceeds fixed limit", FAILED],
    ["too large at RCPT", "rcpt", "552 5.3.4 Message size exceeds fixed limit", FAILED],
    ["too large after the body", "data", "552 5.3.4 Message too big", FAILED],
    ["an address of a kind unknown", "mail", "553 5.6.7 Non-ASCII addresses refused", FAILED],
  ])("%s", (_name, stage, reply, fault) => {
    expect(classifyFault(verdict(stage, reply))).toEqual(fault);
  });
});

describe("whatever a server says", () => {
  const anyReply = fc.record({
    stage: fc.constantFrom(...SEND_STAGES),
    code: fc.integer({ min: 400, max: 599 }),
    enhanced: fc.option(
      fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 30 })).map(([a, b]) => `.${a}.${b}`),
    ),
    response: fc.oneof(
      fc.string(),
      fc.constantFrom("limit", "user unknown", "sender address rejected", "quota"),
    ),
  });

  test("what it defers ends no sequence, and only a refusal about the recipient is a bounce", () => {
    fc.assert(
      fc.property(anyReply, ({ stage, code, enhanced, response }) => {
        const kind = code < 500 ? "deferred" : "refused";
        const status = enhanced && `${Math.floor(code / 100)}${enhanced}`;
        const fault = classifyFault({ kind, stage, code, enhanced: status, response });
        if (kind === "deferred") {
          expect(["retry", "backoff", "sender"]).toContain(fault.kind);
        }
        if (fault.kind === "bounce" || fault.kind === "soft_bounce") {
          expect(["rcpt", "data"]).toContain(stage);
        }
        expect(fault.kind === "auth").toBe(kind === "refused" && stage === "auth");
        expect(fault.kind).not.toBe("unknown");
      }),
      { numRuns: 2000 },
    );
  });
});

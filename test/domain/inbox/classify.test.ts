/** Guarantees of `domain/inbox/classify.ts` and `match.ts`: the order of the questions. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { classify } from "#domain/inbox/classify.ts";
import { matchKeys } from "#domain/inbox/match.ts";
import { unixMs } from "#domain/time.ts";
import { type MailDraft, makeMail } from "./make-mail.ts";

const OWN = {
  addresses: ["sam@out.test"],
  receivedAt: unixMs(Temporal.Instant.from("2026-03-01T12:00:00Z").epochMilliseconds),
};
const read = (draft: MailDraft) => classify(makeMail(draft), OWN);

const DSN =
  "Final-Recipient: rfc822; ada@example.com\nAction: failed\nStatus: 5.1.1\n" +
  "Diagnostic-Code: smtp; 550 5.1.1 unknown user";
const DAEMON = { from: "mailer-daemon@example.com", name: "" };

describe("an email is", () => {
  test.each([
    ["a reply", { text: "Sounds good, tell me more." }, "reply"],
    ["a reply from a colleague", { from: "bob@example.com", text: "I take this." }, "reply"],
    ["a bounce", { ...DAEMON, parts: { "message/delivery-status": DSN } }, "bounce"],
    [
      "a bounce though it says it is automatic",
      {
        ...DAEMON,
        headers: { "auto-submitted": "auto-replied" },
        parts: { "message/delivery-status": DSN },
      },
      "bounce",
    ],
    [
      "a complaint though a bounce is enclosed",
      {
        parts: {
          "message/feedback-report": "Feedback-Type: abuse",
          "message/delivery-status": DSN,
        },
      },
      "complaint",
    ],
    [
      "a bounce though a gateway sends it in our own name",
      { from: "sam@out.test", parts: { "message/delivery-status": DSN } },
      "bounce",
    ],
    ["an automatic answer", { headers: { "auto-submitted": "auto-replied" } }, "auto_reply"],
    [
      "an automatic answer though it speaks of unsubscribing",
      { headers: { "auto-submitted": "auto-replied" }, text: "unsubscribe" },
      "auto_reply",
    ],
    ["an opt-out", { text: "Please remove me from your list.\n\n> Hi Ada" }, "unsubscribe"],
    ["an opt-out in the subject alone", { subject: "Unsubscribe", text: "" }, "unsubscribe"],
    [
      "a reply though our own opt-out line is quoted",
      {
        text: "Yes, gladly.\n\nOn Monday Sam <sam@out.test> wrote:\n> Unsubscribe: https://out.test/",
      },
      "reply",
    ],
    ["a receipt", { parts: { "message/disposition-notification": "x: y" } }, "notice"],
    ["our own", { from: "sam@out.test", text: "unsubscribe" }, "own"],
    [
      "a newsletter of somebody we wrote to",
      { subject: "News", headers: { "list-unsubscribe": "<https://example.com/>" } },
      "unrelated",
    ],
    [
      "a reply though a gateway adds list headers",
      { inReplyTo: "<ours.1@out.test>", headers: { "list-id": "<x>" }, text: "Hello" },
      "reply",
    ],
  ] as const)("%s", (_name, draft, kind) => {
    expect(read(draft).kind).toBe(kind);
  });

  test("read with its return date by the day on which it came", () => {
    const headers = { "auto-submitted": "auto-replied" };
    const reading = read({ headers, text: "I am away until Friday." });
    expect(reading).toMatchObject({ kind: "auto_reply", returnsOn: "2026-03-07" });
  });

  test("read for interest by its own words, and an opt-out among other words is an opt-out", () => {
    expect(read({ text: "Interested! Call me.\n> not interested?" }).interest).not.toBe(
      "not_interested",
    );
    expect(
      read({
        text: "Yes, interested! Please call.\n\nIf you are not the intended recipient, delete this email.",
      }),
    ).toMatchObject({ kind: "reply", interest: "interested" });
    expect(
      read({ text: "Take me off your list, we sell cars and you write of boats." }),
    ).toMatchObject({ kind: "unsubscribe", optOut: true });
  });

  test("given an answer with a reason, whatever it holds", () => {
    const text = fc.string({ unit: "binary" });
    const known = fc.constantFrom(
      "message/delivery-status",
      "message/feedback-report",
      "message/rfc822",
    );
    fc.assert(
      fc.property(text, text, known, fc.dictionary(text, text), (subject, body, type, headers) => {
        const reading = read({ subject, text: body, parts: { [type]: body }, headers });
        expect(reading.evidence).not.toBe("");
      }),
      { numRuns: 500 },
    );
  });
});

describe("match keys", () => {
  test("of an answer are what it answers, then the references from the newest, then the sender", () => {
    const mail = makeMail({
      inReplyTo: "<b@x>",
      references: ["<a@x>", "<b@x>", "<c@x>"],
      replyTo: { name: "", address: "office@example.com" },
      text: "Hi",
    });
    expect(matchKeys(mail, classify(mail, OWN))).toEqual({
      messageIds: ["<b@x>", "<c@x>", "<a@x>"],
      senders: ["ada@example.com", "office@example.com"],
    });
  });

  test("of a report are what it returns and who failed, never the daemon", () => {
    const mail = makeMail({
      ...DAEMON,
      references: ["<z@x>"],
      parts: { "message/delivery-status": DSN, "message/rfc822": "Message-Id: <ours.1@out.test>" },
    });
    expect(matchKeys(mail, classify(mail, OWN))).toEqual({
      messageIds: ["<ours.1@out.test>", "<z@x>"],
      senders: ["ada@example.com"],
    });
  });
});

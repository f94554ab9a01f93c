/**
 * What real email taught: events as JSON, lists that refuse, filters that ask back, people who left, a
 * team's own words, and the writer's own day.
 */

import { describe, expect, test } from "bun:test";
import { classify } from "#domain/inbox/classify.ts";
import { isFromRecipient } from "#domain/inbox/reports/complaint.ts";
import { unixMs } from "#domain/time.ts";
import { type MailDraft, makeMail } from "./make-mail.ts";

const OWN = { addresses: ["sam@out.test"], receivedAt: unixMs(Date.UTC(2026, 2, 2, 12)) };
const read = (draft: MailDraft) => classify(makeMail(draft), OWN);

describe("an event of Amazon SES", () => {
  const event = (body: object) =>
    read({
      from: "no-reply@sns.example.com",
      subject: "AWS Notification Message",
      text: JSON.stringify(body),
    });

  test("of a bounce is a bounce with status, recipient and our Message-ID", () => {
    const recipient = {
      emailAddress: "Ada@example.com",
      status: "5.1.1",
      diagnosticCode: "smtp; 550 5.1.1 user unknown",
    };
    expect(
      event({
        notificationType: "Bounce",
        bounce: { bounceType: "Permanent", bouncedRecipients: [recipient] },
        mail: { messageId: "0100", headers: [{ name: "Message-ID", value: "<m1@out.test>" }] },
      }),
    ).toMatchObject({
      kind: "bounce",
      severity: "hard",
      status: "5.1.1",
      recipients: ["ada@example.com"],
      originalMessageIds: ["<m1@out.test>", "<0100@email.amazonses.com>"],
    });
  });

  test("of a complaint is a complaint, of a delivery a notice", () => {
    const complainedRecipients = [{ emailAddress: "ada@example.com" }];
    expect(
      event({
        notificationType: "Complaint",
        complaint: { complainedRecipients, complaintFeedbackType: "abuse" },
      }),
    ).toMatchObject({ kind: "complaint", feedbackType: "abuse", recipients: ["ada@example.com"] });
    expect(event({ notificationType: "Delivery" })).toMatchObject({
      kind: "notice",
      severity: null,
    });
  });

  test("of a delivery that is late is a notice", () => {
    const delayedRecipients = [{ emailAddress: "ada@example.com", status: "4.4.1" }];
    expect(
      event({ eventType: "DeliveryDelay", deliveryDelay: { delayedRecipients } }),
    ).toMatchObject({ kind: "notice", severity: "soft", status: "4.4.1" });
  });

  test("in the envelope of its topic is the same", () => {
    const bouncedRecipients = [
      { emailAddress: "ada@example.com", diagnosticCode: 'smtp; 550 5.1.1 no user "ada" here' },
    ];
    const bounce = { bounceType: "Permanent", bouncedRecipients };
    const Message = JSON.stringify({ notificationType: "Bounce", bounce });
    expect(event({ Type: "Notification", MessageId: "1", Message })).toMatchObject({
      kind: "bounce",
      severity: "hard",
      status: "5.1.1",
      recipients: ["ada@example.com"],
    });
  });

  test("that a person quotes is a person's mail", () => {
    const text = 'We got {"notificationType":"Bounce"} from you, why?';
    expect(read({ text }).kind).toBe("reply");
  });
});

describe("who is no recipient that complains", () => {
  test.each(["auth-failure", "dmarc", "virus", "not-spam"])("%s", (type) => {
    expect(isFromRecipient(type)).toBe(false);
  });
  test.each(["abuse", "fraud", "opt-out", "opt-out-list", "other", "unheard-of"])(
    "but %s is",
    (type) => {
      expect(isFromRecipient(type)).toBe(true);
    },
  );
});

describe("an email of a program without the usual marks", () => {
  test("a list that takes no email from us blocks", () => {
    const text = "You are not a member of this mailing list <team@example.org>.";
    expect(read({ from: "team-admin@example.org", subject: "not member", text })).toMatchObject({
      kind: "bounce",
      severity: "block",
    });
    expect(read({ from: "ada@example.org", subject: "not member", text }).kind).toBe("reply");
  });

  test("a status part inside a text with broken MIME is read", () => {
    const text =
      "--x\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; a.b\n\nFinal-Recipient: rfc822; ada@example.com\nAction: failed\nStatus: 5.1.1\n";
    expect(read({ from: "mailer-daemon@a.b", subject: "Returned mail", text })).toMatchObject({
      kind: "bounce",
      status: "5.1.1",
      recipients: ["ada@example.com"],
    });
  });

  test("names without a host are people of the host that reports", () => {
    const text =
      "Your mail to the following recipients could not be delivered because they take none:\n\tscreenname\n";
    const draft = { from: "mailer-daemon@aol.example.com", subject: "Mail Delivery Problem", text };
    expect(read(draft).recipients).toEqual(["screenname@aol.example.com"]);
  });

  test("a filter that asks for proof of a person is no person", () => {
    const text =
      "This account is protected by Wall. Please click on the following link to have your address added to the allowed list and to ensure delivery.";
    expect(read({ text }).kind).toBe("auto_reply");
  });

  test("a person at mail@ or postmaster@ who answers is a person", () => {
    const text = "Ich konnte nicht früher antworten. Das Projekt ist mir unbekannt.";
    expect(read({ from: "mail@example.com", text }).kind).toBe("reply");
    expect(read({ from: "postmaster@example.com", inReplyTo: "<m1@out.test>", text }).kind).toBe(
      "reply",
    );
  });
});

describe("somebody who left", () => {
  test.each([
    ["en", "Ada no longer works here. Please contact bob@example.com."],
    ["de", "Ada ist nicht mehr für uns tätig. Bitte an bob@example.com."],
    ["fr", "Ada ne travaille plus ici. Merci d'écrire à bob@example.com."],
    ["es", "Ada ya no trabaja aquí. Escriba a bob@example.com."],
    ["nl", "Ada is niet meer werkzaam bij ons. Mail bob@example.com."],
    ["pt", "A Ada não trabalha mais aqui. Contacte bob@example.com."],
    ["it", "Ada non lavora più qui. Scrivere a bob@example.com."],
    ["pl", "Ada nie pracuje już w firmie. Proszę pisać: bob@example.com."],
    ["sv", "Ada arbetar inte längre här. Kontakta bob@example.com."],
    ["da", "Ada arbejder ikke længere her. Skriv til bob@example.com."],
    ["cs", "Ada již nepracuje v naší firmě. Pište na bob@example.com."],
    ["ja", "退職いたしました。bob@example.com までご連絡ください。"],
    ["zh", "我已离职,请联系 bob@example.com。"],
  ])("is known, with whom to write to instead (%s)", (_language, text) => {
    const headers = { "auto-submitted": "auto-replied" };
    expect(read({ subject: "Hello", headers, text })).toMatchObject({
      kind: "auto_reply",
      hasLeft: true,
      newContact: "bob@example.com",
      returnsOn: null,
    });
  });
});

describe("a typed opt-out in", () => {
  test.each([
    ["pl", "Proszę mnie wypisać z listy"],
    ["sv", "Vänligen avregistrera mig"],
    ["da", "Afmeld mig venligst, tak"],
    ["cs", "Prosím odhlaste mě z odběru"],
    ["ja", "配信停止してください"],
    ["zh", "请退订,谢谢"],
  ])("%s unsubscribes when it is the whole text", (_language, text) => {
    expect(read({ text })).toMatchObject({ kind: "unsubscribe", optOut: true });
  });

  test("a refusal without it is a reply", () => {
    expect(read({ text: "Nie jestem zainteresowany." })).toMatchObject({
      kind: "reply",
      interest: "not_interested",
    });
  });
});

describe("a team's own words", () => {
  const words = { interested: ["ping me"], not_interested: ["hard pass"], neutral: ["parked"] };
  const say = (text: string) => classify(makeMail({ text }), OWN, words);

  test.each([
    ["Ping me in May.", "interested"],
    ["Hard pass from us, ping me never", "not_interested"],
    ["This is parked.", "neutral"],
    ["Sounds great!", "interested"],
  ] as const)("%p: %s", (text, interest) => {
    expect(say(text).interest).toBe(interest);
  });

  test.each(["Please do not ping me.", "shopping message"])("a negation or a part: %p", (text) => {
    expect(say(text).interest).not.toBe("interested");
  });

  test("evidence shows them", () => {
    expect(say("Ping me").evidence).toBe("own words: ping me");
  });
});

describe("a relative day is the writer's", () => {
  const late = unixMs(Date.UTC(2026, 2, 2, 22));
  const absence = (date: string) =>
    makeMail({
      subject: "Automatic reply: Offer",
      headers: { "auto-submitted": "auto-replied", date },
      text: "I am back tomorrow.",
    });

  test.each([
    ["Mon, 2 Mar 2026 22:00:00 +0000", undefined, "2026-03-03"],
    ["Tue, 3 Mar 2026 07:00:00 +0900 (JST)", undefined, "2026-03-04"],
    ["Mon, 2 Mar 2026 22:00:00 +0000", "Asia/Tokyo", "2026-03-04"],
    ["no date", "Not/AZone", "2026-03-03"],
  ])("%p in %p: %s", (date, zone, returnsOn) => {
    const own = { addresses: [], receivedAt: late, ...(zone === undefined ? {} : { zone }) };
    expect(classify(absence(date), own).returnsOn).toBe(returnsOn);
  });
});

describe("a server's report in words that no table holds", () => {
  const daemon = { from: "postmaster@mx.example.com", name: "", subject: "Xyz", text: "" };
  const headers = { "return-path": "<>" };

  test("is a soft bounce if it names an address", () => {
    const text = "Bericht fluppt nit: <ada@example.com>.";
    expect(read({ ...daemon, headers, text })).toMatchObject({
      kind: "bounce",
      severity: "soft",
      recipients: ["ada@example.com"],
    });
  });

  test("is none without a null return path, or where it names nobody", () => {
    expect(read({ ...daemon, text: "Ask ada@example.com." }).kind).toBe("reply");
    expect(read({ ...daemon, headers, text: "Hallo zusammen." }).kind).toBe("reply");
  });
});

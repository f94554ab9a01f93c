/** Reports of the benchmark: bounces, delays and complaints, as servers and providers send them. */

import {
  addresseeOf,
  draw,
  OUR_ADDRESS,
  OUR_MESSAGE_ID,
  type Sample,
  SENT,
  type Surroundings,
} from "./benchmark.ts";
import { encodeWords, message, multipart, textPart } from "./mime.ts";

type Form = "dsn" | "words" | "notification" | "feedback" | "notice";

export function reportEmail(sample: Sample, around: Surroundings): Uint8Array {
  const { fill, address } = addresseeOf(sample, around);
  const text = fill(sample.text);
  const host = `mx.${address.split("@")[1]}`;
  const form = formOf(sample);
  const notification = notificationOf(sample, text, address);
  const words = textPart({ type: "text/plain", text, charset: "utf-8", encoding: "base64" });
  const bodies: Record<Form, () => string> = {
    dsn: () =>
      multipart("report; report-type=delivery-status", [
        words,
        deliveryStatus(sample, text, address),
        originalOf(fill(around.subject), address),
      ]),
    words: () => plain(wordsOf(sample, text, address)),
    notification: () => plain(notification),
    feedback: () =>
      multipart("report; report-type=feedback-report", [
        words,
        "Content-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\nUser-Agent: Loop/1.0\r\nVersion: 1\r\n",
        originalOf(fill(around.subject), address),
      ]),
    notice: () => multipart("mixed", [originalOf(fill(around.subject), address)]),
  };
  const senders: Record<Form, string> = {
    dsn: `Postmaster <mailer-daemon@${host}>`,
    words: `<postmaster@${host}>`,
    notification: "AWS Notifications <no-reply@sns.amazonaws.com>",
    feedback: `<fbl@feedback.${host}>`,
    notice: `<staff@${host}>`,
  };
  const subject = form === "notification" ? "AWS Notification Message" : subjectOf(sample);
  const headers = {
    ...((form === "dsn" || form === "words") && { "Return-Path": "<>" }),
    From: senders[form],
    To: OUR_ADDRESS,
    Subject: encodeWords(subject),
    Date: SENT,
    "Message-ID": `<${sample.id}@${host}>`,
  };
  return message(headers, bodies[form]());
}

function formOf(sample: Sample): Form {
  const isOther = draw(sample, "form", 4);
  if (sample.label === "complaint") {
    return sample.text.includes("message from 1") ? "notice" : (COMPLAINTS[isOther] ?? "feedback");
  }
  const isCode = /^\d{3}[ -]/.test(sample.text);
  return (isCode ? CODES[isOther] : WORDS[isOther]) ?? "dsn";
}

const COMPLAINTS: readonly Form[] = ["feedback", "feedback", "feedback", "notification"];
const CODES: readonly Form[] = ["dsn", "dsn", "words", "notification"];
const WORDS: readonly Form[] = ["words", "words", "words", "dsn"];

function subjectOf({ subject, label, text }: Sample): string {
  const usual = label === "delay" ? "Message delayed" : "Undelivered message";
  return subject ?? (label === "complaint" ? text.slice(0, 60) : usual);
}

function plain(text: string): string {
  return textPart({ type: "text/plain", text, charset: "utf-8", encoding: "quoted-printable" });
}

function wordsOf(sample: Sample, text: string, address: string): string {
  const said = text.includes(address) ? text : `<${address}>:\n${text}`;
  const returned = `Message-ID: ${OUR_MESSAGE_ID}\nTo: ${address}\nFrom: ${OUR_ADDRESS}`;
  return draw(sample, "returned", 2) === 0 ? said : `${said}\n\n--- Original ---\n${returned}`;
}

function deliveryStatus({ label }: Sample, text: string, address: string): string {
  const isDelay = label === "delay";
  const status = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(text)?.[0] ?? (isDelay ? "4.0.0" : "5.0.0");
  const lines = [
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mx.out.example",
    "",
    `Final-Recipient: rfc822; ${address}`,
    `Action: ${isDelay ? "delayed" : "failed"}`,
    `Status: ${status}`,
  ];
  const diagnostic = /^\d{3}/.test(text) ? [`Diagnostic-Code: smtp; ${text}`] : [];
  return [...lines, ...diagnostic, ""].join("\r\n");
}

function originalOf(subject: string, address: string): string {
  return [
    "Content-Type: message/rfc822",
    "",
    `Message-ID: ${OUR_MESSAGE_ID}`,
    `From: ${OUR_ADDRESS}`,
    `To: ${address}`,
    `Subject: ${encodeWords(subject)}`,
    "",
    "Hello",
    "",
  ].join("\r\n");
}

/** Amazon SES by way of SNS, with SNS's footer; every other one in the envelope that it may have. */
function notificationOf(sample: Sample, text: string, address: string): string {
  const recipient = { emailAddress: address };
  const isSoft = sample.label === "bounce_soft";
  const bounce = {
    bounceType: isSoft ? "Transient" : "Permanent",
    bounceSubType: "General",
    bouncedRecipients: [{ ...recipient, action: "failed", diagnosticCode: `smtp; ${text}` }],
  };
  const complaint = { complainedRecipients: [recipient], complaintFeedbackType: "abuse" };
  const headers = [{ name: "Message-ID", value: OUR_MESSAGE_ID }];
  const mail = { messageId: "0102019-7f31", destination: [address], headers };
  const deliveryDelay = { delayType: "General", delayedRecipients: bounce.bouncedRecipients };
  const inner = JSON.stringify(
    sample.label === "complaint"
      ? { notificationType: "Complaint", complaint, mail }
      : sample.label === "delay"
        ? { eventType: "DeliveryDelay", deliveryDelay, mail }
        : { notificationType: "Bounce", bounce, mail },
  );
  const topic = "arn:aws:sns:eu-west-1:111122223333:bounces";
  const outer = { Type: "Notification", TopicArn: topic, Message: inner };
  const json = draw(sample, "envelope", 2) === 0 ? inner : JSON.stringify(outer, null, 2);
  return `${json}\n\n--\nIf you wish to stop receiving notifications from this topic, please click or visit the link below to unsubscribe:\nhttps://sns.example.com/unsubscribe.html\n`;
}

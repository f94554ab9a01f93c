/**
 * What an SMTP failure means. A reply of the server is a verdict, `deferred` or `refused`, with
 * the command that it answered; without one the server was unreachable, and the only thing that
 * matters is whether the body had been handed over.
 *
 * Source: RFC 5321 §4.2, RFC 3463; nodemailer's error codes as measured, one row a case in the
 * tests.
 */

import type { SendOutcome, SendStage } from "#domain/mailboxes/send-outcome.ts";
import { reasonOf, serverText } from "#mail/server-text.ts";

/** Where a transaction stood when it failed. */
export interface Progress {
  /** The stage whose reply was being waited for. */
  waiting: SendStage;
  /** The stage of the last reply that came. */
  replied: SendStage;
  bodySent: boolean;
}

/** The properties that nodemailer puts on its errors. */
interface SmtpError {
  code: string;
  command: string;
  response: string | null;
  responseCode: number | null;
}

/** Basic status codes that a refused or postponed command may carry. */
const CODE_MIN = 400;
const CODE_MAX = 599;

export function outcomeOf(error: unknown, progress: Progress): SendOutcome {
  const { code, command, response, responseCode } = smtpError(error);
  const isVerdict = responseCode !== null && CODE_MIN <= responseCode && responseCode <= CODE_MAX;
  // A refused STARTTLS says nothing about mailbox or message: there is no way to the server.
  if (isVerdict && code !== "ETLS") {
    return {
      kind: responseCode < 500 ? "deferred" : "refused",
      stage: stageOf(command) ?? progress.replied,
      code: responseCode,
      enhanced: enhancedCode(response ?? ""),
      response: replyText(response ?? reasonOf(error)),
    };
  }
  if (code === "EAUTH" && progress.waiting !== "connect") {
    return refused("auth", 535, "5.7.8", reasonOf(error));
  }
  if (code === "EMESSAGE" && command === "MAIL FROM") {
    return refused("data", 552, "5.3.4", reasonOf(error));
  }
  return {
    kind: "unreachable",
    stage: progress.waiting,
    reason: reasonOf(error),
    bodySent: progress.bodySent,
  };
}

/** What a reply to one command says; null where the server agrees. */
export function outcomeOfReply(stage: SendStage, reply: string): SendOutcome | null {
  const code = Number(/^\d{3}/.exec(reply)?.[0]);
  if (code >= 200 && code < CODE_MIN) {
    return null;
  }
  return code >= CODE_MIN && code <= CODE_MAX
    ? {
        kind: code < 500 ? "deferred" : "refused",
        stage,
        code,
        enhanced: enhancedCode(reply),
        response: replyText(reply),
      }
    : { kind: "unreachable", stage, reason: "not an SMTP reply", bodySent: false };
}

/** A refusal that we know without asking the server. */
export function refused(
  stage: SendStage,
  code: number,
  enhanced: string | null,
  response: string,
): SendOutcome {
  return { kind: "refused", stage, code, enhanced, response: serverText(response) };
}

/** `5.1.1` of `550 5.1.1 No such user`, or null. */
export function enhancedCode(reply: string): string | null {
  const match = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})(?![.\d])/.exec(reply);
  return match?.[1] ?? null;
}

/** A reply on one line: codes are kept on its first line and dropped from the others. */
export function replyText(reply: string): string {
  const [first = "", ...others] = reply.split(/\r?\n/);
  const words = others.map((line) => line.replace(/^\d{3}[ -](?:[245]\.\d{1,3}\.\d{1,3} )?/, ""));
  return serverText([first.replace(/^(\d{3})-/, "$1 "), ...words].join(" "));
}

function stageOf(command: string): SendStage | undefined {
  if (command.startsWith("AUTH")) {
    return "auth";
  }
  const stages: Readonly<Record<string, SendStage>> = {
    EHLO: "connect",
    HELO: "connect",
    "MAIL FROM": "mail",
    "RCPT TO": "rcpt",
    DATA: "data",
  };
  return stages[command];
}

function smtpError(error: unknown): SmtpError {
  const fields: Readonly<Record<string, unknown>> =
    typeof error === "object" && error !== null ? { ...error } : {};
  const { code, command, response, responseCode } = fields;
  return {
    code: typeof code === "string" ? code : "",
    command: typeof command === "string" ? command : "",
    response: typeof response === "string" ? response : null,
    responseCode: typeof responseCode === "number" ? responseCode : null,
  };
}

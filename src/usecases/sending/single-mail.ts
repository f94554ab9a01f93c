/**
 * One email outside of any sequence, to somebody of the team: sent now, by the same way as any email. It is
 * counted and held by the mailbox's caps, and never goes to a suppressed address.
 */

import { withImageParts } from "#domain/campaigns/file.ts";
import { domainOf } from "#domain/email-address.ts";
import { asSender } from "#domain/mailboxes/account.ts";
import type { SendOutcome } from "#domain/mailboxes/send-outcome.ts";
import { classifyFault } from "#domain/mailboxes/smtp-fault.ts";
import { conflict, type Problem } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import { composeMessage } from "#mail/compose.ts";
import type { Envelope } from "#platform/ports/mail.ts";
import type { Carried } from "#store/sending/message-files.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { audit } from "#usecases/events/record.ts";
import { isSuppressed } from "#usecases/leads/suppressions.ts";
import { recordFault } from "#usecases/mailboxes/account-faults.ts";
import { recordSmtpOk } from "#usecases/mailboxes/accounts.ts";
import { UnreadableCredentials } from "#usecases/mailboxes/credentials.ts";
import { signed } from "#usecases/mailboxes/dkim.ts";
import { mailboxOf } from "#usecases/mailboxes/mailbox.ts";
import { attachmentsOf, cidOf } from "./draft.ts";
import type { Preview } from "./preview.ts";
import { giveBack, type Reservation, reserve } from "./reservation.ts";

export interface SingleMail {
  account: AccountRow;
  to: string;
  messageId: string;
  content: { subject: string; text: string; html: string };
  headers: Preview["headers"];
  carried: Carried[];
}

export const SINGLE_STATUSES = ["sent", "failed", "unknown"] as const;

export interface Sent {
  /** `unknown`: the connection broke when the email may have been delivered already. */
  status: (typeof SINGLE_STATUSES)[number];
  /** The mail server's words, or why there are none. */
  response: string;
}

/**
 * Counts it, hands it over, and records what became of it under `action` of `target`. Throws `conflict` where
 * the address is suppressed or the mailbox's limit is reached.
 */
export async function sendSingle(
  env: Environment,
  caller: Caller,
  mail: SingleMail,
  { action, target }: { action: string; target: string },
): Promise<Sent> {
  const { account, to, messageId } = mail;
  const reservation = await env.commit(() => {
    const barred = refusalOf(env, caller.teamId, to);
    if (barred !== undefined) {
      throw barred;
    }
    return reserveOrRefuse(env, account);
  });
  const { outcome, refusal } = await handOver(env, mail);
  if (refusal !== undefined) {
    await env.commit(() => giveBack(env, reservation));
    throw refusal;
  }
  const status = statusOf(outcome);
  await env.commit(() => {
    if (status === "failed") {
      giveBack(env, reservation);
    }
    recordOutcome(env, account, outcome);
    audit(env, caller, {
      ...{ action, target },
      after: { account_id: account.id, message_id: messageId, status },
    });
  });
  const response = outcome.kind === "unreachable" ? outcome.reason : outcome.response;
  return { status, response };
}

function refusalOf(env: Environment, teamId: Id, to: string): Problem | undefined {
  return isSuppressed(env.db, teamId, to, domainOf(to)) === null
    ? undefined
    : conflict(`${to} is suppressed, so not even test emails are sent to it; use another address`);
}

function reserveOrRefuse(env: Environment, account: AccountRow): Reservation {
  const reservation = reserve(env, account);
  if (reservation.kind === "held") {
    throw conflict(`${account.email}: ${reservation.message}`);
  }
  return reservation;
}

interface HandedOver {
  outcome: SendOutcome;
  /** The address was suppressed before the body went out: nothing was sent. */
  refusal?: Problem;
}

async function handOver(env: Environment, mail: SingleMail): Promise<HandedOver> {
  const { account, to } = mail;
  let refusal: Problem | undefined;
  const lastWord = async () => {
    refusal = await env.commit(() => refusalOf(env, account.teamId, to));
    if (refusal !== undefined) {
      throw refusal;
    }
  };
  try {
    const mailbox = mailboxOf(env, account);
    const outcome = await env.mail.send(mailbox, await envelopeOf(env, mail), lastWord);
    return refusal === undefined ? { outcome } : { outcome, refusal };
  } catch (error) {
    if (!(error instanceof UnreadableCredentials)) {
      throw error;
    }
    const verdict = { code: 535, enhanced: null, response: error.message };
    return { outcome: { kind: "refused", stage: "auth", ...verdict } };
  }
}

/** Headers by which a mailbox lets people opt out are part of what is looked at. */
const OPT_OUT = /^list-unsubscribe/i;

async function envelopeOf(env: Environment, mail: SingleMail): Promise<Envelope> {
  const { to, messageId, content, headers, carried } = mail;
  const account = asSender(mail.account);
  const parts = carried.map(({ file, isInline }) => ({ ...file, fileId: file.id, isInline }));
  const raw = await composeMessage({
    from: { name: account.displayName ?? "", address: account.email },
    to: { name: "", address: to },
    ...content,
    html: withImageParts(content.html, cidOf),
    attachments: await attachmentsOf(env, parts),
    messageId,
    date: env.clock.now(),
    timezone: account.timezone,
    inReplyTo: null,
    references: [],
    headers: headers.filter(({ name }) => OPT_OUT.test(name)),
  });
  return { from: account.email, to, raw: await signed(env, account, raw), messageId };
}

function statusOf(outcome: SendOutcome): Sent["status"] {
  if (outcome.kind === "accepted") {
    return "sent";
  }
  return classifyFault(outcome).kind === "unknown" ? "unknown" : "failed";
}

/** The mailbox has shown how it is, as by any email. */
function recordOutcome(env: Environment, account: AccountRow, outcome: SendOutcome): void {
  if (outcome.kind === "accepted") {
    recordSmtpOk(env, account.id);
    return;
  }
  const words = outcome.kind === "unreachable" ? outcome.reason : outcome.response;
  const [fault, now] = [classifyFault(outcome), env.clock.now()];
  recordFault(env, { accountId: account.id, tried: account, fault, words, now });
}

/**
 * A step sent to somebody who wants to see it as it arrives: rendered as for a lead, from the mailbox whose
 * name the preview shows, by the same way as any email. It belongs to no lead and moves no sequence; it is
 * counted and held by the mailbox's caps, and never goes to a suppressed address.
 */

import { withImageParts } from "#domain/campaigns/file.ts";
import { domainOf, parseAddress } from "#domain/email-address.ts";
import type { SendOutcome } from "#domain/mailboxes/send-outcome.ts";
import { classifyFault } from "#domain/mailboxes/smtp-fault.ts";
import { conflict, invalid, type Problem } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import { composeMessage } from "#mail/compose.ts";
import type { Envelope } from "#platform/ports/mail.ts";
import { bytesOf, type Carried } from "#store/sending/message-files.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { StepRow } from "#store/tables/campaigns.ts";
import { requireCampaign } from "#usecases/campaigns/campaigns.ts";
import { likelySender } from "#usecases/campaigns/launch.ts";
import { audit } from "#usecases/events/record.ts";
import { requireStep } from "#usecases/leads/steps.ts";
import { isSuppressed } from "#usecases/leads/suppressions.ts";
import { recordFault } from "#usecases/mailboxes/account-faults.ts";
import { recordSmtpOk } from "#usecases/mailboxes/accounts.ts";
import { UnreadableCredentials } from "#usecases/mailboxes/credentials.ts";
import { signed } from "#usecases/mailboxes/dkim.ts";
import { mailboxOf } from "#usecases/mailboxes/mailbox.ts";
import { mayReplyFrom } from "./claim-reply.ts";
import { renderFor } from "./content-check.ts";
import { attachmentsOf, cidOf, mintMessageId, withinCapacity } from "./draft.ts";
import { carriedIn, type Preview } from "./preview.ts";
import { giveBack, type Reservation, reserve } from "./reservation.ts";

export interface TestSend {
  to: string;
  /** Whose values fill the email; absent: somebody with all fields filled. */
  leadId?: Id;
}

export const TEST_STATUSES = ["sent", "failed", "unknown"] as const;

export interface SentTest {
  step: StepRow;
  from: string;
  to: string;
  messageId: string;
  /** `unknown`: the connection broke when the email may have been delivered already. */
  status: (typeof TEST_STATUSES)[number];
  /** The mail server's words, or why there are none. */
  response: string;
}

/**
 * Sends it now, and says what the mail server made of it. Throws `not_found`; `validation_error` for a
 * step that cannot be rendered, a lead that lacks a value, or no address; `conflict` where the address is
 * suppressed, no mailbox can send, or its limit is reached; `unavailable` where its files don't fit into memory now.
 */
export async function sendTest(
  env: Environment,
  caller: Caller,
  place: { campaignId: Id; stepId: Id },
  input: TestSend,
): Promise<SentTest> {
  const campaign = requireCampaign(env, caller, place.campaignId);
  const step = requireStep(env, caller, campaign.id, place.stepId);
  const to = parseAddress(input.to)?.address;
  if (to === undefined) {
    throw invalid("to", "must be an email address");
  }
  const { content, headers, carried } = readyPreview(
    renderFor(env, caller, { campaign, step }, input.leadId),
  );
  const account = likelySender(env, campaign);
  if (!mayReplyFrom(env, account) || account === undefined) {
    throw conflict("none of this campaign's mailboxes can send; connect and test one");
  }
  const messageId = mintMessageId(env, account);
  const mail = { account, to, messageId, content, headers, carried };
  const bytes = bytesOf(carried.map(({ file }) => file));
  const { status, response } = await withinCapacity(env, bytes, () =>
    sendWithinLimits(env, caller, step, mail),
  );
  return { step, from: account.email, to, messageId, status, response };
}

/** Counts it, hands it over, and records what became of it. */
async function sendWithinLimits(
  env: Environment,
  caller: Caller,
  step: StepRow,
  mail: Mail,
): Promise<Pick<SentTest, "status" | "response">> {
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
      action: "step.send_test",
      target: `step:${step.id}`,
      after: { account_id: account.id, message_id: messageId, status },
    });
  });
  const response = outcome.kind === "unreachable" ? outcome.reason : outcome.response;
  return { status, response };
}

type Content = NonNullable<Preview["content"]>;

function readyPreview(preview: Preview) {
  const { step, content, headers, missing } = preview;
  if (content === null) {
    throw invalid(
      "lead_id",
      `this lead has no value for ${missing.join(", ")}, so its email would go on hold; add one or choose another lead`,
    );
  }
  if (content.subject === "") {
    throw invalid(
      `steps.${step.position - 1}.subject`,
      "is empty for this lead; add a subject to the step",
    );
  }
  return { content, headers, carried: carriedIn(preview) };
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

interface Mail {
  account: AccountRow;
  to: string;
  messageId: string;
  content: Content;
  headers: Preview["headers"];
  carried: Carried[];
}

interface HandedOver {
  outcome: SendOutcome;
  /** The address was suppressed before the body went out: nothing was sent. */
  refusal?: Problem;
}

async function handOver(env: Environment, mail: Mail): Promise<HandedOver> {
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

async function envelopeOf(env: Environment, mail: Mail): Promise<Envelope> {
  const { account, to, messageId, content, headers, carried } = mail;
  const parts = carried.map(({ file, isInline }) => ({ ...file, fileId: file.id, isInline }));
  const raw = await composeMessage({
    from: { name: account.displayName ?? "", address: account.email },
    to: { name: "", address: to },
    ...content,
    html: withImageParts(content.html, cidOf),
    attachments: await attachmentsOf(env, parts),
    messageId,
    date: env.clock.now(),
    inReplyTo: null,
    references: [],
    headers: headers.filter(({ name }) => OPT_OUT.test(name)),
  });
  return { from: account.email, to, raw: await signed(env, account, raw), messageId };
}

function statusOf(outcome: SendOutcome): SentTest["status"] {
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

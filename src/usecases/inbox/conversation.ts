/** A conversation with all that is shown beside it: both sides' emails, whose they are, what they did. */

import { conflict, notFound } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { currentStepOf } from "#store/campaigns/steps.ts";
import { effectsOf } from "#store/inbox/effects.ts";
import {
  findInbound,
  findInboundWhole,
  type InboundMail,
  inboundOfThread,
} from "#store/inbox/inbound.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { findLeadById } from "#store/leads/leads.ts";
import { accountById } from "#store/mailboxes/accounts.ts";
import { bytesOf, filesOfMessage } from "#store/sending/message-files.ts";
import { findMessage, messagesOfThread } from "#store/sending/messages.ts";
import { trackingOf, trackingsOf } from "#store/sending/tracking.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import type { EffectRow, ThreadRow } from "#store/tables/inbox.ts";
import type { EnrollmentRow, LeadRow } from "#store/tables/leads.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import type { TrackingRow } from "#store/tables/tracking.ts";
import { envelopeOf, withinCapacity } from "#usecases/sending/draft.ts";
import { requireThread, THREAD_MAILS_MAX } from "./threads.ts";

export interface MailWithEffects {
  mail: InboundMail;
  /** Oldest first. */
  effects: EffectRow[];
}

export interface Conversation {
  thread: ThreadRow;
  account: AccountRow | undefined;
  lead: LeadRow | undefined;
  enrollment: EnrollmentRow | undefined;
  /** The number of the last step it was sent; 0 where there is none. */
  currentStep: number;
  campaign: CampaignRow | undefined;
  /** The newest {@link THREAD_MAILS_MAX} of each side. */
  mails: MailWithEffects[];
  messages: MessageRow[];
  /** Of those messages that are tracked, by message. */
  trackings: ReadonlyMap<Id, TrackingRow>;
}

/** Throws `not_found` for another team's thread as for one that never was. */
export function readConversation(env: Environment, caller: Caller, id: Id): Conversation {
  const { db } = env;
  const thread = requireThread(env, caller, id);
  const messages = messagesOfThread(db, thread.id).slice(-THREAD_MAILS_MAX);
  const enrollment = enrollmentById(db, thread.id);
  return {
    thread,
    account: accountById(db, thread.accountId),
    lead: thread.leadId === null ? undefined : findLeadById(db, thread.leadId),
    enrollment,
    currentStep: enrollment === undefined ? 0 : currentStepOf(db, enrollment),
    campaign: thread.campaignId === null ? undefined : campaignById(db, thread.campaignId),
    mails: inboundOfThread(db, thread.id, THREAD_MAILS_MAX).map((mail) => {
      return { mail, effects: effectsOf(db, mail.id).toReversed() };
    }),
    messages,
    trackings: trackingsOf(
      db,
      messages.map((message) => message.id),
    ),
  };
}

/** An email that came in, or a message of ours. */
export type Found =
  | ({ direction: "in"; account: AccountRow | undefined } & MailWithEffects)
  | {
      direction: "out";
      account: AccountRow | undefined;
      message: MessageRow;
      tracking: TrackingRow | undefined;
    };

/** Throws `not_found` for another team's as for one that never was, and for an erased person's. */
export function findEither(env: Environment, caller: Caller, id: Id): Found {
  const { db } = env;
  const mail = findInbound(db, caller.teamId, id);
  if (mail !== undefined) {
    const effects = effectsOf(db, mail.id).toReversed();
    return { direction: "in", account: accountById(db, mail.accountId), mail, effects };
  }
  const message = findMessage(db, caller.teamId, id);
  if (message === undefined || message.recipient === "") {
    throw notFound("message");
  }
  const account = accountById(db, message.accountId);
  return { direction: "out", account, message, tracking: trackingOf(db, id) };
}

export interface RawMessage {
  raw: Uint8Array;
  /** Bytes of the whole message where `raw` is only part of it; null: it is all there. */
  sizeBytes: number | null;
}

/**
 * The bytes of a message: as they came in, or as they are handed over. Throws as {@link findEither} does,
 * `conflict` where the mailbox that a message of ours names is gone, and `unavailable` where its files don't fit
 * into memory now.
 */
export async function rawOf(env: Environment, caller: Caller, id: Id): Promise<RawMessage> {
  const found = findEither(env, caller, id);
  if (found.direction === "in") {
    const whole = findInboundWhole(env.db, caller.teamId, id);
    if (whole === undefined) {
      throw notFound("message");
    }
    return { raw: whole.raw, sizeBytes: whole.sizeBytes };
  }
  if (found.account === undefined) {
    throw conflict("the mailbox that sent this message has been deleted");
  }
  const { account, message } = found;
  const bytes = bytesOf(filesOfMessage(env.db, message.id));
  const { raw } = await withinCapacity(env, bytes, () => envelopeOf(env, account, message));
  return { raw, sizeBytes: null };
}

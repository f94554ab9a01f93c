/** Messages that went out or tried to, and email that came in. */

import { eq, isNotNull, sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { Classification, InboundKind, Severity } from "#domain/inbox/classify.ts";
import type { MessageKind, MessageStatus } from "#domain/sending/message.ts";
import { bytes, flag, type Id, instant, json, uuid } from "#store/sqlite/columns.ts";

export const messages = sqliteTable(
  "messages",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    kind: text("kind").$type<MessageKind>().notNull().default("step"),
    /** Null for a test email, and for a reply by hand that belongs to no campaign. */
    campaignId: uuid("campaign_id"),
    /** Of a reply by hand that of its conversation, where it has one. The row outlives it, as its lead and step. */
    enrollmentId: uuid("enrollment_id"),
    leadId: uuid("lead_id"),
    accountId: uuid("account_id").notNull(),
    /** Null, like its position, unless the email is of a sequence. */
    stepId: uuid("step_id"),
    /** 1-based. */
    stepPosition: integer("step_position"),
    /** That of the step's text which it was made from; null of those made before revisions were counted. */
    stepRevision: integer("step_revision"),
    status: text("status").$type<MessageStatus>().notNull(),
    /** With its angle brackets; minted by the first claim and kept by every retry. */
    messageId: text("message_id").notNull(),
    inReplyTo: text("in_reply_to"),
    references: json<string[]>("references_chain").notNull(),
    /** The alias that it is sent as; null: the mailbox's own address. */
    sentAs: text("sent_as"),
    /** Empty once the person is erased. */
    recipient: text("recipient").notNull(),
    subject: text("subject").notNull(),
    text: text("text").notNull(),
    html: text("html").notNull(),
    attempts: integer("attempts").notNull(),
    claimedAt: instant("claimed_at").notNull(),
    /** Set before the first byte of the body: from here on it may have been delivered. */
    dataAt: instant("data_at"),
    sentAt: instant("sent_at"),
    /** The server's last words. */
    response: text("response"),
    code: integer("code"),
    bouncedAt: instant("bounced_at"),
    repliedAt: instant("replied_at"),
    /** Usage buckets that the claim reserved, given back when it was certainly not sent. */
    reserved: json<{ kind: string; owner: string; bucket: string }[]>("reserved").notNull(),
    /** A copy for the Sent folder is still to be made. */
    copyDueAt: instant("copy_due_at"),
    /** When a reply by hand is next tried; a step's email waits with its enrollment. */
    dueAt: instant("due_at"),
    /** The name that the sending server gave it, where that is another than ours. */
    providerId: text("provider_id"),
    /** SHA-256 of the recipient's address once the person is erased, for their opt-out; null until then. */
    recipientHash: bytes("recipient_hash"),
    /** The conversation of a reply by hand; an email of a sequence is in that of its enrollment. */
    threadId: uuid("thread_id"),
    /** Set for the email of a placement test. */
    placementTestId: uuid("placement_test_id"),
  },
  (table) => [
    uniqueIndex("messages_message_id").on(table.messageId),
    uniqueIndex("messages_step").on(table.enrollmentId, table.stepId),
    index("messages_thread").on(table.threadId).where(isNotNull(table.threadId)),
    uniqueIndex("messages_placement_test")
      .on(table.placementTestId)
      .where(isNotNull(table.placementTestId)),
    index("messages_campaign").on(table.campaignId, table.id),
    index("messages_lead").on(table.leadId, table.id),
    index("messages_recipient").on(table.accountId, table.recipient, table.id),
    index("messages_under_way").on(table.accountId).where(eq(table.status, sql`'sending'`)),
    index("messages_due").on(table.accountId, table.dueAt).where(isNotNull(table.dueAt)),
    index("messages_provider_id").on(table.providerId).where(isNotNull(table.providerId)),
    index("messages_copy").on(table.copyDueAt).where(isNotNull(table.copyDueAt)),
  ],
);
type Row = typeof messages.$inferSelect;
/** An email of a sequence. */
export type StepMessage = Row & {
  kind: "step";
  campaignId: Id;
  enrollmentId: Id;
  leadId: Id;
  stepId: Id;
  stepPosition: number;
};
/** A reply that a person wrote by hand. */
export type ReplyMessage = Row & { kind: "manual"; threadId: Id; stepId: null };
/** The email of a placement test, to a seed mailbox. */
export type TestMessage = Row & { kind: "placement"; placementTestId: Id; stepId: null };
export type MessageRow = StepMessage | ReplyMessage | TestMessage;

/** Who gets a copy of what a person wrote by hand; they have no conversation of their own by it. */
export const messageCopies = sqliteTable(
  "message_copies",
  {
    messageId: uuid("message_id").notNull(),
    teamId: uuid("team_id").notNull(),
    address: text("address").notNull(),
    /** Others don't see that they get it. */
    isBlind: flag("is_blind").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.messageId, table.address] }),
    index("message_copies_address").on(table.teamId, table.address),
  ],
);

/** Emails of a conversation that were passed on to somebody who is no part of it. */
export const forwards = sqliteTable(
  "forwards",
  {
    /** The message that passes it on. It has no lead, whose figures are not about its recipient. */
    messageId: uuid("message_id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    /** The email that came in; null for a message of ours. */
    mailId: uuid("mail_id"),
    /** Whose words it quotes. */
    leadId: uuid("lead_id"),
  },
  (table) => [index("forwards_lead").on(table.leadId).where(isNotNull(table.leadId))],
);

/** What the rules read in an email, as far as a person sees it or another label needs it. */
export type Reading = Omit<Classification, "text" | "evidence">;

/** By what an email was found to belong to a message, the surest first. */
export type MatchedBy =
  | "token"
  | "message_id"
  | "provider_id"
  | "thread"
  | "recipient"
  | "sender"
  | "quote"
  | "company"
  | "person";

export const inboundMails = sqliteTable(
  "inbound_mails",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    accountId: uuid("account_id").notNull(),
    folder: text("folder").notNull(),
    uid: text("uid").notNull(),
    messageId: text("message_id"),
    /** Message-IDs that it replies to, oldest first: our own reply continues them. */
    references: json<string[]>("references_chain").notNull(),
    replyTo: text("reply_to"),
    fromAddress: text("from_address").notNull(),
    fromName: text("from_name").notNull(),
    subject: text("subject").notNull(),
    receivedAt: instant("received_at").notNull(),
    storedAt: instant("stored_at").notNull(),
    kind: text("kind").$type<InboundKind>().notNull(),
    severity: text("severity").$type<Severity>(),
    evidence: text("evidence").notNull(),
    reading: json<Reading>("reading").notNull(),
    matchedBy: text("matched_by").$type<MatchedBy>(),
    /** Who changed the kind last; null: it is what the rules found. */
    labelledBy: text("labelled_by"),
    /** Since when it counts as what it is: stored, relabelled or attached then. */
    effectiveAt: instant("effective_at").notNull(),
    /** The enrollment's id, or that of the first email of a conversation that belongs to none. */
    threadId: uuid("thread_id").notNull(),
    /** The message of ours that it replies to, and whose. */
    repliesTo: uuid("replies_to"),
    enrollmentId: uuid("enrollment_id"),
    leadId: uuid("lead_id"),
    campaignId: uuid("campaign_id"),
    text: text("text").notNull(),
    /** Headers and text alone where `sizeBytes` says how much there was. */
    raw: bytes("raw").notNull(),
    /** Others whom it was sent to, besides the mailbox; null: not read before 1.0. */
    others: json<string[]>("others"),
    /** Bytes of the whole email; null: `raw` is the whole. */
    sizeBytes: integer("size_bytes"),
    read: flag("read").notNull().default(false),
  },
  (table) => [
    uniqueIndex("inbound_uid").on(table.accountId, table.folder, table.uid),
    index("inbound_message_id").on(table.accountId, table.messageId),
    index("inbound_team").on(table.teamId, table.id),
    index("inbound_enrollment").on(table.enrollmentId),
    index("inbound_thread").on(table.threadId, table.receivedAt, table.id),
    index("inbound_lead").on(table.leadId),
    /** Reports, of bounces above all: they name people whom they are not from. */
    index("inbound_reports")
      .on(table.teamId)
      .where(sql`${table.kind} in ('bounce', 'notice', 'complaint')`),
  ],
);
export type InboundMailRow = typeof inboundMails.$inferSelect;

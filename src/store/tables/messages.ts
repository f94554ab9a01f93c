/** Messages that went out or tried to, and mail that came in. */

import { eq, isNotNull, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { InboundKind, Severity } from "#domain/inbound/classify.ts";
import type { MessageStatus } from "#domain/message.ts";
import { bytes, flag, instant, json, uuid } from "../columns.ts";

export const messages = sqliteTable(
  "messages",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    campaignId: uuid("campaign_id").notNull(),
    enrollmentId: uuid("enrollment_id").notNull(),
    leadId: uuid("lead_id").notNull(),
    accountId: uuid("account_id").notNull(),
    stepId: uuid("step_id").notNull(),
    stepPosition: integer("step_position").notNull(),
    status: text("status").$type<MessageStatus>().notNull(),
    /** With its angle brackets; minted by the first claim and kept by every retry. */
    messageId: text("message_id").notNull(),
    inReplyTo: text("in_reply_to"),
    references: json<string[]>("references_chain").notNull(),
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
  },
  (table) => [
    uniqueIndex("messages_message_id").on(table.messageId),
    uniqueIndex("messages_step").on(table.enrollmentId, table.stepId),
    index("messages_campaign").on(table.campaignId, table.id),
    index("messages_lead").on(table.leadId, table.id),
    index("messages_recipient").on(table.accountId, table.recipient, table.id),
    index("messages_under_way").on(table.accountId).where(eq(table.status, sql`'sending'`)),
    index("messages_copy").on(table.copyDueAt).where(isNotNull(table.copyDueAt)),
  ],
);
export type MessageRow = typeof messages.$inferSelect;

export const inboundMails = sqliteTable(
  "inbound_mails",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    accountId: uuid("account_id").notNull(),
    folder: text("folder").notNull(),
    uid: text("uid").notNull(),
    messageId: text("message_id"),
    fromAddress: text("from_address").notNull(),
    fromName: text("from_name").notNull(),
    subject: text("subject").notNull(),
    receivedAt: instant("received_at").notNull(),
    storedAt: instant("stored_at").notNull(),
    kind: text("kind").$type<InboundKind>().notNull(),
    severity: text("severity").$type<Severity>(),
    evidence: text("evidence").notNull(),
    /** The message of ours that it answers, and whose. */
    repliesTo: uuid("replies_to"),
    enrollmentId: uuid("enrollment_id"),
    leadId: uuid("lead_id"),
    campaignId: uuid("campaign_id"),
    text: text("text").notNull(),
    raw: bytes("raw").notNull(),
    read: flag("read").notNull().default(false),
  },
  (table) => [
    uniqueIndex("inbound_uid").on(table.accountId, table.folder, table.uid),
    index("inbound_message_id").on(table.accountId, table.messageId),
    index("inbound_team").on(table.teamId, table.id),
    index("inbound_enrollment").on(table.enrollmentId),
  ],
);
export type InboundMailRow = typeof inboundMails.$inferSelect;

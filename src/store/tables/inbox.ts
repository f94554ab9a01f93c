/** The inbox: conversations with their counters, and what each email has changed, so that it can be undone. */

import { gt, isNotNull, ne, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Interest } from "#domain/campaigns/enrollment.ts";
import type { InboundKind } from "#domain/inbox/classify.ts";
import type { Folder } from "#domain/inbox/folder.ts";
import { type Id, instant, json, uuid } from "#store/sqlite/columns.ts";

/**
 * A conversation: what came back for one enrollment, or an email that belongs to none with what followed.
 * What people have set (`interest`, `assigneeId`, `snoozedUntil`, that it is done) and `answeredAt` is its own;
 * the rest sums up its emails, in the transaction of their change.
 */
export const threads = sqliteTable(
  "threads",
  {
    /** The enrollment's, or that of the first email. */
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    accountId: uuid("account_id").notNull(),
    /** Null: untracked. */
    enrollmentId: uuid("enrollment_id"),
    leadId: uuid("lead_id"),
    campaignId: uuid("campaign_id"),
    /** Of the email that gives it its kind. */
    fromAddress: text("from_address").notNull(),
    fromName: text("from_name").notNull(),
    subject: text("subject").notNull(),
    snippet: text("snippet").notNull(),
    kind: text("kind").$type<InboundKind>().notNull(),
    /** The enrollment's, copied; a thread without one has its own. */
    interest: text("interest").$type<Interest>(),
    mails: integer("mails").notNull(),
    unread: integer("unread").notNull(),
    lastMailAt: instant("last_mail_at").notNull(),
    /** When a person last replied by hand. */
    answeredAt: instant("answered_at"),
    createdAt: instant("created_at").notNull(),
    /** By what it is and its interest; `done` from when somebody is done with it until another email comes. */
    folder: text("folder").$type<Folder>().notNull().default("other"),
    /** The user who takes care of it; null: nobody in particular. */
    assigneeId: uuid("assignee_id"),
    /** Put off until then; null once the time has come or another email has. */
    snoozedUntil: instant("snoozed_until"),
  },
  (table) => [
    index("threads_folder").on(table.teamId, table.folder, table.lastMailAt, table.id),
    index("threads_open")
      .on(table.teamId, table.lastMailAt, table.id)
      .where(sql`${table.folder} not in ('snoozed', 'done')`),
    index("threads_team").on(table.teamId, table.lastMailAt, table.id),
    index("threads_unread")
      .on(table.teamId, table.lastMailAt, table.id)
      .where(gt(table.unread, sql`0`)),
    index("threads_kind").on(table.teamId, table.kind, table.lastMailAt, table.id),
    index("threads_campaign").on(table.campaignId, table.lastMailAt, table.id),
    index("threads_account").on(table.accountId, table.lastMailAt, table.id),
    index("threads_interest")
      .on(table.teamId, table.interest, table.lastMailAt, table.id)
      .where(isNotNull(table.interest)),
    index("threads_lead").on(table.leadId),
    index("threads_assignee")
      .on(table.teamId, table.assigneeId, table.lastMailAt, table.id)
      .where(isNotNull(table.assigneeId)),
    index("threads_snoozed").on(table.snoozedUntil).where(isNotNull(table.snoozedUntil)),
  ],
);
export type ThreadRow = typeof threads.$inferSelect;

/**
 * One thing that an occurrence changed. Those of one type and subject form a chain in id order, from
 * which any link can be taken out (`usecases/inbox/undo.ts`).
 */
export const effects = sqliteTable(
  "effects",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    /** The email; or an id of its own for what happened without one. */
    causeId: uuid("cause_id").notNull(),
    type: text("type").$type<EffectType>().notNull(),
    subjectId: uuid("subject_id").notNull(),
    /** How it was. */
    before: json<unknown>("before"),
    /** What the occurrence wanted it to be. */
    after: json<unknown>("after"),
  },
  (table) => [
    index("effects_cause").on(table.causeId, table.id),
    index("effects_subject").on(table.subjectId, table.type, table.id),
  ],
);
export type EffectRow = typeof effects.$inferSelect;

/**
 * Suppressed domains that were lifted as a mistake: what `causeId` has ended goes on, in slices, for it
 * may be thousands.
 */
export const lifts = sqliteTable("lifts", {
  id: uuid("id").primaryKey(),
  teamId: uuid("team_id").notNull(),
  causeId: uuid("cause_id").notNull(),
});
export type LiftRow = typeof lifts.$inferSelect;

/** What colleagues tell each other about a conversation. A trigger takes it away with the conversation. */
export const threadNotes = sqliteTable(
  "thread_notes",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    threadId: uuid("thread_id").notNull(),
    /** As in the audit log: `user:<id>`, `key:<id>`. */
    author: text("author").notNull(),
    body: text("body").notNull(),
    /** Ids of the users whom it names. */
    mentions: json<Id[]>("mentions").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    index("thread_notes_thread").on(table.threadId, table.id),
    index("thread_notes_mentions").on(table.teamId).where(ne(table.mentions, sql`'[]'`)),
  ],
);
export type ThreadNoteRow = typeof threadNotes.$inferSelect;

/** What a team replies again and again, as a template. */
export const cannedReplies = sqliteTable(
  "canned_replies",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    name: text("name").notNull(),
    body: text("body").notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [index("canned_replies_team").on(table.teamId, table.id)],
);
export type CannedReplyRow = typeof cannedReplies.$inferSelect;

/** `subjectId` is an enrollment's, a suppression's, a message's, a lead's or a step's, as the type says. */
export type EffectType =
  | "enrollment"
  | "interest"
  | "moved"
  | "suppression"
  | "message_bounced"
  | "soft_bounces"
  | "step_bounced"
  | "step_unsubscribed"
  | "harm";

/** Email that came in. Lists leave out the raw bytes, which may be a megabyte each. */

import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  isNotNull,
  isNull,
  type SQL,
  sql,
} from "drizzle-orm";
import type { InboundKind, Severity } from "#domain/inbox/classify.ts";
import type { UnixMs } from "#domain/time.ts";
import { equals, type Id, placeholder } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { inserter, teamFinder } from "#store/sqlite/rows.ts";
import { type InboundMailRow, inboundMails, type Reading } from "#store/tables/messages.ts";

export const insertInbound = inserter(inboundMails);
/** With its raw bytes. */
export const findInboundWhole = teamFinder(inboundMails);

export type InboundMail = Omit<InboundMailRow, "raw">;

const { raw: _raw, ...columns } = getTableColumns(inboundMails);

function select(db: Db, where: SQL | undefined) {
  return db.orm.select(columns).from(inboundMails).where(where);
}

const byUid = prepared((db) =>
  db.orm
    .select({ id: inboundMails.id })
    .from(inboundMails)
    .where(
      and(
        equals(inboundMails.accountId, "accountId"),
        eq(inboundMails.folder, sql.placeholder("folder")),
        eq(inboundMails.uid, sql.placeholder("uid")),
      ),
    )
    .prepare(),
);

const byMessageId = prepared((db) =>
  select(
    db,
    and(
      equals(inboundMails.accountId, "accountId"),
      isNotNull(inboundMails.messageId),
      eq(inboundMails.messageId, sql.placeholder("messageId")),
    ),
  )
    .limit(1)
    .prepare(),
);

/** The name of an email that has none is what it says. */
const nameless = prepared((db) =>
  db.orm
    .select({ id: inboundMails.id })
    .from(inboundMails)
    .where(
      and(
        equals(inboundMails.accountId, "accountId"),
        isNull(inboundMails.messageId),
        eq(inboundMails.raw, placeholder(inboundMails.raw, "raw")),
      ),
    )
    .limit(1)
    .prepare(),
);

export interface Arrival {
  accountId: Id;
  folder: string;
  uid: string;
  messageId: string | null;
  raw: Uint8Array;
}

/**
 * True when this email was stored before, in this place or in another: by its Message-ID, or by the whole
 * of it where it has none.
 */
export function isKnownMail(db: Db, arrival: Arrival): boolean {
  const { accountId, folder, uid, messageId, raw } = arrival;
  if (byUid(db).get({ accountId, folder, uid }) !== undefined) {
    return true;
  }
  return messageId === null
    ? nameless(db).get({ accountId, raw }) !== undefined
    : inboundByHeader(db, accountId, messageId) !== undefined;
}

/** By the header with its angle brackets, in one mailbox. */
export function inboundByHeader(db: Db, accountId: Id, messageId: string): InboundMail | undefined {
  return byMessageId(db).get({ accountId, messageId });
}

const byId = prepared((db) => select(db, equals(inboundMails.id, "id")).prepare());

/** Undefined for another team's as for one that never was. */
export function findInbound(db: Db, teamId: Id, id: Id): InboundMail | undefined {
  const row = byId(db).get({ id });
  return row?.teamId === teamId ? row : undefined;
}

const ofEnrollment = prepared((db) =>
  select(db, equals(inboundMails.enrollmentId, "enrollmentId"))
    .orderBy(asc(inboundMails.id))
    .prepare(),
);

/** What came back for an enrollment, in the order in which it was stored. */
export function inboundOf(db: Db, enrollmentId: Id): InboundMail[] {
  return ofEnrollment(db).all({ enrollmentId });
}

const ofThread = prepared((db) =>
  select(db, equals(inboundMails.threadId, "threadId"))
    .orderBy(desc(inboundMails.receivedAt), desc(inboundMails.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** The newest emails of a thread, newest first. */
export function inboundOfThread(db: Db, threadId: Id, limit: number): InboundMail[] {
  return ofThread(db).all({ threadId, limit });
}

const untracked = prepared((db) =>
  select(db, and(equals(inboundMails.leadId, "leadId"), isNull(inboundMails.enrollmentId)))
    .orderBy(asc(inboundMails.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** What a lead wrote that belongs to no campaign's conversation, oldest first. */
export function untrackedOfLead(db: Db, leadId: Id, limit: number): InboundMail[] {
  return untracked(db).all({ leadId, limit });
}

const label = prepared((db) =>
  db.orm
    .update(inboundMails)
    .set({
      kind: sql`${sql.placeholder("kind")}`,
      severity: sql`${sql.placeholder("severity")}`,
      labelledBy: sql`${sql.placeholder("labelledBy")}`,
      effectiveAt: placeholder(inboundMails.effectiveAt, "effectiveAt"),
    })
    .where(equals(inboundMails.id, "id"))
    .prepare(),
);

export interface Label {
  kind: InboundKind;
  severity: Severity | null;
  labelledBy: string;
  effectiveAt: UnixMs;
}

export function setLabel(db: Db, id: Id, change: Label): void {
  label(db).run({ id, ...change });
}

const after = prepared((db) =>
  select(
    db,
    and(gt(inboundMails.id, placeholder(inboundMails.id, "id")), eq(inboundMails.kind, "reply")),
  )
    .orderBy(asc(inboundMails.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Replies of all teams that were stored after `id`, the oldest first. */
export function repliesAfter(db: Db, id: Id, limit: number): InboundMail[] {
  return after(db).all({ id, limit });
}

/** Another reading of an email, and what it rests on. */
export function setReading(db: Db, id: Id, reading: Reading, evidence: string): void {
  db.orm.update(inboundMails).set({ reading, evidence }).where(eq(inboundMails.id, id)).run();
}

const reads = prepared((db) =>
  db.orm
    .update(inboundMails)
    .set({ read: sql`${sql.placeholder("read")}` })
    .where(equals(inboundMails.id, "id"))
    .prepare(),
);

export function setRead(db: Db, id: Id, read: boolean): void {
  reads(db).run({ id, read: read ? 1 : 0 });
}

const readAll = prepared((db) =>
  db.orm
    .update(inboundMails)
    .set({ read: sql`1` })
    .where(and(equals(inboundMails.threadId, "threadId"), eq(inboundMails.read, sql`0`)))
    .prepare(),
);

export function setThreadRead(db: Db, threadId: Id): void {
  readAll(db).run({ threadId });
}

/** An email becomes part of an enrollment's conversation, as a reply to `repliesTo`. */
export function attachInbound(
  db: Db,
  id: Id,
  to: {
    threadId: Id;
    enrollmentId: Id;
    leadId: Id;
    campaignId: Id;
    repliesTo: Id | null;
    effectiveAt: UnixMs;
  },
): void {
  db.orm
    .update(inboundMails)
    .set({ ...to, matchedBy: "person" })
    .where(eq(inboundMails.id, id))
    .run();
}

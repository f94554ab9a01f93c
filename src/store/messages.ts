/** Messages that we sent or tried to: rows, and the look-ups that match what comes back. */

import { and, asc, desc, eq, isNotNull, lte, sql } from "drizzle-orm";
import type { UnixMs } from "#domain/time.ts";
import { equals, type Id } from "./columns.ts";
import { type Db, prepared } from "./database.ts";
import { finder, inserter, teamFinder, updater } from "./rows.ts";
import { type MessageRow, messages } from "./tables/messages.ts";

export const insertMessage = inserter(messages);
/** Writes the whole row: read it in the same transaction. */
export const updateMessage = updater(messages);
export const messageById = finder(messages);
export const findMessage = teamFinder(messages);

const byStep = prepared((db) =>
  db.orm
    .select()
    .from(messages)
    .where(and(equals(messages.enrollmentId, "enrollmentId"), equals(messages.stepId, "stepId")))
    .prepare(),
);

/** The one message of an enrollment for a step. */
export function messageOfStep(db: Db, enrollmentId: Id, stepId: Id): MessageRow | undefined {
  return byStep(db).get({ enrollmentId, stepId });
}

const byEnrollment = prepared((db) =>
  db.orm
    .select()
    .from(messages)
    .where(equals(messages.enrollmentId, "enrollmentId"))
    .orderBy(asc(messages.id))
    .prepare(),
);

/** All messages of an enrollment in the order in which they were first claimed. */
export function messagesOf(db: Db, enrollmentId: Id): MessageRow[] {
  return byEnrollment(db).all({ enrollmentId });
}

const byMessageId = prepared((db) =>
  db.orm
    .select()
    .from(messages)
    .where(eq(messages.messageId, sql.placeholder("messageId")))
    .prepare(),
);

/** By the header with its angle brackets. */
export function messageByHeader(db: Db, messageId: string): MessageRow | undefined {
  return byMessageId(db).get({ messageId });
}

const toRecipient = prepared((db) =>
  db.orm
    .select()
    .from(messages)
    .where(
      and(
        equals(messages.accountId, "accountId"),
        eq(messages.recipient, sql.placeholder("recipient")),
        isNotNull(messages.dataAt),
      ),
    )
    .orderBy(desc(messages.id))
    .limit(1)
    .prepare(),
);

/** The last message that an account wrote to an address. */
export function lastMessageTo(db: Db, accountId: Id, recipient: string): MessageRow | undefined {
  return toRecipient(db).get({ accountId, recipient });
}

const underWay = prepared((db) =>
  db.orm
    .select({ id: messages.id })
    .from(messages)
    .where(and(equals(messages.accountId, "accountId"), eq(messages.status, sql`'sending'`)))
    .limit(1)
    .prepare(),
);

/** True while a message of this account has no outcome yet: a mailbox sends one at a time. */
export function isUnderWay(db: Db, accountId: Id): boolean {
  return underWay(db).get({ accountId }) !== undefined;
}

/** Messages whose outcome was never recorded: what a crash leaves behind. */
export function messagesUnderWay(db: Db): MessageRow[] {
  return db.orm
    .select()
    .from(messages)
    .where(eq(messages.status, sql`'sending'`))
    .orderBy(asc(messages.id))
    .all();
}

const copies = prepared((db) =>
  db.orm
    .select()
    .from(messages)
    .where(and(isNotNull(messages.copyDueAt), lte(messages.copyDueAt, sql.placeholder("now"))))
    .orderBy(asc(messages.copyDueAt))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Messages whose copy is still to be put into the Sent folder. */
export function copiesDue(db: Db, now: UnixMs, limit: number): MessageRow[] {
  return copies(db).all({ now, limit });
}

const nextCopy = prepared((db) =>
  db.orm
    .select({ at: messages.copyDueAt })
    .from(messages)
    .where(isNotNull(messages.copyDueAt))
    .orderBy(asc(messages.copyDueAt))
    .limit(1)
    .prepare(),
);

export function nextCopyAt(db: Db): UnixMs | undefined {
  return nextCopy(db).get()?.at ?? undefined;
}

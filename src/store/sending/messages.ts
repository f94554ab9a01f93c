/** Messages that we sent or tried to: rows, and the look-ups that match what comes back. */

import { and, asc, desc, eq, inArray, isNotNull, ne, or, sql } from "drizzle-orm";
import type { UnixMs } from "#domain/time.ts";
import { FIRST_ID } from "#store/leads/enrollment-scan.ts";
import { equals, type Id, placeholder } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { dueRows, earliest, firstOf } from "#store/sqlite/earliest.ts";
import { finder, inserter, reader, teamFinder, updater } from "#store/sqlite/rows.ts";
import { type EnrollmentRow, enrollments, tasks } from "#store/tables/leads.ts";
import {
  inboundMails,
  type MessageRow,
  messages,
  type ReplyMessage,
  type StepMessage,
  type TestMessage,
} from "#store/tables/messages.ts";

export const insertMessage = inserter(messages) as (db: Db, row: MessageRow) => void;
/** Writes the whole row: read it in the same transaction. */
export const updateMessage = updater(messages);
/** Of a message outside of any sequence, before it is tried. */
export const BLANK_MESSAGE = {
  ...{ campaignId: null, enrollmentId: null, leadId: null, threadId: null, placementTestId: null },
  ...{ stepId: null, stepPosition: null, stepRevision: null, sentAs: null, inReplyTo: null },
  ...{ attempts: 0, dueAt: null, dataAt: null, sentAt: null, copyDueAt: null },
  ...{ response: null, code: null, bouncedAt: null, repliedAt: null, providerId: null },
  recipientHash: null,
} as const satisfies Partial<Record<keyof MessageRow, unknown>>;
/** The kind of a row says which ids it has, which the columns' types cannot. */
export const messageById = finder(messages) as (db: Db, id: Id | null) => MessageRow | undefined;
export const findMessage = teamFinder(messages) as (
  db: Db,
  teamId: Id,
  id: Id,
) => MessageRow | undefined;
const messageReader = reader as (
  table: typeof messages,
  make: Parameters<typeof reader>[1],
) => (db: Db, parameters?: Record<string, unknown>) => MessageRow[];

/** The conversation that an email belongs to. A test email is in none: its test's id stands there. */
export function threadIdOf({ id, threadId, enrollmentId, placementTestId }: MessageRow): Id {
  return threadId ?? enrollmentId ?? placementTestId ?? id;
}

const byStep = messageReader(messages, (db) =>
  db.orm
    .select()
    .from(messages)
    .where(and(equals(messages.enrollmentId, "enrollmentId"), equals(messages.stepId, "stepId")))
    .prepare(),
);

/** The one message of an enrollment for a step. */
export function messageOfStep(db: Db, enrollmentId: Id, stepId: Id): StepMessage | undefined {
  return byStep(db, { enrollmentId, stepId })[0] as StepMessage | undefined;
}

const byTest = messageReader(messages, (db) =>
  db.orm.select().from(messages).where(equals(messages.placementTestId, "testId")).prepare(),
);

/** The one message of a placement test. */
export function messageOfTest(db: Db, testId: Id): TestMessage | undefined {
  return byTest(db, { testId })[0] as TestMessage | undefined;
}

const byEnrollment = messageReader(messages, (db) =>
  db.orm
    .select()
    .from(messages)
    .where(equals(messages.enrollmentId, "enrollmentId"))
    .orderBy(asc(messages.id))
    .prepare(),
);

/** All messages of an enrollment in the order in which they were first claimed. */
export function messagesOf(db: Db, enrollmentId: Id): MessageRow[] {
  return byEnrollment(db, { enrollmentId });
}

/** Those of its sequence alone. */
export function stepMessagesOf(db: Db, enrollmentId: Id): StepMessage[] {
  return messagesOf(db, enrollmentId).filter((one) => one.kind === "step");
}

const byThread = messageReader(messages, (db) =>
  db.orm
    .select()
    .from(messages)
    .where(or(equals(messages.enrollmentId, "threadId"), equals(messages.threadId, "threadId")))
    .orderBy(asc(messages.id))
    .prepare(),
);

/** All messages of a conversation in the order in which they were first claimed. */
export function messagesOfThread(db: Db, threadId: Id): MessageRow[] {
  return byThread(db, { threadId });
}

const deferred = messageReader(messages, (db) =>
  db.orm
    .select()
    .from(messages)
    .where(
      and(
        equals(messages.enrollmentId, "enrollmentId"),
        eq(messages.status, sql`'deferred'`),
        eq(messages.kind, sql`'step'`),
      ),
    )
    .orderBy(asc(messages.id))
    .prepare(),
);

/** Messages of a sequence that wait for another try. */
export function deferredSteps(db: Db, enrollmentId: Id): MessageRow[] {
  return deferred(db, { enrollmentId });
}

const stepsSent = prepared((db) => {
  const theirs = db.orm
    .select({ id: enrollments.id })
    .from(enrollments)
    .where(and(equals(enrollments.leadId, "leadId"), equals(enrollments.campaignId, "campaignId")));
  return db.orm
    .select({ stepId: sql<Id>`${messages.stepId}`.mapWith(messages.stepId) })
    .from(messages)
    .where(
      and(
        inArray(messages.enrollmentId, theirs),
        isNotNull(messages.stepId),
        inArray(messages.status, ["sent", "unknown"]),
        ne(messages.id, placeholder(messages.id, "but")),
      ),
    )
    .unionAll(
      db.orm
        .select({ stepId: tasks.stepId })
        .from(tasks)
        .where(and(inArray(tasks.enrollmentId, theirs), isNotNull(tasks.doneAt))),
    )
    .prepare();
});

/**
 * Steps of a campaign of which a lead has had the email, or may have had it, and tasks that are done: by whichever
 * of its enrollments, where leads were merged. `but`: the email that is not counted.
 */
export function stepsSentTo(
  db: Db,
  { campaignId, leadId }: Pick<EnrollmentRow, "campaignId" | "leadId">,
  but = FIRST_ID,
): Set<Id> {
  return new Set(
    stepsSent(db)
      .all({ campaignId, leadId, but })
      .map(({ stepId }) => stepId),
  );
}

const firstSent = prepared((db) =>
  db.orm
    .select({
      id: messages.id,
      teamId: messages.teamId,
      campaignId: sql<Id>`${messages.campaignId}`.mapWith(messages.campaignId),
      accountId: messages.accountId,
      sentAt: sql<UnixMs>`${messages.sentAt}`.mapWith(messages.sentAt),
    })
    .from(messages)
    .where(
      and(
        equals(messages.enrollmentId, "enrollmentId"),
        eq(messages.kind, sql`'step'`),
        eq(messages.status, sql`'sent'`),
      ),
    )
    .orderBy(asc(messages.sentAt), asc(messages.id))
    .limit(1)
    .prepare(),
);

/** The first email of its sequence that an enrollment was sent; a late confirmation may move it back. */
export function firstSentTo(db: Db, enrollmentId: Id) {
  return firstSent(db).get({ enrollmentId });
}

const reply = prepared((db) =>
  db.orm
    .select({ id: inboundMails.id })
    .from(inboundMails)
    .where(
      and(equals(inboundMails.enrollmentId, "enrollmentId"), eq(inboundMails.kind, sql`'reply'`)),
    )
    .limit(1)
    .prepare(),
);

export function hasReply(db: Db, enrollmentId: Id): boolean {
  return reply(db).get({ enrollmentId }) !== undefined;
}

const byMessageId = messageReader(messages, (db) =>
  db.orm
    .select()
    .from(messages)
    .where(eq(messages.messageId, sql.placeholder("messageId")))
    .prepare(),
);

/** By the header with its angle brackets. */
export function messageByHeader(db: Db, messageId: string): MessageRow | undefined {
  return byMessageId(db, { messageId })[0];
}

const toRecipient = messageReader(messages, (db) =>
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
  return toRecipient(db, { accountId, recipient })[0];
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

const allUnderWay = messageReader(messages, (db) =>
  db.orm
    .select()
    .from(messages)
    .where(eq(messages.status, sql`'sending'`))
    .orderBy(asc(messages.id))
    .prepare(),
);

/** Messages whose outcome was never recorded: what a crash leaves behind. */
export function messagesUnderWay(db: Db): MessageRow[] {
  return allUnderWay(db);
}

/** Of which messages: one of these. */
export type InFlightOf =
  | { recipient: string }
  | { domain: string }
  | { campaignId: Id }
  | { enrollmentId: Id }
  | { accountId: Id };

/**
 * How many emails of a team can no longer be stopped, of an address, a domain (`@example.com`), a campaign,
 * a lead of one, or an account: their bodies are being handed over.
 */
export function countInFlight(db: Db, teamId: Id, whose: InFlightOf): number {
  const isOf = (message: MessageRow) =>
    "domain" in whose
      ? message.recipient.endsWith(whose.domain)
      : Object.entries(whose).every(([name, value]) => message[name as keyof MessageRow] === value);
  return messagesUnderWay(db).filter(
    (message) => message.teamId === teamId && message.dataAt !== null && isOf(message),
  ).length;
}

/** Messages whose copy is still to be put into the Sent folder, but for those of mailboxes that are passed over. */
export const copiesDue = dueRows(messages, messages.copyDueAt, messages.accountId) as (
  ...args: Parameters<ReturnType<typeof dueRows<typeof messages>>>
) => MessageRow[];

export const nextCopyAt = earliest(messages.copyDueAt);

const byProviderId = messageReader(messages, (db) =>
  db.orm
    .select()
    .from(messages)
    .where(
      and(isNotNull(messages.providerId), eq(messages.providerId, sql.placeholder("providerId"))),
    )
    .orderBy(desc(messages.id))
    .limit(1)
    .prepare(),
);

/** By the name that the sending server gave it. */
export function messageByProviderId(db: Db, providerId: string): MessageRow | undefined {
  return byProviderId(db, { providerId })[0];
}

const toRecipientSince = messageReader(messages, (db) =>
  db.orm
    .select()
    .from(messages)
    .where(
      and(
        equals(messages.accountId, "accountId"),
        eq(messages.recipient, sql.placeholder("recipient")),
        sql`${messages.dataAt} > ${sql.placeholder("since")}`,
      ),
    )
    .orderBy(desc(messages.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** What an account has written to an address since an instant, newest first. */
export function messagesTo(
  db: Db,
  accountId: Id,
  recipient: string,
  range: { since: UnixMs; limit: number },
): MessageRow[] {
  return toRecipientSince(db, { accountId, recipient, ...range });
}

const toCompany = prepared((db) =>
  db.orm
    .select({ id: enrollments.id })
    .from(enrollments)
    .where(
      and(
        equals(enrollments.accountId, "accountId"),
        eq(enrollments.domain, sql.placeholder("domain")),
      ),
    )
    .orderBy(desc(enrollments.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** What an account has written to people at a domain, of the `limit` newest enrollments there. */
export function messagesToCompany(
  db: Db,
  accountId: Id,
  domain: string,
  limit: number,
): MessageRow[] {
  return toCompany(db)
    .all({ accountId, domain, limit })
    .flatMap(({ id }) => messagesOf(db, id));
}

const firstReply = firstOf(messages.accountId, messages.dueAt);

/** The reply by hand that an account is to send next; `dueAt` says when. */
export function nextReply(db: Db, accountId: Id): ReplyMessage | undefined {
  const id = firstReply(db, accountId);
  const message = id === undefined ? undefined : messageById(db, id);
  return message?.kind === "manual" ? message : undefined;
}

/** Replies by hand of a conversation that is now an enrollment's. */
export function attachMessages(
  db: Db,
  threadId: Id,
  to: { enrollmentId: Id; leadId: Id; campaignId: Id },
): void {
  const change = { ...to, threadId: to.enrollmentId };
  db.orm.update(messages).set(change).where(eq(messages.threadId, threadId)).run();
}

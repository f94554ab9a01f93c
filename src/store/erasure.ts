/** Erasing a person: what goes with a lead, and what is left without a name. */

import { and, eq, inArray, like, or, sql } from "drizzle-orm";
import type { UnixMs } from "#domain/time.ts";
import type { Id } from "./columns.ts";
import type { Db } from "./database.ts";
import { forgetInImports } from "./imports.ts";
import { effects, threads } from "./tables/inbox.ts";
import { events } from "./tables/journal.ts";
import { enrollments, leads, suppressions, tasks } from "./tables/leads.ts";
import { inboundMails, messages } from "./tables/messages.ts";
import { sandboxMessages } from "./tables/sandbox.ts";
import { refreshThread } from "./threads.ts";
import { forgetTracking } from "./tracking.ts";

/** True while a message to the lead is being handed over. */
export function isBeingSent(db: Db, leadId: Id): boolean {
  const row = db.orm
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.leadId, leadId), eq(messages.status, "sending")))
    .get();
  return row !== undefined;
}

/**
 * Deletes the lead with its enrollments, tasks and the mail it sent us. Rows of messages stay, emptied,
 * for the counters; events keep ids; a suppression of the address keeps only its hash.
 */
export function eraseLead(
  db: Db,
  lead: { id: Id; teamId: Id; email: string },
  addressHash: Uint8Array,
  now: UnixMs,
): void {
  const { id, teamId, email } = lead;
  forgetConversations(db, lead, now);
  const mine = eq(messages.leadId, id);
  db.orm
    .update(messages)
    .set({ status: "cancelled", dueAt: null })
    .where(and(mine, inArray(messages.status, ["queued", "deferred"])))
    .run();
  db.orm
    .update(messages)
    .set({ recipient: "", subject: "", text: "", html: "", response: null, copyDueAt: null })
    .where(mine)
    .run();
  db.orm
    .delete(sandboxMessages)
    .where(and(eq(sandboxMessages.teamId, teamId), eq(sandboxMessages.recipient, email)))
    .run();
  db.orm.delete(tasks).where(eq(tasks.leadId, id)).run();
  db.orm.delete(enrollments).where(eq(enrollments.leadId, id)).run();
  db.orm
    .update(suppressions)
    .set({ email: null })
    .where(and(eq(suppressions.teamId, teamId), eq(suppressions.hash, addressHash)))
    .run();
  forgetTracking(db, id);
  forgetInImports(db, lead);
  forgetInEvents(db, teamId, id);
  db.orm.delete(leads).where(eq(leads.id, id)).run();
}

/**
 * The mail that the person wrote, wherever it was attached, and the conversations that consist of it;
 * answers by hand in those that belonged to no campaign are made the lead's, and emptied with the rest.
 */
function forgetConversations(
  db: Db,
  { id, teamId, email }: { id: Id; teamId: Id; email: string },
  now: UnixMs,
): void {
  const theirs = or(
    eq(inboundMails.leadId, id),
    and(eq(inboundMails.teamId, teamId), eq(inboundMails.fromAddress, email)),
  );
  const gone = db.orm
    .delete(inboundMails)
    .where(theirs)
    .returning({ id: inboundMails.id, threadId: inboundMails.threadId })
    .all();
  const subjects = db.orm
    .select({ id: enrollments.id })
    .from(enrollments)
    .where(eq(enrollments.leadId, id))
    .all();
  for (const mail of gone) {
    db.orm.delete(effects).where(eq(effects.causeId, mail.id)).run();
  }
  for (const subject of [{ id }, ...subjects]) {
    db.orm.delete(effects).where(eq(effects.subjectId, subject.id)).run();
  }
  for (const threadId of new Set(gone.map((mail) => mail.threadId))) {
    if (refreshThread(db, threadId, now) === undefined) {
      db.orm.update(messages).set({ leadId: id }).where(eq(messages.enrollmentId, threadId)).run();
    }
  }
  db.orm.delete(threads).where(eq(threads.leadId, id)).run();
}

/** What an event may tell of a person beside ids. */
const PERSONAL = [
  "$.to",
  "$.from",
  "$.email",
  "$.subject",
  "$.text",
  "$.response",
  "$.words",
  "$.new_contact",
  "$.url",
];

/**
 * Reads all of the team's events, which no index finds by lead: an erasure is rare. What is still to be
 * delivered, or is delivered again, goes out without the person too.
 */
function forgetInEvents(db: Db, teamId: Id, leadId: Id): void {
  const nothing = sql.join(
    PERSONAL.map((path) => sql`${path}, null`),
    sql`, `,
  );
  db.orm
    .update(events)
    .set({ data: sql`json_replace(${events.data}, ${nothing})` })
    .where(and(eq(events.teamId, teamId), like(events.data, `%${leadId}%`)))
    .run();
}

/** Erasing a person: what goes with a lead, and what is left without a name. */

import { and, asc, eq, gt, inArray, ne, or, sql } from "drizzle-orm";
import type { Removed } from "#domain/leads/erasure.ts";
import type { UnixMs } from "#domain/time.ts";
import { sha256 } from "#platform/secrets/crypto.ts";
import { refreshThread } from "#store/inbox/threads.ts";
import { forgetInImports } from "#store/leads/imports.ts";
import { cleanIndex, isLarge, type Merging } from "#store/leads/search.ts";
import { forgetCopiesTo, forwardsOfLead } from "#store/sending/copies.ts";
import { forgetFilesOf } from "#store/sending/message-files.ts";
import { forgetTracking } from "#store/sending/tracking.ts";
import { equals, type Id } from "#store/sqlite/columns.ts";
import { type Db, emptyLog, prepared } from "#store/sqlite/database.ts";
import { changedRows, readFact, writeFact } from "#store/sqlite/facts.ts";
import { accounts } from "#store/tables/accounts.ts";
import { campaigns } from "#store/tables/campaigns.ts";
import { effects, threads } from "#store/tables/inbox.ts";
import { enrollments, erasures, leads, suppressions, tasks } from "#store/tables/leads.ts";
import { inboundMails, messages } from "#store/tables/messages.ts";
import { completeErasures } from "./erasure-receipts.ts";
import {
  forgetInEvents,
  forgetReports,
  forgetSandboxMails,
  type Looked,
  type Person,
  writtenForms,
} from "./erasure-traces.ts";

/** True while an email to the person is being handed over. */
export function isBeingSent(db: Db, { id, teamId, email }: Person): boolean {
  const row = db.orm
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.status, sql`'sending'`),
        eq(messages.teamId, teamId),
        or(eq(messages.leadId, id), eq(messages.recipient, email)),
      ),
    )
    .get();
  return row !== undefined;
}

/**
 * Deletes the lead with its enrollments, tasks and the email it sent us. Rows of messages stay, emptied,
 * for the counters, with the hash of the address for an opt-out that is still to come; events keep ids; a
 * suppression of the address keeps only its hash. `at` is when they were erased first, before `now` where
 * that has to be done again. Of events those are `looked` through already that could be before the transaction.
 * Returns how many records of each kind were removed or emptied.
 */
export function eraseLead(
  db: Db,
  lead: Person,
  { now, at }: { now: UnixMs; at: UnixMs },
  looked: Looked,
): Removed {
  const { id, teamId, email } = lead;
  const hash = sha256(email);
  const removed: Removed = {
    ...forgetConversations(db, lead, now),
    reports: forgetReports(db, lead, now),
    sentEmails: emptyMessages(db, lead),
    copies: forgetCopiesTo(db, teamId, email),
  };
  db.orm.delete(tasks).where(eq(tasks.leadId, id)).run();
  removed.tasks = changedRows(db);
  const theirs = db.orm
    .delete(enrollments)
    .where(eq(enrollments.leadId, id))
    .returning({ campaignId: enrollments.campaignId })
    .all();
  removed.campaignLeads = theirs.length;
  for (const { campaignId } of theirs) {
    const erased = sql`${campaigns.erased} + 1`;
    db.orm.update(campaigns).set({ erased }).where(eq(campaigns.id, campaignId)).run();
  }
  eraseHash(db, teamId, hash, at);
  removed.trackedActions = forgetTracking(db, id);
  removed.importLines = forgetInImports(db, lead);
  removed.events = forgetInEvents(db, lead, looked);
  removed.sandboxEmails = forgetSandboxMails(db, lead);
  db.orm.delete(leads).where(eq(leads.id, id)).run();
  removed.leads = changedRows(db);
  writeCleaning(db);
  return removed;
}

/** Somebody of this address was erased at `at`: a suppression keeps only the hash. */
export function eraseHash(db: Db, teamId: Id, hash: Uint8Array, at: UnixMs): void {
  db.orm
    .update(suppressions)
    .set({ email: null })
    .where(and(eq(suppressions.teamId, teamId), eq(suppressions.hash, hash)))
    .run();
  db.orm
    .insert(erasures)
    .values({ teamId, hash, at })
    .onConflictDoUpdate({ target: [erasures.teamId, erasures.hash], set: { at } })
    .run();
}

/** The last number of the list beside the database that is carried out in it. */
const SEEN = "erasure.seen";

export function erasuresSeen(db: Db): number {
  return Number(readFact(db, SEEN) ?? 0);
}

export function recordErasuresSeen(db: Db, seq: number): void {
  writeFact(db, SEEN, String(seq));
}

interface AddressAt {
  id: Id;
  address: string;
}

/** Addresses of a team's leads after one of them, in the order of their ids. */
export function addressesOfLeads(
  db: Db,
  teamId: Id,
  after: Id | undefined,
  limit: number,
): AddressAt[] {
  return db.orm
    .select({ id: leads.id, address: leads.email })
    .from(leads)
    .where(and(eq(leads.teamId, teamId), after === undefined ? undefined : gt(leads.id, after)))
    .orderBy(asc(leads.id))
    .limit(limit)
    .all();
}

/** Senders of emails that a team has received after one of them, in the order of their ids. */
export function addressesOfSenders(
  db: Db,
  teamId: Id,
  after: Id | undefined,
  limit: number,
): AddressAt[] {
  const { id, fromAddress } = inboundMails;
  return db.orm
    .select({ id, address: fromAddress })
    .from(inboundMails)
    .where(and(eq(inboundMails.teamId, teamId), after === undefined ? undefined : gt(id, after)))
    .orderBy(asc(id))
    .limit(limit)
    .all();
}

/** Emails to the lead, and those to the address in conversations of others. */
function emptyMessages(db: Db, { id, teamId, email }: Person): number {
  const mailboxes = db.orm
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.teamId, teamId));
  const toAddress = and(
    inArray(messages.accountId, mailboxes),
    eq(messages.recipient, email),
    ne(messages.kind, "placement"),
  );
  const passedOn = sql`${messages.id} in (${forwardsOfLead(id)})`;
  const mine = or(eq(messages.leadId, id), toAddress, passedOn);
  db.orm
    .update(messages)
    .set({ status: "cancelled", dueAt: null })
    .where(and(mine, inArray(messages.status, ["queued", "deferred"])))
    .run();
  forgetFilesOf(db, mine);
  const named = db.orm
    .selectDistinct({ recipient: messages.recipient })
    .from(messages)
    .where(and(mine, ne(messages.recipient, "")))
    .all();
  let emptied = 0;
  for (const { recipient } of named) {
    db.orm
      .update(messages)
      .set({ ...EMPTY, recipientHash: sha256(recipient) })
      .where(and(mine, eq(messages.recipient, recipient)))
      .run();
    emptied += changedRows(db);
  }
  return emptied;
}

const EMPTY = {
  recipient: "",
  subject: "",
  text: "",
  html: "",
  response: null,
  inReplyTo: null,
  references: [],
  copyDueAt: null,
};

const erasedAt = prepared((db) =>
  db.orm
    .select({ at: erasures.at })
    .from(erasures)
    .where(and(equals(erasures.teamId, "teamId"), equals(erasures.hash, "hash")))
    .prepare(),
);

/** When somebody of this address was last erased; undefined: never. */
export function lastErasure(db: Db, teamId: Id, hash: Uint8Array): UnixMs | undefined {
  return erasedAt(db).get({ teamId, hash })?.at;
}

/**
 * How far the files are cleaned of what was erased: `asked`, `marking` the index, `merging` it, `emptying` the
 * log; empty: they are clean. Another erasure begins anew, whatever is under way.
 */
const CLEANING = "erasure.cleaning";

/** The files are to be cleaned from the beginning on. */
export function writeCleaning(db: Db): void {
  writeFact(db, CLEANING, "asked");
}

type Stage = "asked" | "marking" | "merging" | "emptying";

/**
 * Takes what was erased out of the index of words and the write-ahead log, a slice a call. `waits`: somebody
 * reads an older state of the log. What the tables held is zeroed at once, by `secure_delete`.
 */
export async function cleanAfterErasure(
  db: Db,
  by: Merging,
  now: UnixMs,
): Promise<"clean" | "more" | "waits"> {
  const stage = (readFact(db, CLEANING) ?? "") as Stage | "";
  /** Unless another erasure has come. */
  const goOn = (to: Stage | "") =>
    by.commit(() => {
      const isStill = readFact(db, CLEANING) === stage;
      if (isStill) {
        writeFact(db, CLEANING, to);
        if (to === "") {
          completeErasures(db, now);
        }
      }
      return isStill;
    });
  switch (stage) {
    case "":
      return "clean";
    case "asked":
      await goOn("marking");
      return "more";
    case "marking": {
      const isMerged = await cleanIndex(db, by, true);
      await goOn(isMerged ? "emptying" : "merging");
      return "more";
    }
    case "merging":
      if (await cleanIndex(db, by, false)) {
        await goOn("emptying");
      }
      return "more";
    case "emptying":
      if (db.raw.inTransaction) {
        // A clock jumps, and what it writes is committed when its turn ends.
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (isLarge(db)) {
        await by.beside({ sql: "PRAGMA wal_checkpoint(PASSIVE)", values: [] });
      }
      if (!emptyLog(db)) {
        return "waits";
      }
      return (await goOn("")) ? "clean" : "more";
  }
}

/**
 * The email that the person wrote, wherever it was attached, and the conversations that consist of it;
 * manual replies in those that belonged to no campaign are made the lead's, and emptied with the rest.
 */
function forgetConversations(db: Db, { id, teamId, email }: Person, now: UnixMs): Removed {
  const theirs = or(
    eq(inboundMails.leadId, id),
    and(eq(inboundMails.teamId, teamId), inArray(inboundMails.fromAddress, writtenForms(email))),
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
  let conversations = 0;
  for (const threadId of new Set(gone.map((mail) => mail.threadId))) {
    if (refreshThread(db, threadId, now) === undefined) {
      conversations += 1;
      const ofThread = or(eq(messages.threadId, threadId), eq(messages.enrollmentId, threadId));
      db.orm.update(messages).set({ leadId: id }).where(ofThread).run();
    }
  }
  db.orm.delete(threads).where(eq(threads.leadId, id)).run();
  return { receivedEmails: gone.length, conversations: conversations + changedRows(db) };
}

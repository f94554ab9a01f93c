/** Conversations of the inbox: rows, lists by time, and the summary that a row is of its emails. */

import { and, asc, count, desc, eq, gt, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import type { Interest } from "#domain/campaigns/enrollment.ts";
import type { InboundKind } from "#domain/inbox/classify.ts";
import { decisiveMail } from "#domain/inbox/conversation.ts";
import { FOLDERS, type Folder, folderOf } from "#domain/inbox/folder.ts";
import type { Phrases } from "#domain/search-phrases.ts";
import type { UnixMs } from "#domain/time.ts";
import { idsTagged } from "#store/campaigns/tags.ts";
import { isAmong, matchesOf, recordSearched, unindexed } from "#store/leads/search.ts";
import { equals, type Id, placeholder } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { finder, inserter, remover, teamFinder, updater } from "#store/sqlite/rows.ts";
import { type ThreadRow, threads } from "#store/tables/inbox.ts";
import { inboundMails } from "#store/tables/messages.ts";
import { threadsNaming } from "./notes.ts";

const insertThread = inserter(threads);
/** Writes the whole row: read it in the same transaction. */
export const updateThread = updater(threads);
export const removeThread = remover(threads);
export const findThread = teamFinder(threads);
export const threadById = finder(threads);

/** Emails of a thread that are looked at for its summary, the newest. */
const SUMMED_MAX = 200;
const SNIPPET_CHARS = 200;

const newest = prepared((db) =>
  db.orm
    .select({
      id: inboundMails.id,
      teamId: inboundMails.teamId,
      accountId: inboundMails.accountId,
      enrollmentId: inboundMails.enrollmentId,
      leadId: inboundMails.leadId,
      campaignId: inboundMails.campaignId,
      kind: inboundMails.kind,
      fromAddress: inboundMails.fromAddress,
      fromName: inboundMails.fromName,
      subject: inboundMails.subject,
      snippet: sql<string>`substr(${inboundMails.text}, 1, ${sql.raw(String(SNIPPET_CHARS))})`,
      receivedAt: inboundMails.receivedAt,
      // From whom an email was forwarded to, who is no part of the conversation.
      isAside: sql<
        0 | 1
      >`exists (select 1 from forwards where message_id = ${inboundMails.repliesTo})`,
    })
    .from(inboundMails)
    .where(equals(inboundMails.threadId, "threadId"))
    .orderBy(desc(inboundMails.receivedAt), desc(inboundMails.id))
    .limit(SUMMED_MAX)
    .prepare(),
);

const counts = prepared((db) =>
  db.orm
    .select({
      mails: count(),
      unread: sql<number>`count(*) filter (where not ${inboundMails.read})`,
    })
    .from(inboundMails)
    .where(equals(inboundMails.threadId, "threadId"))
    .prepare(),
);

/** Makes the row of a thread what its emails say; without emails it goes. `interest` is for a new row. */
export function refreshThread(
  db: Db,
  id: Id,
  now: UnixMs,
  interest: Interest | null = null,
): ThreadRow | undefined {
  const mails = newest(db).all({ threadId: id });
  const [last] = mails;
  const theirs = mails.some(({ isAside }) => isAside === 0)
    ? mails.filter(({ isAside }) => isAside === 0)
    : mails;
  const deciding = theirs[decisiveMail(theirs.map(({ kind }) => kind))];
  if (last === undefined || deciding === undefined) {
    removeThread(db, id);
    return undefined;
  }
  const { fromAddress, fromName, subject, snippet, kind } = deciding;
  const sums = counts(db).get({ threadId: id }) ?? { mails: 0, unread: 0 };
  const summary = { fromAddress, fromName, subject, snippet, kind, ...sums };
  const lastMailAt = last.receivedAt;
  const { teamId, accountId, enrollmentId, leadId, campaignId } = last;
  const known = threadById(db, id);
  const row: Omit<ThreadRow, "folder"> = {
    ...{ id, teamId, accountId, enrollmentId, leadId, campaignId },
    ...{ interest, answeredAt: null, assigneeId: null, snoozedUntil: null, createdAt: now },
    ...known,
    ...summary,
    lastMailAt,
  };
  // Whoever was done with it, or has put it off, was not with an email that came later.
  const hasNews = known === undefined || known.lastMailAt < lastMailAt;
  const filed = hasNews
    ? fileThread(row, false, null)
    : fileThread(row, known.folder === "done", known.snoozedUntil);
  if (known === undefined) {
    insertThread(db, filed);
  } else {
    updateThread(db, filed);
  }
  recordSearched(db, "thread", id);
  return filed;
}

/** A conversation where it belongs: done with, put off, or by what it is. */
export function fileThread(
  row: Omit<ThreadRow, "folder">,
  isDone: boolean,
  snoozedUntil: UnixMs | null,
): ThreadRow {
  const filed = { ...row, snoozedUntil: isDone ? null : snoozedUntil };
  return { ...filed, folder: folderOf({ ...filed, isDone }) };
}

/** Nothing where there is no such thread: nobody has replied yet. */
export function setThreadInterest(db: Db, id: Id, interest: Interest | null): void {
  const known = threadById(db, id);
  if (known !== undefined) {
    updateThread(
      db,
      fileThread({ ...known, interest }, known.folder === "done", known.snoozedUntil),
    );
  }
}

const { snoozedUntil } = threads;

const nextSnoozed = prepared((db) =>
  db.orm
    .select({ at: snoozedUntil })
    .from(threads)
    .where(isNotNull(snoozedUntil))
    .orderBy(asc(snoozedUntil))
    .limit(1)
    .prepare(),
);

/** When the first conversation that was put off is to come back. */
export function nextSnoozedAt(db: Db): UnixMs | undefined {
  return nextSnoozed(db).get()?.at ?? undefined;
}

/** Those whose time has come, the first to come back first. */
export function snoozedUntilNow(db: Db, now: UnixMs, limit: number): ThreadRow[] {
  return db.orm
    .select()
    .from(threads)
    .where(and(isNotNull(snoozedUntil), lte(snoozedUntil, now)))
    .orderBy(asc(snoozedUntil))
    .limit(limit)
    .all();
}

/** More are not counted: nobody reads them one by one. */
export const COUNTED_MAX = 1000;

const inFolder = prepared((db) =>
  countedOf(db, and(equals(threads.teamId, "teamId"), equals(threads.folder, "folder"))),
);
const unreadOf = prepared((db) =>
  countedOf(db, and(equals(threads.teamId, "teamId"), gt(threads.unread, sql`0`))),
);

const assignedTo = prepared((db) =>
  countedOf(
    db,
    and(
      equals(threads.teamId, "teamId"),
      isNotNull(threads.assigneeId),
      equals(threads.assigneeId, "userId"),
      isOpen,
    ),
  ),
);

function mentionedIn(db: Db, teamId: Id, userId: Id): number {
  const mine = sql`${threads.id} in (${threadsNaming(teamId, userId)})`;
  return countedOf(db, and(mine, isOpen)).get()?.n ?? 0;
}

function countedOf(db: Db, wanted: SQL | undefined) {
  const some = db.orm
    .select({ one: sql`1`.as("one") })
    .from(threads)
    .where(wanted);
  const first = some.limit(COUNTED_MAX).as("first");
  return db.orm.select({ n: count() }).from(first).prepare();
}

/** Conversations in each folder, unread ones in all of them, and open ones that are given to `userId` or mention them. */
export function countFolders(db: Db, teamId: Id, userId: Id | null) {
  const data = FOLDERS.map((folder) => ({
    folder,
    conversations: inFolder(db).get({ teamId, folder })?.n ?? 0,
  }));
  const unread = unreadOf(db).get({ teamId })?.n ?? 0;
  const assigned = userId === null ? 0 : (assignedTo(db).get({ teamId, userId })?.n ?? 0);
  return {
    data,
    unread,
    assigned,
    mentioned: userId === null ? 0 : mentionedIn(db, teamId, userId),
  };
}

const repliedTo = prepared((db) =>
  db.orm
    .update(threads)
    .set({ answeredAt: placeholder(threads.answeredAt, "at") })
    .where(equals(threads.id, "id"))
    .prepare(),
);

export function setRepliedAt(db: Db, id: Id, at: UnixMs): void {
  repliedTo(db).run({ id, at });
}

export interface ThreadFilter {
  unread?: boolean;
  kind?: InboundKind;
  interest?: Interest;
  folder?: Folder;
  done?: boolean;
  campaignId?: Id;
  accountId?: Id;
  assigneeId?: Id;
  /** User whom a note names. */
  mentions?: Id;
  tag?: string;
  phrases?: Phrases;
}

/** Where a page ended. */
export interface ThreadPlace {
  at: UnixMs;
  id: Id;
}

/** A page of a team's threads, the one with the newest email first, and how many fit the filter. */
export function listThreads(
  db: Db,
  teamId: Id,
  filter: ThreadFilter,
  range: { limit: number; offset: number; after?: ThreadPlace },
): { rows: ThreadRow[]; total: number } {
  const wanted = wantedBy(db, teamId, filter);
  const beyond =
    range.after === undefined
      ? undefined
      : sql`(${threads.lastMailAt}, ${threads.id}) < (${range.after.at}, ${sql.param(range.after.id, threads.id)})`;
  const rows = db.orm
    .select()
    .from(threads)
    .where(and(wanted, beyond))
    .orderBy(desc(threads.lastMailAt), desc(threads.id))
    .limit(range.limit)
    .offset(range.offset)
    .all();
  const total = db.orm.select({ n: count() }).from(threads).where(wanted).get()?.n ?? 0;
  return { rows, total };
}

/** Written out, as in the index of those that are. */
const isOpen = sql`${threads.folder} not in ('snoozed', 'done')`;

function wantedBy(db: Db, teamId: Id, filter: ThreadFilter): SQL | undefined {
  const { unread, kind, interest, folder, done, campaignId, accountId, phrases } = filter;
  return and(
    phrases === undefined ? eq(threads.teamId, teamId) : unindexed(threads.teamId, teamId),
    phrases === undefined
      ? undefined
      : isAmong(threads.id, matchesOf(db, "thread", teamId, phrases)),
    unread === undefined ? undefined : unread ? gt(threads.unread, sql`0`) : eq(threads.unread, 0),
    kind === undefined ? undefined : eq(threads.kind, kind),
    interest === undefined ? undefined : isNotNull(threads.interest),
    interest === undefined ? undefined : eq(threads.interest, interest),
    folder === undefined ? undefined : eq(threads.folder, folder),
    done === undefined ? undefined : done ? eq(threads.folder, "done") : isOpen,
    campaignId === undefined ? undefined : eq(threads.campaignId, campaignId),
    accountId === undefined ? undefined : eq(threads.accountId, accountId),
    byPeople(teamId, filter),
  );
}

/** What colleagues have set and said. */
function byPeople(teamId: Id, { assigneeId, mentions, tag }: ThreadFilter): SQL | undefined {
  return and(
    assigneeId === undefined ? undefined : isNotNull(threads.assigneeId),
    assigneeId === undefined ? undefined : eq(threads.assigneeId, assigneeId),
    mentions === undefined ? undefined : sql`${threads.id} in (${threadsNaming(teamId, mentions)})`,
    tag === undefined ? undefined : sql`${threads.id} in (${idsTagged(teamId, "thread", tag)})`,
  );
}

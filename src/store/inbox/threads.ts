/** Conversations of the inbox: rows, lists by time, and the summary that a row is of its emails. */

import { and, count, desc, eq, gt, isNotNull, ne, type SQL, sql } from "drizzle-orm";
import type { Interest } from "#domain/campaigns/enrollment.ts";
import type { InboundKind } from "#domain/inbox/classify.ts";
import { decisiveMail } from "#domain/inbox/conversation.ts";
import { FOLDERS, type Folder, folderOf } from "#domain/inbox/folder.ts";
import type { Phrases } from "#domain/search-phrases.ts";
import type { UnixMs } from "#domain/time.ts";
import { isAmong, matchesOf, recordSearched, unindexed } from "#store/leads/search.ts";
import { equals, type Id, placeholder } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { finder, inserter, remover, teamFinder } from "#store/sqlite/rows.ts";
import { type ThreadRow, threads } from "#store/tables/inbox.ts";
import { inboundMails } from "#store/tables/messages.ts";

const insertThread = inserter(threads);
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
  const deciding = mails[decisiveMail(mails.map(({ kind }) => kind))];
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
    ...{ interest, answeredAt: null, createdAt: now },
    ...known,
    ...summary,
    lastMailAt,
  };
  // Whoever was done with it was not with an email that came later.
  const isDone = known?.folder === "done" && known.lastMailAt >= lastMailAt;
  const filed = { ...row, folder: folderOf({ ...row, isDone }) };
  removeThread(db, id);
  insertThread(db, filed);
  recordSearched(db, "thread", id);
  return filed;
}

const interestOf = prepared((db) =>
  db.orm
    .update(threads)
    .set({
      interest: sql`${sql.placeholder("interest")}`,
      folder: sql`${sql.placeholder("folder")}`,
    })
    .where(equals(threads.id, "id"))
    .prepare(),
);

/** Nothing where there is no such thread: nobody has replied yet. */
export function setThreadInterest(db: Db, id: Id, interest: Interest | null): void {
  const known = threadById(db, id);
  if (known !== undefined) {
    const folder = folderOf({ ...known, interest, isDone: known.folder === "done" });
    interestOf(db).run({ id, interest, folder });
  }
}

const filedIn = prepared((db) =>
  db.orm
    .update(threads)
    .set({ folder: sql`${sql.placeholder("folder")}` })
    .where(equals(threads.id, "id"))
    .prepare(),
);

/** Files a conversation as done with, or where it belongs by itself. */
export function setThreadDone(db: Db, thread: ThreadRow, isDone: boolean): void {
  filedIn(db).run({ id: thread.id, folder: folderOf({ ...thread, isDone }) });
}

/** More are not counted: nobody reads them one by one. */
export const COUNTED_MAX = 1000;

const inFolder = prepared((db) =>
  countedOf(db, and(equals(threads.teamId, "teamId"), equals(threads.folder, "folder"))),
);
const unreadOf = prepared((db) =>
  countedOf(db, and(equals(threads.teamId, "teamId"), gt(threads.unread, sql`0`))),
);

function countedOf(db: Db, wanted: SQL | undefined) {
  const some = db.orm
    .select({ one: sql`1`.as("one") })
    .from(threads)
    .where(wanted);
  const first = some.limit(COUNTED_MAX).as("first");
  return db.orm.select({ n: count() }).from(first).prepare();
}

/** Conversations in each folder, and unread ones in all of them. */
export function countFolders(db: Db, teamId: Id) {
  const data = FOLDERS.map((folder) => ({
    folder,
    conversations: inFolder(db).get({ teamId, folder })?.n ?? 0,
  }));
  return { data, unread: unreadOf(db).get({ teamId })?.n ?? 0 };
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
const isOpen = ne(threads.folder, sql`'done'`);

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
  );
}

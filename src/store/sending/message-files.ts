/** Files that emails carry. */

import { and, asc, eq, inArray, isNotNull, or, type SQL } from "drizzle-orm";
import { equals, type Id } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { type FileRow, type MessageFileRow, messageFiles } from "#store/tables/files.ts";
import { type MessageRow, messages } from "#store/tables/messages.ts";

const ofMessage = prepared((db) =>
  db.orm
    .select()
    .from(messageFiles)
    .where(equals(messageFiles.messageId, "messageId"))
    .orderBy(asc(messageFiles.place))
    .prepare(),
);

/** In their order. */
export function filesOfMessage(db: Db, messageId: Id): MessageFileRow[] {
  return ofMessage(db).all({ messageId });
}

/** Of all that an email carries. */
export function bytesOf(files: readonly { bytes: number }[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** A file, and whether the text of the email shows it. */
export interface Carried {
  file: FileRow;
  isInline: boolean;
}

/** In place of what an earlier try was to carry. */
export function saveFilesOfMessage(
  db: Db,
  { id: messageId, teamId }: Pick<MessageRow, "id" | "teamId">,
  carried: readonly Carried[],
): void {
  if (filesOfMessage(db, messageId).length > 0) {
    db.orm.delete(messageFiles).where(eq(messageFiles.messageId, messageId)).run();
  }
  for (const [place, { file, isInline }] of carried.entries()) {
    const { id: fileId, name, mediaType, bytes, sha256 } = file;
    const row = { messageId, teamId, place, fileId, isInline, name, mediaType, bytes, sha256 };
    db.orm.insert(messageFiles).values(row).run();
  }
}

/** An email that has yet to be sent, or to be filed, with a file. */
export function isOnItsWay(db: Db, fileId: Id): boolean {
  const row = db.orm
    .select({ id: messages.id })
    .from(messageFiles)
    .innerJoin(messages, eq(messages.id, messageFiles.messageId))
    .where(
      and(
        eq(messageFiles.fileId, fileId),
        or(
          inArray(messages.status, ["queued", "deferred", "sending", "unknown"]),
          isNotNull(messages.copyDueAt),
        ),
      ),
    )
    .limit(1)
    .get();
  return row !== undefined;
}

/** The emails that `mine` finds carried nothing. The files are the team's, and stay. */
export function forgetFilesOf(db: Db, mine: SQL | undefined): void {
  const theirs = db.orm.select({ id: messages.id }).from(messages).where(mine);
  db.orm.delete(messageFiles).where(inArray(messageFiles.messageId, theirs)).run();
}

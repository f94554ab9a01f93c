/** Members who are told by email what waits in the inbox, and when the next of them is. */

import type { Db } from "#store/sqlite/database.ts";
import { dueRows, earliest } from "#store/sqlite/earliest.ts";
import { finder, inserter, remover } from "#store/sqlite/rows.ts";
import { type DigestRow, digests } from "#store/tables/people.ts";

const insertDigest = inserter(digests);
export const findDigest = finder(digests);
export const removeDigest = remover(digests);

/** In place of the one that the member had. */
export function saveDigest(db: Db, row: DigestRow): void {
  removeDigest(db, row.id);
  insertDigest(db, row);
}

/** Those whose time has come, but for those of mailboxes that are passed over. */
export const digestsDue = dueRows(digests, digests.dueAt, digests.accountId);

export const nextDigestAt = earliest(digests.dueAt);

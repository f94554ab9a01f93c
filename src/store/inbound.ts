/** Mail that came in. */

import { and, eq, isNotNull, sql } from "drizzle-orm";
import { equals, type Id } from "./columns.ts";
import { type Db, prepared } from "./database.ts";
import { inserter } from "./rows.ts";
import { type InboundMailRow, inboundMails } from "./tables/messages.ts";

export const insertInbound = inserter(inboundMails);

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
  db.orm
    .select({ id: inboundMails.id })
    .from(inboundMails)
    .where(
      and(
        equals(inboundMails.accountId, "accountId"),
        isNotNull(inboundMails.messageId),
        eq(inboundMails.messageId, sql.placeholder("messageId")),
      ),
    )
    .prepare(),
);

export interface Arrival {
  accountId: Id;
  folder: string;
  uid: string;
  messageId: string | null;
}

/** True when this mail was stored before, in this place or, by its Message-ID, in another. */
export function isKnownMail(db: Db, arrival: Arrival): boolean {
  const { accountId, folder, uid, messageId } = arrival;
  return (
    byUid(db).get({ accountId, folder, uid }) !== undefined ||
    (messageId !== null && byMessageId(db).get({ accountId, messageId }) !== undefined)
  );
}

const repliesOf = prepared((db) =>
  db.orm
    .select()
    .from(inboundMails)
    .where(equals(inboundMails.enrollmentId, "enrollmentId"))
    .prepare(),
);

/** What came back for an enrollment. */
export function inboundOf(db: Db, enrollmentId: Id): InboundMailRow[] {
  return repliesOf(db).all({ enrollmentId });
}

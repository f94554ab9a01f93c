/** Who gets a copy of what a person wrote by hand, and what it passes on. */

import { asc, eq, sql } from "drizzle-orm";
import { equals, type Id } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { changedRows } from "#store/sqlite/facts.ts";
import { forwards, type MessageRow, messageCopies } from "#store/tables/messages.ts";

export interface Copies {
  cc: string[];
  bcc: string[];
}

const NO_COPIES: Copies = { cc: [], bcc: [] };

const byMessage = prepared((db) =>
  db.orm
    .select({ address: messageCopies.address, isBlind: messageCopies.isBlind })
    .from(messageCopies)
    .where(equals(messageCopies.messageId, "messageId"))
    .orderBy(asc(sql`rowid`))
    .prepare(),
);

/** In the order in which they were given; none but of what was written by hand. */
export function copiesOf(db: Db, { id, kind }: Pick<MessageRow, "id" | "kind">): Copies {
  if (kind !== "manual") {
    return NO_COPIES;
  }
  const rows = byMessage(db).all({ messageId: id });
  const where = (blind: boolean) =>
    rows.filter(({ isBlind }) => isBlind === blind).map(({ address }) => address);
  return { cc: where(false), bcc: where(true) };
}

export function insertCopies(db: Db, { id, teamId }: MessageRow, { cc, bcc }: Copies): void {
  const row = (isBlind: boolean) => (address: string) => ({
    ...{ messageId: id, teamId, address, isBlind },
  });
  const rows = [...cc.map(row(false)), ...bcc.map(row(true))];
  if (rows.length > 0) {
    db.orm.insert(messageCopies).values(rows).run();
  }
}

export interface Forward {
  /** The email that came in; null for a message of ours. */
  mailId: Id | null;
  leadId: Id | null;
}

export function insertForward(db: Db, { id, teamId }: MessageRow, forward: Forward): void {
  db.orm
    .insert(forwards)
    .values({ messageId: id, teamId, ...forward })
    .run();
}

const forward = prepared((db) =>
  db.orm
    .select({ mailId: forwards.mailId, leadId: forwards.leadId })
    .from(forwards)
    .where(equals(forwards.messageId, "messageId"))
    .prepare(),
);

/** Undefined for what passes nothing on. */
export function forwardOf(db: Db, messageId: Id): Forward | undefined {
  return forward(db).get({ messageId });
}

/** What a lead's words are passed on by, as `message_id`. */
export const forwardsOfLead = (leadId: Id) =>
  sql`select message_id from forwards where lead_id = ${sql.param(leadId, forwards.leadId)}`;

/** An erased person gets no copies any more, and is named by none. */
export function forgetCopiesTo(db: Db, teamId: Id, address: string): number {
  db.orm
    .delete(messageCopies)
    .where(sql`${eq(messageCopies.teamId, teamId)} and ${eq(messageCopies.address, address)}`)
    .run();
  return changedRows(db);
}

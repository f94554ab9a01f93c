/** The event log: appending inside the transaction of what happened, reading it back, forgetting old events. */

import type { SQLQueryBindings } from "bun:sqlite";
import { and, asc, inArray, lte, max, sql } from "drizzle-orm";
import type { EventOrder, EventType } from "#domain/events/event.ts";
import type { UnixMs } from "#domain/time.ts";
import { type Id, idToBytes, placeholder } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { reader, uniqueFinder } from "#store/sqlite/rows.ts";
import { CAPPED, TOTAL_MAX, type Total } from "#store/sqlite/total.ts";
import { type EventRow, events } from "#store/tables/events.ts";

const insertEvent = prepared((db) =>
  db.orm
    .insert(events)
    .values({
      id: placeholder(events.id, "id"),
      teamId: placeholder(events.teamId, "teamId"),
      type: placeholder(events.type, "type"),
      createdAt: placeholder(events.createdAt, "createdAt"),
      data: placeholder(events.data, "data"),
    })
    .prepare(),
);

export interface NewEvent {
  id: Id;
  teamId: Id;
  type: EventType;
  createdAt: UnixMs;
  data: Record<string, unknown>;
}

export function appendEvent(db: Db, event: NewEvent): void {
  insertEvent(db).run({ ...event });
}

export const eventById = uniqueFinder(events, "id");

/** Undefined for another team's. */
export function findEvent(db: Db, teamId: Id, id: Id): EventRow | undefined {
  const row = eventById(db, id);
  return row?.teamId === teamId ? row : undefined;
}

export const eventBySeq = uniqueFinder(events, "seq");

const last = prepared((db) =>
  db.orm
    .select({ seq: max(events.seq) })
    .from(events)
    .prepare(),
);

/** The number of the newest event, of whatever team; 0 before the first. */
export function lastSeq(db: Db): number {
  return last(db).get()?.seq ?? 0;
}

export interface EventRange {
  /** Only what came after this number; newest first, only what came before it. All if left out. */
  after?: number;
  limit: number;
  /** `asc`, the oldest first, if left out. */
  order?: EventOrder;
  offset?: number;
  /** All kinds if left out. */
  types?: readonly EventType[];
  /** Instants, the first included and the last not. */
  from?: UnixMs;
  until?: UnixMs;
}

/** Events of a team in the order that `range` says. */
export function readEvents(db: Db, teamId: Id, range: EventRange): EventRow[] {
  const { limit, offset = 0, order = "asc", types, from = 0 } = range;
  const { after = order === "asc" ? 0 : MAX, until = MAX } = range;
  const wanted = { teamId: idToBytes(teamId), after, from, until };
  if (types === undefined) {
    return ofTeam[order](db, { ...wanted, limit, offset });
  }
  // Each kind is read off its own stretch of the index, and their first rows are merged.
  return types
    .flatMap((type) => ofType[order](db, { ...wanted, type, limit: offset + limit, offset: 0 }))
    .toSorted((a, b) => (order === "asc" ? a.seq - b.seq : b.seq - a.seq))
    .slice(offset, offset + limit);
}

const MAX = Number.MAX_SAFE_INTEGER;

/**
 * By an index of their team: where most are one team's, SQLite would rather walk all events in their order, and
 * read them to the end for a team that has few.
 */
const ofTeam = inOrder("events_team", "team_id = +$teamId");
const ofType = inOrder("events_type", "team_id = +$teamId and type = +$type");

function inOrder(index: string, whose: string) {
  const by = (beyond: string, order: string) =>
    reader(events, ({ raw }) =>
      raw.prepare<unknown, Record<string, string | number | Uint8Array>>(
        `select seq, id, team_id, type, created_at, data from events indexed by ${index}
         where ${whose} and seq ${beyond} +$after and created_at >= +$from and created_at < +$until
         order by seq ${order} limit +$limit offset +$offset`,
      ),
    );
  return { asc: by(">", "asc"), desc: by("<", "desc") };
}

const counted = prepared(({ raw }) => {
  const by = <Values extends SQLQueryBindings[]>(index: string, whose: string) =>
    raw.prepare<{ n: number }, Values>(
      `select count(*) as n from
         (select 1 from events indexed by ${index} where ${whose} limit ${TOTAL_MAX + 1})`,
    );
  return {
    ofTeam: by<[Uint8Array]>("events_team", "team_id = +?"),
    ofType: by<[Uint8Array, string]>("events_type", "team_id = +? and type = +?"),
  };
});

/** How many events of these kinds a team has. */
export function countEvents(db: Db, teamId: Id, types?: readonly EventType[]): Total {
  const { ofTeam: all, ofType: each } = counted(db);
  const team = idToBytes(teamId);
  const rows = types === undefined ? [all.get(team)] : types.map((type) => each.get(team, type));
  const total = rows.reduce((sum, row) => sum + (row?.n ?? 0), 0);
  return total > TOTAL_MAX ? CAPPED : { total, isCapped: false };
}

const around = prepared((db) =>
  db.orm
    .select({ seq: events.seq, createdAt: events.createdAt })
    .from(events)
    .where(sql`${events.seq} >= ${sql.placeholder("seq")}`)
    .orderBy(asc(events.seq))
    .limit(1)
    .prepare(),
);

/** The last number whose event is older than `before`; numbers and instants rise together. */
export function lastSeqBefore(db: Db, before: UnixMs): number {
  let low = 0;
  let high = lastSeq(db);
  while (low < high) {
    const middle = Math.floor((low + high) / 2) + 1;
    const found = around(db).get({ seq: middle });
    if (found !== undefined && found.createdAt < before) {
      low = found.seq;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/** True where there is an event older than `before`, of whatever team. */
export function hasEventBefore(db: Db, before: UnixMs): boolean {
  const oldest = around(db).get({ seq: 0 });
  return oldest !== undefined && oldest.createdAt < before;
}

/**
 * Forgets events older than `before` with their deliveries, the oldest first; but not what an active
 * webhook has still to be told. Returns how many there were.
 */
export function pruneEvents(db: Db, before: UnixMs, limit: number): number {
  const seq = lastSeqBefore(db, before);
  const isAwaited = sql`exists (select 1 from deliveries d join webhooks w on w.id = d.webhook_id
    where d.event_seq = ${events.seq} and d.status = 'pending' and w.active and w.deleted_at is null)`;
  const old = db.orm
    .select({ seq: events.seq })
    .from(events)
    .where(and(lte(events.seq, seq), sql`not ${isAwaited}`))
    .orderBy(asc(events.seq))
    .limit(limit)
    .all();
  db.orm
    .delete(events)
    .where(
      inArray(
        events.seq,
        old.map((row) => row.seq),
      ),
    )
    .run();
  return old.length;
}

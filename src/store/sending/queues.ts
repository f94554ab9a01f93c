/** How much is due, for whoever runs the program. */

import type { UnixMs } from "#domain/time.ts";
import type { Db } from "#store/sqlite/database.ts";

/** Counted up to here: more is just as much too much. */
const COUNT_MAX = 100_000;

const QUERIES = {
  sends: "select 1 from accounts where wake_at is not null and wake_at <= +?1",
  polls: "select 1 from accounts where poll_at is not null and poll_at <= +?1",
  deliveries: "select 1 from deliveries where due_at is not null and due_at <= +?1",
  copies: "select 1 from messages where copy_due_at is not null and copy_due_at <= +?1",
} as const;

export type DueCounts = Record<keyof typeof QUERIES, number>;

/** `now` is the environment's clock, `wall` the wall's, by which deliveries go. */
export function countDue(db: Db, now: UnixMs, wall: UnixMs): DueCounts {
  const count = (name: keyof typeof QUERIES) => {
    const query = `select count(*) as n from (${QUERIES[name]} limit ${COUNT_MAX})`;
    const at = name === "deliveries" ? wall : now;
    return db.raw.query<{ n: number }, [number]>(query).get(at)?.n ?? 0;
  };
  return {
    sends: count("sends"),
    polls: count("polls"),
    deliveries: count("deliveries"),
    copies: count("copies"),
  };
}

/** Events by kind after `seq`, and the last number. */
export function countEvents(db: Db, seq: number): { last: number; kinds: Map<string, number> } {
  const rows = db.raw
    .query<{ type: string; n: number; last: number }, [number, number]>(
      "select type, count(*) as n, max(seq) as last from " +
        "(select type, seq from events where seq > +?1 order by seq limit +?2) group by type",
    )
    .all(seq, COUNT_MAX);
  const last = rows.reduce((most, row) => Math.max(most, row.last), seq);
  return { last, kinds: new Map(rows.map(({ type, n }) => [type, n])) };
}

export function lastEventSeq(db: Db): number {
  return (
    db.raw.query<{ seq: number | null }, []>("select max(seq) as seq from events").get()?.seq ?? 0
  );
}

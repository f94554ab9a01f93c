/** Leads by where they stand in their sequence. */

import { type Id, idToBytes } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";

/** Those who can go on from a place or wait there for a person, counted up to `most`. */
export function countAtPlace(db: Db, campaignId: Id, placeId: Id | null, most: number): number {
  return (
    db.raw
      .query<{ n: number }, [Uint8Array, Uint8Array | null, number]>(
        `select count(*) as n from (select 1 from enrollments indexed by enrollments_place
         where campaign_id = +?1 and place_id is +?2 and status in ('pending', 'active', 'paused')
         limit +?3)`,
      )
      .get(idToBytes(campaignId), placeId === null ? null : idToBytes(placeId), most)?.n ?? 0
  );
}

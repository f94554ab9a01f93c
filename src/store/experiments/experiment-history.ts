/** What an experiment's emails of each day brought: sums over exposures by the day of sending. */

import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { exposures } from "#store/tables/experiments.ts";

export interface ExposureDay {
  /** UTC. */
  date: string;
  variantId: Id;
  sent: number;
  replies: number;
  interested: number;
  bounced: number;
}

/** In the order of days; only days and variants that have emails. */
export function exposureDays(db: Db, experimentId: Id): ExposureDay[] {
  const date = sql<string>`date(${exposures.sentAt} / 1000, 'unixepoch')`;
  return db.orm
    .select({
      date,
      variantId: exposures.variantId,
      sent: sql<number>`count(*)`,
      replies: sql<number>`sum(${exposures.repliedAt} is not null)`,
      interested: sql<number>`sum(${exposures.repliedAt} is not null and ${exposures.interested})`,
      bounced: sql<number>`sum(${exposures.bounced})`,
    })
    .from(exposures)
    .where(and(eq(exposures.experimentId, experimentId), isNotNull(exposures.sentAt)))
    .groupBy(date, exposures.variantId)
    .orderBy(date)
    .all();
}

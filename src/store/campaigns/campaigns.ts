/** Campaigns: rows and their counters. */

import { and, asc, count, desc, eq, isNotNull, ne, or, sql } from "drizzle-orm";
import type { CampaignStatus } from "#domain/campaigns/campaign.ts";
import { equals, type Id } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { cachedReader, finder, inserter, reader, teamFinder, updater } from "#store/sqlite/rows.ts";
import { type CampaignRow, campaigns } from "#store/tables/campaigns.ts";
import { idsTagged } from "./tags.ts";

export const insertCampaign = inserter(campaigns);
/** Writes the whole row: read it in the same transaction, or a counter is lost. */
export const updateCampaign = updater(campaigns);
export const findCampaign = teamFinder(campaigns);
export const campaignById = finder(campaigns);

const page = reader(campaigns, (db) =>
  db.orm
    .select()
    .from(campaigns)
    .where(equals(campaigns.teamId, "teamId"))
    .orderBy(desc(campaigns.id))
    .limit(sql.placeholder("limit"))
    .offset(sql.placeholder("offset"))
    .prepare(),
);

const total = prepared((db) =>
  db.orm.select({ n: count() }).from(campaigns).where(equals(campaigns.teamId, "teamId")).prepare(),
);

const inStatus = () =>
  and(equals(campaigns.teamId, "teamId"), eq(campaigns.status, sql.placeholder("status")));

const pageInStatus = reader(campaigns, (db) =>
  db.orm
    .select()
    .from(campaigns)
    .where(inStatus())
    .orderBy(desc(campaigns.id))
    .limit(sql.placeholder("limit"))
    .offset(sql.placeholder("offset"))
    .prepare(),
);

const totalInStatus = prepared((db) =>
  db.orm.select({ n: count() }).from(campaigns).where(inStatus()).prepare(),
);

/** A page of a team's campaigns, newest first, and how many there are. */
export function listCampaigns(
  db: Db,
  teamId: Id,
  range: { limit: number; offset: number; status?: CampaignStatus; tag?: string },
): { rows: CampaignRow[]; total: number } {
  const { limit, offset, status, tag } = range;
  if (tag !== undefined) {
    const wanted = and(
      eq(campaigns.teamId, teamId),
      status === undefined ? undefined : eq(campaigns.status, status),
      sql`${campaigns.id} in (${idsTagged(teamId, "campaign", tag)})`,
    );
    const found = db.orm.select().from(campaigns).where(wanted).orderBy(desc(campaigns.id)).all();
    return { rows: found.slice(offset, offset + limit), total: found.length };
  }
  return status === undefined
    ? {
        rows: page(db, { teamId, limit, offset }),
        total: total(db).get({ teamId })?.n ?? 0,
      }
    : {
        rows: pageInStatus(db, { teamId, status, limit, offset }),
        total: totalInStatus(db).get({ teamId, status })?.n ?? 0,
      };
}

const all = reader(campaigns, (db) =>
  db.orm.select().from(campaigns).where(equals(campaigns.teamId, "teamId")).prepare(),
);

/** Every campaign of a team. */
export function campaignsOf(db: Db, teamId: Id): CampaignRow[] {
  return all(db, { teamId });
}

const waiting = reader(campaigns, (db) =>
  db.orm
    .select()
    .from(campaigns)
    .where(
      and(
        equals(campaigns.teamId, "teamId"),
        ne(campaigns.status, "archived"),
        or(
          and(eq(campaigns.status, "paused"), ne(campaigns.statusReason, "manual")),
          sql`exists (select 1 from json_each(${campaigns.onHold}) where value > 0)`,
        ),
      ),
    )
    .orderBy(desc(campaigns.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Campaigns of a team that Outrider has paused, or of which leads are on hold; newest first. */
export function campaignsWaiting(db: Db, teamId: Id, limit: number): CampaignRow[] {
  return waiting(db, { teamId, limit });
}

const active = cachedReader(campaigns, (db) =>
  db.orm
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(and(equals(campaigns.teamId, "teamId"), eq(campaigns.status, "active")))
    .orderBy(asc(campaigns.id))
    .prepare(),
);

/** Active campaigns of a team in id order. */
export function activeCampaigns(db: Db, teamId: Id): CampaignRow[] {
  return active(db, { teamId });
}

const started = reader(campaigns, (db) =>
  db.orm
    .select()
    .from(campaigns)
    .where(
      and(
        equals(campaigns.teamId, "teamId"),
        or(eq(campaigns.status, "active"), eq(campaigns.status, "paused")),
      ),
    )
    .orderBy(asc(campaigns.id))
    .prepare(),
);

/** Active and paused campaigns of a team in id order. */
export function startedCampaigns(db: Db, teamId: Id): CampaignRow[] {
  return started(db, { teamId });
}

/** Campaigns of a team, archived ones too, that name an account to send from. */
export function campaignsNaming(db: Db, teamId: Id, accountId: Id): CampaignRow[] {
  return db.orm
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.teamId, teamId), sql`instr(${campaigns.accountIds}, ${accountId}) > 0`))
    .orderBy(asc(campaigns.id))
    .all();
}

/** Campaigns of a team, whatever their status, that an account may write for: an empty list names all accounts. */
export function campaignsOfAccount(db: Db, teamId: Id, accountId: Id): CampaignRow[] {
  return db.orm
    .select()
    .from(campaigns)
    .where(
      and(
        eq(campaigns.teamId, teamId),
        or(
          sql`json_array_length(${campaigns.accountIds}) = 0`,
          sql`instr(${campaigns.accountIds}, ${accountId}) > 0`,
        ),
      ),
    )
    .all();
}

const isStoppedByPlan = sql`(${campaigns.status} = 'paused' and ${campaigns.statusReason} = 'plan_limit')`;

const stoppedOf = reader(campaigns, (db) =>
  db.orm
    .select()
    .from(campaigns)
    .where(and(equals(campaigns.teamId, "teamId"), isStoppedByPlan))
    .orderBy(asc(campaigns.id))
    .prepare(),
);

/** Campaigns of a team that its plan has stopped, in id order. */
export function campaignsStoppedByPlan(db: Db, teamId: Id): CampaignRow[] {
  return stoppedOf(db, { teamId });
}

const stopped = prepared((db) =>
  db.orm
    .selectDistinct({ teamId: campaigns.teamId })
    .from(campaigns)
    .where(isStoppedByPlan)
    .prepare(),
);

/** Teams with a campaign that their plan has stopped. */
export function teamsPausedByPlan(db: Db): Id[] {
  return stopped(db)
    .all()
    .map(({ teamId }) => teamId);
}

const toReschedule = reader(campaigns, (db) =>
  db.orm
    .select()
    .from(campaigns)
    .where(isNotNull(campaigns.rescheduleAfter))
    .orderBy(asc(campaigns.id))
    .limit(1)
    .prepare(),
);

/** A campaign whose leads' due times do not follow its steps yet. */
export function campaignToReschedule(db: Db): CampaignRow | undefined {
  return toReschedule(db)[0];
}

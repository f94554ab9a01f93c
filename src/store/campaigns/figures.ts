/** Counts by the quarter of an hour, what a team's days are drawn from; and by day and recipient provider. */

import { and, asc, eq, gte, inArray, lt, sql } from "drizzle-orm";
import type { Interest } from "#domain/campaigns/enrollment.ts";
import type { Counts } from "#domain/campaigns/figures.ts";
import type { MailProvider } from "#domain/mailboxes/mail-provider.ts";
import type { UnixMs } from "#domain/time.ts";
import { bytesToId, equals, type Id, idToBytes, placeholder } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { figures } from "#store/tables/figures.ts";
import { threads } from "#store/tables/inbox.ts";

/** Whether a reply is a good one is its thread's to say, and is not kept here. */
export type SlotCounts = Omit<Counts, "positive">;

/** Whose email it was. */
export interface FigureOwners {
  teamId: Id;
  campaignId: Id;
  accountId: Id;
}

const amounts = {
  sent: sql.placeholder("sent"),
  contacted: sql.placeholder("contacted"),
  contactedReplied: sql.placeholder("contactedReplied"),
  replied: sql.placeholder("replied"),
  bounced: sql.placeholder("bounced"),
  unsubscribed: sql.placeholder("unsubscribed"),
  opened: sql.placeholder("opened"),
  clicked: sql.placeholder("clicked"),
};

const count = prepared((db) =>
  db.orm
    .insert(figures)
    .values(
      ["teamId", "campaignId", "accountId"].map((name) => ({
        owner: placeholder(figures.owner, name),
        slot: sql.placeholder("slot"),
        ...amounts,
      })),
    )
    .onConflictDoUpdate({
      target: [figures.owner, figures.slot],
      set: {
        sent: sql`${figures.sent} + excluded.sent`,
        contacted: sql`${figures.contacted} + excluded.contacted`,
        contactedReplied: sql`${figures.contactedReplied} + excluded.contacted_replied`,
        replied: sql`${figures.replied} + excluded.replied`,
        bounced: sql`${figures.bounced} + excluded.bounced`,
        unsubscribed: sql`${figures.unsubscribed} + excluded.unsubscribed`,
        opened: sql`${figures.opened} + excluded.opened`,
        clicked: sql`${figures.clicked} + excluded.clicked`,
      },
    })
    .prepare(),
);

const NOTHING: SlotCounts = {
  sent: 0,
  contacted: 0,
  contactedReplied: 0,
  replied: 0,
  bounced: 0,
  unsubscribed: 0,
  opened: 0,
  clicked: 0,
};

/** Adds to a quarter of an hour of a team, a campaign and an account. */
export function countFigures(
  db: Db,
  { teamId, campaignId, accountId }: FigureOwners,
  slot: number,
  add: Partial<SlotCounts>,
): void {
  count(db).run({ teamId, campaignId, accountId, slot, ...NOTHING, ...add });
}

const between = prepared((db) =>
  db.orm
    .select()
    .from(figures)
    .where(
      and(
        equals(figures.owner, "owner"),
        gte(figures.slot, sql.placeholder("from")),
        lt(figures.slot, sql.placeholder("to")),
      ),
    )
    .orderBy(asc(figures.slot))
    .prepare(),
);

/** Counts of a team, a campaign or an account in the slots `[from, to)`, oldest first. */
export function figuresBetween(
  db: Db,
  owner: Id,
  from: number,
  to: number,
): (SlotCounts & { slot: number })[] {
  return between(db).all({ owner, from, to });
}

const GOOD: readonly Interest[] = ["interested", "meeting"];

/** When the conversations began, in `[from, to)`, that somebody found good. */
export function goodThreads(
  db: Db,
  whose: { teamId: Id; campaignId?: Id; accountId?: Id },
  from: UnixMs,
  to: UnixMs,
): UnixMs[] {
  const { teamId, campaignId, accountId } = whose;
  return db.orm
    .select({ at: threads.createdAt })
    .from(threads)
    .where(
      and(
        eq(threads.teamId, teamId),
        inArray(threads.interest, [...GOOD]),
        // What began since then has its newest email since then: the index ends there.
        gte(threads.lastMailAt, from),
        gte(threads.createdAt, from),
        lt(threads.createdAt, to),
        campaignId === undefined ? undefined : eq(threads.campaignId, campaignId),
        accountId === undefined ? undefined : eq(threads.accountId, accountId),
      ),
    )
    .all()
    .map(({ at }) => at);
}

export function removeFigures(db: Db, owner: Id): void {
  db.orm.delete(figures).where(eq(figures.owner, owner)).run();
}

const prune = prepared((db) =>
  db.orm
    .delete(figures)
    .where(lt(figures.slot, sql.placeholder("slot")))
    .prepare(),
);

/** Forgets what is older than `slot`, whoever's. */
export function pruneFigures(db: Db, slot: number): void {
  prune(db).run({ slot });
}

const MISCOUNTED = `select count(*) as n from campaigns c where c.team_id = ?1 and (
    c.sent <> (select coalesce(sum(f.sent), 0) from figures f where f.owner = c.id)
    or c.replied <> (select coalesce(sum(f.replied), 0) from figures f where f.owner = c.id)
    or c.contacted <> (select coalesce(sum(f.contacted), 0) from figures f where f.owner = c.id)
    or c.contacted <> (select count(distinct m.enrollment_id) from messages m
      where m.campaign_id = c.id and m.kind = 'step' and m.status = 'sent')
    or c.replied <> (select coalesce(sum(f.contacted_replied), 0) from figures f where f.owner = c.id)
      + (select count(distinct i.enrollment_id) from inbound_mails i
        where i.campaign_id = c.id and i.kind = 'reply' and not exists (select 1 from messages m
          where m.enrollment_id = i.enrollment_id and m.kind = 'step' and m.status = 'sent')))`;

/** Campaigns whose emails, leads contacted or replies differ from what their days say. Not for a request. */
export function miscountedFigures(db: Db, teamId: Id): number {
  const query = db.raw.query<{ n: number }, [Uint8Array]>(MISCOUNTED);
  return query.get(idToBytes(teamId))?.n ?? Number.NaN;
}

export interface ProviderCounts {
  accepted: number;
  deferred: number;
  refused: number;
  bounced: number;
  replied: number;
}

export interface ProviderDay {
  teamId: Id;
  accountId: Id;
  /** `2026-03-01`, UTC. */
  date: string;
  provider: MailProvider;
}

const counting = prepared((db) =>
  db.raw.prepare<null, (Uint8Array | string | number)[]>(
    `insert into provider_days
         (team_id, account_id, date, provider, accepted, deferred, refused, bounced, replied)
       values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
       on conflict do update set accepted = accepted + ?5, deferred = deferred + ?6,
         refused = refused + ?7, bounced = bounced + ?8, replied = replied + ?9`,
  ),
);

/** Adds to a day; a negative count takes back. */
export function countProviderDay(
  db: Db,
  { teamId, accountId, date, provider }: ProviderDay,
  { accepted = 0, deferred = 0, refused = 0, bounced = 0, replied = 0 }: Partial<ProviderCounts>,
): void {
  const ids = [idToBytes(teamId), idToBytes(accountId)];
  const counts = [accepted, deferred, refused, bounced, replied];
  db.rows.writeTables([], () => counting(db).run(...ids, date, provider, ...counts));
}

const SUMS = `
  select account_id as account, provider, sum(accepted) as accepted, sum(deferred) as deferred,
         sum(refused) as refused, sum(bounced) as bounced, sum(replied) as replied
  from provider_days where date between ?2 and ?3 and`;

export type ProviderSums = ProviderCounts & { accountId: Id; provider: MailProvider };

/** The sums of the days `from` to `to`, of one account or of all the team's. */
export function providerSums(
  db: Db,
  whose: { teamId: Id } | { accountId: Id },
  { from, to }: { from: string; to: string },
): ProviderSums[] {
  const [column, id] =
    "accountId" in whose ? ["account_id", whose.accountId] : ["team_id", whose.teamId];
  return db.raw
    .query<
      ProviderCounts & { account: Uint8Array; provider: MailProvider },
      [Uint8Array, string, string]
    >(`${SUMS} ${column} = ?1 group by account_id, provider order by account_id, provider`)
    .all(idToBytes(id), from, to)
    .map(({ account, ...sums }) => ({ ...sums, accountId: bytesToId(account) }));
}

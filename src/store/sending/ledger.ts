/**
 * What the planner asks, answered from SQLite: which campaigns a mailbox writes for, what is counted
 * against its caps, and the head of each queue. Every question is one seek in an index.
 */

import { and, asc, eq, exists, isNotNull, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { canProceed } from "#domain/campaigns/campaign.ts";
import { domainOf } from "#domain/email-address.ts";
import { providerOfServer } from "#domain/mailboxes/mail-provider.ts";
import type { PlanAccount } from "#domain/sending/budget.ts";
import {
  type Barred,
  type Candidate,
  type Counter,
  type Ledger,
  NOBODY_BARRED,
  type PlanCampaign,
  type Whose,
} from "#domain/sending/ledger.ts";
import type { UnixMs } from "#domain/time.ts";
import { activeCampaigns, startedCampaigns } from "#store/campaigns/campaigns.ts";
import { unconfirmedOf } from "#store/mailboxes/accounts.ts";
import { barredValues, notBarred, receiverOf } from "#store/mailboxes/mail-domains.ts";
import { equals, type Id, idToBytes, placeholder } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { type CampaignRow, steps } from "#store/tables/campaigns.ts";
import { experiments, isTestAndRoll } from "#store/tables/experiments.ts";
import { type EnrollmentRow, enrollments } from "#store/tables/leads.ts";
import { matchedMailboxes } from "./matched-mailboxes.ts";
import { cappedDomains, usageOf } from "./usage.ts";

/** Zones looked at in one queue; leads in further ones wait until an earlier zone is empty. */
const ZONES_MAX = 500;

/** `sendable` is what the caller makes of status and readiness. */
export function planAccount(row: AccountRow, sendable: boolean): PlanAccount {
  return {
    id: row.id,
    zone: row.timezone,
    dailyLimit: row.dailyLimit,
    hourlyLimit: row.hourlyLimit,
    providerLimits: row.providerLimits,
    minGapMs: row.minGapSeconds * 1000,
    maxGapMs: row.maxGapSeconds === null ? null : row.maxGapSeconds * 1000,
    domain: domainOf(row.email),
    server: providerOfServer(row.smtp?.host ?? ""),
    ramp: row.ramp,
    healthScore: row.health.judged,
    onTrial: row.health.trial !== null,
    sendable,
    fails: row.status === "error",
    backoffUntil: row.backoffUntil,
    refusals: row.refusals ?? [],
    lastClaimAt: row.lastClaimAt,
    lastCampaignId: row.lastCampaignId,
    lastOtherCampaignId: row.lastOtherCampaignId,
  };
}

/** `waits`: it starts nobody new for now. */
export function planCampaign(
  row: CampaignRow,
  accountId: Id,
  waits: boolean,
  isTesting: boolean,
): PlanCampaign {
  return {
    id: row.id,
    window: row.sendWindow,
    maxNewPerDay: row.maxLeadsPerDay,
    dailyLimit: row.dailyLimit,
    maxPerDomainPerDay: row.maxPerDomainPerDay,
    priority: row.priority,
    startsNew: mayUse(row, accountId) && !waits,
    spreads: row.riskyAddresses === "spread",
    matching: row.providerMatching,
    startsAt: row.startedAt,
    isTesting,
  };
}

/** True when `account` may write for `campaign`: an empty list means every account of the team. */
export function mayUse(campaign: CampaignRow, accountId: Id): boolean {
  return campaign.accountIds.length === 0 || campaign.accountIds.includes(accountId);
}

/**
 * Whether a campaign starts nobody new: a mailbox that may have written for it has not been asked yet what
 * it sent. One that never had a password has sent nothing.
 */
export function startsWaiting(db: Db, teamId: Id): (campaign: CampaignRow) => boolean {
  const asked = unconfirmedOf(db, teamId).filter((row) => row.notReadyReason !== "no_credentials");
  return (campaign) => asked.some(({ id }) => mayUse(campaign, id));
}

/** Campaigns of a team whose leads wait for what those of an experiment come to. */
export function campaignsTesting(db: Db, teamId: Id | undefined): ReadonlySet<Id> {
  const rows = teamId === undefined ? [] : testing(db).all({ teamId });
  return new Set(rows.map(({ campaignId }) => campaignId));
}

const stepOf = (db: Db) =>
  db.orm.select({ one: sql`1` }).from(steps).where(eq(steps.id, experiments.stepId));

const testing = prepared((db) =>
  db.orm
    .select({ campaignId: experiments.campaignId })
    .from(experiments)
    .where(
      and(
        equals(experiments.teamId, "teamId"),
        isTestAndRoll,
        ne(experiments.status, "running"),
        // Of a step that was deleted nothing more is found out.
        or(isNull(experiments.stepId), exists(stepOf(db))),
      ),
    )
    .prepare(),
);

/** The team's state as it is in the file. Reads the active campaigns once. */
export function storeLedger(db: Db, teamId: Id): Ledger {
  return ledgerOf(db, activeCampaigns(db, teamId), startsWaiting(db, teamId));
}

/** As if paused campaigns ran, whenever they were resumed, and every mailbox had been asked what it sent. */
export function playedLedger(db: Db, teamId: Id): Ledger {
  const started = startedCampaigns(db, teamId).map((row) => ({ ...row, startedAt: null }));
  return ledgerOf(db, started, () => false);
}

function ledgerOf(
  db: Db,
  started: readonly CampaignRow[],
  waits: (campaign: CampaignRow) => boolean,
): Ledger {
  const active = started.filter(canProceed);
  const testing = campaignsTesting(db, active[0]?.teamId);
  return {
    campaignsOf: (accountId) =>
      active
        .filter((row) => mayUse(row, accountId) || hasFollowUps(db, row.id, accountId))
        .map((row) => planCampaign(row, accountId, waits(row), testing.has(row.id))),
    mailboxesOf: (campaignId) => {
      const row = active.find(({ id }) => id === campaignId);
      return row === undefined ? [] : matchedMailboxes(db, row);
    },
    count: (counter) => usageOf(db, bucketOf(counter)),
    heads: (campaignId, whose) => headsOf(db, campaignId, whose),
    head: (campaignId, whose, zone, barred) =>
      readQueue(db, { campaignId, whose, zone }, QUEUE_START, 1, barred)[0],
    cappedDomains: (campaignId, date, cap) => cappedDomains(db, campaignId, date, cap),
    receiverOf: (domain) => receiverOf(db, domain),
  };
}

export function bucketOf({ kind, owner, bucket }: Counter) {
  return { kind, owner, bucket };
}

/** Follow-ups go on from their mailbox even when the campaign no longer lists it. */
function hasFollowUps(db: Db, campaignId: Id, accountId: Id): boolean {
  return firstFollowUp(db).get({ accountId, campaignId, from: FIRST_ZONE }) !== undefined;
}

/** The least zone: that of leads without one of their own. */
const FIRST_ZONE = "";

/** The least text after a zone's name. */
function past(zone: string): string {
  return `${zone}\u0001`;
}

const isNew = and(isNotNull(enrollments.dueAt), isNull(enrollments.accountId));
const isFollowUp = isNotNull(enrollments.dueAt);
const fromZone = sql`${enrollments.zone} >= ${sql.placeholder("from")}`;

const candidate = {
  enrollmentId: enrollments.id,
  campaignId: enrollments.campaignId,
  zone: enrollments.zone,
  domain: enrollments.domain,
  dueAt: enrollments.dueAt,
  isSpread: enrollments.spread,
};

/** As the file has it: an empty zone is none. */
type QueuedRow = Pick<EnrollmentRow, "campaignId" | "zone" | "domain" | "dueAt"> & {
  enrollmentId: Id;
  isSpread: boolean;
};

function candidateOf({ zone, dueAt, ...row }: QueuedRow, whose: Whose): Candidate {
  return { ...row, dueAt: dueAt as UnixMs, zone: zone === "" ? null : zone, isNew: isOfNew(whose) };
}

function isOfNew(whose: Whose): boolean {
  return whose === "new" || whose === "spread";
}

/** As the statements of its queue are given it. */
function givenOf(campaignId: Id, whose: Whose) {
  return isOfNew(whose)
    ? { campaignId, spread: whose === "spread" }
    : { campaignId, accountId: whose };
}

/** The first of a queue from a zone on. */
function firstOfZones(whose: SQL | undefined) {
  return prepared((db) =>
    db.orm
      .select(candidate)
      .from(enrollments)
      .where(and(whose, fromZone))
      .orderBy(asc(enrollments.zone), asc(enrollments.dueAt), asc(enrollments.id))
      .limit(1)
      .prepare(),
  );
}

const newLeadsOf = and(
  equals(enrollments.campaignId, "campaignId"),
  equals(enrollments.spread, "spread"),
  isNew,
);
const followUpsOf = and(
  equals(enrollments.accountId, "accountId"),
  equals(enrollments.campaignId, "campaignId"),
  isFollowUp,
);
const firstNew = firstOfZones(newLeadsOf);
const firstFollowUp = firstOfZones(followUpsOf);

/** The head of each zone's queue, found by a seek past the zone before. */
export function headsOf(db: Db, campaignId: Id, whose: Whose): Candidate[] {
  const heads: Candidate[] = [];
  const first = isOfNew(whose) ? firstNew(db) : firstFollowUp(db);
  const given = givenOf(campaignId, whose);
  let from = FIRST_ZONE;
  while (heads.length < ZONES_MAX) {
    const found: QueuedRow | undefined = first.get({ ...given, from });
    if (found === undefined) {
      break;
    }
    heads.push(candidateOf(found, whose));
    from = past(found.zone);
  }
  return heads;
}

const inZone = sql`${enrollments.zone} = ${sql.placeholder("zone")}`;
/** Rows after a (due_at, id) that was seen already: for reading a queue further than its head. */
const beyond = sql`(${enrollments.dueAt}, ${enrollments.id}) > (${sql.placeholder("dueAt")}, ${placeholder(enrollments.id, "id")})`;

/** Statements for one kind of queue: its whole, and without whom is barred, which costs more, or the first few without those. */
function queueStatements(whose: SQL | undefined) {
  const select = (filter?: SQL) =>
    prepared((db) =>
      db.orm
        .select(candidate)
        .from(enrollments)
        .where(and(whose, inZone, beyond, filter))
        .orderBy(asc(enrollments.dueAt), asc(enrollments.id))
        .limit(sql.placeholder("limit"))
        .prepare(),
    );
  const near = prepared((db) => {
    const first = db.orm
      .select(candidate)
      .from(enrollments)
      .where(and(whose, inZone, beyond))
      .orderBy(asc(enrollments.dueAt), asc(enrollments.id))
      .limit(sql.placeholder("within"))
      .as("first");
    return db.orm
      .select()
      .from(first)
      .where(notBarred(first.domain))
      .orderBy(asc(first.dueAt), asc(first.enrollmentId))
      .limit(sql.placeholder("limit"))
      .prepare();
  });
  return { whole: select(), open: select(notBarred(enrollments.domain)), near };
}

const newLeads = queueStatements(newLeadsOf);
const followUps = queueStatements(followUpsOf);

export interface Queue {
  campaignId: Id;
  whose: Whose;
  /** Null: leads without a zone of their own. */
  zone: string | null;
}

export interface QueuePlace {
  dueAt: number;
  id: Id;
}

export const QUEUE_START: QueuePlace = { dueAt: -1, id: "00000000-0000-0000-0000-000000000000" };

/** The next `limit` candidates of a queue after `place`, without those who are `barred`. */
export function readQueue(
  db: Db,
  queue: Queue,
  place: QueuePlace,
  limit: number,
  barred: Barred = NOBODY_BARRED,
): Candidate[] {
  const { campaignId, whose } = queue;
  const zone = queue.zone ?? "";
  const given = { ...givenOf(campaignId, whose), zone, ...place, limit };
  const statements = isOfNew(whose) ? newLeads : followUps;
  if (barred === NOBODY_BARRED) {
    return statements
      .whole(db)
      .all(given)
      .map((row) => candidateOf(row, whose));
  }
  const { within } = barred;
  const statement = within === undefined ? statements.open : statements.near;
  return statement(db)
    .all({ ...given, ...barredValues(barred), within })
    .map((row) => candidateOf(row, whose));
}

/** A zone's new leads before a place, counted up to as many as are asked for. */
const ahead = prepared((db) =>
  db.raw.prepare<{ n: number }, [Uint8Array, boolean, string, number, Uint8Array, number]>(
    `select count(*) as n from (select 1 from enrollments where campaign_id = +? and spread = +? and zone = +?
       and due_at is not null and account_id is null and (due_at, id) < (+?, +?) limit +?)`,
  ),
);

/** How many new leads of the campaign come before this one in its queue; counts no further than `most`. */
export function countAhead(
  db: Db,
  { campaignId, spread }: Pick<EnrollmentRow, "campaignId" | "spread">,
  place: QueuePlace,
  most: number,
): number {
  const campaign = idToBytes(campaignId);
  const id = idToBytes(place.id);
  return headsOf(db, campaignId, spread ? "spread" : "new").reduce((count, { zone }) => {
    const left = most - count;
    return count + (ahead(db).get(campaign, spread, zone ?? "", place.dueAt, id, left)?.n ?? 0);
  }, 0);
}

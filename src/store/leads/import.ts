/**
 * What an import asks and writes for each address. These statements go to SQLite directly, with their
 * values by position: a row costs less than half of what it costs through the query builder, and an
 * import is millions of them (`docs/adr/imports-and-exports.md`).
 */

import type { Statement } from "bun:sqlite";
import type { LeadVariables } from "#domain/leads/lead.ts";
import type { OwnReason } from "#domain/mailboxes/address-check.ts";
import type { UnixMs } from "#domain/time.ts";
import { bytesToId, type Id, idToBytes } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";

/** Text fields of a lead beside its address, in the order of their columns. */
export interface LeadTexts {
  firstName: string | null;
  lastName: string | null;
  company: string | null;
  website: string | null;
  phone: string | null;
  timezone: string | null;
}

export interface KnownLead extends LeadTexts {
  id: Id;
  email: string;
  variables: LeadVariables;
}

interface RawLead extends LeadTexts {
  id: Uint8Array;
  email: string;
  variables: string;
}

const TEXTS = "first_name, last_name, company, website, phone, timezone, variables";

const KNOWN = `id, email, first_name as firstName, last_name as lastName, company, website, phone,
  timezone, variables`;

const statements = prepared(({ raw }) => ({
  lead: raw.query<RawLead, [Uint8Array, string]>(
    `select ${KNOWN} from leads where team_id = ? and email = ?`,
  ),
  merged: raw.query<RawLead, [Uint8Array, string]>(
    `select ${KNOWN} from leads
       where id = (select lead_id from lead_aliases where team_id = ? and email = ?)`,
  ),
  anyMerged: raw.query<{ one: 1 }, [Uint8Array]>(
    "select 1 as one from lead_aliases where team_id = +? limit 1",
  ),
  insertLead: raw.query<null, (Uint8Array | string | number | null)[]>(
    `insert into leads (id, team_id, email, ${TEXTS}, address_reasons, soft_bounces, created_at, updated_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)`,
  ),
  countLeads: raw.query<null, [Uint8Array, number]>(
    `insert into lead_counts (team_id, leads) values (?, ?)
       on conflict (team_id) do update set leads = leads + excluded.leads`,
  ),
  dueLeads: raw.query<null, [Uint8Array, Uint8Array]>(
    "insert into search_due (id, kind) select id, 'lead' from leads where id between ? and ?",
  ),
  dueLead: raw.query<null, [Uint8Array]>("insert into search_due (id, kind) values (?, 'lead')"),
  updateLead: raw.query<null, (Uint8Array | string | number | null)[]>(
    `update leads set (${TEXTS}, updated_at) = (?, ?, ?, ?, ?, ?, ?, ?) where id = ?`,
  ),
  enrolled: raw.query<{ one: 1 }, [Uint8Array, Uint8Array]>(
    "select 1 as one from enrollments where campaign_id = ? and lead_id = ?",
  ),
  elsewhere: raw.query<{ one: 1 }, [Uint8Array, Uint8Array]>(
    "select 1 as one from enrollments where lead_id = +? and campaign_id <> +? limit 1",
  ),
  enroll: raw.query<null, (Uint8Array | string | number)[]>(
    `insert into enrollments (id, team_id, campaign_id, lead_id, status, due_at, zone,
       domain, attempts, enrolled_at, updated_at)
     values (?, ?, ?, ?, 'pending', ?, ?, ?, 0, ?, ?)`,
  ),
  anySuppressed: raw.query<{ one: 1 }, [Uint8Array]>(
    "select 1 as one from suppressions where team_id = +? limit 1",
  ),
  suppressed: raw.query<{ one: 1 }, [Uint8Array, Uint8Array]>(
    "select 1 as one from suppressions where team_id = ? and hash = ?",
  ),
  anySeed: raw.query<{ one: 1 }, [Uint8Array]>(
    "select 1 as one from placement_seeds where team_id = +? limit 1",
  ),
  seed: raw.query<{ one: 1 }, [Uint8Array, string]>(
    "select 1 as one from placement_seeds where team_id = ? and email = ?",
  ),
  count: raw.query<null, [number, Uint8Array]>(
    `update campaigns set enrolled = enrolled + ?1, open = open + ?1,
       statuses = json_set(statuses, '$.pending', coalesce(statuses ->> 'pending', 0) + ?1) where id = ?2`,
  ),
})) satisfies (db: Db) => Record<string, Statement<unknown, never>>;

/** A lead as it is made. */
export interface NewLead {
  texts: LeadTexts;
  variables: LeadVariables;
  /** Why its address is risky. */
  reasons: readonly OwnReason[];
}

/** The statements of one slice, bound to its team, campaign and time. */
export interface ImportStore {
  readonly teamId: Id;
  lead(email: string): KnownLead | undefined;
  /** The lead is in no counter and no queue before {@link ImportStore.made} is notified of it. */
  insertLead(id: Id, email: string, facts: NewLead): void;
  /** Counts the leads that were inserted, whose ids go from `firstId` to `lastId`; their words are due. */
  made(leads: number, firstId: Id, lastId: Id): void;
  updateLead(id: Id, texts: LeadTexts, variables: LeadVariables): void;
  isEnrolled(leadId: Id): boolean;
  isElsewhere(leadId: Id): boolean;
  /** Due at once, not yet booked, to the planner a new lead. */
  enroll(id: Id, leadId: Id, zone: string, domain: string): void;
  /** True when the team suppresses anything at all. */
  readonly suppresses: boolean;
  isSuppressed(hash: Uint8Array): boolean;
  /** True for a mailbox of the team's own, in which test emails are looked for. */
  isSeed(email: string): boolean;
  /** Adds to the campaign's counters of enrolled, open and pending leads. */
  count(enrolled: number): void;
}

export function importStore(db: Db, teamId: Id, campaignId: Id, now: UnixMs): ImportStore {
  const run = statements(db);
  const [team, campaign] = [idToBytes(teamId), idToBytes(campaignId)];
  const hasSeeds = run.anySeed.get(team) !== null;
  const hasMerged = run.anyMerged.get(team) !== null;
  return {
    teamId,
    lead: (email) => {
      const row = run.lead.get(team, email) ?? (hasMerged ? run.merged.get(team, email) : null);
      return row === null
        ? undefined
        : { ...row, id: bytesToId(row.id), variables: JSON.parse(row.variables) };
    },
    insertLead: (id, email, { texts, variables, reasons }) => {
      const given = [...values(texts, variables), JSON.stringify(reasons)];
      run.insertLead.run(idToBytes(id), team, email, ...given, now, now);
    },
    made: (leads, firstId, lastId) => {
      run.countLeads.run(team, leads);
      run.dueLeads.run(idToBytes(firstId), idToBytes(lastId));
    },
    updateLead: (id, texts, variables) => {
      const bytes = idToBytes(id);
      run.updateLead.run(...values(texts, variables), now, bytes);
      run.dueLead.run(bytes);
    },
    isEnrolled: (leadId) => run.enrolled.get(campaign, idToBytes(leadId)) !== null,
    isElsewhere: (leadId) => run.elsewhere.get(idToBytes(leadId), campaign) !== null,
    enroll: (id, leadId, zone, domain) => {
      const [own, lead] = [idToBytes(id), idToBytes(leadId)];
      run.enroll.run(own, team, campaign, lead, now, zone, domain, now, now);
    },
    suppresses: run.anySuppressed.get(team) !== null,
    isSeed: (email) => hasSeeds && run.seed.get(team, email) !== null,
    isSuppressed: (hash) => run.suppressed.get(team, hash) !== null,
    count: (enrolled) => {
      run.count.run(enrolled, campaign);
    },
  };
}

function values(texts: LeadTexts, variables: LeadVariables): (string | null)[] {
  const { firstName, lastName, company, website, phone, timezone } = texts;
  return [firstName, lastName, company, website, phone, timezone, JSON.stringify(variables)];
}

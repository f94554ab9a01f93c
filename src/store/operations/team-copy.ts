/**
 * Everything of one team, row by row, out of one database and into another. Which tables go is written
 * here for each: `test/store/team-copy.test.ts` asks it of every table there is.
 */

import type { SQLQueryBindings } from "bun:sqlite";
import { type Id, idToBytes } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";

/** What a cell can hold. */
export type Cell = string | number | null | Uint8Array;

export interface CopiedRow {
  table: string;
  cells: Record<string, Cell>;
}

const OF_TEAM = "team_id = ?1";
const OF_IMPORT = "import_id in (select id from imports where team_id = ?1)";
const OF_OWNER = `owner = ?1 or owner in (select id from campaigns where team_id = ?1)
  or owner in (select id from accounts where team_id = ?1)`;

/** The team's rows of each table, in the order in which they are put in. */
const GOES: Readonly<Record<string, string>> = {
  teams: "id = ?1",
  workspaces: OF_TEAM,
  accounts: OF_TEAM,
  account_health: OF_TEAM,
  provider_days: OF_TEAM,
  domains: OF_TEAM,
  domain_reports: OF_TEAM,
  domain_sources: OF_TEAM,
  campaigns: OF_TEAM,
  steps: OF_TEAM,
  left_places: OF_TEAM,
  files: OF_TEAM,
  file_slices: OF_TEAM,
  message_files: OF_TEAM,
  leads: OF_TEAM,
  lead_aliases: OF_TEAM,
  lead_counts: OF_TEAM,
  enrollments: OF_TEAM,
  tasks: OF_TEAM,
  suppressions: OF_TEAM,
  erasures: OF_TEAM,
  erasure_receipts: OF_TEAM,
  experiments: OF_TEAM,
  variants: OF_TEAM,
  experiment_shares: OF_TEAM,
  experiment_epochs: OF_TEAM,
  experiment_tallies: OF_TEAM,
  exposures: OF_TEAM,
  messages: OF_TEAM,
  message_copies: OF_TEAM,
  forwards: OF_TEAM,
  inbound_mails: OF_TEAM,
  threads: OF_TEAM,
  effects: OF_TEAM,
  lifts: OF_TEAM,
  harms: OF_TEAM,
  trackings: OF_TEAM,
  touches: OF_TEAM,
  thread_notes: OF_TEAM,
  canned_replies: OF_TEAM,
  lead_views: OF_TEAM,
  placement_seeds: OF_TEAM,
  placement_schedules: OF_TEAM,
  placement_runs: OF_TEAM,
  placement_tests: OF_TEAM,
  tags: OF_TEAM,
  imports: OF_TEAM,
  import_lines: OF_IMPORT,
  import_slices: OF_IMPORT,
  import_changes: OF_IMPORT,
  usage: OF_OWNER,
  figures: OF_OWNER,
  events: OF_TEAM,
  audit: OF_TEAM,
  audit_anchors: OF_TEAM,
  webhooks: OF_TEAM,
  deliveries: OF_TEAM,
  attempts: "delivery_id in (select id from deliveries where team_id = ?1)",
};

/** What belongs to the installation, is under way, or follows from the rest. */
export const STAYS: readonly string[] = [
  ...[
    "users",
    "memberships",
    "digests",
    "identities",
    "passkeys",
    "sessions",
    "invitations",
    "entry_links",
  ],
  ...["api_keys", "idempotency", "consents", "facts", "mail_domains", "domain_lookups", "callouts"],
  ...["deleted", "deleted_rows"],
  ...["subscriptions", "checkouts", "limit_notices"],
  ...["search_docs", "search_due", "account_aliases"],
  ...["sandbox_messages", "sandbox_mails", "sandbox_settings", "sandbox_placements"],
];

export const COPIED_TABLES: readonly string[] = Object.keys(GOES);

/** Numbers that a table gives out itself; rows keep their order and get new ones. */
const SERIAL = new Set(["events", "audit", "import_lines", "import_slices", "import_changes"]);

/** Every row of the team, tables in order. The caller holds a transaction, so that they fit together. */
export function* teamRows(db: Db, teamId: Id): Generator<CopiedRow> {
  for (const [table, of] of Object.entries(GOES)) {
    const query = db.raw.query<Record<string, Cell>, [Uint8Array]>(
      `select * from ${table} where ${of} order by rowid`,
    );
    for (const cells of query.iterate(idToBytes(teamId))) {
      yield { table, cells };
    }
  }
}

/** Runs `work` over one state of the database, whatever others write meanwhile. */
export function reading<Result>(db: Db, work: () => Result): Result {
  return db.raw.transaction(work).deferred();
}

/** Emails of the team whose fate is open. */
export function mailsUnderWay(db: Db, teamId: Id): number {
  const query = "select count(*) as count from messages where team_id = ?1 and status = 'sending'";
  return db.raw.query<{ count: number }, [Uint8Array]>(query).get(idToBytes(teamId))?.count ?? 0;
}

/**
 * Puts rows in, in the order in which {@link teamRows} gave them. Inside a transaction, at whose end
 * what refers to another row has to find it.
 */
export function rowWriter(db: Db): (row: CopiedRow) => void {
  db.raw.run("PRAGMA defer_foreign_keys = ON");
  /** Numbers of events, there and here. */
  const seqs = new Map<number, number>();
  let lastSeq = 0;
  const known = new Map(COPIED_TABLES.map((table) => [table, columnsOf(db, table)]));
  return ({ table, cells }) => {
    const columns = known.get(table);
    const given = Object.keys(cells);
    if (columns === undefined || given.some((name) => !columns.has(name))) {
      throw new Error(`no such table or column: ${table} (${given.join(", ")})`);
    }
    const row = { ...cells };
    const old = row["seq"];
    if (SERIAL.has(table)) {
      delete row["seq"];
    }
    if (table === "deliveries") {
      row["event_seq"] = seqs.get(Number(row["event_seq"])) ?? null;
    }
    if (table === "webhooks") {
      row["since_seq"] = lastSeq;
    }
    const { lastInsertRowid } = insert(db, table, row);
    if (table === "events") {
      lastSeq = Number(lastInsertRowid);
      seqs.set(Number(old), lastSeq);
    }
  };
}

function columnsOf(db: Db, table: string): Set<string> {
  const columns = db.raw.query<{ name: string }, []>(`pragma table_info(${table})`).all();
  return new Set(columns.map(({ name }) => name));
}

function insert(db: Db, table: string, row: Readonly<Record<string, Cell>>) {
  const names = Object.keys(row);
  const places = names.map((_, index) => `?${index + 1}`);
  return db.raw
    .query<unknown, SQLQueryBindings[]>(
      `insert into ${table} (${names.join(", ")}) values (${places.join(", ")})`,
    )
    .run(...Object.values(row));
}

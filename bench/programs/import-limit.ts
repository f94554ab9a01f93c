/**
 * The limit of an import: rows that are ready, sorted by address, through prepared statements into the
 * product's tables with all their indexes, in transactions of a thousand. Nothing is read, parsed or
 * looked up.
 */

import { type Id, idToBytes } from "#store/columns.ts";
import { closeDatabase, openDatabase } from "#store/database.ts";
import { migrate } from "#store/migrate.ts";
import { leadAt } from "../leads.ts";

export interface ImportLimitInput {
  path: string;
  leads: number;
}

export interface ImportResult {
  ms: number;
  cpuUs: number;
}

const SLICE = 1000;

const input = JSON.parse(process.argv[2] ?? "{}") as ImportLimitInput;
const db = openDatabase(input.path);
migrate(db);
const team = newId();
const campaign = newId();
const now = 1_767_225_600_000;
db.raw.run(
  "insert into teams (id, name, footer, created_at, updated_at) values (?, 'T', 1, 0, 0)",
  [team],
);
db.raw.run(
  `insert into campaigns (id, team_id, name, status, stop_on_reply, stop_on_auto_reply, send_window,
     max_leads_per_day, priority, stop_company_on_reply, track_opens, track_clicks, evergreen,
     account_ids, created_at, updated_at)
   values (?, ?, 'C', 'draft', 1, 0, '{}', 50, 'follow_ups', 0, 0, 0, 1, '[]', 0, 0)`,
  [campaign, team],
);
const insertLead = db.raw.query(
  `insert into leads (id, team_id, email, first_name, last_name, company, variables, soft_bounces,
     created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?, 0, ?, ?)`,
);
const enroll = db.raw.query(
  `insert into enrollments (id, team_id, campaign_id, lead_id, status, current_step, due_at, zone,
     domain, attempts, enrolled_at, updated_at)
   values (?, ?, ?, ?, 'pending', 0, ?, '', ?, 0, ?, ?)`,
);
const rows = Array.from({ length: input.leads }, (_, index) => leadAt(index))
  .sort((a, b) => (a.email < b.email ? -1 : 1))
  .map((lead) => ({
    ...lead,
    id: newId(),
    enrollmentId: newId(),
    domain: lead.email.slice(lead.email.indexOf("@") + 1),
    text: JSON.stringify(lead.variables),
  }));

const cpu = process.cpuUsage();
const from = performance.now();
for (let start = 0; start < rows.length; start += SLICE) {
  db.raw.run("BEGIN IMMEDIATE");
  for (const row of rows.slice(start, start + SLICE)) {
    const { id, email, first_name, last_name, company, text } = row;
    insertLead.run(id, team, email, first_name, last_name, company, text, now, now);
    enroll.run(row.enrollmentId, team, campaign, id, now, row.domain, now, now);
  }
  db.raw.run("COMMIT");
}
const ms = performance.now() - from;
const { user, system } = process.cpuUsage(cpu);
const result: ImportResult = { ms, cpuUs: user + system };
console.log(JSON.stringify(result));
closeDatabase(db);

function newId(): Uint8Array {
  return idToBytes(Bun.randomUUIDv7() as Id);
}

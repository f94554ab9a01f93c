/**
 * The limit of an import: rows that are ready, sorted by address, through prepared statements into the
 * product's tables with all their indexes, in transactions of a thousand. Nothing is read, parsed or
 * looked up. And the limit of an export: the same rows by one prepared statement, as lines of JSON, which
 * nobody receives.
 */

import { type Id, idToBytes } from "#store/sqlite/columns.ts";
import { leadAt } from "../leads.ts";
import { openStage } from "../stage.ts";

export interface ImportLimitInput {
  directory: string;
  leads: number;
}

interface Spent {
  ms: number;
  cpuUs: number;
}

export interface ImportResult {
  imported: Spent;
  exported: Spent;
}

const SLICE = 1000;

const input = JSON.parse(process.argv[2] ?? "{}") as ImportLimitInput;
const stage = await openStage({
  ...{
    directory: input.directory,
    mailboxes: 1,
    leads: 0,
    dailyLimit: 50,
    hours: [9, 17],
    steps: 1,
  },
});
const { db } = stage.env;
const [team, campaign] = [stage.caller.teamId, stage.campaignId].map(idToBytes) as [
  Uint8Array,
  Uint8Array,
];
const now = 1_767_225_600_000;
const insertLead = db.raw.query(
  `insert into leads (id, team_id, email, first_name, last_name, company, variables, soft_bounces,
     created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?, 0, ?, ?)`,
);
const enroll = db.raw.query(
  `insert into enrollments (id, team_id, campaign_id, lead_id, status, due_at, zone,
     domain, attempts, enrolled_at, updated_at)
   values (?, ?, ?, ?, 'pending', ?, '', ?, 0, ?, ?)`,
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

const selectLeads = db.raw.query<{ variables: string }, [Uint8Array]>(
  `select email, first_name, last_name, company, variables, created_at, updated_at from leads
   where team_id = +? order by id`,
);

const result: ImportResult = { imported: spent(importAll), exported: spent(exportAll) };
console.log(JSON.stringify(result));
await stage.environments.close();

function spent(work: () => void): Spent {
  const cpu = process.cpuUsage();
  const from = performance.now();
  work();
  const ms = performance.now() - from;
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpuUs: user + system };
}

function importAll(): void {
  for (let start = 0; start < rows.length; start += SLICE) {
    db.raw.run("BEGIN IMMEDIATE");
    for (const row of rows.slice(start, start + SLICE)) {
      const { id, email, first_name, last_name, company, text } = row;
      insertLead.run(id, team, email, first_name, last_name, company, text, now, now);
      enroll.run(row.enrollmentId, team, campaign, id, now, row.domain, now, now);
    }
    db.raw.run("COMMIT");
  }
}

function exportAll(): void {
  const encoder = new TextEncoder();
  let bytes = 0;
  for (const row of selectLeads.iterate(team)) {
    const line = JSON.stringify({ ...row, variables: JSON.parse(row.variables) });
    bytes += encoder.encode(`${line}\n`).length;
  }
  if (bytes === 0) {
    throw new Error("nothing was exported");
  }
}

function newId(): Uint8Array {
  return idToBytes(Bun.randomUUIDv7() as Id);
}

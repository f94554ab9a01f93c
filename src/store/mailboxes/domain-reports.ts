/** What receivers report of a sending domain, by day and address. */

import type { TlsFailure } from "#domain/mailboxes/domain-reports/report.ts";
import type { SourceSum } from "#domain/mailboxes/domain-reports/senders.ts";
import type { UnixMs } from "#domain/time.ts";
import { type Id, idToBytes } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { inserter } from "#store/sqlite/rows.ts";
import {
  type DomainReportRow,
  type DomainSourceRow,
  domainReports,
} from "#store/tables/domains.ts";

export interface OfDomain {
  teamId: Id;
  domain: string;
  verified: boolean;
}

const cellsOf = ({ teamId, domain, verified }: OfDomain) =>
  [idToBytes(teamId), domain, Number(verified)] as const;
type OfCells = [team: Uint8Array, domain: string, verified: number];

const OF_DOMAIN = "team_id = +?1 and domain = +?2 and verified = +?3";

const insert = inserter(domainReports);
const known = prepared(({ raw }) =>
  raw.query<{ one: 1 }, [...OfCells, string, string, string]>(
    `select 1 as one from domain_reports
     where ${OF_DOMAIN} and kind = ?4 and reporter = ?5 and report_id = ?6`,
  ),
);

/** False where the reporter's report of this id is known already. */
export function insertReport(db: Db, row: DomainReportRow): boolean {
  const { kind, reporter, reportId } = row;
  if (known(db).get(...cellsOf(row), kind, reporter, reportId) !== null) {
    return false;
  }
  insert(db, row);
  return true;
}

const counter = (table: "domain_reports" | "domain_sources") => {
  const counted = prepared(({ raw }) =>
    raw.query<{ count: number }, OfCells>(
      `select count(*) as count from ${table} where ${OF_DOMAIN}`,
    ),
  );
  return (db: Db, of: OfDomain) => counted(db).get(...cellsOf(of))?.count ?? 0;
};
export const countReports = counter("domain_reports");
export const countSources = counter("domain_sources");

/** What is shown of a report. */
export interface ReportSummary {
  reporter: string;
  kind: DomainReportRow["kind"];
  passed: number;
  failed: number;
  failures: TlsFailure[];
}

const latest = prepared(({ raw }) =>
  raw.query<ReportSummary & { failures: string }, [...OfCells, number, number]>(
    `select reporter, kind, passed, failed, failures from domain_reports
     where ${OF_DOMAIN} and begin_at >= ?4 order by received_at desc limit ?5`,
  ),
);

/** Newest first. */
export function reportsSince(
  db: Db,
  of: OfDomain & { since: UnixMs; limit: number },
): ReportSummary[] {
  const rows = latest(db).all(...cellsOf(of), of.since, of.limit);
  return rows.map((row) => ({ ...row, failures: JSON.parse(row.failures) as TlsFailure[] }));
}

const COUNTS = ["messages", "passed", "spf", "dkim", "quarantined", "rejected"] as const;

const add = prepared(({ raw }) =>
  raw.query<null, [...OfCells, number, string, string, ...number[]]>(
    `insert into domain_sources
       (team_id, domain, verified, day, reporter, ip, ${COUNTS.join(", ")})
     values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
     on conflict do update set
       ${COUNTS.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")}`,
  ),
);

/** Adds to what the same reporter saw of the address on that day. */
export function addSource(db: Db, row: DomainSourceRow): void {
  const { day, reporter, ip } = row;
  add(db).run(...cellsOf(row), day, reporter, ip, ...COUNTS.map((name) => row[name]));
}

const sums = prepared(({ raw }) =>
  raw.query<SourceSum, [...OfCells, number, number]>(
    `select ip, ${COUNTS.map((name) => `sum(${name}) as ${name}`).join(", ")} from domain_sources
     where ${OF_DOMAIN} and day >= +?4 group by ip order by sum(messages) desc, ip limit +?5`,
  ),
);

/** By address, those that send most first. */
export function sourcesSince(db: Db, of: OfDomain & { since: UnixMs; limit: number }): SourceSum[] {
  return sums(db).all(...cellsOf(of), of.since, of.limit);
}

/** Of all teams. */
export function forgetReports(db: Db, before: UnixMs): void {
  db.raw.query("delete from domain_sources where day < ?1").run(before);
  db.raw.query("delete from domain_reports where received_at < ?1").run(before);
}

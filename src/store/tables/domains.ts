/** Sending domains: what is watched of them, and what receivers report of who sends as them. */

import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { TlsFailure } from "#domain/mailboxes/domain-reports/report.ts";
import type { DomainReport } from "#domain/mailboxes/sender-domain/examine.ts";
import type { Watched } from "#domain/mailboxes/sender-domain/watch.ts";
import { flag, instant, json, uuid } from "#store/sqlite/columns.ts";
import { teams } from "./teams.ts";

export const domains = sqliteTable(
  "domains",
  {
    /** That of the first of its accounts. */
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id")
      .notNull()
      .references(() => teams.id),
    /** Lower case. */
    domain: text("domain").notNull(),
    /** When it is looked at next. */
    dueAt: instant("due_at").notNull(),
    /** Null: not looked at yet. */
    checkedAt: instant("checked_at"),
    report: json<DomainReport>("report"),
    watched: json<Watched>("watched").notNull(),
    /** Names (PTR) of addresses that send as it; an empty one has none. */
    hosts: json<Record<string, string>>("hosts").notNull(),
  },
  (table) => [
    uniqueIndex("domains_name").on(table.teamId, table.domain),
    index("domains_due").on(table.dueAt),
  ],
);
export type DomainRow = typeof domains.$inferSelect;

export const REPORT_KINDS = ["dmarc", "tls"] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** A report that a receiver sent about a domain. Known for as long as the figures are that it led to. */
export const domainReports = sqliteTable(
  "domain_reports",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    domain: text("domain").notNull(),
    kind: text("kind").$type<ReportKind>().notNull(),
    /** As it calls itself. */
    reporter: text("reporter").notNull(),
    reportId: text("report_id").notNull(),
    /** The report came from whom it says: its signature passed. */
    verified: flag("verified").notNull(),
    beginAt: instant("begin_at").notNull(),
    endAt: instant("end_at").notNull(),
    receivedAt: instant("received_at").notNull(),
    /** Emails of a DMARC report, sessions of a TLS report. */
    passed: integer("passed").notNull(),
    failed: integer("failed").notNull(),
    /** Of a TLS report. */
    failures: json<TlsFailure[]>("failures").notNull(),
  },
  (table) => [
    uniqueIndex("domain_reports_once").on(
      ...([table.teamId, table.domain, table.verified, table.kind] as const),
      ...([table.reporter, table.reportId] as const),
    ),
    index("domain_reports_of").on(table.teamId, table.domain, table.receivedAt),
    index("domain_reports_age").on(table.receivedAt),
  ],
);
export type DomainReportRow = typeof domainReports.$inferSelect;

/** What one receiver saw of one address on one day. */
export const domainSources = sqliteTable(
  "domain_sources",
  {
    teamId: uuid("team_id").notNull(),
    domain: text("domain").notNull(),
    /** Midnight UTC before the report's period began. */
    day: instant("day").notNull(),
    reporter: text("reporter").notNull(),
    ip: text("ip").notNull(),
    verified: flag("verified").notNull(),
    messages: integer("messages").notNull(),
    /** Those that passed DMARC: aligned SPF or aligned DKIM. */
    passed: integer("passed").notNull(),
    spf: integer("spf").notNull(),
    dkim: integer("dkim").notNull(),
    quarantined: integer("quarantined").notNull(),
    rejected: integer("rejected").notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.teamId, table.domain, table.verified, table.day, table.reporter, table.ip],
    }),
    index("domain_sources_age").on(table.day),
  ],
);
export type DomainSourceRow = typeof domainSources.$inferSelect;

/**
 * What receivers report of a domain: who sent as it (DMARC aggregate reports), and whether email to it could
 * be sent encrypted (TLS reports). A report is a claim of whoever wrote it, not a proof.
 *
 * Source: RFC 7489 appendix C, RFC 9990 (the same with a namespace), RFC 8460 §4.4.
 */

import type { UnixMs } from "#domain/time.ts";

/** What one address sent under one domain in From. */
export interface SourceCount {
  ip: string;
  headerFrom: string;
  messages: number;
  /** Those with aligned SPF or aligned DKIM. */
  passed: number;
  spf: number;
  dkim: number;
  quarantined: number;
  rejected: number;
}

interface Reported {
  /** Name of the organization that reports. */
  reporter: string;
  reportId: string;
  beginAt: UnixMs;
  endAt: UnixMs;
}

export interface DmarcReport extends Reported {
  kind: "dmarc";
  /** Whose policy it is about. */
  domain: string;
  sources: SourceCount[];
  /** Emails of further addresses, beyond {@link SOURCES_MAX}. */
  others: number;
}

/** A kind of failure at one server. */
export interface TlsFailure {
  /** Source: RFC 8460 §4.3, `certificate-expired` and the like. */
  type: string;
  /** Our mail server; empty where the report doesn't name it. */
  host: string;
  sessions: number;
}

export interface TlsReport extends Reported {
  kind: "tls";
  policies: { domain: string; passed: number; failed: number; failures: TlsFailure[] }[];
}

export type ReceivedReport = DmarcReport | TlsReport;

/** Addresses of one report that are told apart. */
export const SOURCES_MAX = 2_000;
/** Policies of one report, and kinds of failure of one policy. */
export const POLICIES_MAX = 20;
export const FAILURES_MAX = 50;
export const NAME_CHARS_MAX = 255;
/** No receiver sees more of one domain in a day. */
export const COUNT_MAX = 1_000_000_000;

/** Not below zero, and no more than can be. */
export function countOf(value: unknown): number {
  const count = Number(value);
  return Number.isFinite(count) ? Math.min(COUNT_MAX, Math.max(0, Math.trunc(count))) : 0;
}

/** One line of what a stranger wrote. */
export function nameOf(value: unknown): string {
  const text = typeof value === "string" ? value.slice(0, NAME_CHARS_MAX * 2) : "";
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, " ").trim();
  return plain.slice(0, NAME_CHARS_MAX).toWellFormed();
}

/** A domain as we store them: lower case, no dot at its end; empty where it can be none. */
export function domainNameOf(value: unknown): string {
  const name = nameOf(value).toLowerCase().replace(/\.$/, "");
  return /^[\p{L}\p{N}._-]+$/u.test(name) ? name : "";
}

/** The part of a report that is about `domain`: null where it's about another one. */
export function partFor(
  report: ReceivedReport,
  domain: string,
): { sources: SourceCount[]; passed: number; failed: number; failures: TlsFailure[] } | null {
  if (report.kind === "tls") {
    const own = report.policies.find((policy) => policy.domain === domain);
    return own === undefined ? null : { ...own, sources: [] };
  }
  const isOwn = report.domain === domain;
  if (!isOwn && !domain.endsWith(`.${report.domain}`)) {
    return null;
  }
  // The policy of a parent domain covers the emails of its subdomains too.
  const isOf = ({ headerFrom }: SourceCount) =>
    isOwn || headerFrom === domain || headerFrom.endsWith(`.${domain}`);
  const sources = report.sources.filter(isOf);
  const messages = sources.reduce((sum, one) => sum + one.messages, 0);
  const passed = sources.reduce((sum, one) => sum + one.passed, 0);
  return isOwn || sources.length > 0
    ? { sources, passed, failed: messages - passed, failures: [] }
    : null;
}

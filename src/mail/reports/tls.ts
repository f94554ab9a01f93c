/** A TLS report. Source: RFC 8460 §4.4. */

import {
  countOf,
  domainNameOf,
  FAILURES_MAX,
  nameOf,
  POLICIES_MAX,
  type TlsFailure,
  type TlsReport,
} from "#domain/mailboxes/domain-reports/report.ts";
import { fromIso, type UnixMs } from "#domain/time.ts";

/** Parsed in one turn. */
const CHARS_MAX = 1_048_576;

/** Null where it isn't one, or lacks what makes it one. */
export function readTlsReport(text: string): TlsReport | null {
  const report = recordOf(parsed(text));
  const range = recordOf(report["date-range"]);
  const beginAt = instantOf(range["start-datetime"]);
  const endAt = instantOf(range["end-datetime"]);
  const reporter = nameOf(report["organization-name"]);
  const policies = listOf(report["policies"]).slice(0, POLICIES_MAX).map(readPolicy);
  const isWhole = beginAt !== null && endAt !== null && endAt >= beginAt && reporter !== "";
  if (!isWhole || policies.length === 0) {
    return null;
  }
  const reportId = nameOf(report["report-id"]) || `${beginAt}-${endAt}`;
  const known = policies.filter(({ domain }) => domain !== "");
  return { kind: "tls", reporter, reportId, beginAt, endAt, policies: known };
}

function readPolicy(value: unknown): TlsReport["policies"][number] {
  const { policy, summary, "failure-details": details } = recordOf(value);
  const counts = recordOf(summary);
  const failures = new Map<string, TlsFailure>();
  for (const one of listOf(details).map(recordOf)) {
    const type = nameOf(one["result-type"]).toLowerCase();
    const host = domainNameOf(one["receiving-mx-hostname"]);
    const key = `${type} ${host}`;
    const known = failures.get(key) ?? { type, host, sessions: 0 };
    if (type !== "" && (failures.has(key) || failures.size < FAILURES_MAX)) {
      const sessions = known.sessions + countOf(one["failed-session-count"] ?? 1);
      failures.set(key, { ...known, sessions });
    }
  }
  return {
    domain: domainNameOf(recordOf(policy)["policy-domain"]),
    passed: countOf(counts["total-successful-session-count"]),
    failed: countOf(counts["total-failure-session-count"]),
    failures: [...failures.values()],
  };
}

function parsed(text: string): unknown {
  try {
    return text.length > CHARS_MAX ? null : JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return null;
  }
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function instantOf(value: unknown): UnixMs | null {
  try {
    return fromIso(String(value), "date-range");
  } catch {
    return null;
  }
}

/**
 * DMARC: what a domain asks receivers to do with email that is not really its own.
 *
 * Source: RFC 7489 §6.3; where a domain has no record of its own, its parents are asked in turn, as
 * DMARCbis does, so that no list of public suffixes is needed.
 */

import { type Asking, ask } from "./question.ts";
import { parseTags } from "./tags.ts";

const POLICIES = ["none", "quarantine", "reject"] as const;
export type DmarcPolicy = (typeof POLICIES)[number];

/** Names that are asked, the domain's own among them. */
const PARENTS_MAX = 8;
const REPORTS_MAX = 20;

export interface DmarcReport {
  record: string | null;
  /** The name at which the record stands: `_dmarc.example.com`. */
  name: string;
  /** What counts for this domain: a parent's `sp` may. Null where no record does. */
  policy: DmarcPolicy | null;
  /** Addresses that get summaries. */
  reports: string[];
  errors: string[];
  advice: string[];
  /** DNS gave no answer. */
  silent: boolean;
}

export function* examineDmarc(domain: string): Asking<DmarcReport> {
  const own = `_dmarc.${domain}`;
  const blank: DmarcReport = {
    ...{ record: null, name: own, policy: null, silent: false },
    ...{ reports: [], errors: [], advice: [] },
  };
  const labels = domain.split(".");
  const depth = Math.min(PARENTS_MAX, Math.max(1, labels.length - 1));
  for (let up = 0; up < depth; up += 1) {
    const name = `_dmarc.${labels.slice(up).join(".")}`;
    const answer = yield* ask({ type: "txt", name });
    if (answer.kind === "silent") {
      return { ...blank, silent: true };
    }
    const found = answer.records.filter((text) => /^v\s*=\s*DMARC1\s*(;|$)/.test(text));
    if (found.length > 1) {
      const errors = [
        `${name} has ${found.length} DMARC records, so receivers ignore all of them; publish only one`,
      ];
      return { ...blank, name, errors };
    }
    const [record] = found;
    if (record !== undefined) {
      return yield* reportsChecked(read(record, name, up > 0), domain);
    }
  }
  return blank;
}

function read(record: string, name: string, isParents: boolean): DmarcReport {
  const tags = parseTags(record);
  const wanted = (isParents ? tags?.get("sp") : undefined) ?? tags?.get("p");
  const policy = POLICIES.find((word) => word === wanted?.toLowerCase()) ?? null;
  const reports = (tags?.get("rua") ?? "")
    .split(",")
    .map((uri) => /^mailto:([^!]+)/i.exec(uri.trim())?.[1]?.trim() ?? "")
    .filter((address) => address !== "")
    .slice(0, REPORTS_MAX);
  const errors: string[] = [];
  if (tags === null) {
    errors.push("the record can't be read: it must be pairs like p=none, separated by semicolons");
  } else if (policy === null) {
    errors.push(
      wanted === undefined
        ? "the record has no policy (p=)"
        : `"${wanted.slice(0, 40)}" is not a policy; use one of ${POLICIES.join(", ")}`,
    );
  }
  const advice: string[] = [];
  if (tags !== null && reports.length === 0) {
    advice.push("no rua= address, so nobody gets the reports on who sends as this domain");
  }
  const percent = tags?.get("pct");
  if (percent !== undefined && percent !== "100") {
    advice.push(
      `pct=${percent.slice(0, 10)} applies the policy to only part of the email, and some receivers ignore it`,
    );
  }
  return { record, name, policy, reports, errors, advice, silent: false };
}

/** Reports to another domain come only where that domain says so (RFC 7489 §7.1). */
function* reportsChecked(report: DmarcReport, domain: string): Asking<DmarcReport> {
  const other = report.reports
    .map((address) => address.slice(address.lastIndexOf("@") + 1).toLowerCase())
    .find((host) => !isRelated(host, domain));
  if (other === undefined) {
    return report;
  }
  const answer = yield* ask({ type: "txt", name: `${domain}._report._dmarc.${other}` });
  const agrees =
    answer.kind === "silent" || answer.records.some((text) => /^v\s*=\s*DMARC1/.test(text));
  return agrees
    ? report
    : { ...report, advice: [...report.advice, `${other} hasn't agreed to receive its reports`] };
}

/** One of the two is the other, or below it, or both have the same last two labels. */
function isRelated(a: string, b: string): boolean {
  const top = (name: string) => name.split(".").slice(-2).join(".");
  return a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`) || top(a) === top(b);
}

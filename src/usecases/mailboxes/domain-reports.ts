/**
 * Reports about a sending domain that came to one of its team's mailboxes. Anybody can write one, so only those
 * about own domains are taken, each once; what isn't proven to come from whom it says has little room.
 */

import type { ParsedMail } from "#domain/inbox/mail.ts";
import { authenticationOf } from "#domain/mailboxes/authentication-results.ts";
import { partFor, type ReceivedReport } from "#domain/mailboxes/domain-reports/report.ts";
import { DAY_MS, plus, unixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import {
  addSource,
  countReports,
  countSources,
  forgetReports,
  insertReport,
} from "#store/mailboxes/domain-reports.ts";
import { domainsOf } from "#store/mailboxes/domains.ts";
import type { AccountRow } from "#store/tables/accounts.ts";

const KEPT_MS = 90 * DAY_MS;
/** Clocks differ, and periods end at any midnight. */
const AHEAD_MS = 2 * DAY_MS;
/** Of one domain. */
const REPORTS_MAX = { verified: 5_000, unverified: 500 };
const SOURCES_MAX = { verified: 5_000, unverified: 500 };

/** True where it's about a domain of the team, so that it's no email for a person. Runs inside a commit. */
export function takeReport(
  env: Environment,
  { teamId }: AccountRow,
  report: ReceivedReport,
  mail: ParsedMail,
): boolean {
  const now = env.clock.now();
  const { kind, reporter, reportId, beginAt, endAt } = report;
  const isCurrent = beginAt > plus(now, -KEPT_MS) && endAt < plus(now, AHEAD_MS);
  const verified = isVerified(mail);
  const trust = verified ? "verified" : "unverified";
  const day = unixMs(Math.floor(beginAt / DAY_MS) * DAY_MS);
  let isOurs = false;
  for (const { domain } of domainsOf(env.db, teamId)) {
    const part = partFor(report, domain);
    isOurs ||= part !== null;
    const of = { teamId, domain, verified };
    if (part === null || !isCurrent || countReports(env.db, of) >= REPORTS_MAX[trust]) {
      continue;
    }
    const { sources, passed, failed, failures } = part;
    const isNew = insertReport(env.db, {
      ...{ id: env.ids.next(now), ...of, kind, reporter, reportId },
      ...{ beginAt, endAt, receivedAt: now, passed, failed, failures },
    });
    let room = isNew ? SOURCES_MAX[trust] - countSources(env.db, of) : 0;
    for (const { headerFrom: _, ...source } of sources) {
      if (room > 0) {
        addSource(env.db, { ...of, day, reporter, ...source });
        room -= 1;
      }
    }
  }
  return isOurs;
}

/** As far as the mailbox's own server says. */
function isVerified(mail: ParsedMail): boolean {
  return authenticationOf(mail.headers).dmarc === "pass";
}

/** Upkeep, inside a commit. */
export function forgetDomainReports(env: Environment): void {
  forgetReports(env.db, plus(env.clock.now(), -KEPT_MS));
}

/** `/domains`: what is watched of sending domains, and who sends as them. */

import { DRY_RUN, IN_BATCH, resource } from "#api/context.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { envelope } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { act } from "#api/write.ts";
import type { Environment } from "#environment.ts";
import { accountsOfDomain, domainsOf } from "#store/mailboxes/domains.ts";
import type { DomainRow } from "#store/tables/domains.ts";
import { SENDERS_DAYS, sendersAs } from "#usecases/placement/domain-senders.ts";
import { checkSoon, requireDomain, stateOf } from "#usecases/placement/domain-watch.ts";
import {
  Domain,
  DomainDetail,
  DomainPage,
  DomainParams,
  DomainQuery,
  DomainSenders,
} from "./domain-schema.ts";

export const domainRoutes = resource("accounts", "/domains")
  .get(
    "",
    ({ env, caller, request }) => {
      const query = readQuery(DomainQuery, request);
      const rows = domainsOf(env.db, caller.teamId);
      const shown = rows.slice(query.offset, query.offset + query.limit);
      return envelope(
        shown.map((row) => presentDomain(env, row)),
        rows.length,
        query,
      );
    },
    {
      response: { 200: DomainPage },
      detail: {
        summary: "List domains",
        description:
          "Returns the domains of the team's mailboxes. Each is looked at once a day: MX, SPF, DKIM, " +
          "DMARC, sending host, block lists, tracking host, and what is optional.",
        ...queryOf(DomainQuery),
      },
    },
  )
  .get(
    "/:domain",
    ({ env, caller, params }) => detailOf(env, requireDomain(env, caller, params.domain)),
    {
      params: DomainParams,
      response: { 200: DomainDetail },
      detail: {
        ...IN_BATCH,
        summary: "Get a domain",
        description:
          "Returns what the last look at the domain found, with what to publish, what has changed, " +
          "and its mailboxes.",
      },
    },
  )
  .get(
    "/:domain/senders",
    ({ env, caller, params }) => {
      const row = requireDomain(env, caller, params.domain);
      const { senders, ...of } = sendersAs(env, row);
      return present(DomainSenders, {
        ...{ domain: row.domain, days: SENDERS_DAYS, ...of },
        senders: senders.map((one) => ({ ...one, failed: one.messages - one.passed })),
      });
    },
    {
      params: DomainParams,
      response: { 200: DomainSenders },
      detail: {
        ...IN_BATCH,
        summary: "Get who sends as a domain",
        description:
          "Sums up the DMARC and TLS reports that came to the team's mailboxes in the last 30 days. " +
          "A report is what its writer claims, so those whose writer is confirmed are preferred.",
      },
    },
  )
  .post(
    "/:domain/check",
    (context) => {
      const { env, caller, params } = context;
      return act(context, () => detailOf(env, checkSoon(env, caller, params.domain)));
    },
    {
      params: DomainParams,
      response: { 200: DomainDetail },
      detail: {
        ...DRY_RUN,
        summary: "Check a domain now",
        description:
          "Has the domain looked at now instead of at `next_check_at`. The response doesn't wait for " +
          "it; `checked_at` changes once it's done.",
      },
    },
  );

export function presentDomain(env: Environment, row: DomainRow) {
  return present(Domain, summaryOf(env, row));
}

function summaryOf(env: Environment, row: DomainRow) {
  const { domain, checkedAt, dueAt, watched } = row;
  const mailboxes = accountsOfDomain(env.db, row).length;
  const { broken } = watched;
  return { domain, state: stateOf(row), broken, mailboxes, checkedAt, nextCheckAt: dueAt };
}

function detailOf(env: Environment, row: DomainRow) {
  const { changes, listings } = row.watched;
  return present(DomainDetail, {
    ...summaryOf(env, row),
    checks: row.report?.checks ?? [],
    changes,
    listings: listings.map(({ zone, ...one }) => ({ ...one, list: zone })),
    accounts: accountsOfDomain(env.db, row).map(({ id, email }) => ({ id, email })),
  });
}

/**
 * Sending domains, looked at once a day from outside: what receivers can see of them, what of it has changed,
 * and which servers send as them. What was right and breaks is told; that DNS doesn't respond isn't.
 */

import { asSender } from "#domain/mailboxes/account.ts";
import { examineDomain } from "#domain/mailboxes/sender-domain/examine.ts";
import {
  type DomainSubject,
  type DomainVerdict,
  OPTIONAL_CHECKS,
} from "#domain/mailboxes/sender-domain/finding.ts";
import { watchOn } from "#domain/mailboxes/sender-domain/watch.ts";
import { notFound } from "#domain/problem.ts";
import { hash01 } from "#domain/random.ts";
import { stackOf } from "#domain/thrown.ts";
import { DAY_MS, HOUR_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import {
  accountsOfDomain,
  addressIn,
  domainByName,
  updateDomain,
} from "#store/mailboxes/domains.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { DomainRow } from "#store/tables/domains.ts";
import { audit, emit } from "#usecases/events/record.ts";
import { answered, subjectOf } from "./domain-check.ts";
import { namedSources } from "./domain-senders.ts";

const LOOK_EVERY_MS = DAY_MS;
/** Each has its own time of day: looks move apart by up to this much a day. */
const SPREAD_MS = HOUR_MS;
const RETRY_MS = HOUR_MS;

/** A look at a domain whose time has come. A bug with it holds up no other. */
export async function lookAtDomain(env: Environment, row: DomainRow, now: UnixMs): Promise<void> {
  const [first, ...others] = accountsOfDomain(env.db, row).map((account) =>
    asSender(account, addressIn(account, row.domain)),
  );
  if (first === undefined) {
    return;
  }
  try {
    const subject = subjectOfAll(env, first, others);
    const report = await answered(env, row.teamId, examineDomain(subject, true));
    const hosts = await namedSources(env, row);
    await env.commit(() => record(env, row, { report, hosts }));
  } catch (error) {
    env.log.error("looking at a domain failed inside", {
      domain: row.domain,
      cause: stackOf(error),
    });
    await env.commit(() => updateDomain(env.db, { ...row, dueAt: plus(now, RETRY_MS) }));
  }
}

/** The first mailbox stands for all of the domain. */
function subjectOfAll(env: Environment, first: AccountRow, others: AccountRow[]): DomainSubject {
  const subject = subjectOf(env, first, null);
  const keys = [first, ...others]
    .flatMap(({ dkim }) => dkim ?? [])
    .filter(({ domain }) => domain === subject.domain);
  const sentFrom = others.flatMap((other) => subjectOf(env, other, null).sentFrom);
  return {
    ...subject,
    dkim: keys.find(({ activeAt }) => activeAt !== null) ?? keys[0] ?? null,
    sentFrom: [...new Set([...subject.sentFrom, ...sentFrom])],
  };
}

function record(
  env: Environment,
  { teamId, domain }: DomainRow,
  { report, hosts }: Pick<DomainRow, "hosts"> & { report: NonNullable<DomainRow["report"]> },
): void {
  const row = domainByName(env.db, teamId, domain);
  if (row === undefined) {
    return;
  }
  const now = env.clock.now();
  const { after, broke, recovered } = watchOn(row.watched, report, now);
  const dueAt = plus(now, LOOK_EVERY_MS - Math.floor(hash01("domain", row.id) * SPREAD_MS));
  updateDomain(env.db, { ...row, report, watched: after, hosts, checkedAt: now, dueAt });
  for (const { check, message } of broke) {
    const was = row.watched.known[check]?.message ?? "";
    emit(env, teamId, "domain.error", { domain, check, message, was });
  }
  for (const { check, message } of recovered) {
    emit(env, teamId, "domain.recovered", { domain, check, message });
  }
}

/** Throws `not_found` for another team's domain as for one without a mailbox. */
export function requireDomain(env: Environment, caller: Caller, name: string): DomainRow {
  const row = domainByName(env.db, caller.teamId, name.toLowerCase());
  if (row === undefined) {
    throw notFound("domain");
  }
  return row;
}

/** Has the worker look at it next. Runs inside a commit. */
export function checkSoon(env: Environment, caller: Caller, name: string): DomainRow {
  const row = { ...requireDomain(env, caller, name), dueAt: env.clock.now() };
  updateDomain(env.db, row);
  audit(env, caller, { action: "domain.check", target: `domain:${row.id}` });
  env.wake();
  return row;
}

export const DOMAIN_STATES = ["unchecked", "ok", "warning", "fault", "unknown"] as const;
export type DomainState = (typeof DOMAIN_STATES)[number];

/** The worst of what counts. */
export function stateOf({ report }: DomainRow): DomainState {
  const optional: readonly string[] = OPTIONAL_CHECKS;
  const checks = report?.checks.filter(({ check }) => !optional.includes(check)) ?? [];
  const has = (wanted: DomainVerdict) => checks.some(({ verdict }) => verdict === wanted);
  const worst = (["fault", "warning", "ok"] as const).find(has);
  return report === null ? "unchecked" : (worst ?? "unknown");
}

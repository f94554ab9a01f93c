/** What receivers can see of an account's domain, asked of the environment's DNS. Changes nothing. */

import { domainOf } from "#domain/email-address.ts";
import { asSender } from "#domain/mailboxes/account.ts";
import { providerOfDomain } from "#domain/mailboxes/mail-provider.ts";
import { readSelector } from "#domain/mailboxes/sender-domain/dkim-record.ts";
import { type DomainReport, examineDomain } from "#domain/mailboxes/sender-domain/examine.ts";
import type { DomainSubject } from "#domain/mailboxes/sender-domain/finding.ts";
import {
  type Asking,
  type DnsAnswer,
  type DnsQuestion,
  QUESTIONS_MAX,
} from "#domain/mailboxes/sender-domain/question.ts";
import { invalid } from "#domain/problem.ts";
import { DAY_MS, plus } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { allowsAddress } from "#platform/http/guard.ts";
import { DnsFailure } from "#platform/ports/dns.ts";
import { sentFromOf } from "#store/placement/placement-tests.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { trackingBase } from "#usecases/campaigns/tracked-mail.ts";
import { requireAccount } from "#usecases/mailboxes/accounts.ts";

/** What is not answered by then counts as unanswered, so that a report comes in any case. */
const CHECK_MS_MAX = 30_000;

/** Where email left from longer ago says nothing of now. */
export const SENT_FROM_MS = 30 * DAY_MS;

const SILENT: DnsAnswer = { kind: "silent" };

/** Throws `not_found`, `validation_error` for a selector that is none. */
export async function checkDomain(
  env: Environment,
  caller: Caller,
  id: Id,
  selector: string | undefined,
): Promise<DomainReport> {
  const row = requireAccount(env, caller, id);
  const known = selector === undefined ? null : readSelector(selector);
  if (selector !== undefined && known === null) {
    throw invalid("selector", "must be a DNS name of letters, digits and hyphens, such as s1");
  }
  return await answered(env, caller.teamId, examineDomain(subjectOf(env, asSender(row), known)));
}

/** Of the domain of the row's address: that of an alias is asked with {@link asSender}. */
export function subjectOf(
  env: Environment,
  row: AccountRow,
  selector: string | null,
): DomainSubject {
  const domain = domainOf(row.email);
  return {
    domain,
    address: row.email,
    provider: row.provider,
    isProviderDomain: providerOfDomain(domain) !== null,
    smtpHost: row.smtp?.host ?? null,
    dkim: row.dkim?.domain === domain ? row.dkim : null,
    selectors: selector === null ? [] : [selector],
    sentFrom: sentFromOf(env.db, row.id, plus(env.clock.now(), -SENT_FROM_MS)),
    blockLists: env.blockLists,
    isPublic: (ip) => allowsAddress(ip, []),
    linkHost: URL.parse(trackingBase(env, row.teamId) ?? "")?.hostname ?? null,
  };
}

/** Runs a check to its end. Never rejects for want of an answer. */
export async function answered<Result>(
  env: Environment,
  team: Id,
  check: Asking<Result>,
): Promise<Result> {
  const deadline = AbortSignal.timeout(CHECK_MS_MAX);
  const late = Promise.withResolvers<DnsAnswer>();
  deadline.addEventListener("abort", () => late.resolve(SILENT), { once: true });
  let room = QUESTIONS_MAX;
  let step = check.next([]);
  while (!step.done) {
    const answers = step.value.map((question) => {
      room -= 1;
      return room < 0 || deadline.aborted
        ? SILENT
        : Promise.race([answerTo(env, team, question), late.promise]);
    });
    step = check.next(await Promise.all(answers));
  }
  return step.value;
}

async function answerTo(env: Environment, team: Id, question: DnsQuestion): Promise<DnsAnswer> {
  try {
    return { kind: "records", records: await recordsOf(env, team, question) };
  } catch (error) {
    if (error instanceof DnsFailure) {
      return SILENT;
    }
    throw error;
  }
}

async function recordsOf(
  { dns, links }: Environment,
  team: Id,
  { type, name }: DnsQuestion,
): Promise<readonly string[]> {
  switch (type) {
    case "txt":
      return await dns.txt(name, team);
    case "mx":
      return (await dns.mx(name, team)).flatMap(({ exchange }) => exchange || []);
    case "address":
      return await dns.lookup(name, team);
    case "ptr":
      return await dns.ptr(name, team);
    case "mta_sts": {
      // Redirects are not followed, and the certificate must be the name's (RFC 8461 §3.3).
      const file = await links.read(`https://mta-sts.${name}/.well-known/mta-sts.txt`, team);
      return file.kind === "answered" && file.status === 200 ? [file.text] : [];
    }
  }
}

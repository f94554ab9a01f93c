/**
 * Callouts: mailboxes whose owners agreed ask recipients' servers about the leads that they are about to write to. Whom
 * they ask is claimed before anything is said, so that a crash asks nobody more often than is allowed.
 */

import { canProceed } from "#domain/campaigns/campaign.ts";
import { domainOf } from "#domain/email-address.ts";
import {
  ADDRESSES_A_SESSION,
  askedAgain,
  CATCH_ALL_MS,
  type CalloutSession,
  controlAddress,
  DOMAIN_PACE,
  isAskable,
  NO_TROUBLES,
  nextQuestion,
  nextSessionAt,
  OPERATOR_PACE,
  operatorOf,
  type Questions,
  readCallout,
  SESSION_GAP_MS,
  takeTurn,
  troublesAfter,
} from "#domain/mailboxes/callout.ts";
import { providerOfExchanges } from "#domain/mailboxes/mail-provider.ts";
import type { Candidate } from "#domain/sending/ledger.ts";
import { stackOf } from "#domain/thrown.ts";
import { DAY_MS, MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { activeCampaigns } from "#store/campaigns/campaigns.ts";
import { enrollmentById, enrollmentsOfLead } from "#store/leads/enrollments.ts";
import { findLeadById, setCallout } from "#store/leads/leads.ts";
import { accountById, updateAccount } from "#store/mailboxes/accounts.ts";
import { findCallouts, pruneCallouts, recordCallouts } from "#store/mailboxes/callouts.ts";
import { seedByEmail } from "#store/placement/placement-seeds.ts";
import { headsOf, mayUse, QUEUE_START, readQueue } from "#store/sending/ledger.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { LeadRow } from "#store/tables/leads.ts";
import { isSuppressed, refusalOf } from "#usecases/leads/suppressions.ts";
import { isSendable } from "./accounts.ts";
import { freshDomain } from "./mail-domains.ts";

/** Leads whose turn is next, of a mailbox: those of the coming days. */
const AHEAD_MAX = 120;
const ZONES_MAX = 20;
/** Where there is nobody to ask just now. */
const IDLE_MS = 15 * MINUTE_MS;

/** What a mailbox would ask, and at whose servers; null: at none that are asked at all. */
interface Plan {
  accountId: Id;
  teamId: Id;
  domain: string;
  leads: readonly Id[];
  hosts: readonly string[];
  operator: string | null;
}
/** What it asks, once that is claimed. */
interface Claimed extends Plan {
  from: string;
  operator: string;
  questions: Questions;
}

/** A mailbox's turn: it holds one session, or waits for its next turn. */
export async function askServers(env: Environment, account: AccountRow, now: UnixMs) {
  const plan = await planSession(env, account, now);
  const claimed = await env.commit(() => claimSession(env, account.id, plan, now));
  if (claimed !== undefined) {
    await holdSession(env, claimed);
  }
}

/** Undefined: there is nobody to ask for. Never rejects. */
async function planSession(
  env: Environment,
  account: AccountRow,
  now: UnixMs,
): Promise<Plan | undefined> {
  const { id: accountId, teamId } = account;
  const found = isSendable(account, env.name) ? leadsToAsk(env, account, now) : [];
  const [first] = found;
  if (first === undefined) {
    return undefined;
  }
  const domain = domainOf(first.email);
  const hosts = await exchangesOf(env, domain, teamId);
  const isAsked = providerOfExchanges(hosts) === "custom" && !hosts.includes("");
  const operator = isAsked ? operatorOf(hosts[0] ?? "") : null;
  return { accountId, teamId, domain, leads: found.map(({ id }) => id), hosts, operator };
}

/** Without MX records, email goes to the domain's own address (RFC 5321 §5.1). No name server answers: none. */
async function exchangesOf({ dns }: Environment, domain: string, team: Id): Promise<string[]> {
  try {
    const hosts = (await dns.mx(domain, team)).map(({ exchange }) => exchange);
    return hosts.length === 0 ? [domain] : hosts;
  } catch {
    return [""];
  }
}

/** The next leads of one domain that nobody has written to, and of whom it isn't known. */
function leadsToAsk(env: Environment, account: AccountRow, now: UnixMs): LeadRow[] {
  const free = new Map<string, boolean>();
  const found: LeadRow[] = [];
  let wanted: string | undefined;
  for (const { enrollmentId, domain } of comingLeads(env, account)) {
    const isFree = free.get(domain) ?? isFreeDomain(env, domain, now);
    free.set(domain, isFree);
    if (!isFree || (wanted !== undefined && domain !== wanted)) {
      continue;
    }
    const enrollment = enrollmentById(env.db, enrollmentId);
    const lead = enrollment && findLeadById(env.db, enrollment.leadId);
    if (lead !== undefined && mayBeAsked(env, lead, now)) {
      wanted = domain;
      found.push(lead);
    }
    if (found.length === ADDRESSES_A_SESSION) {
      break;
    }
  }
  return found;
}

/** Those whose first email comes soon, in about the order in which they get it. */
function* comingLeads(env: Environment, { id, teamId }: AccountRow): Generator<Candidate> {
  const campaigns = activeCampaigns(env.db, teamId).filter(
    (row) => canProceed(row) && mayUse(row, id),
  );
  const share = Math.ceil(AHEAD_MAX / Math.max(1, campaigns.length));
  for (const { id: campaignId } of campaigns) {
    for (const whose of ["new", "spread"] as const) {
      for (const { zone } of headsOf(env.db, campaignId, whose).slice(0, ZONES_MAX)) {
        yield* readQueue(env.db, { campaignId, whose, zone }, QUEUE_START, share);
      }
    }
  }
}

/** Its servers are known to be somebody's who may be asked, and it's their turn. */
function isFreeDomain(env: Environment, domain: string, now: UnixMs): boolean {
  const known = freshDomain(env, domain, now);
  const takesEmail = known?.mx === "found" || known?.mx === "none";
  return known?.provider === "custom" && takesEmail && isItsTurn(env, domain, now);
}

function isItsTurn({ db }: Environment, name: string, now: UnixMs): boolean {
  return (findCallouts(db, name)?.nextAt ?? now) <= now;
}

/** Neither somebody who must not be written to, nor somebody of whom it's known or decided. */
function mayBeAsked(env: Environment, lead: LeadRow, now: UnixMs): boolean {
  const { id, teamId, email, callout, calloutAt } = lead;
  return (
    isAskable(callout, calloutAt, now) &&
    isSuppressed(env.db, teamId, email, domainOf(email)) === null &&
    refusalOf(env, lead) === undefined &&
    seedByEmail(env.db, teamId, email) === undefined &&
    enrollmentsOfLead(env.db, id).every((row) => row.lastSentAt === null && !row.riskAccepted)
  );
}

/** Takes the turns that a session needs, and notes whom it asks for. Runs inside a commit. */
function claimSession(
  env: Environment,
  accountId: Id,
  plan: Plan | undefined,
  now: UnixMs,
): Claimed | undefined {
  const { db } = env;
  const account = accountById(db, accountId);
  if (account === undefined || account.calloutAt === null) {
    return undefined;
  }
  const wait = plan === undefined ? IDLE_MS : SESSION_GAP_MS;
  updateAccount(db, { ...account, calloutAt: plus(now, wait) });
  if (plan === undefined || !isItsTurn(env, plan.domain, now)) {
    return undefined;
  }
  const { domain, operator } = plan;
  const turns = takeTurn(findCallouts(db, domain), now, DOMAIN_PACE);
  const blocks = account.calloutTroubles?.blocks ?? [];
  const isBlocked = blocks.some(({ by, until }) => by === operator && until > now);
  if (operator === null || isBlocked || !isItsTurn(env, nameOf(operator), now)) {
    // Another domain comes first.
    const nextAt = operator === null ? plus(now, DAY_MS) : turns.nextAt;
    recordCallouts(db, domain, { ...turns, count: turns.count - 1, nextAt }, false);
    return undefined;
  }
  const leads = plan.leads.flatMap((id) => findLeadById(db, id) ?? []);
  const asked = leads.filter((lead) => mayBeAsked(env, lead, now));
  if (asked.length === 0) {
    return undefined;
  }
  for (const lead of asked) {
    setCallout(db, lead, askedAgain(lead.callout), now);
  }
  recordCallouts(db, domain, turns, false);
  const ofOperator = takeTurn(findCallouts(db, nameOf(operator)), now, OPERATOR_PACE);
  recordCallouts(db, nameOf(operator), ofOperator, false);
  const addresses = asked.map(({ email }) => email);
  const questions = { domain, control: controlAddress(accountId, domain), leads: addresses };
  const ids = asked.map(({ id }) => id);
  return { ...plan, leads: ids, from: account.email, operator, questions };
}

function nameOf(operator: string): string {
  return `mx:${operator}`;
}

/** Never rejects but for the store. */
async function holdSession(env: Environment, plan: Claimed): Promise<void> {
  const { domain, hosts, teamId, from, questions } = plan;
  const callout = { domain, hosts, teamId, from, name: greetingName(env, from) };
  let session: CalloutSession;
  try {
    session = await env.mail.callout(callout, (replies) => nextQuestion(questions, replies));
  } catch (error) {
    env.log.error("a callout failed inside", { domain, cause: stackOf(error) });
    return;
  }
  await env.commit(() => recordSession(env, plan, session, env.clock.now()));
}

/** A name that leads to this machine, or else the mailbox's own domain. */
function greetingName({ publicUrl }: Environment, from: string): string {
  const host = publicUrl === null ? "" : new URL(publicUrl).hostname;
  return /\.[a-z]/i.test(host) ? host : domainOf(from);
}

/** Runs inside a commit; reads anew what it writes back. */
function recordSession(
  env: Environment,
  { accountId, domain, operator, leads, questions }: Claimed,
  session: CalloutSession,
  now: UnixMs,
): void {
  const { db } = env;
  const found = readCallout(questions, session);
  for (const lead of leads.flatMap((id) => findLeadById(db, id) ?? [])) {
    const answer = found.answers.get(lead.email);
    if (answer !== undefined && lead.callout !== "released") {
      setCallout(db, lead, answer, now);
    }
  }
  const turns = findCallouts(db, domain);
  if (found.catchAll === true && turns !== undefined) {
    const { day, count } = turns;
    recordCallouts(db, domain, { day, count, nextAt: plus(now, CATCH_ALL_MS) }, true);
  }
  const account = accountById(db, accountId);
  if (account === undefined || account.calloutAt === null) {
    return;
  }
  const troubles = troublesAfter(account.calloutTroubles ?? NO_TROUBLES, operator, found, now);
  const isNone = troubles.blocks.length + troubles.unreached === 0;
  updateAccount(db, {
    ...account,
    calloutTroubles: isNone ? null : troubles,
    calloutAt: nextSessionAt(troubles, now),
  });
}

/** Upkeep, inside a commit. */
export function forgetCallouts({ db }: Environment, now: UnixMs): void {
  pruneCallouts(db, plus(now, -DAY_MS));
}

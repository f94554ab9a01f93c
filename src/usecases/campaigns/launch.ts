/** What a campaign lacks before it can start, and what is worth knowing. */

import { leavesAlone } from "#domain/campaigns/campaign.ts";
import { localDay } from "#domain/campaigns/local-day.ts";
import type { Rule } from "#domain/campaigns/rule.ts";
import { domainOf } from "#domain/email-address.ts";
import { listed } from "#domain/experiments/experiment-words.ts";
import { asSender, isReady } from "#domain/mailboxes/account.ts";
import {
  ADDRESS_REASONS,
  ADDRESS_WORDS,
  type AddressTally,
} from "#domain/mailboxes/address-check.ts";
import { PROVIDER_NAMES } from "#domain/placement/drop-reading.ts";
import { matchGains } from "#domain/placement/match-gain.ts";
import { type Fault, invalidAll, type Problem } from "#domain/problem.ts";
import { providerOfMailbox } from "#domain/sending/barred.ts";
import { inWords, remedyFor } from "#domain/sending/refusals.ts";
import { checkTemplate } from "#domain/sending/template.ts";
import { DAY_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { stepsOf } from "#store/campaigns/steps.ts";
import { accountsOf } from "#store/mailboxes/accounts.ts";
import { domainByName } from "#store/mailboxes/domains.ts";
import { receiverOf } from "#store/mailboxes/mail-domains.ts";
import { inboxSharesOf } from "#store/placement/placement-tests.ts";
import { mayUse, planAccount } from "#store/sending/ledger.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { CampaignRow, StepRow } from "#store/tables/campaigns.ts";
import { findTeam } from "#store/team/teams.ts";
import { carriedByWords } from "./attachments.ts";
import { trackingBase } from "./tracked-mail.ts";

/** Something without which a start is refused. `field` as in an error: `steps.1.body`. */
export interface LaunchProblem {
  field: string;
  message: string;
}

export const LAUNCH_WARNINGS = [
  "no_public_url",
  "not_tracked",
  "no_postal_address",
  "accounts_not_ready",
  "sender_refused",
  "alias_domain",
  "provider_matching",
  "no_leads",
  "variant_on_hold",
  "first_email_attached",
  "rule_target",
  "content",
  "addresses",
] as const;
/** Something that refuses no start. */
export interface LaunchWarning {
  code: (typeof LAUNCH_WARNINGS)[number];
  message: string;
}

/** Throws `validation_error` naming everything that a start lacks. */
export function checkLaunch(env: Environment, campaign: CampaignRow): void {
  const [first, ...others] = launchProblems(env, campaign).map(faultOf);
  if (first !== undefined) {
    throw invalidAll([first, ...others]);
  }
}

function faultOf({ field, message }: LaunchProblem): Fault {
  return { field, message, didYouMean: null };
}

export function problemOf(problem: LaunchProblem): Problem {
  return invalidAll([faultOf(problem)]);
}

/** Everything that a start lacks, steps before accounts. */
export function launchProblems(env: Environment, campaign: CampaignRow): LaunchProblem[] {
  const steps = stepsOf(env.db, campaign.id);
  const problems: LaunchProblem[] =
    steps.length === 0 ? [{ field: "steps", message: "the campaign needs at least one step" }] : [];
  const firstEmail = steps.find(({ type }) => type === "email");
  for (const step of steps) {
    if (step.type === "email") {
      problems.push(...problemsOf(step, step === firstEmail), ...fileProblems(env, step));
    }
  }
  return [...problems, ...accountProblems(env, campaign)];
}

/** What keeps a step from ever being sent, though it can be stored; null where nothing does. */
export function stepWarning(step: Pick<StepRow, "type" | "subject" | "body">): string | null {
  if (step.type !== "email") {
    return null;
  }
  const faults = (["subject", "body"] as const).flatMap((part) => {
    const fault = checkTemplate(step[part] ?? "");
    return fault === null ? [] : [`${part}: ${fault.message}`];
  });
  return faults.length === 0
    ? null
    : `${faults.join("; ")}. No lead can get this step until you fix it.`;
}

function problemsOf(step: StepRow, isFirst: boolean): LaunchProblem[] {
  const [place, name] = [`steps.${step.position - 1}`, `step ${step.position}`];
  const problems: LaunchProblem[] = [];
  if (step.body === null || step.body.trim() === "") {
    problems.push({ field: `${place}.body`, message: `${name} has no body` });
  }
  if (step.subject === null && isFirst) {
    const message = `${name} needs a subject because it starts the thread`;
    problems.push({ field: `${place}.subject`, message });
  }
  for (const part of ["subject", "body"] as const) {
    const fault = checkTemplate(step[part] ?? "");
    if (fault !== null) {
      problems.push({ field: `${place}.${part}`, message: `${name}: ${fault.message}` });
    }
  }
  return problems;
}

function fileProblems(env: Environment, step: StepRow): LaunchProblem[] {
  const carrying = carriedByWords(env, step.teamId, step);
  if (carrying.kind === "ready") {
    return [];
  }
  const { field, message } = carrying;
  return [
    { field: `steps.${step.position - 1}.${field}`, message: `step ${step.position}: ${message}` },
  ];
}

function accountProblems(env: Environment, campaign: CampaignRow): LaunchProblem[] {
  const field = "account_ids";
  const active = activeAccounts(env, campaign);
  if (active.length === 0) {
    return [{ field, message: "the campaign needs at least one active account" }];
  }
  if (!active.some((row) => isReady(row, env.name))) {
    const reasons = [...new Set(active.map((row) => row.notReadyReason ?? "untested"))].join(", ");
    const remedy =
      reasons === "workspace"
        ? ": their workspace's consent is refused; repair it first"
        : ` (${reasons}); connect and test one`;
    return [{ field, message: `no active account is ready${remedy}` }];
  }
  return [];
}

/** Accounts that write for the campaign and are switched on, ready or not, oldest first. */
function activeAccounts(env: Environment, campaign: CampaignRow): AccountRow[] {
  return accountsOf(env.db, campaign.teamId).filter(
    (row) => row.status === "active" && mayUse(campaign, row.id),
  );
}

/** The account whose name a preview carries: the first that could send, else the first there is. */
export function likelySender(env: Environment, campaign: CampaignRow): AccountRow | undefined {
  const active = activeAccounts(env, campaign);
  return active.find((row) => isReady(row, env.name)) ?? active[0];
}

/** Of a variant that some of its leads could not be sent. */
export function variantWarning(holes: {
  experiment: string;
  name: string;
  leads: number;
  held: number;
  missing: readonly string[];
}): LaunchWarning {
  const { experiment, name, leads, held, missing } = holes;
  const message =
    `variant "${name}" of the experiment "${experiment}" cannot be sent to ${held} of its ` +
    `${leads} leads: they have no ${listed(missing)}. Add it, or give it a fallback`;
  return { code: "variant_on_hold", message };
}

/** Of addresses that are worth a look before anybody writes to them; none where there are none. */
export function addressWarnings(
  { risky, invalid, reasons }: AddressTally,
  checked: number,
): LaunchWarning[] {
  const kinds = [
    ...(invalid === 0 ? [] : [`${invalid} take no email and are put on hold`]),
    ...(risky === 0 ? [] : [`${risky} are risky`]),
  ];
  const parts = ADDRESS_REASONS.flatMap((reason) =>
    reasons[reason] === undefined ? [] : `${reasons[reason]} ${ADDRESS_WORDS[reason]}`,
  );
  const message = `of ${checked} addresses, ${kinds.join(" and ")}: ${parts.join(", ")}`;
  return kinds.length === 0 ? [] : [{ code: "addresses", message }];
}

export function launchWarnings(env: Environment, campaign: CampaignRow): LaunchWarning[] {
  const team = findTeam(env.db, campaign.teamId);
  const warnings: LaunchWarning[] = [];
  if (env.publicUrl === null) {
    const message =
      "the server has no public URL, so people can unsubscribe by email but not with one click";
    warnings.push({ code: "no_public_url", message });
  }
  const wantsTracking = campaign.trackOpens || campaign.trackClicks;
  if (wantsTracking && trackingBase(env, campaign.teamId) === null) {
    const message =
      "opens and clicks aren't tracked until you set public_url or the team's tracking_host";
    warnings.push({ code: "not_tracked", message });
  }
  if (team?.footer === true && (team.postalAddress ?? "").trim() === "") {
    const message =
      "the team has no postal address for the footer of its emails; many countries require one";
    warnings.push({ code: "no_postal_address", message });
  }
  const waiting = activeAccounts(env, campaign).filter((row) => !isReady(row, env.name));
  if (waiting.length > 0) {
    const message = `${waiting.length} active account(s) aren't ready and won't send; connect and test them`;
    warnings.push({ code: "accounts_not_ready", message });
  }
  for (const { email, refusals } of activeAccounts(env, campaign)) {
    for (const { receiver, words } of (refusals ?? []).filter(({ until }) => until !== null)) {
      const message = `${inWords(receiver)} refuses ${email} as a sender: its leads there wait. ${remedyFor(words)}`;
      warnings.push({ code: "sender_refused", message });
    }
  }
  warnings.push(...activeAccounts(env, campaign).flatMap((row) => aliasWarning(env, row) ?? []));
  warnings.push(...matchWarnings(env, campaign));
  const first = stepsOf(env.db, campaign.id).find(({ type }) => type === "email");
  if (first !== undefined && first.attachmentIds.length > 0) {
    const message =
      `step ${first.position} attaches a file to the first email; filters distrust attachments from ` +
      "strangers. Link to it, or attach it to a later step";
    warnings.push({ code: "first_email_attached", message });
  }
  if (campaign.enrolled === 0) {
    warnings.push({ code: "no_leads", message: "the campaign has no leads yet" });
  }
  return [...warnings, ...campaign.rules.flatMap((rule) => ruleWarning(env, rule) ?? [])];
}

/** Days of placement tests, and mailboxes of a campaign, that are looked at. */
const PLACEMENT_DAYS = 90;
const COMPARED_MAX = 500;

/** Where the mailboxes' placement tests show that leads should go from mailboxes at their provider. */
function matchWarnings(env: Environment, campaign: CampaignRow): LaunchWarning[] {
  const { db, clock } = env;
  const rows = campaign.providerMatching === "off" ? activeAccounts(env, campaign) : [];
  const now = clock.now();
  const dateOf = (at: UnixMs) => localDay("UTC", at).date;
  const days = { from: dateOf(plus(now, -PLACEMENT_DAYS * DAY_MS)), to: dateOf(now) };
  const shares = rows.slice(0, COMPARED_MAX).flatMap((row) => {
    const plan = planAccount(row, true);
    const from = providerOfMailbox(plan, (domain) => receiverOf(db, domain));
    return inboxSharesOf(db, row.id, days).map((share) => ({ ...share, from }));
  });
  return matchGains(shares).map(({ provider, own, others }) => {
    const name = PROVIDER_NAMES[provider];
    const message =
      `at ${name}, ${own.inbox} of ${own.total} test emails from your mailboxes there reached the inbox, and ` +
      `${others.inbox} of ${others.total} from the others, which they don't make up for elsewhere: matching leads with ` +
      "mailboxes at their provider (provider_matching) would help";
    return { code: "provider_matching", message };
  });
}

/** Of a mailbox that sends as an alias whose domain, as it was last looked at, doesn't let it. */
function aliasWarning(env: Environment, row: AccountRow): LaunchWarning | null {
  const { email } = asSender(row);
  const domain = domainOf(email);
  const report = domainByName(env.db, row.teamId, domain)?.report;
  const faults = report?.checks.filter(
    ({ check, verdict }) => ALIAS_CHECKS.has(check) && verdict === "fault",
  );
  if (domain === domainOf(row.email) || faults === undefined || faults.length === 0) {
    return null;
  }
  const words = faults.map(({ message }) => message).join("; ");
  const message = `${row.email} sends as ${email}, whose domain isn't set up: ${words}. Publish the records that GET /domains/${domain} names`;
  return { code: "alias_domain", message };
}

const ALIAS_CHECKS: ReadonlySet<string> = new Set(["spf", "dkim", "dmarc"]);

/** Of a rule whose leads would wait where they go to, or stay. */
function ruleWarning(env: Environment, { on, campaignId }: Rule): LaunchWarning | null {
  const target = campaignById(env.db, campaignId);
  if (target === undefined || target.status === "archived") {
    const message = `leads with the event ${on} can't move on: their campaign is ${target === undefined ? "deleted" : `archived ("${target.name}")`}`;
    return { code: "rule_target", message };
  }
  const isWaiting = target.status === "draft" || target.status === "paused" || leavesAlone(target);
  const message = `leads with the event ${on} move to "${target.name}", which is ${target.status}: they get no email there until it runs`;
  return isWaiting ? { code: "rule_target", message } : null;
}

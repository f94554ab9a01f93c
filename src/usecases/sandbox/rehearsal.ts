/**
 * A draft played before it is started: in a sandbox of its own in memory, with its steps, mailboxes, limits and
 * leads, by the workers that would send it, and people who reply, bounce and opt out by chance as in the
 * sandbox. A forecast says what is sent when nobody replies; this shows what the guards do when people do.
 */

import type { EnrollmentStatus } from "#domain/campaigns/enrollment.ts";
import type { Figures } from "#domain/campaigns/figures.ts";
import { localDay } from "#domain/campaigns/local-day.ts";
import type { EventType } from "#domain/events/event.ts";
import { conflict } from "#domain/problem.ts";
import { DAY_MS, plus, type UnixMs } from "#domain/time.ts";
import { type Environment, engineCaller, type Stage } from "#environment.ts";
import type { Steps } from "#platform/side-thread.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { readEvents } from "#store/events/events.ts";
import { accountsOf } from "#store/mailboxes/accounts.ts";
import { campaignRows, openLeads, suppressionRows } from "#store/operations/campaign-copy.ts";
import { rowWriter } from "#store/operations/team-copy.ts";
import { playedLeads, playedMailboxes } from "#store/sandbox/played.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import type { EventRow } from "#store/tables/events.ts";
import { moveCampaign } from "#usecases/campaigns/campaigns.ts";
import { readFigures } from "#usecases/campaigns/figures.ts";
import { foretell } from "#usecases/forecast/foresight.ts";
import { importLeads } from "#usecases/leads/import/import.ts";
import { checkInvariants } from "#usecases/operations/invariants.ts";

/** Leads that are played; more would not be a matter of seconds. */
export const REHEARSED_LEADS_MAX = 1_000;
export const REHEARSED_DAYS_MAX = 60;

/** What the guards and the limits do, and how it ends. */
const TOLD: readonly EventType[] = [
  ...(["campaign.paused", "campaign.completed", "account.error"] as const),
  ...(["account.health_changed", "experiment.variant_paused", "experiment.completed"] as const),
];
const TOLD_MAX = 100;

export interface RehearsalOptions {
  days: number;
  /** The same seed plays the same month. */
  seed: number;
}

interface About extends RehearsalOptions {
  teamId: Id;
  campaignId: Id;
}

export interface Rehearsal {
  from: UnixMs;
  until: UnixMs;
  timezone: string;
  /** Of the campaign at the end. */
  status: CampaignRow["status"];
  statusReason: CampaignRow["statusReason"];
  /** Leads that were played, and those that the draft has. */
  played: number;
  leads: number;
  leadStatuses: { status: EnrollmentStatus; leads: number }[];
  totals: Figures["totals"];
  days: Figures["days"];
  firstSentAt: UnixMs | null;
  lastSentAt: UnixMs | null;
  mailboxes: {
    accountId: Id;
    email: string;
    sent: number;
    bounced: number;
    health: number;
    status: AccountRow["status"];
  }[];
  events: Pick<EventRow, "type" | "createdAt" | "data">[];
  /** Promises of sending that were counted afterwards, and those that did not hold: none. */
  checked: number;
  broken: string[];
}

/**
 * Throws `conflict` for a campaign that was started, or that can't be: what the start would say; as
 * {@link foretell} does.
 */
export async function rehearseCampaign(
  env: Environment,
  { id: campaignId, teamId, status }: CampaignRow,
  options: RehearsalOptions,
  signal: AbortSignal,
): Promise<Rehearsal> {
  if (status !== "draft") {
    throw conflict("only a draft is rehearsed; see the forecast of a campaign that was started");
  }
  const about: About = { teamId, campaignId, ...options };
  return await foretell(env, {
    ...{ teamId, about, signal },
    kind: "rehearsal",
    ask: rehearsalSteps,
    elsewhere: true,
  });
}

/** A step is a day: whoever asked may have gone in between. */
export function* rehearsalSteps(env: Environment, about: About): Steps<Rehearsal> {
  const { campaignId, days, seed } = about;
  const from = env.clock.now();
  const stage = env.stage(from, seed);
  try {
    const leads = openLeads(env.db, campaignId, REHEARSED_LEADS_MAX);
    yield setStage(env, stage, about, leads);
    for (let day = 0; day < days; day += 1) {
      yield stage.advance(DAY_MS);
    }
    return told(env, stage, about, { from, played: leads.length });
  } finally {
    // Also where nobody listens any more.
    void stage.close();
  }
}

async function setStage(
  env: Environment,
  { env: played }: Stage,
  { teamId, campaignId }: About,
  leads: ReturnType<typeof openLeads>,
): Promise<void> {
  const caller = engineCaller(teamId);
  const emails = leads.map(({ email }) => email);
  await played.commit(() => {
    const write = rowWriter(played.db);
    for (const row of campaignRows(env.db, teamId, campaignId)) {
      write(row);
    }
    suppressionRows(env.db, teamId, emails).forEach(write);
  });
  const items = leads.map(({ email, firstName, lastName, company, ...lead }) => {
    const { website, phone, timezone, variables } = lead;
    return { email, firstName, lastName, company, website, phone, timezone, variables };
  });
  const options = { existing: "keep", skipIfInOtherCampaign: false, dryRun: false } as const;
  await importLeads(played, caller, campaignId, items, options);
  await played.commit(() => moveCampaign(played, caller, campaignId, "active"));
}

function told(
  env: Environment,
  { env: played }: Stage,
  { teamId, campaignId, days }: About,
  { from, played: count }: { from: UnixMs; played: number },
): Rehearsal {
  const { db } = played;
  const campaign = campaignById(db, campaignId);
  if (campaign === undefined) {
    throw new Error("a rehearsal has lost its campaign");
  }
  const { timezone } = campaign.sendWindow;
  const until = plus(from, days * DAY_MS);
  const date = (at: UnixMs) => localDay(timezone, at).date;
  const figures = readFigures(played, engineCaller(teamId), {
    ...{ campaignId, timezone },
    ...{ from: date(from), to: date(until) },
  });
  const sends = playedMailboxes(db, campaignId);
  const accounts = accountsOf(db, teamId);
  const invariants = checkInvariants(played, teamId);
  const at = (of: (UnixMs | null)[], pick: (...values: number[]) => number) => {
    const known = of.filter((one) => one !== null);
    return known.length === 0 ? null : (pick(...known) as UnixMs);
  };
  return {
    ...{ from, until, timezone, played: count },
    status: campaign.status,
    statusReason: campaign.statusReason,
    leads: campaignById(env.db, campaignId)?.open ?? count,
    leadStatuses: playedLeads(db, campaignId),
    totals: figures.totals,
    days: figures.days,
    firstSentAt: at(
      sends.map(({ firstAt }) => firstAt),
      Math.min,
    ),
    lastSentAt: at(
      sends.map(({ lastAt }) => lastAt),
      Math.max,
    ),
    mailboxes: sends.flatMap(({ accountId, sent, bounced }) => {
      const account = accounts.find(({ id }) => id === accountId);
      return account === undefined
        ? []
        : [
            {
              accountId,
              email: account.email,
              sent,
              bounced,
              health: account.healthScore,
              status: account.status,
            },
          ];
    }),
    events: readEvents(db, teamId, { types: TOLD, limit: TOLD_MAX }).map(
      ({ type, createdAt, data }) => ({ type, createdAt, data }),
    ),
    checked: invariants.length,
    broken: invariants.filter(({ holds }) => !holds).map(({ name }) => name),
  };
}

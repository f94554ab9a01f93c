/**
 * The planner: given the state of a team and an instant, which email does a mailbox send now, or when is
 * it worth asking again? The send worker, the forecast, the sending status and the explanation of a lead
 * all ask here, so they cannot disagree.
 *
 * It is a pure function of what the {@link Ledger} says. Waiting is idempotent: asking again at any
 * instant before `until` gives a wait, so it does not matter who asks, and how often.
 *
 * Inside a campaign whoever has been due longest comes first; between campaigns `turns.ts` decides.
 *
 * Source: ours.
 */

import { START_DELAY_SECONDS_MAX } from "#domain/campaigns/campaign.ts";
import { localDay } from "#domain/campaigns/local-day.ts";
import { nextOpening, openStretch } from "#domain/campaigns/window.ts";
import { countedAs, type MailProvider } from "#domain/mailboxes/mail-provider.ts";
import { earlier, SECOND_MS, type UnixMs, unixMs } from "#domain/time.ts";
import { type Bar, leftToOthers, limitedAt, refusedAt } from "./barred.ts";
import {
  type AccountUse,
  capFreeAt,
  isTooUnwell,
  knownSlotIn,
  type Pace,
  type PlanAccount,
  paceOf,
  takesNewLeads,
  useOf,
} from "./budget.ts";
import {
  type Barred,
  type Candidate,
  type Counter,
  type CounterKind,
  isBarred,
  type Ledger,
  type PlanCampaign,
  type Whose,
} from "./ledger.ts";
import { choose, type Turns } from "./turns.ts";

export type Reason =
  | "outside_window"
  | "new_lead_cap"
  | "campaign_limit"
  | "domain_cap"
  | "risky_share"
  | "account_caps"
  | "sender_refused"
  | "provider_cap"
  | "provider_match"
  | "pacing"
  | "waiting_for_step_delay"
  | "no_active_account"
  | "health"
  | "experiment"
  | "nothing_due";

/** What holds a campaign on this mailbox, and until when; undefined: until something changes. */
export interface Block {
  reason: Reason;
  until: UnixMs | undefined;
}

const NOTHING_DUE: Block = { reason: "nothing_due", until: undefined };

export type Decision =
  | {
      kind: "send";
      candidate: Candidate;
      campaign: PlanCampaign;
      counters: readonly Counter[];
      turns: Turns;
    }
  | {
      /** Planning this lead throws: once it has left its queue, ask again. */
      kind: "fault";
      candidate: Candidate;
      cause: unknown;
      blocked: () => ReadonlyMap<string, Block>;
    }
  | {
      kind: "wait";
      /** After `now`; undefined: only a change can bring work. */
      until: UnixMs | undefined;
      /** Worked out when asked for. */
      blocked: () => ReadonlyMap<string, Block>;
    };

/** What `account` does at `now`. */
export function decide(ledger: Ledger, account: PlanAccount, now: UnixMs): Decision {
  const campaigns = ledger.campaignsOf(account.id);
  if (!account.sendable || isTooUnwell(account)) {
    const reason = account.sendable ? "health" : "no_active_account";
    return waitAll(campaigns, { reason, until: undefined });
  }
  const ask = questionOf(ledger, account, campaigns, now);
  const gate = accountGate(ask);
  if (gate !== null) {
    const blocked = () => blockedBehind(ask, gate);
    return { kind: "wait", until: gate.until, blocked };
  }
  const looks = campaigns.map((campaign) => lookAt(ask, campaign));
  const [fault] = ask.faults;
  if (fault !== undefined) {
    return { kind: "fault", ...fault, blocked: () => blocksOf(looks) };
  }
  const selected = choose(account, looks);
  if (selected !== undefined) {
    const { campaign, candidate, turns } = selected;
    const counters = countersOf(ask, campaign, candidate);
    return { kind: "send", candidate, campaign, counters, turns };
  }
  let until: UnixMs | undefined;
  for (const { block } of looks) {
    until = earlier(until, block.until);
  }
  return { kind: "wait", until, blocked: () => blocksOf(looks) };
}

interface Question {
  ledger: Ledger;
  account: PlanAccount;
  campaigns: readonly PlanCampaign[];
  now: UnixMs;
  use: AccountUse;
  pace: Pace;
  refused: Bar;
  limited: Bar;
  faults: { candidate: Candidate; cause: unknown }[];
}

function questionOf(
  ledger: Ledger,
  account: PlanAccount,
  campaigns: readonly PlanCampaign[],
  now: UnixMs,
): Question {
  const count = (kind: CounterKind, bucket: string) =>
    ledger.count({ kind, owner: account.id, bucket });
  const use = useOf(account, now, count);
  const windows = campaigns.map(({ window }) => window);
  const refused = refusedAt(account, now);
  const limited = limitedAt(ledger, account, use.day);
  const pace = paceOf(account, use, windows);
  return { ledger, account, campaigns, now, use, pace, refused, limited, faults: [] };
}

/** What keeps the mailbox from sending anything, or null. */
function accountGate({ account, use, pace, now }: Question): Block | null {
  const free = capFreeAt(account, use, now);
  if (free === undefined || free > now) {
    return { reason: "account_caps", until: free };
  }
  if (pace.readyAt !== null && pace.readyAt > now) {
    return { reason: "pacing", until: unixMs(Math.min(pace.readyAt, pace.to)) };
  }
  return null;
}

/** What a campaign offers now, or what holds it. */
interface Look {
  campaign: PlanCampaign;
  followUp: Candidate | undefined;
  fresh: Candidate | undefined;
  block: Block;
}

/** Of so many first emails of a mailbox and UTC day one may go to a risky address that is spread, and one a day. */
const EMAILS_PER_RISKY = 20;

function lookAt(ask: Question, campaign: PlanCampaign): Look {
  const { ledger, account, now } = ask;
  const day = localDay(campaign.window.timezone, now);
  const isFull = (kind: CounterKind, cap: number | null) =>
    cap !== null && ledger.count({ kind, owner: campaign.id, bucket: day.date }) >= cap;
  const limit: Block | null = isFull("campaign_day", campaign.dailyLimit)
    ? { reason: "campaign_limit", until: day.to }
    : null;
  const followUps = lookAtQueue(ask, campaign, account.id, { held: limit, left: [] });
  if (!campaign.startsNew) {
    return { campaign, followUp: followUps.candidate, fresh: undefined, block: followUps.block };
  }
  let held = limit;
  if (!takesNewLeads(account)) {
    held = { reason: "health", until: undefined };
  } else if (campaign.isTesting) {
    held = { reason: "experiment", until: undefined };
  } else if (isFull("campaign_new", campaign.maxNewPerDay)) {
    held = { reason: "new_lead_cap", until: day.to };
  }
  const left = leftToOthers(ledger, account, campaign, now);
  const own = lookAtNew(ask, campaign, { held, left });
  const isElse = campaign.matching === "prefer" && left.length > 0 && own.candidate === undefined;
  const fresh = isElse ? lookAtNew(ask, campaign, { held, left: [] }) : own;
  const block = urgent(followUps.block, fresh.block);
  return { campaign, followUp: followUps.candidate, fresh: fresh.candidate, block };
}

/** Under what a queue is looked at: what holds all of it, and the providers whose leads are left to others. */
interface Terms {
  held: Block | null;
  left: readonly MailProvider[];
}

/** Of a queue, to find one that is preferred: a mailbox that none of them suits takes the first. */
const PREFERRED_WITHIN = 500;

function lookAtNew(ask: Question, campaign: PlanCampaign, { held, left }: Terms): QueueLook {
  const plain = lookAtQueue(ask, campaign, "new", { held, left });
  const risky = { held: held ?? riskyBlock(ask, campaign), left };
  const spread = lookAtQueue(ask, campaign, "spread", risky);
  const candidate = longestDue(plain.candidate, spread.candidate);
  return { candidate, block: urgent(plain.block, spread.block) };
}

/** What holds leads with a risky address, where the campaign spreads them. */
function riskyBlock({ ledger, account, now }: Question, { spreads }: PlanCampaign): Block | null {
  const { date, to } = localDay("UTC", now);
  const count = (kind: CounterKind) => ledger.count({ kind, owner: account.id, bucket: date });
  const most = Math.max(1, Math.floor(count("account_new") / EMAILS_PER_RISKY));
  return spreads && count("account_spread") >= most ? { reason: "risky_share", until: to } : null;
}

function longestDue(a: Candidate | undefined, b: Candidate | undefined): Candidate | undefined {
  return a === undefined || (b !== undefined && isBefore(b, a)) ? b : a;
}

interface QueueLook {
  candidate: Candidate | undefined;
  block: Block;
}

/** The longest due of all zones that may go now; what holds the one that comes first of the others. */
function lookAtQueue(
  ask: Question,
  campaign: PlanCampaign,
  whose: Whose,
  { held, left }: Terms,
): QueueLook {
  const { ledger, now, refused, limited } = ask;
  const look: QueueLook = { candidate: undefined, block: NOTHING_DUE };
  const heads = ledger.heads(campaign.id, whose);
  if (heads.length === 0) {
    return look;
  }
  const cap = campaign.maxPerDomainPerDay;
  const day = localDay(campaign.window.timezone, now);
  const full = cap === null ? [] : ledger.cappedDomains(campaign.id, day.date, cap);
  const until = earlier(earlier(day.to, refused.until), limited.until);
  const barred: Barred = {
    domains: [...full, ...refused.domains],
    providers: [...refused.providers, ...limited.providers, ...left],
    unknown: limited.unknown,
    ...(campaign.matching === "prefer" && left.length > 0 && { within: PREFERRED_WITHIN }),
  };
  const bars = (bar: Barred, { domain }: Candidate) => isBarred(bar, domain, ledger.receiverOf);
  const weigh = (head: Candidate, barred: Block | null) => {
    try {
      const block = blockOf(ask, campaign, head, barred);
      if (block !== null) {
        look.block = urgent(look.block, block);
      } else {
        look.candidate = longestDue(look.candidate, head);
      }
    } catch (cause) {
      ask.faults.push({ candidate: head, cause });
    }
  };
  for (const first of heads) {
    if (!bars(barred, first)) {
      weigh(first, held);
      continue;
    }
    const head = ledger.head(campaign.id, whose, first.zone, barred);
    if (head !== undefined) {
      weigh(head, held);
    }
    const isLeft = left.includes(ledger.receiverOf(first.domain).provider);
    const byProvider = bars(limited, first) ? "provider_cap" : "domain_cap";
    const byMailbox = bars(refused, first) ? "sender_refused" : byProvider;
    weigh(first, held ?? { reason: isLeft ? "provider_match" : byMailbox, until });
  }
  return look;
}

/**
 * What holds the head of a queue, or null when it may go now. `barred` is what holds its whole queue. The
 * reason is the one that is nearest to the lead; the instant is not before any of them ends.
 */
function blockOf(
  ask: Question,
  campaign: PlanCampaign,
  head: Candidate,
  barred: Block | null,
): Block | null {
  const { now, use, pace } = ask;
  const { window } = campaign;
  if (barred !== null && barred.until === undefined) {
    return barred;
  }
  const startsAt = startOf(campaign, now);
  const free = unixMs(Math.max(startsAt, head.dueAt, barred?.until ?? now));
  const until = nextOpening(window, head.zone, free).at;
  if (head.dueAt > now) {
    return { reason: "waiting_for_step_delay", until };
  }
  const stretch = openStretch(window, head.zone, now);
  if (stretch === null) {
    return { reason: "outside_window", until };
  }
  if (barred !== null) {
    return { reason: barred.reason, until };
  }
  if (startsAt > now) {
    return { reason: "pacing", until };
  }
  const slot = knownSlotIn(stretch, use, pace);
  return slot > now ? { reason: "pacing", until: slot } : null;
}

/** A start that is further ahead was noted by a clock that has been set back since. */
function startOf({ startsAt }: PlanCampaign, now: UnixMs): UnixMs {
  const isAhead = startsAt !== null && startsAt - now <= START_DELAY_SECONDS_MAX * SECOND_MS;
  return isAhead && startsAt > now ? startsAt : now;
}

/** Of two reasons to wait the one that ends first; any end comes before none. */
function urgent(a: Block, b: Block): Block {
  if (a.until === undefined) {
    return b === NOTHING_DUE ? a : b;
  }
  return b.until === undefined || a.until <= b.until ? a : b;
}

function countersOf(ask: Question, campaign: PlanCampaign, candidate: Candidate): Counter[] {
  const { account, ledger, now, use } = ask;
  const { date } = localDay(campaign.window.timezone, now);
  const receiver = countedAs(ledger.receiverOf(candidate.domain));
  const owner = campaign.id;
  const counters: Counter[] = [
    { kind: "account_day", owner: account.id, bucket: use.day.date },
    { kind: "account_hour", owner: account.id, bucket: use.hour.key },
    { kind: "account_provider", owner: account.id, bucket: `${use.day.date}:${receiver}` },
    { kind: "campaign_day", owner, bucket: date },
    { kind: "campaign_domain", owner, bucket: `${date}:${candidate.domain}` },
  ];
  if (!candidate.isNew) {
    return counters;
  }
  const today = { owner: account.id, bucket: localDay("UTC", now).date };
  counters.push({ kind: "campaign_new", owner, bucket: date }, { kind: "account_new", ...today });
  return candidate.isSpread && campaign.spreads
    ? [...counters, { kind: "account_spread", ...today }]
    : counters;
}

function isBefore(a: Candidate, b: Candidate): boolean {
  return a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.enrollmentId < b.enrollmentId);
}

function waitAll(campaigns: readonly PlanCampaign[], block: Block): Decision {
  const blocked = () => new Map(campaigns.map(({ id }) => [id, block]));
  return { kind: "wait", until: block.until, blocked };
}

/**
 * Behind a mailbox that must wait: a campaign with something to send, now or at the mailbox's own pace,
 * waits for it; others have their own reason.
 */
function blockedBehind(ask: Question, gate: Block): ReadonlyMap<string, Block> {
  const looks = ask.campaigns.map((campaign) => lookAt(ask, campaign));
  const isBehind = ({ followUp, fresh, block }: Look) =>
    followUp !== undefined || fresh !== undefined || block.reason === "pacing";
  return new Map(looks.map((look) => [look.campaign.id, isBehind(look) ? gate : look.block]));
}

function blocksOf(looks: readonly Look[]): ReadonlyMap<string, Block> {
  return new Map(looks.map(({ campaign, block }) => [campaign.id, block]));
}

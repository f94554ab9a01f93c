/**
 * The promises of sending, held against everything that a team has sent in the test environment. The caps and
 * windows are the campaigns' and accounts' as they are now: for a history in which nobody changed them.
 *
 * Source: `docs/architecture.md`; the simulated servers are the witness of what went out.
 */

import { localDay, localHour } from "#domain/campaigns/local-day.ts";
import { openStretch } from "#domain/campaigns/window.ts";
import { healthScore, tallyOf, windowStart } from "#domain/mailboxes/health.ts";
import type { Environment } from "#environment.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { miscountedFigures } from "#store/campaigns/figures.ts";
import { miscountedGuards, recountHealth } from "#store/campaigns/health.ts";
import { contradictions, type SentMessage, scanSent } from "#store/campaigns/history.ts";
import { FIRST_ID } from "#store/leads/enrollment-scan.ts";
import { searchFaults } from "#store/leads/search.ts";
import { accountsOf } from "#store/mailboxes/accounts.ts";
import { wrongTallies } from "#store/sending/exposures.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import { healthFacts } from "#usecases/campaigns/health.ts";
import { checkDeliveries } from "#usecases/events/check-deliveries.ts";

export interface Invariant {
  name: string;
  holds: boolean;
  /** How many cases break it; empty when none does. */
  detail: string;
}

const SLICE_ROWS = 1_000;
/** Days, hours and campaigns that are counted at a time; a month of six mailboxes needs 1,500. */
const BUCKETS_MAX = 1_000_000;

/** In a fixed order, each by a name that says what holds. */
export function checkInvariants(env: Environment, teamId: Id): Invariant[] {
  const tally = createTally(env, teamId);
  let after = FIRST_ID;
  for (let slice = [] as SentMessage[]; ; after = slice.at(-1)?.id ?? after) {
    slice = scanSent(env.db, teamId, after, SLICE_ROWS);
    slice.forEach(tally.add);
    if (slice.length < SLICE_ROWS) {
      break;
    }
  }
  const found = contradictions(env.db, teamId);
  const deliveries = checkDeliveries(env, teamId);
  const searched = searchFaults(env.db, teamId);
  return [
    invariant("nothing was sent outside a send window", tally.outsideWindow()),
    invariant("no mailbox went over its day's or hour's limit", tally.overAccountCap()),
    invariant("no campaign took more new leads a day than it may", tally.overNewCap()),
    invariant("no message went out twice", found.takenTwice),
    invariant("what is recorded as sent is what the servers took", found.sentAndTaken),
    invariant("nothing was sent after a reply", found.afterReply),
    invariant("nothing was sent to a suppressed address", found.toSuppressed),
    invariant("counters equal what they count", found.counters),
    invariant("sums of experiments equal what they sum up", wrongTallies(env.db, teamId)),
    invariant("every mailbox's score is what its mail says", wrongScores(env, teamId)),
    invariant("guards count what was sent since the start", miscountedGuards(env.db, teamId)),
    invariant("days count what campaigns count", miscountedFigures(env.db, teamId)),
    invariant("every sequence ended, or says when or why it waits", found.forgotten),
    invariant("every event is queued for each webhook that wants it", deliveries.missing),
    invariant("every delivery ended, or says when it is tried", deliveries.stranded),
    invariant("search finds nothing that is gone", searched.stray),
    invariant("every lead and conversation is found, or soon will be", searched.missing),
  ];
}

function invariant(name: string, broken: number): Invariant {
  return { name, holds: broken === 0, detail: broken === 0 ? "" : `${broken} cases` };
}

/** Mailboxes whose days or score differ from those counted anew from their emails. */
function wrongScores(env: Environment, teamId: Id): number {
  const now = env.clock.now();
  return accountsOf(env.db, teamId).filter((row) => {
    const facts = healthFacts(env, row, now);
    const { date } = windowStart(row.timezone, now);
    const days = recountHealth(env.db, row.id, date);
    const counted = facts.days.filter(({ sends }) => sends > 0);
    const { score } = healthScore({ ...facts, ...tallyOf(days, date) });
    return JSON.stringify(days) !== JSON.stringify(counted) || score !== row.healthScore;
  }).length;
}

function createTally(env: Environment, teamId: Id) {
  const accounts = new Map(accountsOf(env.db, teamId).map((row) => [row.id, row]));
  const campaigns = new Map<Id, CampaignRow | undefined>();
  const counts = new Map<string, number>();
  let outside = 0;
  let overAccount = 0;
  let overNew = 0;

  const campaignOf = (id: Id) => {
    if (!campaigns.has(id)) {
      campaigns.set(id, campaignById(env.db, id));
    }
    return campaigns.get(id);
  };
  /** Counts one more, and says whether that is more than `cap`. */
  const exceeds = (bucket: string, cap: number): boolean => {
    if (counts.size >= BUCKETS_MAX) {
      throw new Error(`more than ${BUCKETS_MAX} days, hours and campaigns to count`);
    }
    const count = (counts.get(bucket) ?? 0) + 1;
    counts.set(bucket, count);
    return count > cap;
  };
  const addToAccount = (account: AccountRow, { claimedAt }: SentMessage) => {
    const { id, timezone, dailyLimit, hourlyLimit } = account;
    const overDay = exceeds(`${id} ${localDay(timezone, claimedAt).date}`, dailyLimit);
    const overHour = exceeds(`${id} ${localHour(timezone, claimedAt).key}`, hourlyLimit);
    overAccount += overDay || overHour ? 1 : 0;
  };
  const addToCampaign = (campaign: CampaignRow, message: SentMessage) => {
    const { id, sendWindow, maxLeadsPerDay } = campaign;
    const zone = message.zone === "" ? null : message.zone;
    outside += openStretch(sendWindow, zone, message.claimedAt) === null ? 1 : 0;
    if (message.stepPosition === 1) {
      const { date } = localDay(sendWindow.timezone, message.claimedAt);
      overNew += exceeds(`${id} ${date}`, maxLeadsPerDay) ? 1 : 0;
    }
  };

  return {
    add: (message: SentMessage) => {
      const account = accounts.get(message.accountId);
      const campaign = campaignOf(message.campaignId);
      if (account !== undefined) {
        addToAccount(account, message);
      }
      if (campaign !== undefined) {
        addToCampaign(campaign, message);
      }
    },
    outsideWindow: () => outside,
    overAccountCap: () => overAccount,
    overNewCap: () => overNew,
  };
}

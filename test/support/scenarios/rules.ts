/**
 * What must hold of every email, written from the specification and the API document alone. A rule gets
 * an email, the settings that it was sent under, and everything that was sent before it.
 */

import { areDaysBetween, localTime } from "./calendar.ts";
import type { AccountSeen, CampaignSeen, EnrollmentSeen, Moment, Sent } from "./history.ts";

/** Settings of one email, all of them present. */
interface Case {
  sent: Sent;
  campaign: CampaignSeen;
  account: AccountSeen;
  enrollment: EnrollmentSeen;
  /** The recipient's. */
  zone: string;
  moment: Moment;
  /** The moment is the one after changes: what they let go may have ended by then. */
  isAfter: boolean;
  /** Earlier emails, in order. */
  before: readonly Sent[];
  /** Of the same enrollment. */
  own: readonly Sent[];
  /** Its next email was moved by a person. */
  isMoved: boolean;
  /** Steps that a person has moved: who was sent one of them stands where it stood. */
  movedSteps: ReadonlySet<string>;
}

type Rule = (one: Case) => boolean;

export const RULES: Readonly<Record<string, Rule>> = {
  "the campaign is active": ({ campaign: { status }, isAfter }) =>
    status === "active" || (isAfter && status === "completed"),
  // A pause for its health ends by itself.
  "the mailbox is active": ({ account: { status, status_reason } }) =>
    status === "active" || (status === "paused" && status_reason === "health"),
  "the mailbox belongs to the campaign": ({ campaign, account }) =>
    campaign.account_ids.length === 0 || campaign.account_ids.includes(account.id),
  "the lead is under way": ({ enrollment: { status, next_attempt_at } }) =>
    status === "pending" ||
    status === "active" ||
    (status === "paused" && next_attempt_at !== null),
  "the recipient is not suppressed": ({ sent, moment }) =>
    !(moment.suppressed.has(sent.to) || moment.suppressed.has(domainOf(sent.to))),
  "the window is open": ({ sent, campaign: { send_window: window }, zone }) => {
    const { weekday, hour } = localTime(sent.at, zone);
    return window.days.includes(weekday) && hour >= window.start_hour && hour < window.end_hour;
  },
  "the mailbox's day": ({ sent, account, before }) => {
    const day = (at: number) => localTime(at, account.timezone).date;
    const same = before.filter((one) => one.account === account.id && day(one.at) === day(sent.at));
    return same.length < account.daily_limit;
  },
  "the mailbox's hour": ({ sent, account, before }) => {
    const hour = (at: number) => {
      const { date, hour } = localTime(at, account.timezone);
      return `${date} ${hour}`;
    };
    const same = before.filter(
      (one) => one.account === account.id && hour(one.at) === hour(sent.at),
    );
    return same.length < account.hourly_limit;
  },
  "the gap between two emails of a mailbox": ({ sent, account, before }) => {
    const last = before.findLast((one) => one.account === account.id);
    return last === undefined || sent.at - last.at >= account.min_gap_seconds * 1000;
  },
  "new leads of the campaign's day": ({ sent, campaign, before, own }) => {
    const firsts = new Map<string, number>();
    for (const one of ofCampaignDay(sent, campaign, before, Number.NEGATIVE_INFINITY)) {
      firsts.set(one.enrollment, Math.min(one.at, firsts.get(one.enrollment) ?? one.at));
    }
    const today = ofCampaignDay(sent, campaign, before).filter(
      (one) => firsts.get(one.enrollment) === one.at,
    );
    return own.length > 0 || today.length < campaign.max_leads_per_day;
  },
  "the campaign's day": ({ sent, campaign, before }) =>
    campaign.daily_limit === null ||
    ofCampaignDay(sent, campaign, before).length < campaign.daily_limit,
  "a domain's day": ({ sent, campaign, before }) => {
    const same = ofCampaignDay(sent, campaign, before).filter(
      ({ to }) => domainOf(to) === domainOf(sent.to),
    );
    return (
      campaign.max_per_domain_per_day === null || same.length < campaign.max_per_domain_per_day
    );
  },
  "one mailbox for a lead": ({ sent, own }) => own.every(({ account }) => account === sent.account),
  "no step twice": ({ sent, own }) => own.every(({ step }) => step !== sent.step),
  "no step left out": ({ sent, campaign: { steps }, own, movedSteps }) => {
    const last = steps.findIndex(({ id }) => id === own.at(-1)?.step);
    const at = steps.findIndex(({ id }) => id === sent.step);
    const had = new Set(own.map(({ step }) => step));
    const isAnchored = own.length === 0 || (last !== -1 && !movedSteps.has(own.at(-1)?.step ?? ""));
    return !isAnchored || (at > last && steps.slice(last + 1, at).every(({ id }) => had.has(id)));
  },
  "the step's wait": ({ sent, campaign, own, zone, isMoved }) => {
    const previous = own.at(-1);
    const days = campaign.steps.find(({ id }) => id === sent.step)?.wait_days ?? 0;
    return (
      isMoved || previous === undefined || areDaysBetween(previous.at, sent.at, { days, zone })
    );
  },
};

export function domainOf(email: string): string {
  return email.slice(email.indexOf("@"));
}

/** What the campaign sent earlier on the same local day of its own, or on every day. */
function ofCampaignDay(
  sent: Sent,
  { id, send_window: { timezone } }: CampaignSeen,
  before: readonly Sent[],
  from?: number,
): Sent[] {
  const day = localTime(sent.at, timezone).date;
  return before.filter(
    (one) =>
      one.campaign === id && (from !== undefined || localTime(one.at, timezone).date === day),
  );
}

/**
 * Rules of a campaign: what has to happen to a lead for it to move on to another campaign.
 *
 * Source: ours. Other senders attach such a follow-up to its campaign as a sequence of its own; here it is a
 * campaign like any other, so that a sequence stays a line of steps.
 */

import { type Fault, invalidAll } from "#domain/problem.ts";
import type { Interest } from "./enrollment.ts";
import type { Wait } from "./step.ts";

export const RULE_EVENTS = ["interested", "meeting", "neutral", "replied", "completed"] as const;
/**
 * An interest: a reply has it, or a person gives it. `replied`: a reply for whose interest there is no rule.
 * `completed`: the last email was sent, and nobody has replied. Who isn't interested is left alone.
 */
export type RuleEvent = (typeof RULE_EVENTS)[number];

export interface Rule extends Wait {
  on: RuleEvent;
  /** Where the lead moves to. */
  campaignId: string;
}

/** Wait of a rule where none is given: a day in which a person can correct what a reply was taken for. */
export const RULE_WAIT_DAYS = 1;

/** Why a lead stays where it is although a rule is there. */
export const RULE_BARS = [
  "campaign_gone",
  "campaign_archived",
  "suppressed",
  "refused",
  "already_enrolled",
  "in_other_campaign",
] as const;
export type RuleBar = (typeof RULE_BARS)[number];

/** Why a sequence ended whose lead has moved on by a rule. */
export const MOVED = "moved";
/** Why a sequence ended to which a rule had moved a lead that has replied to the emails before it. */
export const SOURCE_REPLIED = "source_replied";

/** The event that an interest is; undefined where no rule can be about it. */
export function eventOf(interest: Interest | null): RuleEvent | undefined {
  return RULE_EVENTS.find((event) => event === interest);
}

interface Ruled {
  id: string;
  name: string;
  rules: readonly Rule[];
}

/**
 * Throws `validation_error` for two rules about one event, a campaign that isn't among the team's, a wait in
 * which nobody could reply, and a circle. `others`: every campaign of the team, the one with these rules or not.
 */
export function checkRules(own: Ruled, others: ReadonlyMap<string, Ruled>): void {
  const campaigns = new Map(others).set(own.id, own);
  const [first, ...rest] = own.rules.flatMap((rule, at) => faultsOf(rule, at, own, campaigns));
  if (first !== undefined) {
    throw invalidAll([first, ...rest]);
  }
}

function faultsOf(
  rule: Rule,
  at: number,
  own: Ruled,
  campaigns: ReadonlyMap<string, Ruled>,
): Fault[] {
  const faults: Fault[] = [];
  const add = (field: string, message: string) =>
    faults.push({ field: `rules.${at}.${field}`, message, didYouMean: null });
  if (own.rules.findIndex(({ on }) => on === rule.on) < at) {
    add("on", `there is another rule for ${rule.on}; a lead can move to one campaign only`);
  }
  if (rule.on === "completed" && rule.waitDays + rule.waitMinutes === 0) {
    add("wait_days", "must leave time for a reply: the last email is sent at that moment");
  }
  if (campaigns.has(rule.campaignId)) {
    const circle = pathTo(own.id, rule.campaignId, campaigns);
    if (circle !== null) {
      const names = [own, ...circle].map(({ name }) => `"${name}"`).join(" → ");
      add("campaign_id", `would send leads round in a circle: ${names}`);
    }
  } else {
    add("campaign_id", "no such campaign");
  }
  return faults;
}

/** Campaigns that rules lead through from one to another, both included; null where none do. */
function pathTo(to: string, from: string, campaigns: ReadonlyMap<string, Ruled>): Ruled[] | null {
  const seen = new Set<string>();
  const ways: Ruled[][] = [[campaigns.get(from)].filter((one) => one !== undefined)];
  for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
    const last = way.at(-1);
    if (last?.id === to) {
      return way;
    }
    if (last !== undefined && !seen.has(last.id)) {
      seen.add(last.id);
      for (const { campaignId } of last.rules) {
        const next = campaigns.get(campaignId);
        if (next !== undefined) {
          ways.push([...way, next]);
        }
      }
    }
  }
  return null;
}

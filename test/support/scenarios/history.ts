/** What a scenario looked like from outside, moment by moment: settings as the API shows them, emails, replies. */

import { type Call, campaignLeads, done } from "../../journeys/support.ts";

export interface Window {
  timezone: string;
  days: string[];
  start_hour: number;
  end_hour: number;
}

export interface CampaignSeen {
  id: string;
  status: string;
  stop_on_reply: boolean;
  stop_on_auto_reply: boolean;
  send_window: Window;
  max_leads_per_day: number;
  daily_limit: number | null;
  max_per_domain_per_day: number | null;
  account_ids: string[];
  /** In the order of their positions. */
  steps: { id: string; position: number; wait_days: number }[];
}

export interface AccountSeen {
  id: string;
  email: string;
  status: string;
  status_reason: string | null;
  timezone: string;
  daily_limit: number;
  hourly_limit: number;
  min_gap_seconds: number;
}

export interface EnrollmentSeen {
  id: string;
  campaign_id: string;
  lead_id: string;
  email: string;
  status: string;
  next_attempt_at: string | null;
  hold_reason: string | null;
  stop_reason: string | null;
}

/** The settings after some changes, which hold until the next ones. */
export interface Moment {
  at: number;
  campaigns: Map<string, CampaignSeen>;
  accounts: Map<string, AccountSeen>;
  enrollments: Map<string, EnrollmentSeen>;
  /** Zones of leads that have one, by address. */
  zones: Map<string, string>;
  /** Addresses, and domains with their `@`. */
  suppressed: Set<string>;
}

export interface ScenarioEvent {
  id: string;
  seq: number;
  type: string;
  created_at: string;
  // biome-ignore lint/suspicious/noExplicitAny: each type has its own
  data: any;
}

export interface Sent {
  seq: number;
  at: number;
  campaign: string;
  step: string;
  enrollment: string;
  account: string;
  to: string;
  messageId: string;
}

const PAGE = 100;

export async function look(call: Call): Promise<Moment> {
  const [clock, leads, campaigns, accounts, suppressions] = await Promise.all([
    done(call("GET", "/sandbox/clock")),
    pages(call, "/leads"),
    pages(call, "/campaigns"),
    pages(call, "/accounts"),
    pages(call, "/suppressions"),
  ]);
  const moment: Moment = {
    at: Date.parse(clock.now),
    campaigns: new Map(),
    accounts: new Map(accounts.map((one) => [one.id, one])),
    enrollments: new Map(),
    zones: new Map(leads.flatMap((one) => (one.timezone ? [[one.email, one.timezone]] : []))),
    suppressed: new Set(suppressions.map(({ email }) => email)),
  };
  for (const campaign of campaigns) {
    const steps = (await done(call("GET", `/campaigns/${campaign.id}/steps`))).data;
    moment.campaigns.set(campaign.id, { ...campaign, steps });
    for (const enrollment of await campaignLeads(call, campaign.id)) {
      moment.enrollments.set(enrollment.id, enrollment);
    }
  }
  return moment;
}

// biome-ignore lint/suspicious/noExplicitAny: records of every kind
async function pages(call: Call, path: string): Promise<any[]> {
  const all = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = await done(call("GET", `${path}?limit=${PAGE}&offset=${offset}`));
    all.push(...page.data);
    if (page.hasMore !== true) {
      return all;
    }
  }
}

/** Events after `cursor`, in order. */
export async function eventsAfter(
  call: Call,
  cursor: string,
): Promise<{ events: ScenarioEvent[]; cursor: string }> {
  const events: ScenarioEvent[] = [];
  let after = cursor;
  for (;;) {
    const query = after === "" ? "" : `&after=${encodeURIComponent(after)}`;
    const page = await done(call("GET", `/events?limit=${PAGE}${query}`));
    events.push(...page.data);
    if (page.data.length === 0 || page.next_cursor === null) {
      return { events, cursor: page.next_cursor ?? after };
    }
    after = page.next_cursor;
  }
}

export function sentOf({ seq, created_at, data }: ScenarioEvent): Sent {
  return {
    seq,
    at: Date.parse(created_at),
    campaign: data.campaign_id,
    step: data.step_id,
    enrollment: data.enrollment_id,
    account: data.account_id,
    to: data.to,
    messageId: data.message_id,
  };
}

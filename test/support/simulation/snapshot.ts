/** The product's tables at one moment, as plain rows: what the checks look at. */

import type { Database } from "bun:sqlite";

export interface MessageFacts {
  id: string;
  kind: string;
  campaign: string;
  enrollment: string;
  step: string;
  account: string;
  status: string;
  messageId: string;
  claimedAt: number;
  bouncedAt: number | null;
  reserved: string;
}

export interface CampaignFacts {
  id: string;
  /** Of its window and its caps. */
  zone: string;
  domainCap: number | null;
  status: string;
  enrolled: number;
  open: number;
  /** JSON, by the reason. */
  onHold: string;
  /** JSON, by the status. */
  statuses: string;
  sent: number;
  contacted: number;
  replied: number;
  autoReplied: number;
  bounced: number;
  unsubscribed: number;
  completed: number;
  failed: number;
  moved: number;
  /** JSON. */
  rules: string;
}

/** A quarter of an hour of a team, a campaign or a mailbox. */
export interface FigureFacts {
  owner: string;
  slot: number;
  contacted: number;
  contactedReplied: number;
}

export interface StepFacts {
  id: string;
  campaign: string;
  sent: number;
  replied: number;
  bounced: number;
}

export interface EnrollmentFacts {
  id: string;
  interest: string | null;
  campaign: string;
  status: string;
  holdReason: string | null;
  dueAt: number | null;
  lead: string;
  stopReason: string | null;
  movedFrom: string | null;
  movedOn: string | null;
}

/** What the audit log says of a rule that came to apply. */
export interface MoveFacts {
  enrollment: string;
  stays: string | null;
  takenBack: boolean;
}

export interface UsageFacts {
  kind: string;
  owner: string;
  bucket: string;
  count: number;
}

export interface ExposureFacts {
  experiment: string;
  variant: string;
  lead: string;
  enrollment: string;
  message: string;
  account: string;
  provider: string;
  epoch: number;
  sentAt: number | null;
  judged: 0 | 1;
  windowMs: number;
  metric: "reply_rate" | "interested_rate" | "bounce_rate";
  /** What only this variant says; null where it is the step as it was. */
  words: string | null;
  /** The message says it. */
  says: 0 | 1;
}

export interface TallyFacts {
  variant: string;
  kind: string;
  bucket: string;
  sent: number;
  replies: number;
  interested: number;
  negativeReplies: number;
  bounced: number;
  optedOut: number;
  successes: number;
  failures: number;
}

export interface RunFacts {
  id: string;
  status: string;
  total: number;
  inbox: number;
  spam: number;
  promotions: number;
  notDelivered: number;
  pending: number;
  failed: number;
  endsAt: number;
}

export interface TestFacts {
  run: string;
  account: string;
  testedAt: number | null;
  status: string;
  placement: string | null;
  lookAt: number | null;
  messageId: string | null;
}

export interface InboundFacts {
  kind: string;
  receivedAt: number;
  enrollment: string | null;
  campaign: string | null;
  /** Step of the message that it answers. */
  step: string | null;
  /** The message that it replies to. */
  answers: string;
}

/** An email that counts against its mailbox's health. */
export interface NegativeFacts {
  message: string;
  kind: string;
  /** The mailbox's local day on which the email counts. */
  date: string;
}

export interface AccountFacts {
  id: string;
  zone: string;
  score: number;
  errors: number;
  healthAt: number | null;
}

/** A bounce for good, as the event of it says. */
export interface HardBounceFacts {
  step: string;
}

/** Ids are 32 hexadecimal digits in capitals. */
export interface Snapshot {
  now: number;
  messages: MessageFacts[];
  campaigns: CampaignFacts[];
  steps: StepFacts[];
  enrollments: EnrollmentFacts[];
  moves: MoveFacts[];
  figures: FigureFacts[];
  usage: UsageFacts[];
  inbound: InboundFacts[];
  hardBounces: HardBounceFacts[];
  negativeEvents: NegativeFacts[];
  accounts: AccountFacts[];
  exposures: ExposureFacts[];
  tallies: TallyFacts[];
  runs: RunFacts[];
  tests: TestFacts[];
  /** On hold in a campaign that completed before they came back to it: an end of theirs was taken back. */
  returned: { id: string }[];
  /** How many experiments assign the leads of each step. */
  governed: { step: string; n: number }[];
}

export function hexId(id: string): string {
  return id.replaceAll("-", "").toUpperCase();
}

/** The place of the last event of its type about a record; 0 where there is none. */
function lastEvent(type: string, of: string, id: string): string {
  return `(select coalesce(max(seq), 0) from events where type = '${type}'
    and unhex(replace(data ->> '$.${of}_id', '-', '')) = ${id})`;
}

export function takeSnapshot(db: Database, now: number): Snapshot {
  const all = <Row>(sql: string) => db.query<Row, []>(sql).all();
  return {
    now,
    messages: all(`select hex(id) as id, kind, hex(campaign_id) as campaign,
      hex(enrollment_id) as enrollment, hex(step_id) as step, hex(account_id) as account, status,
      message_id as messageId, claimed_at as claimedAt, bounced_at as bouncedAt, reserved
      from messages`),
    campaigns: all(`select hex(id) as id, send_window ->> 'timezone' as zone,
        max_per_domain_per_day as domainCap, status, enrolled, open, on_hold as onHold, statuses, sent,
      contacted, replied, auto_replied as autoReplied, bounced, unsubscribed, completed, failed, moved, rules from campaigns`),
    steps: all(`select hex(id) as id, hex(campaign_id) as campaign, sent, replied, bounced
      from steps`),
    enrollments: all(`select hex(id) as id, hex(campaign_id) as campaign, status, interest,
      hold_reason as holdReason, due_at as dueAt, hex(lead_id) as lead, stop_reason as stopReason,
      iif(moved_from is null, null, hex(moved_from)) as movedFrom, moved_on as movedOn from enrollments`),
    moves: all(`select upper(replace(substr(target, 12), '-', '')) as enrollment,
      after ->> '$.stays' as stays, coalesce(after ->> '$.taken_back', 0) as takenBack
      from audit where action = 'campaign_lead.move'`),
    figures: all(`select hex(owner) as owner, slot, contacted,
      contacted_replied as contactedReplied from figures`),
    usage: all("select kind, hex(owner) as owner, bucket, count from usage"),
    inbound: all(`select i.kind, i.received_at as receivedAt, hex(i.enrollment_id) as enrollment,
      hex(i.campaign_id) as campaign, hex(m.step_id) as step, hex(m.id) as answers
      from inbound_mails i left join messages m on m.id = i.replies_to order by i.id`),
    negativeEvents: all("select hex(message_id) as message, kind, date from harms"),
    accounts: all(`select hex(id) as id, timezone as zone, health_score as score,
      consecutive_smtp_errors as errors, health_at as healthAt from accounts`),
    hardBounces: all(`select hex(m.step_id) as step from events e
      join messages m on m.id = unhex(replace(json_extract(e.data, '$.email_id'), '-', ''))
      where e.type = 'email.bounced' and json_extract(e.data, '$.severity') = 'hard'`),
    exposures: all(`select hex(x.experiment_id) as experiment, hex(x.variant_id) as variant,
      hex(x.lead_id) as lead, hex(x.enrollment_id) as enrollment, hex(x.message_id) as message,
      hex(x.account_id) as account, x.provider, x.epoch, x.sent_at as sentAt, x.judged,
      x.window_ms as windowMs, x.metric, substr(json_extract(v.config, '$.body'),
        instr(json_extract(v.config, '$.body'), 'variant ')) as words,
      instr(m.text, substr(json_extract(v.config, '$.body'),
        instr(json_extract(v.config, '$.body'), 'variant '))) > 0 as says
      from exposures x join variants v on v.id = x.variant_id
      left join messages m on m.id = x.message_id`),
    tallies: all(`select hex(variant_id) as variant, kind, bucket, sent, replies, interested,
      negative_replies as negativeReplies, bounced, opted_out as optedOut, successes, failures from experiment_tallies`),
    runs: all(`select hex(id) as id, status, total, inbox, spam, promotions,
      not_delivered as notDelivered, pending, failed, ends_at as endsAt from placement_runs`),
    tests: all(`select hex(t.run_id) as run, hex(t.account_id) as account,
      t.tested_at as testedAt, t.status, t.placement, t.look_at as lookAt,
      m.message_id as messageId from placement_tests t
      left join messages m on m.placement_test_id = t.id`),
    returned: all(`select hex(e.id) as id from enrollments e
      join campaigns c on c.id = e.campaign_id and c.status = 'completed'
      where e.hold_reason is not null and ${lastEvent("lead.status_changed", "enrollment", "e.id")} >
        ${lastEvent("campaign.completed", "campaign", "c.id")}`),
    governed: all(`select hex(step_id) as step, count(*) as n from experiments
      where status in ('running', 'paused') and step_id is not null group by step_id`),
  };
}

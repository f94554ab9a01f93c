/**
 * What a team has sent, as it was recorded and as the simulated servers took it: read to hold one against
 * the other, never to decide anything.
 */

import { and, asc, eq, gt } from "drizzle-orm";
import { type Id, idToBytes } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { enrollments } from "#store/tables/leads.ts";
import { messages, type StepMessage } from "#store/tables/messages.ts";

export type SentMessage = Pick<
  StepMessage,
  "id" | "campaignId" | "accountId" | "stepPosition" | "claimedAt"
> & {
  /** The lead's own zone, '' where it has none. */
  zone: string;
};

/** The next `limit` sent messages of sequences after `after`, in id order; none by hand. */
export function scanSent(db: Db, teamId: Id, after: Id, limit: number): SentMessage[] {
  return db.orm
    .select({
      id: messages.id,
      campaignId: messages.campaignId,
      accountId: messages.accountId,
      stepPosition: messages.stepPosition,
      claimedAt: messages.claimedAt,
      zone: enrollments.zone,
    })
    .from(messages)
    .innerJoin(enrollments, eq(enrollments.id, messages.enrollmentId))
    .where(
      and(
        eq(messages.teamId, teamId),
        eq(messages.kind, "step"),
        eq(messages.status, "sent"),
        gt(messages.id, after),
      ),
    )
    .orderBy(asc(messages.id))
    .limit(limit)
    .all() as SentMessage[];
}

/** What a campaign's messages of one step brought. */
export interface StepOutcome {
  position: number;
  sent: number;
  replied: number;
  /** People whose sequence a bounce ended after this step. */
  bounced: number;
  outOfOffice: number;
  /** People who unsubscribed after this step. */
  unsubscribed: number;
}

const OUTCOMES = `select s.position as position, s.sent as sent,
    (select count(*) from messages m where m.step_id = s.id and m.replied_at is not null) as replied,
    (select count(*) from enrollments e where e.campaign_id = s.campaign_id
      and e.place_id = s.place_id and e.status = 'bounced') as bounced,
    (select count(*) from inbound_mails i join messages m on m.id = i.replies_to
      where m.step_id = s.id and i.kind = 'auto_reply') as outOfOffice,
    (select count(*) from enrollments e where e.campaign_id = s.campaign_id
      and e.place_id = s.place_id and e.status = 'unsubscribed') as unsubscribed
  from steps s where s.campaign_id = +? order by s.position`;

/** By position. Goes through every message of the campaign: not for a request. */
export function outcomesByStep(db: Db, campaignId: Id): StepOutcome[] {
  return db.raw.query<StepOutcome, [Uint8Array]>(OUTCOMES).all(idToBytes(campaignId));
}

/** Violations of each invariant, by number; all must be 0. */
export interface InvariantViolations {
  /** Messages that the servers took more than once. */
  takenTwice: number;
  /** Difference between what is recorded as sent and what the servers took. */
  sentAndTaken: number;
  /** Messages sent after a reply that ends the sequence was stored. */
  afterReply: number;
  /** Messages sent to an address after it was suppressed. */
  toSuppressed: number;
  /** Campaigns whose counters differ from what they count, and one more where the team's leads do. */
  counters: number;
  /** Enrollments that neither ended nor say when or why they wait. */
  forgotten: number;
}

const QUERIES: Readonly<Record<keyof InvariantViolations, string>> = {
  takenTwice: `select count(*) as n from (
      select 1 from sandbox_messages where team_id = ?1 and verdict <> 'copy'
      group by message_id having count(*) > 1)`,
  sentAndTaken: `select abs(
      (select count(*) from messages where team_id = ?1 and status = 'sent') -
      (select count(*) from sandbox_messages where team_id = ?1 and verdict <> 'copy')) as n`,
  afterReply: `select count(*) as n from messages m
      join campaigns c on c.id = m.campaign_id and c.stop_on_reply
      where m.team_id = ?1 and m.kind = 'step' and exists (select 1 from inbound_mails i
        where i.enrollment_id = m.enrollment_id and i.kind = 'reply'
          and i.effective_at < m.sent_at)`,
  toSuppressed: `select count(*) as n from messages m
      join suppressions s on s.team_id = m.team_id
        and s.email in (m.recipient, substr(m.recipient, instr(m.recipient, '@')))
      where m.team_id = ?1 and m.kind = 'step' and s.created_at < m.sent_at`,
  counters: `select count(*) + ((select coalesce(sum(leads), 0) from lead_counts where team_id = ?1)
        <> (select count(*) from leads where team_id = ?1)) as n
    from campaigns c where c.team_id = ?1 and (
      c.sent <> (select count(*) from messages m
        where m.campaign_id = c.id and m.kind = 'step' and m.status = 'sent')
      or c.sent <> (select coalesce(sum(s.sent), 0) from steps s where s.campaign_id = c.id)
      or c.enrolled - c.erased <> (select count(*) from enrollments e where e.campaign_id = c.id)
      or c.moved < (select count(*) from enrollments e join enrollments m on m.moved_from = e.id
        where e.campaign_id = c.id)
      or c.open <> (select count(*) from enrollments e
        where e.campaign_id = c.id and e.status in ('pending', 'active', 'paused'))
      or exists (select 1 from (select e.status as status, count(*) as n from enrollments e
          where e.campaign_id = c.id group by e.status) rows
        full join (select key as status, value as n from json_each(c.statuses)) counted using (status)
        where coalesce(rows.n, 0) <> coalesce(counted.n, 0)))`,
  forgotten: `select count(*) as n from enrollments e
      join campaigns c on c.id = e.campaign_id and c.status = 'active'
      where e.team_id = ?1 and e.status in ('pending', 'active')
        and e.due_at is null and e.hold_reason is null
        and not exists (select 1 from messages m
          where m.enrollment_id = e.id and m.status = 'sending')`,
};

/** Counts them all. Goes through every message of the team: not for a request. */
export function contradictions(db: Db, teamId: Id): InvariantViolations {
  const team = idToBytes(teamId);
  const count = (query: string) =>
    db.raw.query<{ n: number }, [Uint8Array]>(query).get(team)?.n ?? Number.NaN;
  return {
    takenTwice: count(QUERIES.takenTwice),
    sentAndTaken: count(QUERIES.sentAndTaken),
    afterReply: count(QUERIES.afterReply),
    toSuppressed: count(QUERIES.toSuppressed),
    counters: count(QUERIES.counters),
    forgotten: count(QUERIES.forgotten),
  };
}

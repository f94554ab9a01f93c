import { Type } from "@sinclair/typebox";
import { CampaignLead, campaignLeadOf } from "#api/enrollments/schema.ts";
import { Message, mailOf, sentOf } from "#api/inbox/schema.ts";
import { Id, Nullable, OneOf, Shape, Timestamp } from "#api/schema.ts";
import { type Inner, present } from "#api/wire.ts";
import type { Db } from "#store/sqlite/database.ts";
import type { campaignsOfLead, Moment } from "#usecases/inbox/timeline.ts";

export const LeadCampaigns = Shape({
  data: Type.Array(Shape({ ...CampaignLead.properties, campaign_name: Type.String() })),
});

const KINDS = [
  "enrolled",
  "written",
  "bounced",
  "opened",
  "clicked",
  "received",
  "task",
  "task_done",
  "task_skipped",
  "suppressed",
  "changed",
] as const;

const Facts = Nullable(Type.Record(Type.String(), Type.Unknown()));

const TimelineItem = Shape({
  kind: OneOf(KINDS, {
    description:
      "`written`: a mail of ours, whatever became of it; `received`: what came back; `changed`: an " +
      "entry of the audit log",
  }),
  at: Timestamp,
  campaign_id: Nullable(Id),
  subject_id: Type.String({ ...Id, description: "Of the mail, task, suppression or enrollment" }),
  words: Nullable(
    Type.String({
      description: "The mail server's words, a task's subject, why suppressed, what was changed",
    }),
  ),
  message: { ...Nullable(Message), description: "Of `written`, `bounced` and `received`" },
  actor: Nullable(Type.String({ description: "Who changed it" })),
  before: Facts,
  after: Facts,
});

export const Timeline = Shape({
  data: Type.Array(TimelineItem, { description: "Newest first; the newest 500" }),
});

export function presentLeadCampaigns(db: Db, rows: ReturnType<typeof campaignsOfLead>) {
  return present(LeadCampaigns, {
    data: rows.map((row) => ({ ...row, ...campaignLeadOf(db, row) })),
  });
}

export function presentTimeline(moments: readonly Moment[]) {
  return present(Timeline, { data: moments.map(momentOf) });
}

type Item = Inner<typeof TimelineItem>;

function momentOf(moment: Moment): Item {
  const { kind, at, campaignId } = moment;
  const nothing = { words: null, message: null, actor: null, before: null, after: null };
  return { kind, at, campaignId, ...nothing, ...detailsOf(moment) };
}

/** The mailbox's own address is not looked up: the campaign's page says who writes. */
function detailsOf(moment: Moment): Partial<Item> & { subjectId: string } {
  switch (moment.kind) {
    case "enrolled":
      return { subjectId: moment.row.id };
    case "written":
    case "bounced": {
      const { message, tracking } = moment;
      const shown = sentOf(message, "", tracking);
      return { subjectId: message.id, words: message.response, message: shown };
    }
    case "received": {
      const { mail, effects } = moment.found;
      return { subjectId: mail.id, words: mail.evidence, message: mailOf(mail, effects, "") };
    }
    case "opened":
    case "clicked":
      return { subjectId: moment.tracking.id };
    case "task":
    case "task_done":
    case "task_skipped":
      return { subjectId: moment.task.id, words: moment.task.subject };
    case "suppressed":
      return { subjectId: moment.row.id, words: moment.row.reason };
    default: {
      const { target, actor, action, before, after } = moment.entry;
      const subjectId = target.slice(target.indexOf(":") + 1);
      return { subjectId, words: action, actor, before, after };
    }
  }
}

/** `/leads/{id}/timeline`: everything that happened to a lead. */

import { Type } from "@sinclair/typebox";
import { resource } from "#api/context.ts";
import { LeadParams } from "#api/leads/schema.ts";
import { Described, IdOf, Nullable, OneOf, Shape, TimestampOf } from "#api/schema.ts";
import { type Inner, present } from "#api/wire.ts";
import type { Db } from "#store/sqlite/database.ts";
import { type Moment, readTimeline } from "#usecases/inbox/timeline.ts";
import { Message, mailOf, sentOf } from "./message-schema.ts";

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
      "`written`: an email to the lead, whatever became of it; `received`: an email from it; " +
      "`changed`: an audit entry",
  }),
  at: TimestampOf("When it happened"),
  campaign_id: Nullable(IdOf("Campaign that it belongs to; null for none")),
  subject_id: IdOf("Id of the message, task, suppression, campaign lead or changed record"),
  words: Nullable(
    Type.String({
      description:
        "What the mail server said, the subject of the task, the reason of the suppression, or the action of the audit entry",
    }),
  ),
  message: Described(
    Nullable(Message),
    "The email, for `written`, `bounced` and `received`; null otherwise",
  ),
  actor: Nullable(
    Type.String({
      description: "Who made the change: a key, a user or the engine; null unless `changed`",
    }),
  ),
  before: Described(Facts, "The changed fields before; null unless `changed`"),
  after: Described(Facts, "The changed fields after; null unless `changed`"),
});

const Timeline = Shape({
  data: Type.Array(TimelineItem, { description: "The latest 500 entries, newest first" }),
});

export const timelineRoutes = resource("leads", "/leads").get(
  "/:id/timeline",
  ({ env, caller, params }) =>
    present(Timeline, {
      data: momentsOf(env.db, readTimeline(env, caller, params.id)),
    }),
  {
    params: LeadParams,
    response: { 200: Timeline },
    detail: {
      summary: "Get a lead's timeline",
      description:
        "Returns the emails sent to a lead and received from it, opens and clicks, tasks, " +
        "suppressions and changes to its record, newest first.",
    },
  },
);

type Item = Inner<typeof TimelineItem>;

function momentsOf(db: Db, moments: readonly Moment[]): Item[] {
  const written = moments.flatMap((moment) => ("message" in moment ? [moment.message] : []));
  const sent = sentOf(db, written);
  const nothing = { words: null, message: null, actor: null, before: null, after: null };
  return moments.map((moment) => {
    const { kind, at, campaignId } = moment;
    return { kind, at, campaignId, ...nothing, ...detailsOf(moment, sent) };
  });
}

/** The mailbox's own address is not looked up: the campaign's page says who writes. */
function detailsOf(
  moment: Moment,
  sent: ReturnType<typeof sentOf>,
): Partial<Item> & { subjectId: string } {
  switch (moment.kind) {
    case "enrolled":
      return { subjectId: moment.row.id };
    case "written":
    case "bounced": {
      const { message, tracking } = moment;
      const shown = sent(message, "", tracking);
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

import { Type } from "@sinclair/typebox";
import {
  Id,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Shape,
  type TInstant,
  Timestamp,
} from "#api/schema.ts";
import { AUTH_VERDICTS } from "#domain/mailboxes/authentication-results.ts";
import { MAIL_PROVIDERS } from "#domain/mailboxes/mail-provider.ts";
import {
  PLACEMENTS,
  RUN_STATUSES,
  TABS,
  TEST_STATUSES,
  TRIGGER_TYPES,
} from "#domain/placement/placement.ts";

/** Ids of one request; lists that are longer are left out to mean all. */
const IDS_MAX = 500;
const POSITION_MAX = 1000;

const Count = Type.Integer({ minimum: 0 });
const Rate = Type.Number({ minimum: 0, maximum: 1 });

const ByProvider = Type.Record(
  Type.String(),
  Shape({ total: Count, inbox: Count, spam: Count, rate: Rate }),
  { description: "By the seeds' providers: tests that have a placement; rate is inbox of total" },
);

const run = {
  id: Id,
  team_id: Id,
  trigger_type: OneOf(TRIGGER_TYPES),
  status: OneOf(RUN_STATUSES, {
    description:
      "`pending` until the first mail goes out; `failed`: none of its tests could be made",
  }),
  total_tests: Type.Integer({
    minimum: 0,
    description:
      "Tests that have a placement or are to get one: the four counts and pending_count add up to it",
  }),
  inbox_count: Count,
  spam_count: Count,
  promotions_count: Count,
  not_delivered_count: Count,
  pending_count: Count,
  failed_count: Type.Integer({
    minimum: 0,
    description: "Tests that say nothing: the mail could not be sent, or the seed not be read",
  }),
  inbox_rate: Type.Number({
    minimum: 0,
    maximum: 1,
    description: "Inbox of all that have a placement; 0 while none has",
  }),
  by_provider: ByProvider,
  schedule_id: Nullable(Id),
  campaign_id: Nullable(Id),
  step_id: Nullable(Id),
  created_at: Timestamp,
  started_at: Nullable(Timestamp),
  completed_at: Nullable(Timestamp),
  ends_at: Type.String({
    format: "date-time",
    description: "Until then a mail that arrives late corrects its result",
  }) as TInstant,
};

export const Run = Shape(run);

const Verdict = Nullable(OneOf(AUTH_VERDICTS));

const Result = Shape({
  account_id: Id,
  account_email: Type.String(),
  seed_id: Id,
  seed_email: Type.String(),
  seed_provider: OneOf(MAIL_PROVIDERS),
  status: OneOf(TEST_STATUSES),
  placement: Nullable(OneOf(PLACEMENTS)),
  latency_ms: Nullable(
    Type.Integer({ minimum: 0, description: "From handing over to arrival, to the second" }),
  ),
  tested_at: Nullable(Timestamp),
  sent_at: Nullable(Timestamp),
  folder: Nullable(Type.String({ description: "Where it was found" })),
  tab: Nullable(OneOf(TABS, { description: "Category of Gmail's inbox" })),
  spf: Verdict,
  dkim: Verdict,
  dmarc: Verdict,
  one_click_signed: Nullable(
    Type.Boolean({
      description:
        "Whether a DKIM signature covers both unsubscription headers; null where it has not both",
    }),
  ),
  error: Nullable(
    Type.String({ description: "Why there is no placement, or why it was not delivered" }),
  ),
});

export const RunDetail = Shape({ ...run, results: Type.Array(Result) });

export const RunPage = Page(Run);

export const RunQuery = Shape({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(RUN_STATUSES)),
  trigger_type: Type.Optional(OneOf(TRIGGER_TYPES)),
});

const ids = (description: string) =>
  Type.Optional(Type.Array(Id, { maxItems: IDS_MAX, uniqueItems: true, description }));

export const RunCreate = Shape(
  {
    trigger_type: Type.Optional(OneOf(["manual"])),
    account_ids: ids("Every account that may send now if left out or empty"),
    seed_ids: ids("Every seed that is not paused if left out or empty"),
    campaign_id: Type.Optional(Id),
    step_id: Type.Optional(Id),
    position: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: POSITION_MAX,
        description: "In place of step_id; the campaign's first email where both are left out",
      }),
    ),
  },
  {
    description:
      "Each account writes to each seed, within its limits. With campaign_id the mails say what a step " +
      "says, to a made-up person; else a neutral text",
  },
);

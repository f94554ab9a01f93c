import { Type } from "@sinclair/typebox";
import { listQuery } from "#api/filter.ts";
import {
  Count,
  CreatedAt,
  Documented,
  FilteredPage,
  Id,
  IdOf,
  IdParamsOf,
  Nullable,
  OneOf,
  Shape,
  TeamId,
  TimestampOf,
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
import { RUN_LIST } from "#store/filter/lists.ts";

/** Ids of one request; lists that are longer are left out to mean all. */
const IDS_MAX = 500;
const POSITION_MAX = 1000;

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const spamRate = (description: string) => ({
  spam_rate: share(description),
  spam_rate_low: share("Lower end of its 95% interval (Wilson)"),
  spam_rate_high: share("Upper end of its 95% interval"),
});

const ByProvider = Type.Record(
  Type.String(),
  Shape({
    total: Count("Tests that have a placement"),
    inbox: Count("Of these, emails in the inbox"),
    spam: Count("Of these, emails in spam"),
    rate: Type.Number({ minimum: 0, maximum: 1, description: "`inbox` divided by `total`" }),
    rate_low: share("Lower end of its 95% interval (Wilson)"),
    rate_high: share("Upper end of its 95% interval"),
    ...spamRate("`spam` divided by `total`"),
  }),
  { description: "Results by the provider of the seeds" },
);

const run = {
  id: IdOf("The placement run's id"),
  team_id: TeamId,
  trigger_type: OneOf(TRIGGER_TYPES, {
    description: "Whether it was started by a request, by a schedule or for poor health",
  }),
  status: OneOf(RUN_STATUSES, {
    description:
      "`pending` until the first email is sent; `failed` when none of its tests could be made",
  }),
  total_tests: Count(
    "Tests that have a placement or will get one: the sum of the following five counts",
  ),
  inbox_count: Count("Emails in the inbox"),
  spam_count: Count("Emails in spam"),
  promotions_count: Count("Emails in Gmail's promotions tab"),
  not_delivered_count: Count("Emails that were not delivered"),
  pending_count: Count("Tests without a placement yet"),
  failed_count: Count(
    "Tests without a result, because the email could not be sent or the seed not be read",
  ),
  inbox_rate: Type.Number({
    minimum: 0,
    maximum: 1,
    description: "`inbox_count` divided by all tests that have a placement; 0 while none has",
  }),
  inbox_rate_low: share("Lower end of its 95% interval (Wilson); 0 while no test has a placement"),
  inbox_rate_high: share("Upper end of its 95% interval; 1 while no test has a placement"),
  ...spamRate("`spam_count` divided by all tests that have a placement; 0 while none has"),
  by_provider: ByProvider,
  schedule_id: Nullable(IdOf("Schedule that started it; null without one")),
  campaign_id: Nullable(IdOf("Campaign whose email is tested; null for a neutral text")),
  step_id: Nullable(IdOf("Step whose email is tested; null for a neutral text")),
  created_at: CreatedAt,
  started_at: Nullable(TimestampOf("When the first email was sent; null before")),
  completed_at: Nullable(TimestampOf("When the last test had a result; null before")),
  ends_at: TimestampOf("Until when an email that arrives late corrects its result"),
};

export const RunParams = IdParamsOf("The placement run's id");

export const Run = Shape(run);

const verdict = (what: string) =>
  Nullable(
    OneOf(AUTH_VERDICTS, {
      description: `${what} result that the receiving server noted; null without one`,
    }),
  );

const Result = Shape({
  account_id: IdOf("Account that sends"),
  account_email: Type.String({ description: "Its address", examples: ["ann@example.com"] }),
  seed_id: IdOf("Seed that receives"),
  seed_email: Type.String({ description: "Its address", examples: ["seed1@gmail.example"] }),
  seed_provider: OneOf(MAIL_PROVIDERS, { description: "Provider of the seed" }),
  status: OneOf(TEST_STATUSES, {
    description: "`waiting` until the email is sent, `looking` until it is found",
  }),
  placement: Nullable(
    OneOf(PLACEMENTS, { description: "Where the email was found; null while unknown" }),
  ),
  latency_ms: Nullable(
    Count("Time from sending to arrival in milliseconds, to the second; null while unknown"),
  ),
  tested_at: Nullable(TimestampOf("When the result was known; null before")),
  sent_at: Nullable(TimestampOf("When the email was sent; null before")),
  folder: Nullable(
    Type.String({ description: "Folder it was found in; null while unknown", examples: ["INBOX"] }),
  ),
  tab: Nullable(OneOf(TABS, { description: "Tab of Gmail's inbox; null elsewhere" })),
  spf: verdict("SPF"),
  dkim: verdict("DKIM"),
  dmarc: verdict("DMARC"),
  one_click_signed: Nullable(
    Type.Boolean({
      description:
        "Whether a DKIM signature covers both one-click unsubscribe headers; null when the email lacks one",
    }),
  ),
  error: Nullable(
    Type.String({
      description: "Why there is no placement, or why the email was not delivered; null otherwise",
    }),
  ),
});

export const RunDetail = Shape({
  ...run,
  results: Type.Array(Result, { description: "The result of each test" }),
});

export const RunPage = FilteredPage(Run);

export const RunQuery = listQuery(RUN_LIST, {
  status: Type.Optional(OneOf(RUN_STATUSES, { description: "Only runs with this status" })),
  trigger_type: Type.Optional(
    OneOf(TRIGGER_TYPES, { description: "Only runs that were started this way" }),
  ),
});

const ids = (description: string) =>
  Type.Optional(Type.Array(Id, { maxItems: IDS_MAX, uniqueItems: true, description }));

export const RunCreate = Shape(
  {
    trigger_type: Type.Optional(
      Documented(OneOf(["manual"], { description: "Runs that you start are manual" }), {
        default: "manual",
      }),
    ),
    account_ids: ids("Accounts to test; empty for all that may send now"),
    seed_ids: ids("Seeds to send to; empty for all that are not paused"),
    campaign_id: Type.Optional(
      IdOf("Campaign whose email is tested; without one, a neutral text is sent"),
    ),
    step_id: Type.Optional(
      IdOf("Step whose email is tested; without one, the first email of the campaign"),
    ),
    position: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: POSITION_MAX,
        description: "Position of the step, in place of `step_id`",
      }),
    ),
  },
  {
    description:
      "Each account sends one email to each seed, within its limits: that of a step, written to a made-up " +
      "person, or a neutral text",
  },
);

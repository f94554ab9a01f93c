import { type Static, Type } from "@sinclair/typebox";
import { AsIs, Count, IdOf, Nullable, OneOf, Shape, TimestampOf } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { ACCOUNT_STATUS_REASONS, ACCOUNT_STATUSES } from "#domain/mailboxes/account.ts";
import {
  HALVED_BELOW,
  HEALTH_CAUSES,
  HEALTH_PARTS,
  type HealthInputs,
  type HealthPart,
  limitsOf,
  NO_NEW_BELOW,
  PAUSED_BELOW,
  PENALTIES,
  rateOf,
  SENDS_FOR_FULL_WEIGHT,
} from "#domain/mailboxes/health.ts";
import { HEALTH_KEPT_DAYS, PART_NAMES, presentPoints } from "#usecases/campaigns/health.ts";
import type { HealthReport, UseReport } from "#usecases/mailboxes/account-use.ts";

const date = (description: string) =>
  Type.String({ format: "date", description, examples: ["2026-03-02"] });
const score = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 100, description, examples: [96] });
const hour = Type.String({
  description: "Local hour in `timezone`",
  examples: ["2026-03-01T09"],
});
const received = {
  sends: Count("Emails sent"),
  hard_bounces: Count("Hard bounces"),
  complaints: Count("Emails that were reported as spam"),
};

const Points = AsIs(
  Shape(
    {
      hard_bounces: Type.Number({ description: "Points for bounces" }),
      complaints: Type.Number({ description: "Points for complaints" }),
      smtp_errors: Type.Number({ description: "Points for SMTP errors" }),
      placement: Type.Number({ description: "Points for placement tests that missed the inbox" }),
    },
    { description: "Points deducted from 100" },
  ),
);

export const AccountHealth = Shape({
  account_id: IdOf("The account's id"),
  score: score("Health score; 100 is best"),
  judged_score: score(
    "Score that the thresholds apply to: on trial, that of the emails sent since; otherwise `score`",
  ),
  window: Shape(
    {
      from: date("First day, in the account's time zone"),
      to: date("Last day, in the account's time zone"),
      ...received,
    },
    { description: "Days that the score is calculated from" },
  ),
  weight: Type.Number({
    minimum: 0,
    maximum: 1,
    description: `Factor applied to the points, below 1 until ${SENDS_FOR_FULL_WEIGHT} emails were sent`,
  }),
  parts: Type.Array(
    Shape({
      name: OneOf(HEALTH_CAUSES, { description: "What was measured" }),
      points: Type.Number({ description: "Points deducted from 100, weighted" }),
      most: Type.Number({ description: "Most points that it can deduct" }),
      value: Nullable(
        Type.Number({ description: "Measured rate or count; null when nothing was measured" }),
      ),
      message: Type.String({ description: "The same in plain words" }),
    }),
    { description: "What the score is made of" },
  ),
  status: OneOf(ACCOUNT_STATUSES, { description: "The account's status" }),
  status_reason: Nullable(
    OneOf(ACCOUNT_STATUS_REASONS, {
      description: "Why the account is not active; null when it is",
    }),
  ),
  paused_until: Nullable(TimestampOf("When a pause for poor health ends; null otherwise")),
  on_trial_since: Nullable(
    date("First day after a pause for poor health, since when limits are halved; null otherwise"),
  ),
  halved: Type.Boolean({ description: "Whether limits are halved for poor health" }),
  starts_new_leads: Type.Boolean({
    description: "Whether the account may email new leads; follow-ups continue either way",
  }),
  thresholds: Type.Array(
    Shape({
      below: score("Score below which it applies"),
      effect: OneOf(["halves_caps", "starts_no_new_leads", "pauses"], {
        description: "What happens below it",
      }),
      in_force: Type.Boolean({ description: "Whether it applies now" }),
    }),
    { description: "What a low score causes" },
  ),
  daily_cap: Count("Emails allowed per day now, after ramp and health"),
  hourly_cap: Count("Emails allowed per hour now, after health"),
  days: Type.Array(
    Shape({
      date: date("Local day"),
      score: score("Score at the end of the day, or now for today"),
      ...received,
      points: Points,
    }),
    { description: "Score by day, oldest first" },
  ),
});
export type AccountHealth = Static<typeof AccountHealth>;

export const HealthQuery = Shape({
  days: Type.Integer({
    minimum: 1,
    maximum: HEALTH_KEPT_DAYS,
    default: 30,
    description: "Days of history",
  }),
});

const stretch = {
  from: TimestampOf("When it began"),
  to: TimestampOf("When it ends"),
  limit: Count("Limit as set on the account"),
  cap: Count("Limit that applies, after ramp and health"),
  used: Count("Emails sent"),
  left: Count("Emails remaining"),
};

export const AccountUsage = Shape({
  account_id: IdOf("The account's id"),
  timezone: Type.String({
    description: "IANA time zone whose days and hours the limits count",
    examples: ["Europe/Berlin"],
  }),
  day: Shape({ date: date("Local day"), ...stretch }, { description: "Today" }),
  hour: Shape({ hour, ...stretch }, { description: "The current hour" }),
  hours: Type.Array(Shape({ hour, used: Count("Emails sent") }), {
    description: "Hours of today in which emails were sent",
  }),
  ramp: Nullable(
    Shape(
      {
        start: Count("Emails on the first day"),
        increment: Count("Emails added on each following day"),
        from: date("First day"),
        today: Count("Emails allowed today"),
      },
      { description: "Raises the daily limit step by step; null without one" },
    ),
  ),
  halved: Type.Boolean({ description: "Whether limits are halved for poor health" }),
  backoff_until: Nullable(
    TimestampOf("When sending resumes after the server asked to slow down; null otherwise"),
  ),
  free_at: Nullable(
    TimestampOf("When limits next allow an email: now while some remain; null when a limit is 0"),
  ),
});
export type AccountUsage = Static<typeof AccountUsage>;

export function presentHealth(report: HealthReport): AccountHealth {
  const { account, inputs, scored, window, caps, history } = report;
  const { judged, trial, pausedUntil } = account.health;
  const { halved, startsNew } = limitsOf(account.health);
  const { sends, hardBounces, complaints } = inputs;
  const points = presentPoints(scored.points);
  return present(AccountHealth, {
    ...account,
    accountId: account.id,
    score: account.healthScore,
    judgedScore: judged,
    window: { ...window, sends, hardBounces, complaints },
    weight: scored.weight,
    parts: HEALTH_PARTS.map((part) => {
      const taken = points[PART_NAMES[part]];
      return {
        name: PART_NAMES[part],
        points: taken,
        most: PENALTIES[part].most,
        value: measureOf(part, inputs),
        message: sentenceOf(part, inputs, taken),
      };
    }),
    pausedUntil,
    onTrialSince: trial?.from ?? null,
    halved,
    startsNewLeads: startsNew,
    thresholds: [
      { below: HALVED_BELOW, effect: "halves_caps", inForce: halved },
      { below: NO_NEW_BELOW, effect: "starts_no_new_leads", inForce: !startsNew },
      { below: PAUSED_BELOW, effect: "pauses", inForce: pausedUntil !== null },
    ],
    dailyCap: caps.daily,
    hourlyCap: caps.hourly,
    days: history.map((day) => ({ ...day, points: presentPoints(day.points) })),
  });
}

function measureOf(part: HealthPart, inputs: HealthInputs): number | null {
  switch (part) {
    case "hardBounces":
      return inputs.sends === 0 ? null : rateOf(inputs.hardBounces, inputs.sends);
    case "complaints":
      return inputs.sends === 0 ? null : rateOf(inputs.complaints, inputs.sends);
    case "smtpErrors":
      return inputs.smtpErrors;
    default:
      return inputs.inboxRate;
  }
}

function sentenceOf(part: HealthPart, inputs: HealthInputs, points: number): string {
  const cost = `${points} of at most ${PENALTIES[part].most} points`;
  const { sends, hardBounces, complaints, smtpErrors, inboxRate, inboxRateHigh, refusals } = inputs;
  switch (part) {
    case "hardBounces":
      return `${hardBounces} of ${sends} emails bounced (${percent(hardBounces, sends)}): ${cost}`;
    case "complaints":
      return `${complaints} of ${sends} emails were reported as spam (${percent(complaints, sends)}): ${cost}`;
    case "smtpErrors":
      if (refusals > 0) {
        return `providers that refuse this mailbox as a sender: ${refusals}: ${cost}`;
      }
      return `${smtpErrors} errors of the mail server in a row: ${cost}`;
    default:
      return inboxRate === null
        ? "no placement test in these days: 0 points"
        : `${inInbox(Math.round(inboxRate * 100), Math.round(inboxRateHigh * 100))}: ${cost}`;
  }
}

function inInbox(found: number, counted: number): string {
  const told = `${found}% of placement tests reached the inbox`;
  return found === counted ? told : `${told}; allowing for chance, ${counted}% is counted`;
}

function percent(part: number, of: number): string {
  return `${(rateOf(part, of) * 100).toFixed(2)}%`;
}

export function presentUse(report: UseReport): AccountUsage {
  const { account, use, caps, hours, freeAt } = report;
  const { dailyLimit, hourlyLimit, ramp } = account;
  const stretchOf = (limit: number, cap: number, used: number) => {
    return { limit, cap, used, left: Math.max(0, cap - used) };
  };
  const { day, hour, sentToday, sentThisHour } = use;
  return present(AccountUsage, {
    ...account,
    accountId: account.id,
    day: { ...day, ...stretchOf(dailyLimit, caps.daily, sentToday) },
    hour: { ...hour, hour: hour.key, ...stretchOf(hourlyLimit, caps.hourly, sentThisHour) },
    hours: hours.map(({ bucket, count: used }) => ({ hour: bucket, used })),
    ramp: ramp === null ? null : { ...ramp, today: report.rampedLimit },
    halved: limitsOf(account.health).halved,
    freeAt: freeAt ?? null,
  });
}

import { type Static, Type } from "@sinclair/typebox";
import { AsIs, Id, Nullable, OneOf, Shape, Timestamp } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { HEALTH_CAUSES } from "#domain/event-data.ts";
import { ACCOUNT_STATUS_REASONS, ACCOUNT_STATUSES } from "#domain/mailboxes/account.ts";
import {
  HALVED_BELOW,
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

const count = Type.Integer({ minimum: 0 });
const date = Type.String({ format: "date", description: "In the account's zone" });
const Score = Type.Integer({ minimum: 0, maximum: 100 });

const Points = AsIs(
  Shape(
    {
      hard_bounces: Type.Number(),
      complaints: Type.Number(),
      smtp_errors: Type.Number(),
      placement: Type.Number(),
    },
    { description: "Taken off 100" },
  ),
);

export const AccountHealth = Shape({
  account_id: Id,
  score: Score,
  judged_score: Type.Integer({
    minimum: 0,
    maximum: 100,
    description:
      "What the thresholds go by: on trial the score of what was sent since, else `score`",
  }),
  window: Shape({ from: date, to: date, sends: count, hard_bounces: count, complaints: count }),
  weight: Type.Number({
    minimum: 0,
    maximum: 1,
    description: `Share of the points that counts, below ${SENDS_FOR_FULL_WEIGHT} sends`,
  }),
  parts: Type.Array(
    Shape({
      name: OneOf(HEALTH_CAUSES),
      points: Type.Number({ description: "Taken off 100, weighted" }),
      most: Type.Number({ description: "It can take off no more" }),
      value: Nullable(
        Type.Number({ description: "The rate or count it is made of; null: nothing was measured" }),
      ),
      message: Type.String(),
    }),
  ),
  status: OneOf(ACCOUNT_STATUSES),
  status_reason: Nullable(OneOf(ACCOUNT_STATUS_REASONS)),
  paused_until: Nullable(Timestamp),
  on_trial_since: Nullable(date),
  halved: Type.Boolean(),
  starts_new_leads: Type.Boolean(),
  thresholds: Type.Array(
    Shape({
      below: Score,
      effect: OneOf(["halves_caps", "starts_no_new_leads", "pauses"]),
      in_force: Type.Boolean(),
    }),
  ),
  daily_cap: count,
  hourly_cap: count,
  days: Type.Array(
    Shape({
      date,
      score: Score,
      sends: count,
      hard_bounces: count,
      complaints: count,
      points: Points,
    }),
    { description: "Oldest first; the score as the day ended, or as it is now" },
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
  from: Timestamp,
  to: Timestamp,
  limit: Type.Integer({ minimum: 0, description: "As it is set" }),
  cap: Type.Integer({ minimum: 0, description: "After ramp and health" }),
  used: count,
  left: count,
};

export const AccountUsage = Shape({
  account_id: Id,
  timezone: Type.String(),
  day: Shape({ date, ...stretch }),
  hour: Shape({ hour: Type.String({ examples: ["2026-03-01T09"] }), ...stretch }),
  hours: Type.Array(Shape({ hour: Type.String({ examples: ["2026-03-01T09"] }), used: count }), {
    description: "Of today, those in which something was sent",
  }),
  ramp: Nullable(
    Shape({
      start: count,
      increment: count,
      from: date,
      today: Type.Integer({ minimum: 0, description: "What it allows today" }),
    }),
  ),
  halved: Type.Boolean({ description: "By its health" }),
  backoff_until: Nullable(Timestamp),
  free_at: Nullable({
    ...Timestamp,
    description:
      "When caps and back-off let the next mail go: now where something is left; null: a limit is 0",
  }),
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
  const { sends, hardBounces, complaints, smtpErrors, inboxRate, refusals } = inputs;
  switch (part) {
    case "hardBounces":
      return `${hardBounces} of ${sends} mails came back for good (${percent(hardBounces, sends)}): ${cost}`;
    case "complaints":
      return `${complaints} of ${sends} mails were reported as unwanted (${percent(complaints, sends)}): ${cost}`;
    case "smtpErrors":
      if (refusals > 0) {
        return `providers that refuse it as a sender: ${refusals}: ${cost}`;
      }
      return `${smtpErrors} errors of the mail server in a row: ${cost}`;
    default:
      return inboxRate === null
        ? "no placement test in these days: 0 points"
        : `${Math.round(inboxRate * 100)} % of placement tests came to the inbox: ${cost}`;
  }
}

function percent(part: number, of: number): string {
  return `${(rateOf(part, of) * 100).toFixed(2)} %`;
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

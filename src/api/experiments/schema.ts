import { type Static, Type } from "@sinclair/typebox";
import { Documented, Id, Line, Nullable, OneOf, Shape, Timestamp } from "#api/schema.ts";
import { STEPS_MAX } from "#domain/campaigns/step.ts";
import {
  ATTRIBUTION_DAYS_MAX,
  DURATION_DAYS_MAX,
  EXPERIMENT_STATUSES,
  EXPERIMENTS_MAX,
  OPTIMIZATION_MODES,
  PRIMARY_METRICS,
  VARIANTS_MAX,
  VARIANTS_MIN,
  WEIGHT_MAX,
  WEIGHT_MIN,
} from "#domain/experiments/experiment.ts";
import { PAIR_TESTS } from "#domain/experiments/experiment-pairs.ts";
import { RECOMMENDATION_CODES } from "#domain/experiments/experiment-verdict.ts";
import { WARNING_CODES } from "#domain/experiments/experiment-warnings.ts";
import type { VariantFields } from "#usecases/experiments/experiments.ts";
import { Estimate } from "./estimate-schema.ts";

const NAME_MAX = 255;

const plain = {
  name: Line(NAME_MAX),
  primary_metric: OneOf(PRIMARY_METRICS, { description: "Of bounce_rate less is better" }),
  optimization_mode: OneOf(OPTIMIZATION_MODES, {
    description:
      "fixed_split keeps the weights, thompson_sampling shifts leads to what is answered, " +
      "auto_winner is a fixed split whose winner is written into the step",
  }),
  duration_days: Type.Integer({ minimum: 1, maximum: DURATION_DAYS_MAX }),
  attribution_window_days: Type.Integer({
    minimum: 0,
    maximum: ATTRIBUTION_DAYS_MAX,
    description: "Days after its mail in which a lead can become a success; 0: no end",
  }),
  early_stopping: Type.Boolean({ description: "A fixed split that is decided completes early" }),
  auto_drop: Type.Boolean({
    description: "Of three or more, variants clearly behind get no leads",
  }),
  step_position: Type.Integer({
    minimum: 1,
    maximum: STEPS_MAX,
    description: "The step whose content varies; 1 where it is left out, even before it exists",
  }),
};

const record = {
  id: Id,
  team_id: Id,
  campaign_id: Id,
  status: OneOf(EXPERIMENT_STATUSES),
  ...plain,
  started_at: Documented(Timestamp, {}),
  ends_at: Timestamp,
  completed_at: Nullable(Timestamp),
  winner_variant_id: Nullable(Id),
  winner_applied_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
};

export const Experiment = Shape(record);
export type Experiment = Static<typeof Experiment>;

const Config = Documented(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description: "subject and body take the place of the step's; {} is the step as it is",
    },
  ),
  {},
);
const Weight = Type.Number({
  minimum: WEIGHT_MIN,
  maximum: WEIGHT_MAX,
  description: "Shares are in proportion",
});

const Count = Type.Integer({ minimum: 0 });
const Share = Type.Number({ minimum: 0, maximum: 1 });
const counted = {
  emails_sent: Count,
  replies: Count,
  interested: Count,
  bounced: Count,
  successes: Count,
  failures: Count,
};

/** Fields of a variant that nobody sets; sent back as read they are passed over. */
export const VARIANT_READ_ONLY = [
  "experiment_id",
  ...Object.keys(counted),
  "contents",
  "out_reason",
  "created_at",
] as const;

const variant = {
  id: Id,
  experiment_id: Id,
  name: Line(NAME_MAX),
  config: Config,
  weight: Weight,
  ...counted,
  contents: Type.Array(
    Shape({ subject: Nullable(Type.String()), body: Type.String(), since: Timestamp }),
    {
      description:
        "What its emails said, oldest first, before variables are filled in; more than one where the " +
        "step was rewritten while leads were assigned. Empty until its first email",
    },
  ),
  out_reason: Nullable(
    OneOf(["guardrail", "eliminated"], {
      description: "Why it gets no leads any more: it bounces too much, or is clearly behind",
    }),
  ),
  created_at: Timestamp,
};
export const Variant = Shape(variant);
export type Variant = Static<typeof Variant>;

const ByVariant = (description: string) => Type.Record(Type.String(), Share, { description });

export const ExperimentDetail = Shape({
  ...record,
  variants: Type.Array(Variant),
  win_probabilities: ByVariant("By variant id: the probability that it is the best"),
  allocation: ByVariant("By variant id: its share of new leads"),
  convergence: Type.Number({
    minimum: 0,
    maximum: 1,
    description: "Share of the doubt about which variant is best that has been resolved",
  }),
});

/** Checked by the use case, which names the variant; here only that there are not thousands. */
const VARIANTS_READ_MAX = 100;

const VariantCreate = Shape({
  name: Documented(
    Type.String({ maxLength: NAME_MAX, pattern: "^[^\\u0000-\\u001f\\u007f]*$" }),
    {},
  ),
  config: Type.Optional(Config),
  weight: Type.Optional(Weight),
});
const VariantPatch = Shape({ ...VariantCreate.properties, id: Type.Optional(Id) });

const variantsOf = <Schema extends typeof VariantCreate | typeof VariantPatch>(item: Schema) =>
  Type.Array(item, {
    minItems: VARIANTS_MIN,
    maxItems: VARIANTS_READ_MAX,
    description: `${VARIANTS_MIN} to ${VARIANTS_MAX}, with names of their own`,
  });

export const ExperimentCreate = Shape({
  ...Type.Partial(Shape(plain)).properties,
  campaign_id: Id,
  name: plain.name,
  variants: variantsOf(VariantCreate),
});

export const ExperimentPatch = Shape({
  ...Type.Partial(Shape(plain)).properties,
  status: Type.Optional(OneOf(EXPERIMENT_STATUSES)),
  variants: Type.Optional(variantsOf(VariantPatch)),
});

export const ExperimentQuery = Shape({
  campaign_id: Type.Optional(Id),
  status: Type.Optional(OneOf(EXPERIMENT_STATUSES)),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: "All where it is left out" }),
  ),
  offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
});

export const ExperimentList = Type.Array(Experiment, { maxItems: EXPERIMENTS_MAX });

/** Without a body, as with an empty one. */
export const Completion = Type.Optional(Shape({ winner_variant_id: Type.Optional(Nullable(Id)) }));

const Ratio = Nullable(Type.Number({ minimum: 0 }));
const PValue = Type.Number({ minimum: 0, maximum: 1 });

const Significance = Shape({
  variant_a: Type.String({ description: "Name" }),
  variant_b: Type.String({ description: "Name" }),
  variant_a_id: Id,
  variant_b_id: Id,
  significant: Type.Boolean({ description: "p_value is at most 0.05 and the split is sound" }),
  p_value: Type.Number({
    minimum: 0,
    maximum: 1,
    description: "Valid however often it is read, and adjusted for all pairs",
  }),
  confidence: Type.Number({ minimum: 0, maximum: 1, description: "1 - p_value" }),
  better: Nullable(Type.String({ description: "Name of the one that does better so far" })),
  test: OneOf(PAIR_TESTS, { description: "epoch_z: within the epochs of a bandit" }),
  p_value_anytime: PValue,
  p_value_fixed: Nullable(PValue),
  p_value_stratified: Nullable(PValue),
  lift_ratio: Ratio,
  lift_ratio_low: Ratio,
  lift_ratio_high: Ratio,
  difference: Nullable(Type.Number({ minimum: -1, maximum: 1 })),
  difference_low: Nullable(Type.Number({ minimum: -1, maximum: 1 })),
  difference_high: Nullable(Type.Number({ minimum: -1, maximum: 1 })),
  prob_b_beats_a: Nullable(Share),
});

const Quality = Shape({
  srm_detected: Type.Boolean({ description: "The split is off: no verdict is given" }),
  srm_p_value: Nullable(PValue),
  srm_p_value_anytime: Nullable(PValue),
  srm_p_value_decisive: Nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: "The one of the two that the alarm goes by",
    }),
  ),
  pending: Type.Integer({ minimum: 0, description: "Leads whose window is still open" }),
  leader_id: Nullable(Id),
  expected_loss: Nullable(ByVariant("By variant id: what sending it to everyone costs a lead")),
  value_remaining_95: Nullable(Type.Number({ minimum: 0 })),
  credible_intervals: Type.Record(Type.String(), Shape({ low: Share, high: Share }), {
    description: "By variant id: 95 % of its success rate",
  }),
  mde_ratio: Nullable(Type.Number({ minimum: 1 })),
  estimated_days_to_decision: Nullable(Type.Integer({ minimum: 0 })),
  eliminated: Type.Array(Id),
  guardrails: Type.Array(
    Shape({ variant_id: Id, bounce_rate: Share, reason: OneOf(["limit", "others"]) }),
  ),
});

export const ExperimentResults = Shape({
  experiment: Shape({
    id: Id,
    name: Type.String(),
    status: OneOf(EXPERIMENT_STATUSES),
    primary_metric: OneOf(PRIMARY_METRICS),
    days_elapsed: Type.Integer({ minimum: 0 }),
    days_remaining: Type.Integer({ minimum: 0 }),
  }),
  variants: Type.Array(
    Shape({ ...variant, reply_rate: Share, interested_rate: Share, bounce_rate: Share }),
  ),
  significance: Type.Array(Significance, { description: "Every two variants" }),
  winner: Nullable(Type.String({ description: "Name" })),
  recommendation: Type.String({ description: "What to do, in one sentence" }),
  recommendation_code: OneOf(RECOMMENDATION_CODES),
  recommendation_params: Type.Object({}, { additionalProperties: true }),
  is_final: Type.Boolean({ description: "The planned end is over and every lead judged" }),
  quality: Quality,
  final_estimate: Nullable(Estimate),
  warnings: Type.Array(Shape({ code: OneOf(WARNING_CODES), message: Type.String() })),
});

export const PlanQuery = Shape({
  campaign_id: Type.Optional(Id),
  step_position: Type.Optional(Type.Integer({ minimum: 1, maximum: STEPS_MAX })),
  leads: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000_000 })),
  leads_per_day: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  baseline: Type.Optional(
    Type.Number({ minimum: 0.0001, maximum: 0.9999, description: "Rate of today, 0.04" }),
  ),
  variants: Type.Integer({ minimum: VARIANTS_MIN, maximum: VARIANTS_MAX, default: VARIANTS_MIN }),
  duration_days: Type.Integer({ minimum: 1, maximum: DURATION_DAYS_MAX, default: 14 }),
  attribution_window_days: Type.Integer({
    minimum: 0,
    maximum: ATTRIBUTION_DAYS_MAX,
    default: 7,
  }),
});

export const ExperimentPlan = Shape({
  leads: Type.Integer({ minimum: 0, description: "That may come to the step" }),
  leads_per_day: Type.Integer({ minimum: 0 }),
  baseline: Share,
  variants: Type.Integer(),
  duration_days: Type.Integer(),
  attribution_window_days: Type.Integer(),
  leads_by_end: Type.Integer({ minimum: 0 }),
  leads_per_variant: Type.Integer({ minimum: 0 }),
  minimum_detectable_ratio: Nullable(Type.Number({ minimum: 1 })),
  minimum_detectable_rate: Nullable(Share),
  can_answer: Type.Boolean({ description: "A doubling at most would be found" }),
  sizes: Type.Array(
    Shape({
      ratio: Type.Number(),
      rate: Share,
      leads_per_variant: Type.Integer({ minimum: 0 }),
      days: Nullable(Type.Integer({ minimum: 0 })),
      fits: Type.Boolean({ description: "There are as many leads" }),
    }),
  ),
  test_and_roll: Shape({
    leads_per_variant: Type.Integer({
      minimum: 0,
      description: "Test on so many each, and send the leader to the rest, proven or not",
    }),
  }),
  recommendation: Type.String(),
});

export function readVariants(
  variants: readonly Static<typeof VariantPatch>[],
): readonly VariantFields[] {
  return variants.map(({ id, ...rest }) => {
    return {
      config: {},
      weight: 1,
      ...rest,
      ...(id === undefined ? {} : { id: id.toLowerCase() }),
    };
  });
}

/** The body of a PATCH without what a read adds to each variant. */
export function withoutCounters(body: unknown): unknown {
  if (typeof body !== "object" || body === null || !("variants" in body)) {
    return body;
  }
  const { variants } = body;
  return Array.isArray(variants) ? { ...body, variants: variants.map(settable) } : body;
}

const READ_ONLY = new Set<string>(VARIANT_READ_ONLY);

function settable(given: unknown): unknown {
  return typeof given === "object" && given !== null && !Array.isArray(given)
    ? Object.fromEntries(Object.entries(given).filter(([name]) => !READ_ONLY.has(name)))
    : given;
}

import { type Static, Type } from "@sinclair/typebox";
import { defined } from "#api/defined.ts";
import {
  Count,
  CreatedAt,
  Documented,
  IdOf,
  IdParamsOf,
  Name,
  Nullable,
  OneOf,
  PageQuery,
  Shape,
  TeamId,
  TimestampOf,
  UpdatedAt,
  withDefaults,
} from "#api/schema.ts";
import { STEPS_MAX } from "#domain/campaigns/step.ts";
import {
  ATTRIBUTION_DAYS_MAX,
  DURATION_DAYS_MAX,
  EXPERIMENT_DEFAULTS,
  EXPERIMENT_STATUSES,
  EXPERIMENTS_MAX,
  OPTIMIZATION_MODES,
  OUT_REASONS,
  PRIMARY_METRICS,
  VARIANTS_MAX,
  VARIANTS_MIN,
  WEIGHT_MAX,
  WEIGHT_MIN,
} from "#domain/experiments/experiment.ts";
import {
  BOUNCE_RATE_MAX,
  GUARDRAIL_METRICS,
  GUARDRAIL_RATE_MAX,
  GUARDRAIL_RATE_MIN,
  GUARDRAIL_RATIO_MAX,
  GUARDRAILS_MAX,
} from "#domain/experiments/guardrail.ts";
import type { VariantFields } from "#usecases/experiments/experiments.ts";
import { ExperimentShare } from "./share-schema.ts";

const NAME_MAX = 255;

export const durationDays = Type.Integer({
  minimum: 1,
  maximum: DURATION_DAYS_MAX,
  description: "Days during which leads are assigned, from the first email on",
  examples: [21],
});
export const windowDays = Type.Integer({
  minimum: 0,
  maximum: ATTRIBUTION_DAYS_MAX,
  description: "Days after its email in which a lead can become a success; 0 for no limit",
  examples: [7],
});
export const status = OneOf(EXPERIMENT_STATUSES, {
  description: "`evaluating` when no more leads are assigned and the last ones are being measured",
});

export const plain = {
  name: Name(NAME_MAX, {
    description: "Name, shown to your team only",
    examples: ["Question or statement in the subject"],
  }),
  primary_metric: OneOf(PRIMARY_METRICS, {
    description: "What variants are compared by; for `bounce_rate`, lower is better",
  }),
  optimization_mode: OneOf(OPTIMIZATION_MODES, {
    description:
      "`fixed_split` keeps the weights, `thompson_sampling` shifts leads to the variants that do " +
      "better, `auto_winner` is a fixed split whose winner replaces the step's content, and " +
      "`test_and_roll` does so with the better variant after a test on a few leads, significant or not, " +
      "while the others wait",
  }),
  duration_days: durationDays,
  attribution_window_days: windowDays,
  early_stopping: Type.Boolean({ description: "Complete a fixed split as soon as it is decided" }),
  auto_drop: Type.Boolean({
    description:
      "Stop assigning leads to variants that are clearly behind, where there are three or more",
  }),
  step_position: Type.Integer({
    minimum: 1,
    maximum: STEPS_MAX,
    description:
      "Position of the step whose content varies. The first step need not exist yet when none is given",
    examples: [1],
  }),
  guardrails: Type.Array(
    Shape({
      metric: OneOf(GUARDRAIL_METRICS, {
        description:
          "What is limited: bounces, leads that opt out or complain, or leads that reply that they aren't interested",
      }),
      max_rate: Type.Optional(
        Type.Number({
          minimum: GUARDRAIL_RATE_MIN,
          maximum: GUARDRAIL_RATE_MAX,
          description: `Largest share of a variant's leads; for bounces, below ${BOUNCE_RATE_MAX}, which always holds`,
          examples: [0.02],
        }),
      ),
      max_ratio: Type.Optional(
        Type.Number({
          minimum: 1,
          maximum: GUARDRAIL_RATIO_MAX,
          description:
            "Largest rate of a variant, divided by the rate of the others; replaces the built-in " +
            "comparison with the others",
          examples: [1.5],
        }),
      ),
    }),
    {
      maxItems: GUARDRAILS_MAX,
      description:
        "Your own limits, each with either `max_rate` or `max_ratio`. A variant beyond one gets no " +
        "more leads and can't win",
      examples: [[{ metric: "opt_outs", max_rate: 0.02 }]],
    },
  ),
};

export const record = {
  id: IdOf("The experiment's id"),
  team_id: TeamId,
  campaign_id: IdOf("Campaign whose step varies"),
  status,
  ...plain,
  test_leads: Nullable(
    Count("Leads that `test_and_roll` tests on, set by its first email; null before and otherwise"),
  ),
  started_at: TimestampOf("When the first email was sent; before that, when it was created"),
  ends_at: TimestampOf("When it stops assigning leads"),
  completed_at: Nullable(TimestampOf("When it was completed or cancelled; null before")),
  winner_variant_id: Nullable(IdOf("The winning variant; null without one")),
  winner_applied_at: Nullable(
    TimestampOf("When the winner's content replaced the step's; null before"),
  ),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
};

export const ExperimentParams = IdParamsOf("The experiment's id");

export const Experiment = Shape(record);
export type Experiment = Static<typeof Experiment>;

const Config = Documented(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description: "`subject` and `body` replace those of the step; {} keeps the step as it is",
      examples: [{ subject: "Quick question about {{ company }}" }],
    },
  ),
  {},
);
const Weight = Type.Number({
  minimum: WEIGHT_MIN,
  maximum: WEIGHT_MAX,
  description: "Leads are assigned in proportion to the weights",
  examples: [1],
});

const isActive = Type.Boolean({
  description:
    "Whether it gets leads. When false, its leads are still measured, the others share the rest, and it can't win",
});

export const share = (description: string, example = 0.5) =>
  Type.Number({ minimum: 0, maximum: 1, description, examples: [example] });
const counted = {
  emails_sent: Count("Emails sent"),
  replies: Count("Leads that replied"),
  interested: Count("Leads whose reply shows interest"),
  negative_replies: Count("Leads whose reply says that they aren't interested"),
  bounced: Count("Emails that bounced"),
  opted_out: Count("Leads that opted out or complained"),
  successes: Count("Measured leads that count as a success"),
  failures: Count("Measured leads that count as a failure"),
};

/** Fields of a variant that nobody sets; sent back as read they are passed over. */
export const VARIANT_READ_ONLY = [
  "experiment_id",
  ...Object.keys(counted),
  "contents",
  "out_reason",
  "created_at",
] as const;

export const variant = {
  id: IdOf("The variant's id"),
  experiment_id: IdOf("The experiment's id"),
  name: Name(NAME_MAX, { description: "Name, unique in the experiment", examples: ["Question"] }),
  config: Config,
  weight: Weight,
  ...counted,
  contents: Type.Array(
    Shape({
      subject: Nullable(
        Type.String({ description: "Subject; null where it continues the thread" }),
      ),
      body: Type.String({ description: "Body" }),
      since: TimestampOf("When it was first sent"),
    }),
    {
      description:
        "Content of its emails, before variables are filled in, oldest first; several when the " +
        "step was edited while leads were assigned. Empty until its first email",
    },
  ),
  out_reason: Nullable(
    OneOf(OUT_REASONS, {
      description:
        "Why it gets no more leads: it is beyond a guardrail, is clearly behind, or was switched off. Null while it gets some",
    }),
  ),
  is_active: isActive,
  created_at: CreatedAt,
};
export const Variant = Shape(variant);
export type Variant = Static<typeof Variant>;

export const ByVariant = (description: string) =>
  Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1 }), { description });

export const ExperimentDetail = Shape({
  ...record,
  variants: Type.Array(Variant, { description: "The variants, in order" }),
  win_probabilities: ByVariant("By variant id: the probability that it is the best"),
  allocation: ByVariant("By variant id: its share of new leads"),
  convergence: Type.Number({
    minimum: 0,
    maximum: 1,
    description: "Certainty about which variant is best, 0 to 1",
  }),
  share: Nullable(ExperimentShare),
});

/** Checked by the use case, which names the variant; here only that there are not thousands. */
const VARIANTS_READ_MAX = 100;

const VARIANT_DEFAULTS = { config: {}, weight: 1 };

const VariantCreate = Shape({
  name: Documented(
    Type.String({
      maxLength: NAME_MAX,
      pattern: "^[^\\u0000-\\u001f\\u007f]*$",
      description: "Name, unique in the experiment",
      examples: ["Question"],
    }),
    {},
  ),
  config: Type.Optional(Documented(Config, { default: VARIANT_DEFAULTS.config })),
  weight: Type.Optional(Documented(Weight, { default: VARIANT_DEFAULTS.weight })),
});
const VariantPatch = Shape({
  ...VariantCreate.properties,
  id: Type.Optional(IdOf("The variant's id; without one, a variant is added")),
  is_active: Type.Optional(isActive),
});

const variantsOf = <Schema extends typeof VariantCreate | typeof VariantPatch>(item: Schema) =>
  Type.Array(item, {
    minItems: VARIANTS_MIN,
    maxItems: VARIANTS_READ_MAX,
    description: `The variants to compare, ${VARIANTS_MIN} to ${VARIANTS_MAX}`,
  });

export const ExperimentCreate = withDefaults(
  Shape({
    ...Type.Partial(Shape(plain)).properties,
    campaign_id: record.campaign_id,
    name: plain.name,
    variants: variantsOf(VariantCreate),
  }),
  EXPERIMENT_DEFAULTS,
);

export const ExperimentPatch = Shape({
  ...Type.Partial(Shape(plain)).properties,
  status: Type.Optional(
    OneOf(EXPERIMENT_STATUSES, {
      description: "`paused` stops assigning leads, `running` resumes, `cancelled` ends it",
    }),
  ),
  variants: Type.Optional(variantsOf(VariantPatch)),
});

export const ExperimentQuery = Shape({
  campaign_id: Type.Optional(IdOf("Only experiments of this campaign")),
  status: Type.Optional(
    OneOf(EXPERIMENT_STATUSES, { description: "Only experiments with this status" }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: "Experiments to return; without it, all",
    }),
  ),
  offset: PageQuery.properties.offset,
});

export const ExperimentList = Type.Array(Experiment, { maxItems: EXPERIMENTS_MAX });

/** Without a body, as with an empty one. */
export const Completion = Type.Optional(
  Shape({
    winner_variant_id: Type.Optional(
      Nullable(IdOf("Variant to declare the winner; without it, the one that has won by now")),
    ),
  }),
);

export function readVariants(
  variants: readonly Static<typeof VariantPatch>[],
): readonly VariantFields[] {
  return variants.map(({ id, is_active: isActive, ...rest }) => {
    return { ...VARIANT_DEFAULTS, ...rest, ...defined({ id: id?.toLowerCase(), isActive }) };
  });
}

/** The body of a PATCH without what a read adds to each variant. */
export function withoutCounters(body: unknown): unknown {
  if (typeof body !== "object" || body === null || !("variants" in body)) {
    return body;
  }
  const { variants } = body;
  return Array.isArray(variants) ? { ...body, variants: variants.map(writable) } : body;
}

const READ_ONLY = new Set<string>(VARIANT_READ_ONLY);

function writable(given: unknown): unknown {
  return typeof given === "object" && given !== null && !Array.isArray(given)
    ? Object.fromEntries(Object.entries(given).filter(([name]) => !READ_ONLY.has(name)))
    : given;
}

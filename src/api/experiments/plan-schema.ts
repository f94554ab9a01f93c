/** What an experiment could show, before there is one. */

import { Type } from "@sinclair/typebox";
import { Count, Documented, IdOf, Nullable, Shape } from "#api/schema.ts";
import { STEPS_MAX } from "#domain/campaigns/step.ts";
import {
  BASELINE_DEFAULT,
  EXPERIMENT_DEFAULTS,
  VARIANTS_MAX,
  VARIANTS_MIN,
} from "#domain/experiments/experiment.ts";
import { LEADS_PER_DAY_DEFAULT } from "#usecases/experiments/experiment-plan.ts";
import { durationDays, share, windowDays } from "./schema.ts";

export const PlanQuery = Shape({
  campaign_id: Type.Optional(IdOf("Campaign to take `leads`, `leads_per_day` and `baseline` from")),
  step_position: Type.Optional(
    Documented(
      Type.Integer({
        minimum: 1,
        maximum: STEPS_MAX,
        description: "Position of the step that would vary",
      }),
      { default: EXPERIMENT_DEFAULTS.stepPosition },
    ),
  ),
  leads: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100_000_000,
      description: "Leads that may reach the step; required without `campaign_id`",
      examples: [2000],
    }),
  ),
  leads_per_day: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: `Leads that reach the step per day; without it, the campaign's, or ${LEADS_PER_DAY_DEFAULT}`,
      examples: [100],
    }),
  ),
  baseline: Type.Optional(
    Type.Number({
      minimum: 0.0001,
      maximum: 0.9999,
      description: `Current rate, 0 to 1; without it, the campaign's, or ${BASELINE_DEFAULT}`,
      examples: [0.05],
    }),
  ),
  variants: Type.Integer({
    minimum: VARIANTS_MIN,
    maximum: VARIANTS_MAX,
    default: VARIANTS_MIN,
    description: "Variants to compare",
  }),
  duration_days: { ...durationDays, default: EXPERIMENT_DEFAULTS.durationDays },
  attribution_window_days: { ...windowDays, default: EXPERIMENT_DEFAULTS.attributionWindowDays },
});

export const ExperimentPlan = Shape({
  leads: Count("Leads that may reach the step"),
  leads_per_day: Count("Leads that reach the step per day"),
  baseline: share("Current rate", 0.05),
  variants: Count("Variants to compare"),
  duration_days: Count("Days during which leads are assigned"),
  attribution_window_days: Count("Days after its email in which a lead can become a success"),
  leads_by_end: Count("Leads assigned by the end"),
  leads_per_variant: Count("Leads assigned to each variant by the end"),
  minimum_detectable_ratio: Nullable(
    Type.Number({
      minimum: 1,
      description: "Smallest ratio of two rates that these leads can show; null when none can be",
      examples: [1.6],
    }),
  ),
  minimum_detectable_rate: Nullable(
    share("Rate that a variant would need for it; null when none can be", 0.08),
  ),
  can_answer: Type.Boolean({ description: "Whether a doubled rate would be found" }),
  sizes: Type.Array(
    Shape({
      ratio: Type.Number({ description: "Ratio of two rates", examples: [1.5] }),
      rate: share("Rate of the better variant", 0.075),
      leads_per_variant: Count("Leads that each variant needs to show it"),
      days: Nullable(Count("Days that it takes; null when the leads do not suffice")),
      fits: Type.Boolean({ description: "Whether there are enough leads" }),
    }),
    { description: "Leads needed to show differences of several sizes" },
  ),
  test_and_roll: Shape(
    { leads_per_variant: Count("Leads to test each variant on") },
    {
      description:
        "For a short list: test on a few leads, then send the leader to the rest, significant or not. " +
        "What an experiment with `optimization_mode` `test_and_roll` does",
    },
  ),
  recommendation: Type.String({ description: "What to do, in one sentence" }),
  basis: Type.String({ description: "What that assumes, in plain words" }),
});

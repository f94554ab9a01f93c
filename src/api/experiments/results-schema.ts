/** What the figures of an experiment say. */

import { Type } from "@sinclair/typebox";
import { Count, Id, IdOf, Nullable, OneOf, Shape } from "#api/schema.ts";
import type { KeyFigure } from "#domain/experiments/experiment-answer.ts";
import { PAIR_TESTS } from "#domain/experiments/experiment-pair-tests.ts";
import { RECOMMENDATION_CODES } from "#domain/experiments/experiment-verdict.ts";
import { WARNING_CODES } from "#domain/experiments/experiment-warnings.ts";
import { GUARDRAIL_METRICS } from "#domain/experiments/guardrail.ts";
import { Estimate, lift, overPresent } from "./estimate-schema.ts";
import { ByVariant, plain, record, share, status, variant } from "./schema.ts";
import { SegmentResults, segmentBy } from "./segments-schema.ts";

const difference = (description: string) =>
  Nullable(Type.Number({ minimum: -1, maximum: 1, description }));

const comparedRate = (of: string) =>
  Nullable(
    Type.Number({
      minimum: 0,
      description: `Rate of ${of} that \`lift_ratio\` compares, each lead weighted by the inverse of the share it was assigned with, so above 1 for a handful of leads at times; null before the first email`,
      examples: [0.06],
    }),
  );

const Significance = Shape({
  variant_a: Type.String({ description: "Name of the first variant", examples: ["Question"] }),
  variant_b: Type.String({ description: "Name of the second variant", examples: ["Statement"] }),
  ...lift,
  lift_expected: Nullable(
    Type.Number({
      minimum: 0,
      description:
        "What to expect of `lift_ratio` from here on: nearer to 1, as far as this experiment and your past ones suggest; null unless a or b is the winner",
      examples: [1.28],
    }),
  ),
  rate_a: comparedRate("a"),
  rate_b: comparedRate("b"),
  significant: Type.Boolean({
    description: "Whether `p_value` is at most 0.05 and leads were split as planned",
  }),
  p_value: share(
    "p-value, valid however often it is read, adjusted for all comparisons: with the present text by Dunnett, of " +
      "others by Holm; for a winner's pairs, how often a variant that isn't the best would win like this",
    0.03,
  ),
  confidence: share("1 − `p_value`", 0.97),
  better: Nullable(
    Type.String({ description: "Name of the variant that does better so far; null for neither" }),
  ),
  test: OneOf(PAIR_TESTS, {
    description:
      "Test that the p-value comes from; `epoch_z` compares within the epochs of a bandit, and `group_sequential` looks daily at a fixed split",
  }),
  p_value_anytime: share(
    "p-value of the test that may be read at any time, whatever end is planned",
    0.03,
  ),
  p_value_sequential: Nullable(
    share(
      "p-value of the daily looks up to the planned end; null for a bandit or a moved end",
      0.02,
    ),
  ),
  p_value_fixed: Nullable(share("p-value of the test at the planned end; null before it", 0.02)),
  p_value_stratified: Nullable(
    share("The same within mailboxes and providers; null before the planned end", 0.02),
  ),
  difference: difference("Success rate of b minus that of a; null before the planned end"),
  difference_low: difference("Lower end of its 95% interval"),
  difference_high: difference("Upper end of its 95% interval"),
  prob_b_beats_a: Nullable(
    share("Probability that b is better than a; null while too few leads are measured", 0.97),
  ),
});

const AgainstPresent = Shape({
  ...overPresent,
  p_value: share(
    "p-value with all variants in mind that are compared with the present text; that of their pair",
    0.03,
  ),
  significant: Type.Boolean({
    description: "Whether `p_value` is at most 0.05 and leads were split as planned",
  }),
  better: Nullable(
    Type.String({ description: "Name of the variant that does better so far; null for neither" }),
  ),
  test: OneOf(PAIR_TESTS, { description: "Test that the p-value and the interval come from" }),
});

const Quality = Shape(
  {
    srm_detected: Type.Boolean({
      description: "Whether leads were split differently than planned; no verdict is given then",
    }),
    srm_p_value: Nullable(
      share("Chi-square p-value of the split at the end; null while nothing can be said", 0.61),
    ),
    srm_p_value_anytime: Nullable(
      share(
        "p-value of the split that may be read at any time; null while nothing can be said",
        0.8,
      ),
    ),
    srm_p_value_decisive: Nullable(share("Which of the two `srm_detected` is based on", 0.8)),
    pending: Count("Leads whose attribution window is still open"),
    leader_id: Nullable(IdOf("Variant most likely to be the best; null while nothing can be said")),
    expected_loss: Nullable(
      ByVariant("By variant id: success rate lost by sending it to everyone if another is better"),
    ),
    value_remaining_95: Nullable(
      Type.Number({
        minimum: 0,
        description:
          "How much better than the leader another variant may still be, as a fraction of its rate, with 95% certainty",
        examples: [0.18],
      }),
    ),
    credible_intervals: Type.Record(
      Type.String(),
      Shape({
        rate: Type.Optional(
          share("The rate, for a bandit within its epochs. Absent in older results", 0.06),
        ),
        low: share("Lower end", 0.04),
        high: share("Upper end", 0.08),
      }),
      { description: "By variant id: its success rate, and the 95% credible interval of it" },
    ),
    mde_ratio: Nullable(
      Type.Number({
        minimum: 1,
        description:
          "Smallest ratio of two rates that the leads up to the end can show; null when none can be",
        examples: [1.6],
      }),
    ),
    estimated_days_to_decision: Nullable(
      Count("Days until a decision at the current pace and difference; null when unknown"),
    ),
    eliminated: Type.Array(Id, { description: "Variants that are clearly behind" }),
    guardrails: Type.Array(
      Shape({
        variant_id: IdOf("The variant's id"),
        metric: OneOf(GUARDRAIL_METRICS, {
          description:
            "What there is too much of: bounces, leads that opt out or complain, or negative replies",
        }),
        rate: share("Its rate of these", 0.07),
        bounce_rate: share("Its bounce rate", 0.07),
        reason: OneOf(["limit", "others"], {
          description:
            "Whether it is above a limit (5% for bounces, or your `max_rate`), or above the other variants",
        }),
        max_rate: Nullable(share("Your limit that it's above; null when it's another", 0.02)),
        max_ratio: Nullable(
          Type.Number({
            minimum: 1,
            description:
              "Your limit that its rate, divided by the rate of the others, is above; null when it's another",
            examples: [1.5],
          }),
        ),
      }),
      {
        description:
          "Variants with too many bounces, opt-outs, or negative replies. They get no more leads, or can't win",
      },
    ),
  },
  { description: "How far the result can be trusted" },
);

const amount = (description: string, examples: number[]) =>
  Nullable(Type.Number({ minimum: 0, description, examples }));

/** What one reply costs. */
const priceOf = (what: string) =>
  Shape(
    {
      emails: amount(`Leads emailed for ${what}; null before the first one`, [16.1]),
      emails_low: amount("Lower end of its 95% interval", [12.2]),
      emails_high: amount("Upper end of its 95% interval; null before the first one", [21.6]),
      cost: amount("The same in money; null without `cost_per_lead`", [1.93]),
      cost_low: amount("Lower end of its 95% interval", [1.46]),
      cost_high: amount("Upper end of its 95% interval", [2.59]),
    },
    { description: `What ${what} costs so far; it falls while replies arrive` },
  );

export const ResultsQuery = Shape({
  segment_by: Type.Optional(segmentBy),
  cost_per_lead: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1_000_000,
      description:
        "What a lead that's emailed costs you, in any currency: its data, its emails, your work. " +
        "`per_reply` and `per_interested` then have costs",
      examples: [0.12],
    }),
  ),
});

/** Its type is the domain's own. */
const keyFigure = Type.Unsafe<KeyFigure | null>(
  Nullable(
    Shape(
      {
        value: Type.String({ description: "The lift", examples: ["+42%"] }),
        range: Type.String({ description: "Its 95% interval", examples: ["+9% to +86%"] }),
        sentence: Type.String({ description: "What it's of, and whether it may be chance" }),
      },
      {
        description:
          "The figure to read first: the lift of the variant that's ahead over the present text, for people; null " +
          "while there's none, or if the recommendation isn't about it",
      },
    ),
  ),
);

export const ExperimentResults = Shape({
  experiment: Shape(
    {
      id: record.id,
      name: plain.name,
      status,
      primary_metric: plain.primary_metric,
      days_elapsed: Count("Days since the first email"),
      days_remaining: Count("Days until it stops assigning leads"),
    },
    { description: "The experiment" },
  ),
  variants: Type.Array(
    Shape({
      ...variant,
      reply_rate: share("Leads that replied, of those sent this variant", 0.062),
      interested_rate: share("Leads that are interested, of those sent this variant", 0.021),
      negative_reply_rate: share(
        "Leads that replied that they aren't interested, of those sent this variant",
        0.013,
      ),
      bounce_rate: share("Leads that bounced, of those sent this variant", 0.011),
      opt_out_rate: share("Leads that opted out or complained, of those sent this variant", 0.004),
      per_reply: priceOf("a reply"),
      per_interested: priceOf("an interested reply"),
    }),
    { description: "The variants, in order" },
  ),
  significance: Type.Array(Significance, { description: "Every pair of variants" }),
  present_variant_id: IdOf("Variant that sends the step as it is, else the first"),
  against_present: Type.Array(AgainstPresent, {
    description: "Every other variant against the present text. Empty in older results",
  }),
  winner: Nullable(Type.String({ description: "Name of the winner; null without one" })),
  recommendation: Type.String({ description: "What to do, in one sentence" }),
  recommendation_code: OneOf(RECOMMENDATION_CODES, {
    description: "The recommendation, for programs",
  }),
  recommendation_params: Type.Object(
    {},
    { additionalProperties: true, description: "Values that the recommendation mentions" },
  ),
  key_figure: keyFigure,
  notes: Type.Array(Type.String(), {
    description: "How the verdict comes about and how far it can be trusted, for people",
  }),
  is_final: Type.Boolean({
    description: "Whether the planned end has passed and every lead is measured",
  }),
  quality: Quality,
  final_estimate: Nullable(Estimate),
  segments: Nullable(SegmentResults),
  warnings: Type.Array(
    Shape({
      code: OneOf(WARNING_CODES, { description: "What the warning is about" }),
      message: Type.String({ description: "What to look at, in plain words" }),
    }),
    { description: "What limits the result" },
  ),
});

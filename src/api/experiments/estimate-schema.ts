import { Type } from "@sinclair/typebox";
import { Count, IdOf, Nullable, Shape } from "#api/schema.ts";
import type { ChallengerReading } from "#domain/experiments/experiment-challengers.ts";
import type { Results, VariantResult } from "#usecases/experiments/experiment-results.ts";

const share = (description: string) =>
  Type.Number({ minimum: 0, maximum: 1, description, examples: [0.062] });
const interval = {
  low: share("Lower end of its 95% interval"),
  high: share("Upper end of its 95% interval"),
};

const liftOf = (description: string, interval: string) => ({
  lift_ratio: Nullable(Type.Number({ minimum: 0, description, examples: [1.42] })),
  lift_ratio_low: Nullable(Type.Number({ minimum: 0, description: `Lower end of ${interval}` })),
  lift_ratio_high: Nullable(Type.Number({ minimum: 0, description: `Upper end of ${interval}` })),
});

/** How the second of two variants does against the first. */
export const lift = {
  variant_a_id: IdOf("The first variant's id"),
  variant_b_id: IdOf("The second variant's id"),
  ...liftOf("Rate of b divided by the rate of a; null while a has no success", "its interval"),
};

/** How a variant does against the present text. */
export const overPresent = {
  variant_id: IdOf("The variant's id"),
  variant: Type.String({ description: "Name of the variant", examples: ["Question"] }),
  ...liftOf(
    "Its rate divided by that of the present text; null while that has no success",
    "its 95% interval; the intervals of all variants hold together",
  ),
};

export const Estimate = Shape(
  {
    is_complete: Type.Boolean({
      description: "Whether all leads are measured, also those in flight when the experiment ended",
    }),
    success_rates: Type.Record(Type.String(), Shape({ rate: share("Success rate"), ...interval }), {
      description: "By variant id: its success rate",
    }),
    lifts: Type.Array(Shape(lift), { description: "Every pair of variants" }),
    against_present: Type.Array(Shape(overPresent), {
      description: "Every other variant against the present text",
    }),
    at_verdict: Type.Record(
      Type.String(),
      Shape({
        successes: Count("Leads that counted as a success"),
        failures: Count("Leads that counted as a failure"),
      }),
      { description: "By variant id: the counts that the verdict was based on" },
    ),
  },
  {
    description:
      "Rates of all leads measured by now, beside the verdict of a closed experiment; null before it has ended",
  },
);

export function estimateOf({ variants, estimate }: Results) {
  if (estimate === null) {
    return null;
  }
  const idOf = (place: number) => variants[place]?.row.id ?? "";
  return {
    isComplete: estimate.isComplete,
    successRates: byId(variants, estimate.rates),
    lifts: estimate.pairs.map(({ a, b, ratio, ratioLow, ratioHigh }) => ({
      ...{ variantAId: idOf(a), variantBId: idOf(b) },
      ...{ liftRatio: ratio, liftRatioLow: ratioLow, liftRatioHigh: ratioHigh },
    })),
    againstPresent: estimate.challengers.map((one) => challengerOf(variants, one)),
    atVerdict: byId(variants, estimate.judged),
  };
}

/** One variant against the present text. */
export function challengerOf(
  variants: readonly VariantResult[],
  { arm, ratio, ratioLow, ratioHigh, ...rest }: ChallengerReading,
) {
  const own = variants[arm]?.row;
  return {
    ...{ ...rest, variantId: own?.id ?? "", variant: own?.name ?? "" },
    ...{ liftRatio: ratio, liftRatioLow: ratioLow, liftRatioHigh: ratioHigh },
  };
}

export function byId<Value>(
  variants: readonly VariantResult[],
  values: readonly Value[],
): Record<string, Value> {
  const entries = variants.flatMap(({ row }, place) => {
    const value = values[place];
    return value === undefined ? [] : [[row.id, value] as const];
  });
  return Object.fromEntries(entries);
}

import { Type } from "@sinclair/typebox";
import { Count, IdOf, Nullable, Shape } from "#api/schema.ts";
import type { Results, VariantResult } from "#usecases/experiments/experiment-results.ts";

const share = (description: string) =>
  Type.Number({ minimum: 0, maximum: 1, description, examples: [0.062] });
const interval = {
  low: share("Lower end of its 95% interval"),
  high: share("Upper end of its 95% interval"),
};

/** How the second of two variants does against the first. */
export const lift = {
  variant_a_id: IdOf("The first variant's id"),
  variant_b_id: IdOf("The second variant's id"),
  lift_ratio: Nullable(
    Type.Number({
      minimum: 0,
      description: "Rate of b divided by the rate of a; null while a has no success",
      examples: [1.42],
    }),
  ),
  lift_ratio_low: Nullable(Type.Number({ minimum: 0, description: "Lower end of its interval" })),
  lift_ratio_high: Nullable(Type.Number({ minimum: 0, description: "Upper end of its interval" })),
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
    atVerdict: byId(variants, estimate.judged),
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

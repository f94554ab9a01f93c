import { Type } from "@sinclair/typebox";
import { Id, Nullable, Shape } from "#api/schema.ts";
import type { Results, VariantResult } from "#usecases/experiments/experiment-results.ts";

const Count = Type.Integer({ minimum: 0 });
const Share = Type.Number({ minimum: 0, maximum: 1 });
const Ratio = Nullable(Type.Number({ minimum: 0 }));

export const Estimate = Shape({
  is_complete: Type.Boolean({
    description: "No window is open any more: of all leads, those in flight at its end too",
  }),
  success_rates: Type.Record(Type.String(), Shape({ rate: Share, low: Share, high: Share }), {
    description: "By variant id, with its 95 % interval",
  }),
  lifts: Type.Array(
    Shape({
      variant_a_id: Id,
      variant_b_id: Id,
      lift_ratio: Ratio,
      lift_ratio_low: Ratio,
      lift_ratio_high: Ratio,
    }),
    { description: "Every two variants" },
  ),
  at_verdict: Type.Record(Type.String(), Shape({ successes: Count, failures: Count }), {
    description: "By variant id: what the verdict was based on",
  }),
});

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

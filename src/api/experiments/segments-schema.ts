/** Results by segment of the leads. */

import { Type } from "@sinclair/typebox";
import { Count, IdOf, Nullable, Shape } from "#api/schema.ts";
import {
  SEGMENTS_MAX,
  type Segments,
  VALUES_SHOWN_MAX,
} from "#domain/experiments/experiment-segments.ts";
import { ALPHA } from "#domain/experiments/stats/sequential.ts";
import { VARIABLE_NAME_MAX } from "#domain/leads/lead.ts";
import type { VariantResult } from "#usecases/experiments/experiment-results.ts";
import { lift } from "./estimate-schema.ts";
import { share } from "./schema.ts";

const SEGMENT_BY_MAX = VARIABLE_NAME_MAX + 20;

export const segmentBy = Type.String({
  maxLength: SEGMENT_BY_MAX,
  description:
    "Also show `segments`: by `provider` of the recipients' emails, `mailbox`, `country`, or a custom value, `custom:NAME`",
  examples: ["provider", "custom:industry"],
});

export const SegmentResults = Shape(
  {
    by: segmentBy,
    segments: Type.Array(
      Shape({
        segment: Type.String({
          description:
            `Provider, the mailbox's id, ISO 3166 code of the country, or the value; \`other\` for all beyond the ` +
            `${SEGMENTS_MAX - 1} largest (${VALUES_SHOWN_MAX} values), \`none\` for leads without one`,
          examples: ["google"],
        }),
        leads: Count("Leads emailed"),
        lifts: Type.Array(
          Shape({
            ...lift,
            rate_a: Nullable(share("Rate of a in the segment; null without leads", 0.06)),
            rate_b: Nullable(share("Rate of b in the segment; null without leads", 0.08)),
            p_value: share("p-value, to be read once, adjusted for all segments and variants", 0.2),
          }),
          {
            description: "Every variant but the first, against it. Intervals hold for all together",
          },
        ),
      }),
      { description: "The segments, largest first" },
    ),
    interactions: Type.Array(
      Shape({
        variant_a_id: IdOf("The first variant's id"),
        variant_b_id: IdOf("The other variant's id"),
        p_value: share(
          "How often a lift that's the same in all segments would differ between them this much; adjusted for the number of variants",
          0.4,
        ),
        significant: Type.Boolean({ description: "Whether `p_value` is at most 0.05" }),
      }),
      { description: "For every variant but the first: whether its lift differs between segments" },
    ),
    sentence: Nullable(
      Type.String({
        description:
          "What differs between segments; null while leads are assigned, and if nothing does",
      }),
    ),
  },
  {
    description:
      "Results by segment of the leads, beside the verdict; null without `segment_by`, and for Thompson sampling",
  },
);

export function segmentsOn(variants: readonly VariantResult[], read: Segments) {
  const pairOf = (nth: number) => ({
    variantAId: variants[0]?.row.id ?? "",
    variantBId: variants[nth + 1]?.row.id ?? "",
  });
  return {
    ...read,
    segments: read.segments.map(({ lifts, ...segment }) => ({
      ...segment,
      lifts: lifts.map(({ ratio, low, high, ...rest }, nth) => ({
        ...pairOf(nth),
        ...rest,
        ...{ liftRatio: ratio, liftRatioLow: low, liftRatioHigh: high },
      })),
    })),
    interactions: read.interactions.map(({ pValue }, nth) => ({
      ...pairOf(nth),
      pValue,
      significant: pValue <= ALPHA,
    })),
  };
}

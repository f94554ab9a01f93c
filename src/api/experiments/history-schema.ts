import { Type } from "@sinclair/typebox";
import { Id, Shape, Timestamp } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import type { ExperimentHistory as History } from "#usecases/experiments/experiment-history.ts";

const Count = Type.Integer({ minimum: 0 });

export const ExperimentHistory = Shape({
  days: Type.Array(
    Shape({
      date: Type.String({ format: "date", description: "UTC" }),
      variants: Type.Array(
        Shape({
          variant_id: Id,
          emails_sent: Count,
          replies: Count,
          interested: Count,
          bounced: Count,
        }),
        { description: "Every variant, in their order" },
      ),
    }),
    {
      description:
        "By the day on which a mail went out, what came of it until now; their sums are the counters " +
        "of the results. Days without mails are left out",
    },
  ),
  allocations: Type.Array(
    Shape({
      since: Timestamp,
      shares: Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1 }), {
        description: "By variant id: its share of new leads",
      }),
    }),
    { description: "Oldest first; each holds until the next" },
  ),
});

const NOTHING = { replies: 0, interested: 0, bounced: 0 };

export function presentHistory(history: History) {
  const { variants, days, epochs } = history;
  return present(ExperimentHistory, {
    days: [...Map.groupBy(days, ({ date }) => date)].map(([date, sums]) => ({
      date,
      variants: variants.map(({ id }) => {
        const sum = sums.find(({ variantId }) => variantId === id);
        return { ...NOTHING, ...sum, variantId: id, emailsSent: sum?.sent ?? 0 };
      }),
    })),
    allocations: epochs.map(({ since, allocation }) => ({
      since,
      shares: Object.fromEntries(variants.map(({ id }, place) => [id, allocation[place] ?? 0])),
    })),
  });
}

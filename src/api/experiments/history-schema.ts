import { Type } from "@sinclair/typebox";
import { Count, IdOf, Shape, TimestampOf } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import type { ExperimentHistory as History } from "#usecases/experiments/experiment-history.ts";

export const ExperimentHistory = Shape({
  days: Type.Array(
    Shape({
      date: Type.String({ format: "date", description: "Day, in UTC", examples: ["2026-03-02"] }),
      variants: Type.Array(
        Shape({
          variant_id: IdOf("The variant's id"),
          emails_sent: Count("Emails sent that day"),
          replies: Count("Of these, emails that got a reply"),
          interested: Count("Of these, emails whose reply shows interest"),
          bounced: Count("Of these, emails that bounced"),
        }),
        { description: "Every variant, in order" },
      ),
    }),
    {
      description:
        "Emails by the day on which they were sent, and what has come of them by now. Days without " +
        "emails are left out",
    },
  ),
  allocations: Type.Array(
    Shape({
      since: TimestampOf("When the split took effect"),
      shares: Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1 }), {
        description: "By variant id: its share of new leads, 0 to 1",
      }),
    }),
    { description: "How new leads were split, oldest first; each applies until the next one" },
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

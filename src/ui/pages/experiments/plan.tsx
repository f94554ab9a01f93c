/** Can this list answer the question? What the API says of it. */

import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { count, percent, plural } from "../../lib/format.ts";
import { Card, Loaded, Notice } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";

export type PlanInput = {
  campaign_id: string;
  step_position: number;
  variants: number;
  duration_days: number;
  attribution_window_days: number;
};

export function Plan({ input }: { input: PlanInput }) {
  const plan = useData(() => planOf(input));
  return (
    <Card title="Is this list large enough?">
      <Loaded data={plan}>
        {(said) =>
          said === null ? (
            <p class="quiet">
              Step {input.step_position} of this campaign isn’t an email yet. Write it first, then
              its variants.
            </p>
          ) : (
            <div class="stack">
              <Notice tone={said.can_answer ? "good" : "warn"}>{said.recommendation}</Notice>
              <p class="quiet small">{said.basis}</p>
              <Table
                label="Leads needed"
                isCards
                rows={said.sizes.map((size) => ({ ...size, id: String(size.ratio) }))}
                columns={[
                  {
                    title: "Difference",
                    cell: ({ ratio, rate }) => `×${ratio} (${percent(rate)})`,
                  },
                  {
                    title: "Leads per variant",
                    cell: ({ leads_per_variant }) => count(leads_per_variant),
                    isFigure: true,
                  },
                  {
                    title: "Decided after",
                    cell: ({ days }) => (days === null ? "never" : plural(days, "day")),
                    isFigure: true,
                  },
                  {
                    title: "Enough leads",
                    cell: ({ fits }) => (fits ? "✓ yes" : "✗ no"),
                  },
                ]}
              />
            </div>
          )
        }
      </Loaded>
    </Card>
  );
}

/** Null where the campaign has no email at that place. */
async function planOf(input: PlanInput) {
  const { data } = await api().listCampaignSteps({ id: input.campaign_id });
  const hasMail = data.some(
    ({ position, type }) => position === input.step_position && type === "email",
  );
  return hasMail ? await api().getExperimentPlan(input) : null;
}

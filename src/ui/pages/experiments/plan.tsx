/** Can this list answer the question? What the API says of it, and the curve behind. */

import { Lines } from "../../charts/lines.tsx";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { count, percent, plural } from "../../lib/format.ts";
import { Card, Loaded, Notice } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { powerOf } from "./power.ts";

export type PlanInput = {
  campaign_id: string;
  step_position: number;
  variants: number;
  duration_days: number;
  attribution_window_days: number;
};

const RATIO_STEP = 0.1;
const RATIO_MAX = 4;

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
              <p class="quiet small">
                {plural(said.leads_by_end, "lead")} reach the step within{" "}
                {plural(said.duration_days, "day")}, {count(said.leads_per_variant)} for each
                variant, at about {plural(said.leads_per_day, "lead")} a day. This assumes today’s
                rate of {percent(said.baseline)}.
              </p>
              <PowerCurve baseline={said.baseline} leads={said.leads_per_variant} />
              <Table
                label="Leads needed"
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

function PowerCurve({ baseline, leads }: { baseline: number; leads: number }) {
  const steps = Math.round((RATIO_MAX - 1) / RATIO_STEP);
  const ratios = Array.from({ length: steps + 1 }, (_, at) => 1 + at * RATIO_STEP);
  return (
    <Lines
      title="Chance of detecting a difference"
      note="By how many times better a variant is; 80% is the usual target"
      labels={ratios.map((ratio) => `×${ratio.toFixed(1)}`)}
      series={[
        {
          name: `With ${count(leads)} leads per variant`,
          colour: 1,
          values: ratios.map((ratio) => (leads === 0 ? 0 : powerOf(baseline, ratio, leads))),
        },
        { name: "80%", colour: 5, isDashed: true, values: ratios.map(() => 0.8) },
      ]}
      format={percent}
    />
  );
}

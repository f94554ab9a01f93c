/** The verdict in a sentence, the rule it follows, what being wrong would cost, and what to know beside it. */

import type { ExperimentDetail, ExperimentResult } from "#client.ts";
import { count, percent, plural } from "../../lib/format.ts";
import { Card, Notice } from "../../parts/page.tsx";
import { chance, METRICS, verdictTone } from "./words.ts";

export function Verdict({
  detail,
  results,
}: {
  detail: ExperimentDetail;
  results: ExperimentResult;
}) {
  const tone = verdictTone(results.recommendation_code);
  return (
    <>
      <Notice tone={tone} {...(tone === "brand" ? { icon: "activity" } : {})}>
        <p class="verdict">{results.recommendation}</p>
        <p class="quiet">
          {lossOf(results)} {RULES[detail.optimization_mode]} {splitOf(results)}
        </p>
      </Notice>
      {results.warnings.length > 0 && (
        <Notice tone="warn">
          <ul class="plain-list">
            {results.warnings.map(({ code, message }) => (
              <li key={code}>{message}</li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}

const RULES: Readonly<Record<ExperimentDetail["optimization_mode"], string>> = {
  fixed_split:
    "Decided when two variants differ at p ≤ 0.05, by a test that may be read every day.",
  auto_winner:
    "Decided when two variants differ at p ≤ 0.05, by a test that may be read every day; the winner then takes over.",
  thompson_sampling:
    "Decided at the end, when a variant is the best with a probability above 99% (95% among three or more), at p ≤ 0.05.",
};

function lossOf({ quality, variants, experiment }: ExperimentResult): string {
  const leader = variants.find(({ id }) => id === quality.leader_id);
  const loss = leader === undefined ? undefined : quality.expected_loss?.[leader.id];
  if (leader === undefined || loss === undefined) {
    return "No variant leads yet.";
  }
  const lost = loss * 1000;
  const cost = lost < 0.1 ? "less than 0.1" : `about ${lost.toFixed(lost < 10 ? 1 : 0)}`;
  const { events } = METRICS[experiment.primary_metric];
  return `Sending ${leader.name} to everyone would cost ${cost} ${events} per 1,000 leads if it is not the best.`;
}

function splitOf({ quality }: ExperimentResult): string {
  const p = quality.srm_p_value_decisive;
  if (quality.srm_detected) {
    return "The split is not as planned: look for the cause first.";
  }
  return p === null ? "" : `The split is as planned (p = ${Number(p.toPrecision(2))}).`;
}

/** What all leads have come to since the verdict. */
export function FinalEstimate({ results }: { results: ExperimentResult }) {
  const { final_estimate: estimate, variants } = results;
  if (estimate === null) {
    return null;
  }
  const rates = variants.map(({ id, name }) => {
    const { rate = 0, low = 0, high = 0 } = estimate.success_rates[id] ?? {};
    return `${name} ${percent(rate)} (${percent(low)} to ${percent(high)})`;
  });
  return (
    <p class="quiet">
      {estimate.is_complete ? "Final estimate" : "Estimate so far"}: {rates.join(", ")}
    </p>
  );
}

/** How far the experiment is, and what it can still show. */
export function Outlook({
  detail,
  results,
}: {
  detail: ExperimentDetail;
  results: ExperimentResult;
}) {
  const { quality, experiment } = results;
  const isOpen = experiment.status === "running" || experiment.status === "paused";
  const days = quality.estimated_days_to_decision;
  const facts: [name: string, value: string, about: string][] = [
    [
      "Doubt resolved",
      percent(detail.convergence),
      "how much of the doubt about which variant is best is gone",
    ],
    [
      "Smallest difference it can show",
      quality.mde_ratio === null ? "none" : `×${quality.mde_ratio.toFixed(2)}`,
      "of the rates, with the leads that come until the end",
    ],
    ["Leads not judged yet", count(quality.pending), "their time to answer is not over"],
    [
      "What another variant may still be worth",
      quality.value_remaining_95 === null ? "not known" : percent(quality.value_remaining_95),
      "more than the leader’s rate, with 95% certainty",
    ],
  ];
  if (isOpen) {
    facts.unshift([
      "Until it is decided",
      days === null ? "cannot be said" : `about ${plural(days, "day")}`,
      "at today’s pace and difference",
    ]);
  }
  return (
    <Card title="How far is it?">
      <dl class="big-facts">
        {facts.map(([name, value, about]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="number">{value}</dd>
            <dd class="faint small">{about}</dd>
          </div>
        ))}
      </dl>
      {isOpen && (
        <progress
          class="meter"
          aria-label="Doubt resolved"
          max={1}
          value={detail.convergence}
          title={chance(detail.convergence)}
        />
      )}
    </Card>
  );
}

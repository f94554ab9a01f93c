/** The verdict in a sentence, the rule it follows, what being wrong would cost, and what to know beside it. */

import type { ExperimentDetail, ExperimentResult } from "#client.ts";
import { count, percent, plural } from "../../lib/format.ts";
import { sum } from "../../lib/sum.ts";
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
          {lossOf(results)} {RULES[detail.optimization_mode]} {splitOf(results)} {basisOf(results)}
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
  fixed_split: "Decided when one variant beats every other at p ≤ 0.05, after at least seven days.",
  auto_winner:
    "Decided when one variant beats every other at p ≤ 0.05, after at least seven days. The winner is then written into the step.",
  test_and_roll:
    "Decided once the test is measured: the better variant is then written into the step, significant or not.",
  thompson_sampling:
    "Decided at the end, if a variant’s probability to be best is above 99% (95% with three or more variants) at p ≤ 0.05.",
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
  return `Sending ${leader.name} to everyone would cost ${cost} ${events} per 1,000 leads if it isn’t the best.`;
}

function splitOf({ quality }: ExperimentResult): string {
  const p = quality.srm_p_value_decisive;
  if (quality.srm_detected) {
    return "The split isn’t as planned. Find the cause first.";
  }
  return p === null ? "" : `The split is as planned (p = ${Number(p.toPrecision(2))}).`;
}

/** A verdict stays as it was made, as does the probability to be best; rates and lifts go on. */
function basisOf({ final_estimate: final, variants }: ExperimentResult): string {
  const all = sum(variants.map((one) => one.successes + one.failures));
  const judged = sum(
    Object.values(final?.at_verdict ?? {}).map((one) => one.successes + one.failures),
  );
  return judged === 0 || judged === all
    ? ""
    : `Decided on the ${plural(judged, "lead")} measured by then. Rates and lifts below are of all ${count(all)}.`;
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
      "Certainty",
      percent(detail.convergence),
      "How much of the uncertainty about which variant is best is gone",
    ],
    [
      "Smallest detectable difference",
      quality.mde_ratio === null ? "None" : `×${quality.mde_ratio.toFixed(2)}`,
      "Between rates, with the leads expected by the end",
    ],
    ["Leads not measured yet", count(quality.pending), "Still within their reply window"],
    [
      "Possible gain from another variant",
      quality.value_remaining_95 === null ? "Unknown" : percent(quality.value_remaining_95),
      "Over the leader’s rate at most, with 95% certainty",
    ],
  ];
  if (isOpen) {
    facts.unshift([
      "Time to decision",
      days === null ? "Unknown" : `About ${plural(days, "day")}`,
      "At today’s pace and difference",
    ]);
  }
  return (
    <Card title="Progress">
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
          aria-label="Certainty"
          max={1}
          value={detail.convergence}
          title={chance(detail.convergence)}
        />
      )}
    </Card>
  );
}

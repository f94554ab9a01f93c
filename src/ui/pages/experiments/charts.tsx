/** The pictures of an experiment, made of what the API says of it. */

import type { ExperimentHistory, ExperimentResult } from "#client.ts";
import { Density } from "../../charts/density.tsx";
import { Forest, type Interval } from "../../charts/forest.tsx";
import { Lines } from "../../charts/lines.tsx";
import { River } from "../../charts/river.tsx";
import { date, percent, plural } from "../../lib/format.ts";
import { sum } from "../../lib/sum.ts";
import { clipped, colourOf, eventsOf, labelOf, METRICS, wilson } from "./words.ts";

export function Posteriors({ results }: { results: ExperimentResult }) {
  const { variants, experiment } = results;
  const { rate } = METRICS[experiment.primary_metric];
  const judged = sum(variants.map((one) => one.successes + one.failures));
  const isBounce = experiment.primary_metric === "bounce_rate";
  return (
    <Density
      title={
        judged === 0
          ? "No leads measured yet: every rate is equally likely"
          : `Likely ${rate.toLowerCase()} of each variant`
      }
      note={`${rate}, based on ${plural(judged, "measured lead")}. Higher means more likely.`}
      of={variants.map(({ name, successes, failures }, place) => ({
        name: labelOf(name, place),
        colour: colourOf(place),
        successes: isBounce ? failures : successes,
        failures: isBounce ? successes : failures,
      }))}
    />
  );
}

/** What fits beside an interval's figures. */
const LABEL_MAX = 18;

/** Everybody against the first variant: of all leads measured by now, also those that came after the verdict. */
export function Lifts({ results }: { results: ExperimentResult }) {
  const [first] = results.variants;
  const latest = results.final_estimate?.lifts ?? [];
  const of = results.significance.flatMap((pair): Interval[] => {
    const isPair = (one: (typeof latest)[number]) =>
      one.variant_a_id === pair.variant_a_id && one.variant_b_id === pair.variant_b_id;
    const lift = latest.find(isPair) ?? pair;
    const place = results.variants.findIndex(({ id }) => id === pair.variant_b_id);
    return pair.variant_a_id !== first?.id || place < 0
      ? []
      : [
          {
            name: clipped(labelOf(pair.variant_b, place), LABEL_MAX),
            colour: colourOf(place),
            value: lift.lift_ratio,
            low: lift.lift_ratio_low,
            high: lift.lift_ratio_high,
          },
        ];
  });
  const pairs = results.significance.filter((pair) => pair.variant_a_id === first?.id);
  return (
    <>
      <Forest
        title={`Lift over ${first?.name ?? "the first variant"}`}
        note="Compared with A, with 95% intervals"
        against="A"
        of={of}
      />
      <ul class="plain-list small quiet">
        {pairs.map((pair) => (
          <li key={pair.variant_b_id} class="number">
            {clipped(pair.variant_b, LABEL_MAX)}:{" "}
            {pair.p_value < 0.001 ? "p < 0.001" : `p = ${pair.p_value.toFixed(3)}`}
            {results.final_estimate === null ? "" : " at the verdict"}
            {pair.significant ? ", significant" : ", not significant"}
            {results.final_estimate === null && !pair.significant && " yet"}
          </li>
        ))}
      </ul>
      <p class="quiet small">An interval that crosses “as A” isn’t evidence either way.</p>
    </>
  );
}

/** Events of all emails up to a day over these emails. */
export function RateByDay({
  results,
  history,
}: {
  results: ExperimentResult;
  history: ExperimentHistory;
}) {
  const metric = results.experiment.primary_metric;
  const series = results.variants.map((variant, place) => {
    let sent = 0;
    let events = 0;
    const values: number[] = [];
    const bounds: [number, number][] = [];
    for (const day of history.days) {
      const mine = day.variants.find(({ variant_id }) => variant_id === variant.id);
      sent += mine?.emails_sent ?? 0;
      events += mine === undefined ? 0 : eventsOf(metric, mine);
      values.push(sent === 0 ? 0 : events / sent);
      const [low, high] = wilson(events, sent);
      bounds.push([low, sent === 0 ? 0 : high]);
    }
    return { name: labelOf(variant.name, place), colour: colourOf(place), values, bounds };
  });
  const title = "Rate as emails add up";
  // A line begins with two days.
  if (history.days.length < 2) {
    return (
      <>
        <h2>{title}</h2>
        <p class="quiet small">The chart appears on the second day of sending.</p>
      </>
    );
  }
  return (
    <Lines
      title={title}
      note={`${METRICS[metric].rate} of all leads emailed up to each day, with 95% intervals`}
      labels={history.days.map((day) => date(`${day.date}T00:00:00Z`))}
      series={series}
      format={percent}
      least={0.01}
    />
  );
}

/** How the shares of new leads went. */
export function Split({
  results,
  history,
}: {
  results: ExperimentResult;
  history: ExperimentHistory;
}) {
  const { allocations } = history;
  return (
    <River
      title="Split of new leads"
      note="Each variant’s share of new leads, from one change to the next"
      labels={allocations.map(({ since }) => date(since))}
      series={results.variants.map((variant, place) => ({
        name: labelOf(variant.name, place),
        colour: colourOf(place),
        shares: allocations.map(({ shares }) => shares[variant.id] ?? 0),
      }))}
    />
  );
}

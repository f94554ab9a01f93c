/** The pictures of an experiment, made of what the API says of it. */

import type { ExperimentHistory, ExperimentResult } from "#client.ts";
import { Density } from "../../charts/density.tsx";
import { Forest, type Interval } from "../../charts/forest.tsx";
import { Lines } from "../../charts/lines.tsx";
import { River } from "../../charts/river.tsx";
import { date, percent, plural } from "../../lib/format.ts";
import { sum } from "../../lib/sum.ts";
import { clipped, colourOf, eventsOf, labelOf, METRICS, pOf, wilson } from "./words.ts";

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

/** Everybody against the present text: of all leads measured by now, also those that came after the verdict. */
export function Lifts({ results }: { results: ExperimentResult }) {
  const { variants, against_present: rows, final_estimate: final } = results;
  const placeOf = (wanted: string) => variants.findIndex(({ id }) => id === wanted);
  const present = placeOf(results.present_variant_id);
  const letter = labelOf("", present).slice(0, 1);
  return (
    <>
      <Forest
        title={`Lift over ${variants[present]?.name ?? "the present text"}`}
        note={`Compared with ${letter}, with 95% intervals`}
        against={letter}
        of={(final?.against_present ?? rows).map((row): Interval => {
          const place = placeOf(row.variant_id);
          return {
            name: clipped(labelOf(row.variant, place), LABEL_MAX),
            colour: colourOf(place),
            value: row.lift_ratio,
            low: row.lift_ratio_low,
            high: row.lift_ratio_high,
          };
        })}
      />
      <ul class="plain-list small quiet">
        {rows.map((row) => (
          <li key={row.variant_id} class="number">
            {clipped(row.variant, LABEL_MAX)}: p {pOf(row.p_value)}
            {final === null ? "" : " at the verdict"}
            {row.significant ? ", significant" : ", not significant"}
            {final === null && !row.significant && " yet"}
          </li>
        ))}
      </ul>
      <p class="quiet small">An interval that crosses “as {letter}” isn’t evidence either way.</p>
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

/** The pictures of an experiment, made of what the API says of it. */

import type { ExperimentHistory, ExperimentResult } from "#client.ts";
import { Density } from "../../charts/density.tsx";
import { Forest, type Interval } from "../../charts/forest.tsx";
import { Lines } from "../../charts/lines.tsx";
import { River } from "../../charts/river.tsx";
import { date, percent, plural } from "../../lib/format.ts";
import { sum } from "../../lib/sum.ts";
import { Fold } from "../../parts/fold.tsx";
import { Pairs } from "./variants.tsx";
import { clipped, colourOf, eventsOf, labelOf, METRICS } from "./words.ts";

/** Folded: what the verdict rests on. */
export function Sureness(props: { results: ExperimentResult; history: ExperimentHistory }) {
  const { results, history } = props;
  const { notes, variants } = results;
  return (
    <Fold title="How sure is this?">
      <ul class="plain-list">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      {variants.some(({ successes, failures }) => successes + failures > 0) && (
        <>
          <Posteriors results={results} />
          <Lifts results={results} />
        </>
      )}
      {history.days.length > 1 && <RateByDay {...props} />}
      {/* A split that stays as planned has nothing to draw. */}
      {history.allocations.length > 1 && <Split {...props} />}
      {variants.length > 2 && <Pairs results={results} />}
      <p>
        <a href="/docs/guide/experiments">How these numbers are calculated</a>
      </p>
    </Fold>
  );
}

function Posteriors({ results }: { results: ExperimentResult }) {
  const { variants, experiment } = results;
  const { rate } = METRICS[experiment.primary_metric];
  const judged = sum(variants.map((one) => one.successes + one.failures));
  const isBounce = experiment.primary_metric === "bounce_rate";
  return (
    <Density
      title={`Likely ${rate.toLowerCase()} of each variant`}
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
function Lifts({ results }: { results: ExperimentResult }) {
  const { variants, against_present: rows, final_estimate: final } = results;
  const placeOf = (wanted: string) => variants.findIndex(({ id }) => id === wanted);
  const present = placeOf(results.present_variant_id);
  const letter = labelOf("", present).slice(0, 1);
  return (
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
  );
}

/** Events of all emails up to a day over these emails. */
function RateByDay({
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
    for (const day of history.days) {
      const mine = day.variants.find(({ variant_id }) => variant_id === variant.id);
      sent += mine?.emails_sent ?? 0;
      events += mine === undefined ? 0 : eventsOf(metric, mine);
      values.push(sent === 0 ? 0 : events / sent);
    }
    return { name: labelOf(variant.name, place), colour: colourOf(place), values };
  });
  return (
    <Lines
      title="Rate as emails add up"
      note={`${METRICS[metric].rate} of all leads emailed up to each day`}
      labels={history.days.map((day) => date(`${day.date}T00:00:00Z`))}
      series={series}
      format={percent}
      least={0.01}
    />
  );
}

/** How the shares of new leads went. */
function Split({ results, history }: { results: ExperimentResult; history: ExperimentHistory }) {
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

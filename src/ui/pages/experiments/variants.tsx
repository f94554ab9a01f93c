/** The variants with their counters, as `GET /experiments/{id}/results` has them. */

import type { ExperimentDetail, ExperimentResult } from "#client.ts";
import { boundsOf, liftOf } from "../../charts/forest.tsx";
import { count, dateTime, percent } from "../../lib/format.ts";
import { Pill } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { chance, colourOf, labelOf, pOf, type Variant } from "./words.ts";

export function Variants({
  detail,
  results,
}: {
  detail: ExperimentDetail;
  results: ExperimentResult;
}) {
  const best = Math.max(...Object.values(detail.win_probabilities));
  return (
    <Table
      label="Variants"
      rows={results.variants}
      columns={[
        {
          title: "Variant",
          cell: (variant) => (
            <Name
              variant={variant}
              place={results.variants.indexOf(variant)}
              isWinner={detail.winner_variant_id === variant.id}
              isShown={results.recommendation_code !== "leader_picked"}
              isBehind={results.quality.eliminated.includes(variant.id)}
            />
          ),
        },
        { title: "Sent", cell: (row) => count(row.emails_sent), isFigure: true },
        {
          title: "Replies",
          cell: (row) => <Part count={row.replies} share={row.reply_rate} />,
          isFigure: true,
        },
        {
          title: "Rate, 95% interval",
          cell: (row) => {
            const { final_estimate: final, quality } = results;
            const range = final?.success_rates[row.id] ?? quality.credible_intervals[row.id];
            return range === undefined ? "–" : `${percent(range.low)} to ${percent(range.high)}`;
          },
          isFigure: true,
        },
        {
          title: "Probability to be best",
          cell: (row) => {
            const p = detail.win_probabilities[row.id] ?? 0;
            return p === best ? <strong>{chance(p)}</strong> : chance(p);
          },
          isFigure: true,
        },
        {
          title: "Interested",
          cell: (row) => <Part count={row.interested} share={row.interested_rate} />,
          isFigure: true,
        },
        {
          title: "Emails per interested reply",
          cell: ({ per_interested: { emails, emails_low, emails_high } }) => (
            <>
              {whole(emails)}
              <br />
              <span class="faint">
                {whole(emails_low)} to {whole(emails_high)}
              </span>
            </>
          ),
          isFigure: true,
        },
        { title: "Bounced", cell: (row) => count(row.bounced), isFigure: true },
        { title: "Opted out", cell: (row) => count(row.opted_out), isFigure: true },
        { title: "Measured", cell: (row) => count(row.successes + row.failures), isFigure: true },
        {
          title: "Share",
          cell: (row) => percent(detail.allocation[row.id] ?? 0),
          isFigure: true,
        },
      ]}
    />
  );
}

function whole(emails: number | null): string {
  return emails === null ? "∞" : count(Math.round(emails));
}

/** Every two of three or more, folded: most of what there is to say is said against the present text. */
export function Pairs({ results }: { results: ExperimentResult }) {
  return (
    <details class="card method-card">
      <summary>All pairs</summary>
      <Table
        label="All pairs"
        rows={results.significance.map((pair) => ({
          ...pair,
          id: pair.variant_a_id + pair.variant_b_id,
        }))}
        columns={[
          { title: "Pair", cell: (pair) => `${pair.variant_b} over ${pair.variant_a}` },
          { title: "Lift", cell: (pair) => liftOf(pair.lift_ratio), isFigure: true },
          {
            title: "95% interval",
            cell: (pair) => boundsOf(pair.lift_ratio_low, pair.lift_ratio_high),
            isFigure: true,
          },
          { title: "p-value", cell: (pair) => pOf(pair.p_value), isFigure: true },
        ]}
      />
    </details>
  );
}

/** What its emails said, also when the step says something else by now. */
function Said({ variant }: { variant: Variant }) {
  const last = variant.contents.at(-1);
  if (last === undefined) {
    const { subject } = variant.config as { subject?: unknown };
    const own = typeof subject === "string" ? `“${subject}”` : "Same subject as the step";
    return <p class="faint small">{own}</p>;
  }
  return (
    <details class="faint small">
      <summary>{last.subject === null ? "In the same thread" : `“${last.subject}”`}</summary>
      {variant.contents.map(({ subject, body, since }) => (
        <div key={since}>
          {dateTime(since)}: {subject}
          <pre class="variant-words">{body}</pre>
        </div>
      ))}
    </details>
  );
}

function Part(props: { count: number; share: number }) {
  return (
    <>
      {count(props.count)} <span class="faint">{percent(props.share)}</span>
    </>
  );
}

function Name(props: {
  variant: Variant;
  place: number;
  isWinner: boolean;
  isShown: boolean;
  isBehind: boolean;
}) {
  const { variant, place, isWinner, isShown, isBehind } = props;
  return (
    <div class="variant-name">
      <i class="swatch" style={{ background: `var(--series-${colourOf(place)})` }} />
      <div>
        {labelOf(variant.name, place)}{" "}
        {isWinner && <Pill tone="good">{isShown ? "Winner" : "Picked"}</Pill>}
        {variant.out_reason === "guardrail" && <Pill tone="bad">Removed: bounces or opt-outs</Pill>}
        {variant.out_reason === "eliminated" && <Pill tone="warn">Removed: clearly behind</Pill>}
        {variant.out_reason === "switched_off" && <Pill>Switched off</Pill>}
        {variant.out_reason === null && isBehind && <Pill tone="warn">Clearly behind</Pill>}
        <Said variant={variant} />
      </div>
    </div>
  );
}

/** The variants with their counters, as `GET /experiments/{id}/results` has them. */

import type { ExperimentDetail, ExperimentResult } from "#client.ts";
import { boundsOf, liftOf } from "../../charts/forest.tsx";
import { count, dateTime, NONE, percent } from "../../lib/format.ts";
import { Pill } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { isOpen, SwitchMenu } from "./switch.tsx";
import { chance, colourOf, labelOf, type Variant } from "./words.ts";

export function Variants({
  detail,
  results,
  reload,
}: {
  detail: ExperimentDetail;
  results: ExperimentResult;
  reload: () => void;
}) {
  const { final_estimate: final, quality, recommendation_code: code } = results;
  const best = Math.max(...Object.values(detail.win_probabilities));
  const winner =
    detail.winner_variant_id ?? (results.winner === null ? null : results.quality.leader_id);
  const columns: Column<Variant>[] = [
    {
      title: "Variant",
      cell: (variant) => (
        <Name
          variant={variant}
          place={results.variants.indexOf(variant)}
          standing={
            winner === variant.id
              ? code === "leader_picked"
                ? "Picked"
                : "Winner"
              : winner === null && quality.eliminated.includes(variant.id)
                ? "Clearly behind"
                : null
          }
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
        const range = final?.success_rates[row.id] ?? quality.credible_intervals[row.id];
        return row.emails_sent === 0 || range === undefined
          ? NONE
          : `${percent(range.low)} to ${percent(range.high)}`;
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
    { title: "Bounced", cell: (row) => count(row.bounced), isFigure: true },
    { title: "Opted out", cell: (row) => count(row.opted_out), isFigure: true },
  ];
  if (detail.status === "running") {
    columns.push({
      title: "Share of new leads",
      cell: (row) => percent(detail.allocation[row.id] ?? 0),
      isFigure: true,
    });
  }
  if (isOpen(detail)) {
    columns.push({
      title: "Actions",
      cell: (variant) => <SwitchMenu {...{ variant, detail, reload }} />,
    });
  }
  return <Table label="Variants" isCards rows={results.variants} columns={columns} />;
}

/** Every two of three or more: most of what there is to say is said against the present text. */
export function Pairs({ results }: { results: ExperimentResult }) {
  return (
    <Table
      label="All pairs"
      isCards
      rows={results.significance.map((pair) => ({
        ...pair,
        id: pair.variant_a_id + pair.variant_b_id,
      }))}
      columns={[
        { title: "All pairs", cell: (pair) => `${pair.variant_b} over ${pair.variant_a}` },
        { title: "Lift", cell: (pair) => liftOf(pair.lift_ratio), isFigure: true },
        {
          title: "95% interval",
          cell: (pair) => boundsOf(pair.lift_ratio_low, pair.lift_ratio_high),
          isFigure: true,
        },
        { title: "Difference", cell: ({ significant }) => (significant ? "Shown" : "Not shown") },
      ]}
    />
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

const STANDINGS = { Winner: "good", Picked: "good", "Clearly behind": "warn" } as const;
const OUT = {
  guardrail: ["bad", "Removed: beyond a guardrail"],
  eliminated: ["warn", "Removed: clearly behind"],
  switched_off: ["plain", "Switched off"],
} as const;

function Name({
  variant,
  place,
  standing,
}: {
  variant: Variant;
  place: number;
  standing: keyof typeof STANDINGS | null;
}) {
  const [tone, word] =
    variant.out_reason !== null
      ? OUT[variant.out_reason]
      : standing === null
        ? []
        : [STANDINGS[standing], standing];
  return (
    <div class="variant-name">
      <i class="swatch" style={{ background: `var(--series-${colourOf(place)})` }} />
      <div>
        <bdi>{labelOf(variant.name, place)}</bdi> {tone && <Pill tone={tone}>{word}</Pill>}
        <Said variant={variant} />
      </div>
    </div>
  );
}

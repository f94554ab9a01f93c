/** Parts of a whole, one bar a row: where emails ended, by provider. */

import { count, percent } from "../lib/format.ts";
import { sum } from "../lib/sum.ts";
import { Chart } from "./chart.tsx";

export type PartTone = "good" | "series-3" | "bad" | "series-5" | "line-strong" | "series-2";

export interface Part {
  name: string;
  /** A colour token. */
  tone: PartTone;
}

export interface ShareRow {
  name: string;
  /** One a part. */
  counts: readonly number[];
}

export function ShareBars(props: {
  title: string;
  note?: string;
  parts: readonly Part[];
  rows: readonly ShareRow[];
}) {
  const { title, note, parts, rows } = props;
  const figures = {
    columns: ["", ...parts.map(({ name }) => name)],
    rows: rows.map(({ name, counts }) => [name, ...counts]),
  };
  return (
    <Chart title={title} figures={figures} {...(note ? { note } : {})}>
      {() => (
        <>
          <ul class="legend">
            {parts.map(({ name, tone }) => (
              <li key={name}>
                <i style={{ background: `var(--${tone})` }} />
                {name}
              </li>
            ))}
          </ul>
          <ul class="share-bars">
            {rows.map((row) => (
              <Bar key={row.name} row={row} parts={parts} />
            ))}
          </ul>
        </>
      )}
    </Chart>
  );
}

function Bar({ row, parts }: { row: ShareRow; parts: readonly Part[] }) {
  const total = sum(row.counts);
  const said = parts.map(({ name }, at) => `${name} ${count(row.counts[at])}`).join(", ");
  return (
    <li title={said}>
      <span class="name">{row.name}</span>
      <span class="track" role="img" aria-label={said}>
        {parts.map(({ name, tone }, at) => {
          const share = total === 0 ? 0 : (row.counts[at] ?? 0) / total;
          return share === 0 ? null : (
            <i key={name} style={{ background: `var(--${tone})`, flexGrow: share }} />
          );
        })}
      </span>
      <span class="number">{total === 0 ? "–" : percent((row.counts[0] ?? 0) / total)}</span>
    </li>
  );
}

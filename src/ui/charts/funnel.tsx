/** How many get how far: one bar a stage, each a part of the first. */

import { count, rate } from "../lib/format.ts";
import { Chart } from "./chart.tsx";

export interface Stage {
  name: string;
  value: number;
  /** Those of them who answered here. */
  answered: number | null;
  bounced: number | null;
  left: number | null;
}

export function Funnel(props: { title: string; note: string; stages: readonly Stage[] }) {
  const { title, note, stages } = props;
  const most = Math.max(1, ...stages.map(({ value }) => value));
  const figures = {
    columns: ["Stage", "Leads", "Replied", "Bounced", "Unsubscribed"],
    rows: stages.map(({ name, value, answered, bounced, left }) => [
      name,
      value,
      ...[answered, bounced, left].map((each) => each ?? ""),
    ]),
  };
  return (
    <Chart title={title} note={note} figures={figures}>
      {() => (
        <ol class="funnel">
          {stages.map(({ name, value, answered, bounced, left }) => (
            <li key={name}>
              <span class="funnel-name">{name}</span>
              <span class="funnel-track">
                <i style={{ width: `${(value / most) * 100}%` }} />
                {answered !== null && <b style={{ width: `${(answered / most) * 100}%` }} />}
              </span>
              <span class="number funnel-value">{count(value)}</span>
              <span class="small quiet funnel-note">
                {answered === null
                  ? "enrolled"
                  : [
                      `${count(answered)} replied (${rate(answered, value)})`,
                      bounced ? `${count(bounced)} bounced` : "",
                      left ? `${count(left)} unsubscribed` : "",
                    ]
                      .filter((part) => part !== "")
                      .join(" · ")}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Chart>
  );
}

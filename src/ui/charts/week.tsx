/** Counts by weekday and hour: 168 cells, darker where there is more, with a cursor for arrow keys. */

import { useSignal } from "@preact/signals";
import { Chart } from "./chart.tsx";
import { CursorKeys } from "./plot.tsx";

export const DAYS = [
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
  "Sunday",
] as const;

const HOURS = 24;
const LEFT = 40;
const ROW = 24;
const GAP = 3;
const FOOT = 20;
const LABEL_EVERY = 6;
/** What the least count but none looks like. */
const FAINTEST = 0.18;

export function Week(props: {
  title: string;
  note: string;
  /** What is counted: "replies". */
  unit: (count: number) => string;
  /** By weekday, Monday first, and hour. */
  hours: readonly (readonly number[])[];
}) {
  const { title, note, unit, hours } = props;
  const cursor = useSignal<number | undefined>(undefined);
  const most = Math.max(1, ...hours.flat());
  const figures = {
    columns: ["", ...Array.from({ length: HOURS }, (_, hour) => String(hour))],
    rows: DAYS.map((day, at) => [day, ...(hours[at] ?? [])]),
  };
  const say = (at: number) => `${DAYS[Math.floor(at / HOURS)]} ${clock(at % HOURS)}`;
  const countAt = (at: number) => hours[Math.floor(at / HOURS)]?.[at % HOURS] ?? 0;
  return (
    <Chart title={title} note={note} figures={figures}>
      {(width) => {
        const column = (width - LEFT) / HOURS;
        const at = cursor.value;
        return (
          <>
            <svg class="week" height={7 * ROW + FOOT} role="img" aria-label={title}>
              {DAYS.map((day, row) => (
                <g key={day} transform={`translate(0 ${row * ROW})`}>
                  <text x={0} y={ROW / 2} dy="0.25em">
                    {day.slice(0, 3)}
                  </text>
                  {Array.from({ length: HOURS }, (_, hour) => {
                    const index = row * HOURS + hour;
                    return (
                      <rect
                        key={hour}
                        class={index === at ? "is-here" : ""}
                        x={LEFT + hour * column}
                        width={Math.max(1, column - GAP)}
                        height={ROW - GAP}
                        rx={3}
                        fill-opacity={shade(countAt(index), most)}
                        onPointerEnter={() => {
                          cursor.value = index;
                        }}
                        onPointerLeave={() => {
                          cursor.value = undefined;
                        }}
                      />
                    );
                  })}
                </g>
              ))}
              {Array.from({ length: HOURS / LABEL_EVERY }, (_, n) => n * LABEL_EVERY).map(
                (hour) => (
                  <text key={hour} x={LEFT + hour * column} y={7 * ROW + FOOT - 6}>
                    {clock(hour)}
                  </text>
                ),
              )}
            </svg>
            <CursorKeys
              {...{ title, cursor }}
              rest={0}
              last={7 * HOURS - 1}
              say={(hour) => `${say(hour)}: ${unit(countAt(hour))}`}
            />
            {at !== undefined && (
              <div
                class="tip"
                style={{
                  left: `${Math.min(width - 150, LEFT + (at % HOURS) * column)}px`,
                  bottom: `${FOOT + (7 - Math.floor(at / HOURS)) * ROW}px`,
                  top: "auto",
                }}
              >
                <strong>{say(at)}</strong>
                <br />
                {unit(countAt(at))}
              </div>
            )}
          </>
        );
      }}
    </Chart>
  );
}

function shade(count: number, most: number): number {
  return count === 0 ? 0 : FAINTEST + (1 - FAINTEST) * (count / most);
}

export function clock(hour: number): string {
  return `${String(hour).padStart(2, "0")}:00`;
}

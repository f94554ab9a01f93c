/**
 * A calendar of what each mailbox will send: a row a mailbox, a column a day. A day on which it is held is
 * hatched and says why.
 */

import { useSignal } from "@preact/signals";
import { count, plural } from "../lib/format.ts";
import { Scroll } from "../parts/scroll.tsx";
import { Chart } from "./chart.tsx";

export interface CapacityCell {
  sends: number;
  /** Why nothing goes out, where nothing does and something could. */
  held: string | null;
}

export interface CapacityRow {
  id: string;
  name: string;
  /** Emails that it may send on one day. */
  cap: number;
  cells: readonly CapacityCell[];
}

export function Capacity(props: {
  title: string;
  note: string;
  /** Days: what stands above a column, and what it is called in full. */
  days: readonly { short: string; full: string }[];
  rows: readonly CapacityRow[];
}) {
  const { title, note, days, rows } = props;
  const told = useSignal("");
  const figures = {
    columns: ["Mailbox", "Daily limit", ...days.map(({ full }) => full)],
    rows: rows.map(({ name, cap, cells }) => [
      name,
      cap,
      ...cells.map(({ sends, held }) => (sends === 0 && held !== null ? held : sends)),
    ]),
  };
  return (
    <Chart title={title} note={note} figures={figures}>
      {() => (
        <>
          <Scroll label={title}>
            <table class="capacity">
              <thead>
                <tr>
                  <th scope="col">Mailbox</th>
                  {days.map(({ short, full }) => (
                    <th key={full} scope="col" title={full}>
                      {short}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row.id}>
                    <th scope="row" title={`${row.name}: up to ${plural(row.cap, "email")} a day`}>
                      {row.name}
                    </th>
                    {row.cells.map((cell, at) => (
                      <Cell
                        key={days[at]?.full}
                        cell={cell}
                        row={row}
                        day={days[at]?.full ?? ""}
                        onLook={(text) => {
                          told.value = text;
                        }}
                      />
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
          <p class="quiet small chart-cursor" aria-live="polite">
            {told.value || "Point to a day, or tab to it, for details."}
          </p>
        </>
      )}
    </Chart>
  );
}

function Cell(props: {
  cell: CapacityCell;
  row: CapacityRow;
  day: string;
  onLook: (text: string) => void;
}) {
  const { cell, row, day, onLook } = props;
  const { sends, held } = cell;
  const isHeld = sends === 0 && held !== null;
  const share = row.cap === 0 ? 0 : Math.min(1, sends / row.cap);
  const what = isHeld ? held : `${plural(sends, "email")} of ${count(row.cap)}`;
  const said = `${row.name}, ${day}: ${what}`;
  const look = () => onLook(said);
  return (
    <td>
      <button
        type="button"
        class="capacity-cell"
        data-held={isHeld || undefined}
        style={{ "--share": share }}
        aria-label={said}
        title={said}
        onFocus={look}
        onPointerEnter={look}
      >
        {sends > 0 ? count(sends) : ""}
      </button>
    </td>
  );
}

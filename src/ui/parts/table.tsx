/** A plain table for up to a few hundred rows. Longer lists are windowed (`long-table.tsx`). */

import type { ComponentChildren } from "preact";
import { Scroll } from "./scroll.tsx";

export interface Column<Row> {
  title: string;
  cell: (row: Row) => ComponentChildren;
  /** Figures stand right-aligned with digits of one width. */
  isFigure?: boolean;
  /** In a long table: its least width in pixels, and its share of what is left over. */
  track?: readonly [px: number, share: number];
  /** Left out of a long table where it is narrow. */
  isMinor?: boolean;
}

/** Buttons and checkboxes say by themselves what they are for. */
export function headOf<Row>({ title }: Column<Row>): ComponentChildren {
  return title === "Actions" || title === "Selected" ? <span class="unseen">{title}</span> : title;
}

export function Table<Row extends { id: string }>(props: {
  /** Says what the table holds, for those who do not see it. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** On a phone each row is a card, every figure beside what it is. */
  isCards?: boolean;
}) {
  const look = (column: Column<Row>) => (column.isFigure ? "figures" : "");
  return (
    <Scroll label={props.label}>
      <table class={props.isCards ? "table cards" : "table"} aria-label={props.label}>
        <thead>
          <tr>
            {props.columns.map((column) => (
              <th key={column.title} scope="col" class={look(column)}>
                {headOf(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr key={row.id}>
              {props.columns.map((column) => (
                <td key={column.title} class={look(column)} data-title={column.title}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** A plain table for up to a few hundred rows. Longer lists are windowed (`long-table.tsx`). */

import type { ComponentChildren } from "preact";

export interface Column<Row> {
  title: string;
  cell: (row: Row) => ComponentChildren;
  /** Figures stand right-aligned with digits of one width. */
  isFigure?: boolean;
  /** A grid track in place of the usual, in a long table. */
  width?: string;
  /** Left out of a long table where it is narrow. */
  isMinor?: boolean;
}

/** For `ref`: what is wider than its place is scrolled by keys too. */
export function focusable(box: HTMLElement | null): void {
  if (box !== null && box.scrollWidth > box.clientWidth) {
    box.tabIndex = 0;
  } else {
    box?.removeAttribute("tabindex");
  }
}

export function Table<Row extends { id: string }>(props: {
  /** Says what the table holds, for those who do not see it. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
}) {
  const look = (column: Column<Row>) => (column.isFigure ? "figures" : "");
  return (
    <div class="scroll-x" ref={(box) => focusable(box)}>
      <table class="table" aria-label={props.label}>
        <thead>
          <tr>
            {props.columns.map((column) => (
              <th key={column.title} scope="col" class={look(column)}>
                {column.title === "Actions" ? <span class="unseen">Actions</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr key={row.id}>
              {props.columns.map((column) => (
                <td key={column.title} class={look(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/**
 * A chart as a reader meets it: a title that names it or states its finding, a legend, the picture, and behind
 * "Table" and "CSV" the figures that it is made of.
 */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Scroll } from "../parts/scroll.tsx";
import { useWidth } from "./size.ts";

export interface Series {
  name: string;
  /** 1 to 5: `--series-N`. Variants A, B, C, D keep 1 to 4 everywhere. */
  colour: 1 | 2 | 3 | 4 | 5;
  isDashed?: boolean;
}

export interface Figures {
  columns: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

export function Chart(props: {
  title: string;
  /** What is counted, and over what. */
  note?: ComponentChildren;
  legend?: readonly Series[];
  figures: Figures;
  /** Draws the picture at `width`. */
  children: (width: number) => ComponentChildren;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const asTable = useSignal(false);
  return (
    <figure class="chart" ref={frame}>
      <header class="figure-row">
        <h2>{props.title}</h2>
        <div class="actions">
          <Button
            look="plain compact"
            aria-pressed={asTable.value}
            onClick={() => {
              asTable.value = !asTable.value;
            }}
          >
            Table
          </Button>
          <a
            class="button plain compact"
            download={`${props.title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.csv`}
            href={`data:text/csv;charset=utf-8,${encodeURIComponent(csv(props.figures))}`}
          >
            CSV
          </a>
        </div>
      </header>
      {props.note && <p class="quiet small">{props.note}</p>}
      {props.legend && <Legend series={props.legend} />}
      {asTable.value ? <FigureTable {...props.figures} /> : width > 0 && props.children(width)}
    </figure>
  );
}

function Legend({ series }: { series: readonly Series[] }) {
  return (
    <ul class="legend">
      {series.map(({ name, colour, isDashed }) => (
        <li key={name}>
          <i class={isDashed ? "dashed" : ""} style={{ background: `var(--series-${colour})` }} />
          {name}
        </li>
      ))}
    </ul>
  );
}

function FigureTable({ columns, rows }: Figures) {
  return (
    <Scroll label="Figures">
      <table class="table">
        <thead>
          <tr>
            {columns.map((column) =>
              column === "" ? (
                <td key="" />
              ) : (
                <th key={column} scope="col">
                  {column}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={String(row[0])}>
              {row.map((cell, index) => (
                <td key={columns[index]} class={typeof cell === "number" ? "figures" : ""}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** RFC 4180; a cell that a spreadsheet would run as a formula is led by an apostrophe. */
export function csv({ columns, rows }: Figures): string {
  const quote = (cell: string | number) => {
    const text = typeof cell === "number" ? String(cell) : cell.replace(/^[=+\-@\t\r]/, "'$&");
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows].map((row) => row.map(quote).join(",")).join("\r\n");
}

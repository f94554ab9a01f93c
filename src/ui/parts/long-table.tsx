/**
 * A table of a million rows in one scroll: only the rows in view are drawn, and pages of them are asked
 * for as they come into view. A browser lets no element be taller than some 33 million pixels, so the
 * scroll height is capped and mapped onto the rows.
 */

import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { count } from "../lib/format.ts";
import { changes } from "../lib/live.ts";
import type { Column } from "./table.tsx";

const ROW_PX = 40;
const HEIGHT_PX_MAX = 8_000_000;
const PAGE_ROWS = 100;
/** Pages kept; the ones farthest from view go first. */
const PAGES_MAX = 40;
/** Rows drawn beyond each edge. */
const MARGIN_ROWS = 8;

export interface Slice<Row> {
  data: readonly Row[];
  total: number;
}

export interface LongTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  /** Rows `offset` to `offset + 99`. What it reads before its first await is followed. */
  load: (offset: number) => Promise<Slice<Row>>;
  families?: readonly string[];
  heightPx?: number;
}

export function LongTable<Row extends { id: string }>(props: LongTableProps<Row>) {
  const { label, columns, heightPx = 640 } = props;
  const { total, rowAt, top, scrollPx, bodyPx, show } = useWindow(props, heightPx);
  const visible = Math.ceil(heightPx / ROW_PX) + 2 * MARGIN_ROWS;
  const first = Math.max(0, Math.floor(top / ROW_PX) - MARGIN_ROWS);
  const drawn = Math.max(0, Math.min(visible, total - first));
  const height = Math.min(heightPx, Math.max(1, total) * ROW_PX);
  return (
    <>
      <table
        class="long-table"
        aria-label={label}
        aria-rowcount={total}
        style={{
          "--columns": tracksOf(columns),
          "--main-columns": tracksOf(columns.filter(({ isMinor }) => !isMinor)),
        }}
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" key={column.title} class={lookOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody
          style={{ height: `${height}px`, "--ground": `${bodyPx}px` }}
          onScroll={({ currentTarget }) => show(currentTarget.scrollTop)}
        >
          {Array.from({ length: drawn }, (_, n) => first + n).map((index) => (
            <LongRow
              key={index}
              index={index}
              row={rowAt(index)}
              columns={columns}
              atPx={scrollPx + index * ROW_PX - top}
            />
          ))}
        </tbody>
      </table>
      <p class="quiet small long-foot">{count(total)} in all</p>
    </>
  );
}

/** Figures take what they need, texts share the rest. */
function tracksOf<Row>(columns: readonly Column<Row>[]): string {
  return columns
    .map(({ isFigure, width }) => width ?? (isFigure ? "minmax(88px, auto)" : "minmax(0, 1fr)"))
    .join(" ");
}

function lookOf<Row>({ isFigure, isMinor }: Column<Row>): string {
  return `${isFigure ? "figures" : ""}${isMinor ? " minor" : ""}`;
}

function LongRow<Row>(props: {
  index: number;
  /** Undefined until it has come. */
  row: Row | undefined;
  columns: readonly Column<Row>[];
  atPx: number;
}) {
  const { index, row, columns, atPx } = props;
  return (
    <tr aria-rowindex={index + 1} style={{ transform: `translateY(${atPx}px)` }}>
      {columns.map((column) => (
        <td key={column.title} class={lookOf(column)}>
          {row === undefined ? <i class="skeleton" /> : column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

function useWindow<Row>({ load, families = [] }: LongTableProps<Row>, heightPx: number) {
  const pages = useSignal<ReadonlyMap<number, readonly Row[]>>(new Map());
  const total = useSignal(0);
  const scrollPx = useSignal(0);

  const fullPx = useComputed(() => total.value * ROW_PX);
  const bodyPx = useComputed(() => Math.min(fullPx.value, HEIGHT_PX_MAX));
  /** The place in the rows, in pixels as if the element could be as tall as they are. */
  const top = useComputed(() => {
    const scrollable = Math.max(1, bodyPx.value - heightPx);
    return (scrollPx.value / scrollable) * Math.max(0, fullPx.value - heightPx);
  });
  const firstPage = useComputed(() => Math.floor(top.value / ROW_PX / PAGE_ROWS));
  const lastPage = useComputed(() => Math.floor((top.value + heightPx) / ROW_PX / PAGE_ROWS));

  useSignalEffect(() => {
    for (const family of families) {
      changes(family);
    }
    const wanted = [...new Set([firstPage.value, lastPage.value])];
    let isCurrent = true;
    for (const page of wanted) {
      load(page * PAGE_ROWS).then(
        (slice) => {
          if (isCurrent) {
            total.value = slice.total;
            pages.value = nearest(new Map(pages.peek()).set(page, slice.data), page);
          }
        },
        () => undefined,
      );
    }
    return () => {
      isCurrent = false;
    };
  });

  return {
    total: total.value,
    top: top.value,
    scrollPx: scrollPx.value,
    bodyPx: bodyPx.value,
    rowAt: (index: number) => pages.value.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS],
    show: (px: number) => {
      scrollPx.value = px;
    },
  };
}

function nearest<Row>(pages: Map<number, readonly Row[]>, to: number): typeof pages {
  const kept = [...pages].sort(([a], [b]) => Math.abs(a - to) - Math.abs(b - to));
  return new Map(kept.slice(0, PAGES_MAX));
}

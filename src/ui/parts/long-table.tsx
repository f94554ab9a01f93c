/**
 * A table of a million rows in one scroll: only the rows in view are drawn, and pages of them are asked
 * for as they come into view. A browser lets no element be taller than some 33 million pixels, so the
 * scroll height is capped and mapped onto the rows.
 */

import { type Signal, untracked, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { askAgain, errorOf } from "../lib/data.ts";
import { count } from "../lib/format.ts";
import { changes } from "../lib/live.ts";
import { Failed, Loading } from "./page.tsx";
import { Scroll } from "./scroll.tsx";
import { type Column, headOf } from "./table.tsx";

const ROW_PX = 40;
/** As the style has them: between columns, and at both ends of a row together. */
const GAP_PX = 16;
const ENDS_PX = 36;
const HEIGHT_PX_MAX = 8_000_000;
const PAGE_ROWS = 100;
/** Pages kept; the ones farthest from view go first. */
const PAGES_MAX = 40;
/** Pages that are waited for before others are asked for. */
const WAITING_MAX = 2;
/** Rows drawn beyond each edge. */
const MARGIN_ROWS = 8;
const MARGIN_PX = MARGIN_ROWS * ROW_PX;

export interface Slice<Row> {
  data: readonly Row[];
  total: number;
  /** There may be more than `total`. */
  total_is_capped?: boolean;
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
  const shown = useWindow(props, heightPx);
  const { total, isCapped, isFirst, error, retry, rowAt, top, scrollPx, bodyPx, show } = shown;
  const visible = Math.ceil(heightPx / ROW_PX) + 2 * MARGIN_ROWS;
  const first = Math.max(0, Math.floor(top / ROW_PX) - MARGIN_ROWS);
  const drawn = Math.max(0, Math.min(visible, total - first));
  const height = Math.min(heightPx, Math.max(1, total) * ROW_PX);
  const main = columns.filter(({ isMinor }) => !isMinor);
  if (error !== undefined) {
    return <Failed error={error} retry={retry} />;
  }
  if (isFirst) {
    return <Loading lines={8} />;
  }
  return (
    <>
      <Scroll label={label}>
        <table
          class="long-table"
          aria-label={label}
          aria-rowcount={total}
          style={{
            "--columns": tracksOf(columns),
            "--least": leastOf(columns),
            "--main-columns": tracksOf(main),
            "--main-least": leastOf(main),
          }}
        >
          <thead>
            <tr>
              {columns.map((column) => (
                <th scope="col" key={column.title} class={lookOf(column)}>
                  {headOf(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
            tabIndex={0}
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
      </Scroll>
      <p class="quiet small long-foot">{`${count(total)}${isCapped ? "+" : ""}`} total</p>
    </>
  );
}

/** Figures are as wide in every row, texts share the rest. */
function trackOf<Row>({ isFigure, track }: Column<Row>): readonly [px: number, share: number] {
  return track ?? (isFigure ? [96, 0] : [80, 1]);
}

function tracksOf<Row>(columns: readonly Column<Row>[]): string {
  return columns
    .map(trackOf)
    .map(([px, share]) => (share === 0 ? `${px}px` : `minmax(${px}px, ${share}fr)`))
    .join(" ");
}

/** The width below which the table is scrolled sideways. */
function leastOf<Row>(columns: readonly Column<Row>[]): string {
  const gaps = ENDS_PX + (columns.length - 1) * GAP_PX;
  return `${columns.reduce((sum, column) => sum + trackOf(column)[0], gaps)}px`;
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
  const scrollPx = useSignal(0);
  const total = useSignal(0);
  const isCapped = useSignal(false);
  const fullPx = useComputed(() => total.value * ROW_PX);
  const bodyPx = useComputed(() => Math.min(fullPx.value, HEIGHT_PX_MAX));
  /** The place in the rows, in pixels as if the element could be as tall as they are. */
  const top = useComputed(() => {
    const scrollable = Math.max(1, bodyPx.value - heightPx);
    return (scrollPx.value / scrollable) * Math.max(0, fullPx.value - heightPx);
  });
  const pageAt = (px: number) =>
    Math.floor(Math.max(0, Math.min(px / ROW_PX, total.value - 1)) / PAGE_ROWS);
  // Of the rows that are drawn, so that the next ones are there before they are scrolled to.
  const firstPage = useComputed(() => pageAt(top.value - MARGIN_PX));
  const lastPage = useComputed(() => pageAt(top.value + heightPx + MARGIN_PX));
  const inView = () => [...new Set([firstPage.value, lastPage.value])];
  const { pages, isFirst, error, retry } = usePages({ load, families, inView, total, isCapped });
  return {
    total: total.value,
    isCapped: isCapped.value,
    isFirst,
    error: total.value === 0 ? error.value : undefined,
    retry,
    top: top.value,
    scrollPx: scrollPx.value,
    bodyPx: bodyPx.value,
    rowAt: (index: number) => pages.value.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS],
    show: (px: number) => {
      scrollPx.value = px;
    },
  };
}

interface Pages<Row> extends Pick<LongTableProps<Row>, "load"> {
  families: readonly string[];
  /** Those that have a row that is drawn; read in an effect to follow it. */
  inView: () => number[];
  total: Signal<number>;
  isCapped: Signal<boolean>;
}

/**
 * The pages that have come. Where something happened, or what `load` reads has changed, those in view
 * come again and take the place of all: what lies elsewhere may have changed too.
 */
function usePages<Row>({ load, families, inView, total, isCapped }: Pages<Row>) {
  const pages = useSignal<ReadonlyMap<number, readonly Row[]>>(new Map());
  const error = useSignal<Error | undefined>(undefined);
  const turn = useRef({ isFresh: true, waiting: new Set<number>() });
  const answered = useSignal(0);
  const tries = useSignal(0);

  const retry = () => {
    tries.value += 1;
  };
  const fetchPage = (page: number) => {
    const asked = turn.current;
    asked.waiting.add(page);
    load(page * PAGE_ROWS)
      .then(
        (slice) => {
          if (asked === turn.current) {
            const kept = asked.isFresh ? [] : pages.peek();
            asked.isFresh = false;
            total.value = slice.total;
            isCapped.value = slice.total_is_capped === true;
            error.value = undefined;
            pages.value = nearest(new Map(kept).set(page, slice.data), page);
          }
        },
        (cause: unknown) => {
          error.value = errorOf(cause);
          askAgain(cause, () => asked === turn.current && retry());
        },
      )
      .finally(() => {
        asked.waiting.delete(page);
        answered.value += 1;
      });
  };
  useSignalEffect(() => {
    tries.value;
    for (const family of families) {
      changes(family);
    }
    turn.current = { isFresh: true, waiting: new Set() };
    for (const page of untracked(inView)) {
      fetchPage(page);
    }
  });
  useSignalEffect(() => {
    answered.value;
    const { isFresh, waiting } = turn.current;
    const missing = inView().filter((page) => !(waiting.has(page) || pages.peek().has(page)));
    // While a scroll bar is dragged, only where it rests is asked for, not each place that it passes.
    if (!isFresh && waiting.size < WAITING_MAX) {
      untracked(() => missing.forEach(fetchPage));
    }
  });
  return {
    pages,
    isFirst: answered.value === 0,
    error,
    retry,
  };
}

function nearest<Row>(pages: Map<number, readonly Row[]>, to: number): typeof pages {
  const kept = [...pages].sort(([a], [b]) => Math.abs(a - to) - Math.abs(b - to));
  return new Map(kept.slice(0, PAGES_MAX));
}

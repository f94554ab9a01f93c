/** What pictures with a cursor have in common: its keys, the rules behind, and the tip beside it. */

import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";

/** The point under the cursor; undefined where there is none. */
export type Cursor = Signal<number | undefined>;

/** Moves the cursor by arrow keys, and says what it stands on. */
export function CursorKeys(props: {
  title: string;
  cursor: Cursor;
  /** Where it stands when nobody has moved it. */
  rest: number;
  last: number;
  say: (at: number) => string;
}) {
  const { title, cursor, rest, last, say } = props;
  const at = cursor.value ?? rest;
  return (
    <input
      class="unseen"
      type="range"
      aria-label={`${title}: move the cursor`}
      aria-valuetext={say(at)}
      min={0}
      max={last}
      value={at}
      onInput={({ currentTarget }) => {
        cursor.value = Number(currentTarget.value);
      }}
      onBlur={() => {
        cursor.value = undefined;
      }}
    />
  );
}

/** A picture whose cursor follows the pointer. */
export function Picture(props: {
  title: string;
  height: number;
  cursor: Cursor;
  /** The point at a pixel from the left edge; undefined where there is none. */
  pointAt: (px: number) => number | undefined;
  children: ComponentChildren;
}) {
  const { title, height, cursor, pointAt, children } = props;
  return (
    <svg
      height={height}
      role="img"
      aria-label={title}
      onPointerMove={({ offsetX }) => {
        cursor.value = pointAt(offsetX);
      }}
      onPointerLeave={() => {
        cursor.value = undefined;
      }}
    >
      {children}
    </svg>
  );
}

/** A rule across the picture with its value before it. */
export function Rule(props: { at: number; from: number; to: number; text: string }) {
  const { at, from, to, text } = props;
  return (
    <g transform={`translate(0 ${at})`}>
      <line class="grid-line" x1={from} x2={to} />
      <text x={from - 8} dy="0.32em" text-anchor="end">
        {text}
      </text>
    </g>
  );
}

const TIP_GAP_PX = 12;

/** Beside the cursor, on the side where `roomPx` fit. */
export function Tip(props: {
  title: string;
  x: number;
  width: number;
  roomPx: number;
  rows: readonly (readonly [name: string, value: string])[];
}) {
  const { title, x, width, roomPx, rows } = props;
  const left = x + roomPx > width ? Math.max(0, x - roomPx - TIP_GAP_PX) : x + TIP_GAP_PX;
  return (
    <div class="tip" style={{ left: `${left}px`, bottom: "60px", top: "auto" }}>
      <strong>{title}</strong>
      <dl>
        {rows.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
    </div>
  );
}

/** Every how many labels one is drawn, where each takes `labelPx`. */
export function labelEvery(labels: number, width: number, labelPx: number): number {
  return Math.max(1, Math.ceil((labels * labelPx) / width));
}

export function within(value: number, last: number): number {
  return Math.min(last, Math.max(0, value));
}

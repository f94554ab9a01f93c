/**
 * How many rows an import takes at once: as many as take a few milliseconds, whatever the machine and the
 * rows, since everybody else's requests wait as long. Where the disk is slow, as many as take as long as
 * it does: fewer would leave others little sooner, and the import would do nothing but wait.
 */

/** How many rows a slice has whatever they take. */
export interface Pace {
  /** Rows of the first slice, of which nothing is known yet. */
  rowsStart: number;
  /** Fewer would be dearer than what they hold: each slice is a transaction, and waits for the disk. */
  rowsMin: number;
}
export const LEADS_PACE: Pace = { rowsStart: 250, rowsMin: 200 };
/** A suppression writes an event, an audit entry and what undoing it needs, too. */
export const SUPPRESSIONS_PACE: Pace = { rowsStart: 50, rowsMin: 25 };
/** Milliseconds that judging and writing a slice's rows may take, and where the disk takes longer. */
export const SLICE_MS = 6;
export const SLICE_MS_MAX = 25;
/** Slices grow by this at most, so that one that happened to be cheap does not make a long one. */
const GROWTH_MAX = 2;

/** A slice that is over: its rows, how long they took, and how long the disk then did. */
export interface SliceDone {
  rows: number;
  tookMs: number;
  diskMs: number;
}

/** Rows of the next slice, from `rowsMin` to `rowsMax`. */
export function nextSliceRows(
  { rows, tookMs, diskMs }: SliceDone,
  rowsMin: number,
  rowsMax: number,
): number {
  const may = Math.min(Math.max(SLICE_MS, diskMs), SLICE_MS_MAX);
  const fitting = tookMs > 0 ? Math.floor((rows * may) / tookMs) : rowsMax;
  return Math.max(Math.min(fitting, rows * GROWTH_MAX, rowsMax), rowsMin);
}

/**
 * How many rows an import takes at once: as many as take a few milliseconds, whatever the machine and the
 * rows, since everybody else's requests wait as long. Where the disk is slow, as many as take as long as
 * it does: fewer would leave others little sooner, and the import would do nothing but wait.
 */

/** Rows of the first slice, of which nothing is known yet. */
export const SLICE_ROWS_START = 250;
/** Fewer would be dearer than what they hold: each slice is a transaction, and waits for the disk. */
export const SLICE_ROWS_MIN = 200;
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

/** Rows of the next slice; `rowsMax` at most. */
export function nextSliceRows({ rows, tookMs, diskMs }: SliceDone, rowsMax: number): number {
  const may = Math.min(Math.max(SLICE_MS, diskMs), SLICE_MS_MAX);
  const fitting = tookMs > 0 ? Math.floor((rows * may) / tookMs) : rowsMax;
  return Math.max(Math.min(fitting, rows * GROWTH_MAX, rowsMax), SLICE_ROWS_MIN);
}

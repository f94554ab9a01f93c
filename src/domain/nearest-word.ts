/** "Did you mean": the known word that a mistyped one is closest to. */

/** Longer words are not compared, so that a hostile one costs nothing. */
const WORD_LENGTH_MAX = 64;
const EDITS_MAX = 2;

/**
 * The word of `known` that takes the fewest edits to reach, or undefined when none is near: one edit for
 * a word of up to four letters, `most` for a longer one. An edit inserts, drops, replaces a letter or swaps
 * two neighbours. The first of equals wins.
 */
export function nearestWord(
  word: string,
  known: readonly string[],
  most = EDITS_MAX,
): string | undefined {
  if (word.length > WORD_LENGTH_MAX) {
    return undefined;
  }
  let nearest: string | undefined;
  let fewest = (word.length <= 4 ? 1 : most) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) < fewest) {
      const edits = editsBetween(word.toLowerCase(), candidate.toLowerCase(), fewest);
      if (edits < fewest) {
        nearest = candidate;
        fewest = edits;
      }
    }
  }
  return nearest;
}

/** Optimal string alignment distance, by rows; infinite as soon as it can't be below `enough`. */
function editsBetween(from: string, to: string, enough: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  let fewestOfLast = 0;
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    let fewest = row;
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = from[row - 1] === to[column - 1] ? 0 : 1;
      let edits = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + replaced,
      );
      if (
        row > 1 &&
        column > 1 &&
        from[row - 1] === to[column - 2] &&
        from[row - 2] === to[column - 1]
      ) {
        edits = Math.min(edits, at(beforeLast, column - 2) + 1);
      }
      current.push(edits);
      fewest = Math.min(fewest, edits);
    }
    // A swap reaches back two rows: what is left can't be below the lowest of both.
    if (Math.min(fewest, fewestOfLast) >= enough) {
      return Number.POSITIVE_INFINITY;
    }
    fewestOfLast = fewest;
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}

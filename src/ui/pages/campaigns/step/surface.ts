/** Where words are written, plain or rich, for those who write into it from beside. */

export interface Surface {
  /** What stands before the cursor; null while something is selected. */
  before: () => string | null;
  /** In place of what is selected, and of `back` characters before it. */
  insert: (words: string, back?: number) => void;
  /** What was selected in a field that had the focus when it went, for the one that takes its place. */
  selected?: readonly [from: number, to: number];
}

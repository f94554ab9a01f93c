/**
 * The terminal: results to stdout, talk to stderr. Colour only where a person looks: never into a pipe,
 * never with NO_COLOR. Text from the data cannot move the cursor or change the colour.
 */

/** What a command writes to. Tests hand over one that keeps the text. */
export interface Terminal {
  /** The result: text with its line ends. */
  out: (text: string) => void;
  /** Talk about it. */
  err: (text: string) => void;
  readonly outColours: boolean;
  readonly errColours: boolean;
  /** Whether a line on stderr may be written over. */
  readonly errOverwrites: boolean;
  /** Whether somebody may press Ctrl-C. */
  readonly isInteractive: boolean;
}

const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  amber: [33, 39],
} as const;
export type Style = keyof typeof STYLES;

export function styled(text: string, style: Style, colours: boolean): string {
  const [on, off] = STYLES[style];
  return colours ? `\u001b[${on}m${text}\u001b[${off}m` : text;
}

/** A column's heading, and whether its cells are figures. */
export interface Column {
  title: string;
  right?: boolean;
}

const GAP = "  ";

/** Rows under headings, two spaces between columns, no spaces at the line's end. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  colours: boolean,
): string {
  const cells = rows.map((row) => columns.map((_, index) => printable(row[index] ?? "")));
  const widths = columns.map((column, index) =>
    Math.max(
      Bun.stringWidth(column.title),
      ...cells.map((row) => Bun.stringWidth(row[index] ?? "")),
    ),
  );
  const line = (row: readonly string[]) =>
    columns
      .map((column, index) => pad(row[index] ?? "", widths[index] ?? 0, column.right === true))
      .join(GAP)
      .trimEnd();
  const head = styled(line(columns.map((column) => column.title)), "dim", colours);
  return `${[head, ...cells.map(line)].join("\n")}\n`;
}

function pad(text: string, width: number, right: boolean): string {
  const space = " ".repeat(Math.max(0, width - Bun.stringWidth(text)));
  return right ? space + text : text + space;
}

/** `text` on one line, with control and bidirectional characters shown as escapes. */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (char) => {
      return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
    },
  );
}

/** One JSON document and a line end: what `--json` prints. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

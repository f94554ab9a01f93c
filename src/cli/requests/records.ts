/** What the API answers, for people: a table of records, or one record field by field. */

import { usageError } from "#cli/exit.ts";
import { printable, styled, type Terminal, table } from "#cli/term.ts";

type Row = Readonly<Record<string, unknown>>;

const COLUMNS_MAX = 7;
const CELL_CHARS_MAX = 60;
/** Within one record, where a row says what is wrong and what to do about it. */
const INNER_CHARS_MAX = 240;
/** What tells records apart comes first; what every record of a team shares is left out. */
const FIRST = [
  ...["seq", "id", "name", "email", "url", "direction", "subject", "text", "type"],
  ...["status", "snippet"],
];
const LAST = ["created_at", "message", "remedy"];
const UNSHOWN = new Set(["team_id", "updated_at", "campaign_id", "account_ids"]);

/** Rows under headings. `selected` are dotted paths; without them the most telling are taken. */
export function listText(
  rows: readonly Row[],
  selected: readonly string[] | null,
  { outColours }: Terminal,
  charsMax = CELL_CHARS_MAX,
): string {
  if (rows.length === 0) {
    return "";
  }
  const columns = selected ?? tellingColumns(rows);
  const isFigures = (column: string) => rows.every((row) => typeof at(row, column) === "number");
  return table(
    columns.map((title) => ({ title, right: isFigures(title) })),
    rows.map((row) => columns.map((column) => cellOf(at(row, column), charsMax))),
    outColours,
  );
}

function tellingColumns(rows: readonly Row[]): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
    (name) => !UNSHOWN.has(name) && rows.some((row) => isScalar(row[name])),
  );
  const first = FIRST.filter((name) => names.includes(name));
  const last = LAST.filter((name) => names.includes(name));
  const others = names.filter((name) => !(first.includes(name) || last.includes(name)));
  const rest = [
    ...others.filter((name) => !name.endsWith("_id")),
    ...others.filter((name) => name.endsWith("_id")),
  ];
  const room = Math.max(0, COLUMNS_MAX - first.length - last.length);
  return [...first, ...rest.slice(0, room), ...last];
}

/** A field a line, objects within as `send_window.timezone`; lists of records as tables below. */
export function recordText(record: Row, terminal: Terminal): string {
  const lines: (readonly [string, string])[] = [];
  const tables: string[] = [];
  const walk = (value: Row, above: string) => {
    for (const [name, inner] of Object.entries(value)) {
      const path = above + name;
      if (isRecords(inner)) {
        const title = styled(printable(path), "bold", terminal.outColours);
        tables.push(`\n${title}\n${listText(inner, null, terminal, INNER_CHARS_MAX)}`);
      } else if (isObject(inner) && Object.keys(inner).length > 0) {
        walk(inner, `${path}.`);
      } else {
        lines.push([path, textOf(inner)]);
      }
    }
  };
  walk(record, "");
  const width = Math.max(0, ...lines.map(([name]) => Bun.stringWidth(name)));
  const fields = lines.map(([name, value]) => {
    const label = styled(printable(name.padEnd(width)), "dim", terminal.outColours);
    return `${label}  ${printable(value)}`.trimEnd();
  });
  return `${fields.map((line) => `${line}\n`).join("")}${tables.join("")}`;
}

/** What stands at a dotted path. Throws where there is nothing of that name. */
export function fieldText(record: unknown, path: string): string {
  const value = isObject(record) ? at(record, path) : undefined;
  if (value === undefined) {
    throw usageError(`the response has no field "${path}"`);
  }
  return typeof value === "object" ? JSON.stringify(value) : printable(String(value));
}

function at(row: Row, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), row);
}

function cellOf(value: unknown, charsMax: number): string {
  const text = textOf(value);
  return text.length > charsMax ? `${text.slice(0, charsMax - 1)}…` : text;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) {
    return "-";
  }
  if (Array.isArray(value) && value.every(isScalar)) {
    return value.length === 0 ? "-" : value.join(", ");
  }
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function isScalar(value: unknown): boolean {
  return value !== null && value !== undefined && typeof value !== "object";
}

function isObject(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isRecords(value: unknown): value is Row[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

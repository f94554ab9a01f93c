/**
 * CSV that a spreadsheet opens without running anything: a text that begins as a formula is given an
 * apostrophe in front. Lines end in CRLF. Source: RFC 4180; OWASP, "CSV Injection".
 */

export type Cell = string | number | boolean | null | undefined;

const FORMULA = /^[\s]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/u;
const QUOTED = /[",\r\n;\t]|^\s|\s$/u;

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: Cell): string {
  if (typeof value !== "string") {
    return value === null || value === undefined ? "" : String(value);
  }
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

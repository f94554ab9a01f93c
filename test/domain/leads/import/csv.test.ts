/** CSV in pieces: whatever the pieces, the rows are those of the whole, and the places add up. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type CsvDialect, csvReader, LineTooLong, sniffCsv } from "#domain/leads/import/csv.ts";
import { LINE_CHARS_MAX } from "#domain/leads/import/import.ts";
import { ndjsonReader } from "#domain/leads/import/ndjson.ts";

const COMMA: CsvDialect = { delimiter: ",", newline: "\n" };

/** All rows of `pieces`, with the text that was taken. */
function readAll(pieces: readonly string[], dialect = COMMA, rowsMax = 3) {
  const reader = csvReader(dialect);
  const rows: { row: readonly string[]; line: number }[] = [];
  let text = "";
  const drain = (isLast: boolean) => {
    for (;;) {
      const taken = reader.take(rowsMax, isLast);
      rows.push(...taken.rows);
      text += taken.text;
      if (taken.text === "") {
        return;
      }
    }
  };
  for (const piece of pieces) {
    reader.push(piece);
    drain(false);
  }
  drain(true);
  return { rows, text };
}

describe("csvReader", () => {
  test("quotes, quoted line ends, doubled quotes, mixed line ends, empty lines, no last line end", () => {
    const text = 'a,b\r\n"x, y","two\nlines"\n\n"say ""hi""",z\r\n "q" ,last';
    expect(readAll([text]).rows).toEqual([
      { row: ["a", "b "], line: 1 },
      { row: ["x, y", "two\nlines"], line: 2 },
      { row: ['say "hi"', "z "], line: 5 },
      { row: [' "q" ', "last"], line: 6 },
    ]);
  });

  test("old line ends, and semicolons, tabs and bars are told apart", () => {
    expect(sniffCsv("a;b;c\r1;2,5;3\r4;5;6")).toEqual({ delimiter: ";", newline: "\r" });
    expect(sniffCsv('a\tb\n"x;y;z"\t2\n')).toEqual({ delimiter: "\t", newline: "\n" });
    expect(sniffCsv("email\nann@example.com\n")).toEqual({ delimiter: ",", newline: "\n" });
  });

  test("pieces change nothing, and what was taken is the file itself", () => {
    const cell = fc.string({ unit: fc.constantFrom("a", "é", '"', ",", "\n", "\r", " ", "😀") });
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 8 });
    fc.assert(
      fc.property(table, fc.constantFrom("\n", "\r\n"), fc.array(fc.nat(40)), (rows, end, cuts) => {
        const text = rows
          .map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(",") + end)
          .join("");
        const pieces: string[] = [];
        let at = 0;
        for (const cut of cuts) {
          pieces.push(text.slice(at, at + cut));
          at += cut;
        }
        pieces.push(text.slice(at));

        const read = readAll(pieces);

        const flat = (value: string) => value.replaceAll("\r\n", " \n");
        expect(read.rows.map(({ row }) => row)).toEqual(rows.map((row) => row.map(flat)));
        expect(read.text.length).toBe(text.length);
      }),
    );
  });

  test("a quote that never ends is refused before it has eaten the file", () => {
    const reader = csvReader(COMMA);
    reader.push(`a,b\n"${"x".repeat(LINE_CHARS_MAX)}`);
    expect(reader.take(1, false).rows).toHaveLength(1);
    expect(() => reader.take(1, false)).toThrow(LineTooLong);
  });
});

describe("ndjsonReader", () => {
  test("one value a line; what is no JSON is told apart", () => {
    const reader = ndjsonReader();
    reader.push('{"email":"a@x.example"}\r\n\n{broken\n{"em');
    expect(reader.take(10, false).rows).toEqual([
      { row: { email: "a@x.example" }, line: 1 },
      { row: undefined, line: 3 },
    ]);
    reader.push('ail":"b@x.example"}');
    expect(reader.take(10, true).rows).toEqual([{ row: { email: "b@x.example" }, line: 4 }]);
  });
});

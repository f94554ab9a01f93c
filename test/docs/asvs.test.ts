/**
 * Guarantees of the walk through OWASP's standard: every requirement of levels 1 and 2 has one row, what is
 * `met` names a test or a place that is there, and the totals in `docs/security.md` are those of the rows.
 *
 * Source: OWASP Application Security Verification Standard 5.0.0, counted by chapter.
 */

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT, read } from "./pages.ts";

/** Requirements of levels 1 and 2 in version 5.0.0, by chapter. */
const COUNTS: Readonly<Record<string, number>> = {
  ...{ 1: 27, 2: 11, 3: 19, 4: 10, 5: 9, 6: 35, 7: 18, 8: 7, 9: 7 },
  ...{ 10: 29, 11: 14, 12: 9, 13: 13, 14: 9, 15: 13, 16: 16, 17: 7 },
};
const STATES = ["met", "not applicable", "not met"];

interface Row {
  id: string;
  asks: string;
  state: string;
  proof: string;
}

const page = read("docs/security-asvs.md");
const rows: Row[] = [...page.matchAll(/^\| (\d.*?) \| (.*?) \| (.*?) \| (.*?) \|$/gm)].map(
  ([, id = "", asks = "", state = "", proof = ""]) => ({ id, asks, state, proof }),
);
const countOf = (state: string) => rows.filter((row) => row.state === state).length;
const pathsIn = ({ proof }: Row) =>
  [...proof.matchAll(/`([\w./-]+)`/g)]
    .map(([, path = ""]) => path)
    .filter((path) => /^(?:src|test|docs|\.ci)\/|\.(?:json|jsonc|sh)$/.test(path));

test("each requirement has one row, below the heading of its chapter and in order", () => {
  const chapters = page.split(/^## V(?=\d)/m).slice(1);
  const found = chapters.map((chapter) => {
    const ids = [...chapter.matchAll(/^\| (\d+\.\d+\.\d+) /gm)].map(([, id = ""]) => id);
    const number = Number.parseInt(chapter, 10);
    expect(ids.filter((id) => !id.startsWith(`${number}.`))).toEqual([]);
    expect(ids).toEqual(
      ids.toSorted((one, other) => one.localeCompare(other, "en", { numeric: true })),
    );
    expect(new Set(ids).size).toBe(ids.length);
    return [String(number), ids.length];
  });
  expect(Object.fromEntries(found)).toEqual(COUNTS);
  expect(rows.length).toBe(253);
});

test("each row has a state, a few words, and a proof or a reason", () => {
  const odd = rows.filter(({ asks, state, proof }) => {
    const words = asks.split(" ").length;
    return words < 2 || words > 15 || !STATES.includes(state) || proof === "";
  });
  expect(odd).toEqual([]);
});

test("what is met names a place, and every place is there", () => {
  expect(rows.filter((row) => row.state === "met" && pathsIn(row).length === 0)).toEqual([]);
  const missing = rows.flatMap((row) =>
    pathsIn(row).filter((path) => !existsSync(join(ROOT, path))),
  );
  expect(missing).toEqual([]);
});

test("the totals are those of the rows", () => {
  const [met, other, lacking] = STATES.map(countOf);
  const words = `${met} met, ${other} not applicable, and ${lacking} not met`;
  expect(page).toContain(words);
  expect(read("docs/security.md").replace(/\s+/g, " ")).toContain(words);
});

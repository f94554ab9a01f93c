/**
 * What people read is written in the words of the glossary: the strings of the console, the API's
 * descriptions, the command line, messages and the documentation hold none of those that `docs/glossary.md`
 * refuses. What is not rewritten yet is counted by area, and may only become less.
 */

import { beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Text, textsOf } from "../.ci/strings.ts";

const TOP = resolve(import.meta.dir, "..");
const GLOSSARY = readFileSync(join(TOP, "docs", "glossary.md"), "utf8");

/** Texts with a refused word, by area. */
const LEFT: Record<string, number> = {
  "src/sandbox/": 8,
  "src/ui/": 0,
  "src/usecases/": 9,
  "src/platform/": 4,
  "src/web/": 1,
  "src/engine/": 1,
  "src/mail/": 14,
  "src/api/": 0,
  "src/store/": 2,
  "src/domain/": 6,
  "docs/": 0,
};

/** In the words of others: what people write to us, and what servers say. */
const OTHERS = /^src\/(?:domain\/inbox\/|sandbox\/(?:phrases|providers)\.ts)/;
const SQL = /^(?:select|with|insert|update|delete|create|alter) /;

const FLOORS = readdirSync(join(TOP, "src"), { withFileTypes: true })
  .filter((one) => one.isDirectory())
  .map(({ name }) => name);

const refused = wordsRefused();
const allowed = phrasesAllowed();
const isRefused = ({ file, text }: Text) =>
  !OTHERS.test(file) && !SQL.test(text) && refused.test(text.replace(allowed, ""));

describe("the glossary", () => {
  test.each([
    ["We tell the account that its mail was answered.", true],
    ["Chance to be best", true],
    ["The mail server said 451.", false],
    ["A lot of replies; notify the team.", false],
    ["A mailbox sends emails.", false],
  ])("%s: refused %p", (text, expected) => {
    expect(isRefused({ file: "", text })).toBe(expected);
  });
});

describe("refused words", () => {
  const texts: Text[] = [];
  beforeAll(async () => {
    texts.push(...(await textsOf(FLOORS)), ...documentation());
  });

  test("are looked for in all that people read", () => {
    const of = (area: string) => texts.filter(({ file }) => file.startsWith(area)).length;
    for (const [area, textsMin] of [
      ["src/ui/", 1_500],
      ["src/api/", 500],
      ["src/cli/", 300],
    ] as const) {
      expect(of(area), area).toBeGreaterThan(textsMin);
    }
    expect(of("docs/") + of("README.md")).toBeGreaterThan(200);
  });

  test.each([...FLOORS.map((floor) => `src/${floor}/`), "docs/", "README.md"])(
    "in %s are not more than there were",
    (area) => {
      const found = texts.filter((one) => one.file.startsWith(area) && isRefused(one));
      const shown = found.map(({ file, text }) => `${file}: ${text}`).join("\n");
      expect(found.length, shown).toBeLessThanOrEqual(LEFT[area] ?? 0);
    },
  );
});

function wordsRefused(): RegExp {
  const rows = GLOSSARY.split("\n").filter((line) => line.startsWith("| "));
  const words = rows.flatMap((row) => [...(row.split("|")[3] ?? "").matchAll(/`([^`]+)`/g)]);
  return new RegExp(`\\b(?:${words.map(([, word]) => word).join("|")})\\b`, "i");
}

/** The glossary's last sentence. */
function phrasesAllowed(): RegExp {
  const list = /In these[^:]+: ([\s\S]+)\.\s*$/.exec(GLOSSARY)?.[1] ?? "";
  const phrases = list.replace(/\s+/g, " ").split(", ");
  return new RegExp(`\\b(?:${phrases.join("|")})\\b`, "gi");
}

/** Prose of the guides and the README, by paragraph: no code, no addresses, none of the glossary itself. */
function documentation(): Text[] {
  const pages = readdirSync(join(TOP, "docs")).filter((name) => name.endsWith(".md"));
  const files = [...pages.map((name) => `docs/${name}`), "README.md"];
  return files
    .filter((file) => file !== "docs/glossary.md")
    .flatMap((file) => {
      const prose = readFileSync(join(TOP, file), "utf8")
        .replace(/^```[\s\S]*?^```/gm, "")
        .replace(/`[^`\n]+`/g, "")
        .replace(/\]\([^)]+\)/g, "]");
      return prose.split(/\n\n+/).map((text) => ({ file, text }));
    });
}

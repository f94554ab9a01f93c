/** Colours of the console: what is written can be read on what it is written on, in both themes. */

import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const STYLES = resolve(import.meta.dir, "../../src/ui/style");
const TEXT_CONTRAST_MIN = 4.5;
const GRAPHIC_CONTRAST_MIN = 3;

const tokens = readFileSync(join(STYLES, "tokens.css"), "utf8");

/** `--name` in light and dark. */
function colour(name: string): [light: string, dark: string] {
  const found = new RegExp(
    `--${name}: (?:light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)|(#[0-9a-f]{6}));`,
  ).exec(tokens);
  if (found === null) {
    throw new Error(`no token --${name}`);
  }
  const [, light, dark, both] = found;
  return [light ?? both ?? "", dark ?? both ?? ""];
}

/** Relative luminance. Source: WCAG 2.2. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const GROUNDS = ["canvas", "surface", "raised", "sunken"];
const SOFT = ["brand-soft", "good-soft", "warn-soft", "bad-soft"];
const MEANINGS = ["brand", "good", "warn", "bad"];

const TEXTS: readonly (readonly [text: string, grounds: readonly string[]])[] = [
  ["ink", [...GROUNDS, ...SOFT]],
  ["ink-2", [...GROUNDS, ...SOFT]],
  ["ink-3", [...GROUNDS, ...SOFT]],
  ...MEANINGS.map((name) => [name, [...GROUNDS, `${name}-soft`]] as const),
  ["on-brand", ["brand-fill"]],
];

const GRAPHICS = [1, 2, 3, 4, 5].map((n) => `series-${n}`).concat("good", "warn", "bad", "sandbox");

describe.each(["light", "dark"] as const)("in the %s theme", (theme) => {
  const at = theme === "light" ? 0 : 1;

  test.each(TEXTS)("%s is read on every ground that it stands on", (text, grounds) => {
    for (const ground of grounds) {
      const ratio = contrast(colour(text)[at], colour(ground)[at]);
      expect({ text, ground, isRead: ratio >= TEXT_CONTRAST_MIN, ratio }).toMatchObject({
        isRead: true,
      });
    }
  });

  test.each(GRAPHICS)("%s is seen on a card", (name) => {
    expect(contrast(colour(name)[at], colour("surface")[at])).toBeGreaterThanOrEqual(
      GRAPHIC_CONTRAST_MIN,
    );
  });
});

test("there are no colours but the tokens", () => {
  const elsewhere = readdirSync(STYLES)
    .filter((file) => file !== "tokens.css")
    .flatMap((file) => {
      const text = readFileSync(join(STYLES, file), "utf8");
      return (text.match(/#[0-9a-f]{3,8}\b|\b(rgb|hsl|oklch)a?\(/gi) ?? []).map(
        (found) => `${file}: ${found}`,
      );
    })
    // Black is the full end of a mask or of a mixture, not a colour of its own.
    .filter((found) => !found.endsWith("#000"));
  expect(elsewhere).toEqual([]);
});

test("a class is defined in one file: two areas that take the same word would dress each other", () => {
  const homes = new Map<string, Set<string>>();
  for (const file of readdirSync(STYLES)) {
    const text = readFileSync(join(STYLES, file), "utf8");
    for (const [, name = ""] of text.matchAll(/^\.([a-z][a-z-]*)(?: \{|,)$/gm)) {
      homes.set(name, (homes.get(name) ?? new Set()).add(file));
    }
  }
  const shared = [...homes].filter(([, files]) => files.size > 1).map(([name]) => name);
  expect(homes.size).toBeGreaterThan(0);
  expect(shared).toEqual([]);
});

test("letters are as large as the browser is set to make them", () => {
  expect(readFileSync(join(STYLES, "base.css"), "utf8")).toMatch(/^html \{[^}]*font-size: 100%;/m);
});

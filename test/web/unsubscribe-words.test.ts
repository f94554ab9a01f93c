/** The unsubscribe page in its reader's language. */

import { describe, expect, test } from "bun:test";
import { LANGUAGES } from "#domain/sending/languages.ts";
import { wordsFor } from "#web/accept-language.ts";

describe("The browser's languages", () => {
  test.each([
    [null, "en"],
    ["", "en"],
    ["*", "en"],
    ["de", "de"],
    ["de-CH", "de"],
    ["DE-at;q=0.8", "de"],
    ["pt-BR,pt;q=0.9,en;q=0.8", "pt"],
    ["en;q=0.3, fr;q=0.9", "fr"],
    ["tlh, sv;q=0.5", "sv"],
    ["fr;q=0, it;q=0.1", "it"],
    ["no", "nb"],
    ["nn-NO", "nb"],
    ["zh-Hans-CN", "en"],
    ["__proto__, constructor", "en"],
    ["de;q=many", "en"],
    [`${"xx,".repeat(5000)}de`, "en"],
  ] as const)("%j read %s", (header, language) => {
    expect(wordsFor(header).language).toBe(language);
  });
});

test.each([...LANGUAGES])("%s says all of it, and names the address once", (language) => {
  const { words } = wordsFor(language);
  expect(wordsFor(language).language).toBe(language);
  for (const [name, text] of Object.entries(words)) {
    const times = ["ask", "stopped", "testText"].includes(name) ? 1 : 0;
    expect([name, text.split("{email}").length - 1, text.trim() === text]).toEqual([
      name,
      times,
      true,
    ]);
    expect(text.length).toBeGreaterThan(2);
  }
  expect(new Set(Object.values(words)).size).toBe(Object.keys(words).length);
});

/** The language of what we say to a recipient: the lead's own, else the country's, else the team's. */

import { describe, expect, test } from "bun:test";
import { languageOf, languageOfTag } from "#domain/sending/language.ts";
import { LANGUAGES, type Language } from "#domain/sending/languages.ts";

const to = (email: string, variables = {}) => ({ email, variables });

/**
 * Written down before the rule, from the languages that the countries of IANA's root zone database name as
 * official; null where a person could not tell from the address.
 */
const EXPECTED: readonly (readonly [address: string, language: Language | null])[] = [
  ["ann@firma.de", "de"],
  ["ann@firma.co.at", "de"],
  ["ann@firma.li", "de"],
  ["ann@firma.ch", null],
  ["ann@bureau.fr", "fr"],
  ["ann@bureau.ci", "fr"],
  ["ann@bureau.mc", "fr"],
  ["ann@bureau.be", null],
  ["ann@bureau.lu", null],
  ["ann@bureau.ca", null],
  ["ann@ufficio.it", "it"],
  ["ann@ufficio.sm", "it"],
  ["ann@oficina.es", "es"],
  ["ann@oficina.com.mx", "es"],
  ["ann@oficina.com.ar", "es"],
  ["ann@oficina.cl", "es"],
  ["ann@oficina.com.pe", "es"],
  ["ann@startup.co", null],
  ["ann@kantoor.nl", "nl"],
  ["ann@biuro.com.pl", "pl"],
  ["ann@kancelar.cz", "cs"],
  ["ann@escritorio.pt", "pt"],
  ["ann@escritorio.com.br", "pt"],
  ["ann@escritorio.ao", "pt"],
  ["ann@kontor.se", "sv"],
  ["ann@kontor.nu", null],
  ["ann@kontor.dk", "da"],
  ["ann@kontor.no", "nb"],
  ["ann@toimisto.fi", "fi"],
  ["ann@kaisha.co.jp", "ja"],
  ["ann@office.co.uk", "en"],
  ["ann@office.com.au", "en"],
  ["ann@office.ie", "en"],
  ["ann@office.us", "en"],
  ["ann@example.com", null],
  ["ann@startup.io", null],
  ["ann@studio.tv", null],
  ["ann@office.eu", null],
  ["ann@iroda.hu", null],
  ["ann@de.com", null],
];

describe("Of an address", () => {
  test.each(EXPECTED)("%s is expected to be %p", (address, language) => {
    for (const team of ["en", "ja"] as const) {
      expect(languageOf(to(address), team)).toBe(language ?? team);
      expect(languageOf(to(address.toUpperCase()), team)).toBe(language ?? team);
    }
  });

  test("there are 40 of these", () => expect(EXPECTED.length).toBe(40));
});

/** Domains that Google Search counts as generic, and one that its registry sells all over the world. */
const GENERIC = "ad ai as bz cc cd co dj fm io la me ms nu sc sr su tk tv ws st";
/** Codes of CLDR under which nobody has an address: withdrawn ones, and places without a domain of their own. */
const WITHOUT_DOMAIN = "bl bv dd dy ea fx hv ic mf nt pz sj tf tp yu zr";
/** More than one of our languages is official there, by CLDR's territoryInfo, or another one than the likely. */
const SEVERAL = "aw be bq ca ch cm cw gl gq lu mu pf pr re sx tl vu";

test("The countries are those of CLDR, whose data this program's runtime has", () => {
  const codes = [..."abcdefghijklmnopqrstuvwxyz"];
  const left = new Set(`${GENERIC} ${WITHOUT_DOMAIN} ${SEVERAL}`.split(" "));
  const wrong = codes
    .flatMap((first) => codes.map((second) => first + second))
    .flatMap((country) => {
      const region = country === "uk" ? "GB" : country.toUpperCase();
      const likely = new Intl.Locale(`und-${region}`).maximize().language;
      const known = languageOf(to(`ann@example.${country}`), "xx" as Language);
      const spoken = languageOfTag(likely);
      const isLeft = spoken === undefined || spoken === "en" || left.has(country);
      const isRight = known === spoken || (known === ("xx" as Language) && isLeft);
      return isRight ? [] : [{ country, likely, known }];
    });
  expect(wrong).toEqual([]);
});

describe("What a lead says of itself comes first", () => {
  test.each([
    [{ language: "de" }, "de"],
    [{ language: "pt-BR" }, "pt"],
    [{ language: " DE_at " }, "de"],
    [{ lang: "fr" }, "fr"],
    [{ language: "nl", lang: "fr" }, "nl"],
    [{ language: "no" }, "nb"],
    [{ language: "nn-NO" }, "nb"],
    [{ language: "en" }, "en"],
    // Not spoken by us, or no tag: the country decides.
    [{ language: "hu", lang: "sv" }, "sv"],
    [{ language: "hu" }, "it"],
    [{ language: "" }, "it"],
    [{ language: 7, lang: true }, "it"],
    [{ language: "constructor" }, "it"],
    [{ Language: "de" }, "it"],
  ] as const)("%j", (variables, language) => {
    expect(languageOf(to("ann@ufficio.it", variables), "ja")).toBe(language);
  });
});

test("Every language is known by its own tag", () => {
  expect(LANGUAGES.map(languageOfTag)).toEqual([...LANGUAGES]);
});

/**
 * The language of what we say to recipients in our own name: the footer's link. What a lead's own
 * `language` says comes first, then the country of the address, then the team's setting.
 *
 * Source: BCP 47 for the tags. Countries: the domains of IANA's root zone whose likely language is this one
 * in Unicode CLDR 46 (likelySubtags; `Intl.Locale("und-DE").maximize()` has the same) and where no second
 * of these languages is official (territoryInfo), without the domains that Google counts as generic
 * (.co, .me, …). Switzerland, Belgium, Canada, and Luxembourg are therefore missing. The exception is
 * Finland, where Swedish is official too and the first language of one in twenty.
 */

import type { LeadVariables } from "#domain/leads/lead.ts";
import { LANGUAGES, type Language } from "./languages.ts";

const COUNTRIES: Readonly<Record<Language, string>> = {
  en: "uk us au nz ie za ng sg",
  de: "de at li",
  fr: "fr mc gp mq re gf nc pm wf yt bf bj cg ci ga gn tg",
  es: "es mx ar cl pe ve ec gt cu bo do hn sv ni cr pa uy",
  it: "it sm va",
  pt: "pt br ao cv gw mz",
  nl: "nl",
  pl: "pl",
  cs: "cz",
  sv: "se ax",
  da: "dk",
  nb: "no",
  fi: "fi",
  ja: "jp",
};

const BY_COUNTRY: ReadonlyMap<string, Language> = new Map(
  LANGUAGES.flatMap((language) =>
    COUNTRIES[language].split(" ").map((country) => [country, language] as const),
  ),
);

/** Norwegian by its other names. */
const ALSO: ReadonlyMap<string, Language> = new Map([
  ["no", "nb"],
  ["nn", "nb"],
]);

/** The language of a tag such as `pt-BR`, where we speak it. */
export function languageOfTag(tag: string): Language | undefined {
  const [code = ""] = tag.trim().toLowerCase().split(/[-_]/);
  return ALSO.get(code) ?? LANGUAGES.find((language) => language === code);
}

export interface Recipient {
  email: string;
  variables: LeadVariables;
}

/** The first that is known and that we speak. */
export function languageOf({ email, variables }: Recipient, team: Language): Language {
  const country = email.slice(email.lastIndexOf(".") + 1).toLowerCase();
  return (
    languageOfTag(String(variables["language"])) ??
    languageOfTag(String(variables["lang"])) ??
    BY_COUNTRY.get(country) ??
    team
  );
}

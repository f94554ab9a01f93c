/** Countries by name, for their codes on the wire. */

import { HOLIDAY_COUNTRIES } from "#domain/campaigns/holiday-countries.ts";

const names = new Intl.DisplayNames("en", { type: "region" });
const list = new Intl.ListFormat("en");

export function countryName(code: string): string {
  return names.of(code) ?? code;
}

/** Codes and names, by name. */
export function countryOptions(): [code: string, name: string][] {
  return HOLIDAY_COUNTRIES.map((code): [string, string] => [code, countryName(code)]).sort(
    ([, a], [, b]) => a.localeCompare(b),
  );
}

/** ", except public holidays in France and Germany"; nothing where none are skipped. */
export function exceptHolidays(codes: readonly string[]): string {
  return codes.length === 0
    ? ""
    : `, except public holidays in ${list.format(codes.map(countryName))}`;
}

/**
 * Holidays of whole countries as their governments announce them, collected by hand: nothing here comes from the
 * table that they are held against.
 *
 * Sources: Germany, the holidays that all sixteen states have by law; United States, the federal holidays of the
 * Office of Personnel Management, with the days off; England, the bank holidays of GOV.UK, with the substitute days;
 * France, Code du travail L3133-1; India, the gazetted holidays of the Department of Personnel and Training, and
 * Ambedkar's birthday, which it declares apart.
 */

export const PUBLIC_HOLIDAYS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  DE: {
    2026: "01-01 04-03 04-06 05-01 05-14 05-25 10-03 12-25 12-26",
    2027: "01-01 03-26 03-29 05-01 05-06 05-17 10-03 12-25 12-26",
  },
  US: {
    2026: "01-01 01-19 02-16 05-25 06-19 07-03 09-07 10-12 11-11 11-26 12-25",
    2027: "01-01 01-18 02-15 05-31 06-18 07-05 09-06 10-11 11-11 11-25 12-24 12-31",
  },
  GB: {
    2026: "01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28",
    2027: "01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28",
  },
  FR: {
    2026: "01-01 04-06 05-01 05-08 05-14 05-25 07-14 08-15 11-01 11-11 12-25",
    2027: "01-01 03-29 05-01 05-06 05-08 05-17 07-14 08-15 11-01 11-11 12-25",
  },
  IN: {
    2026:
      "01-26 03-04 03-21 03-26 03-31 04-03 04-14 05-01 05-27 06-26 08-15 08-26 09-04 10-02 10-20 11-08 " +
      "11-24 12-25",
  },
};

/** Whether it is a day off there, as far as these lists go. */
export function isAnnounced(country: string, date: string): boolean {
  const days = PUBLIC_HOLIDAYS[country]?.[Number(date.slice(0, 4))] ?? "";
  return days.split(" ").includes(date.slice(5));
}

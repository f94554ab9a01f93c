/**
 * The day on which somebody who is away will be back, as the text says it in one of seven languages.
 *
 * Every date in the text is looked at together with the words before it: "back on 5 March" names the
 * first day back, "until 5 March" the last day away. The latest first day back wins, for ranges name
 * both ends; where there is none, the day after the last day away.
 */

import { BACK_CUES, MONTHS, TOMORROW, UNTIL_CUES, WEEKDAY_NAMES } from "./calendar-words.ts";
import { fold } from "./fold.ts";

/** A return further away is not believed, nor one that is past. */
const ABSENCE_DAYS_MAX = 366;
/** Words before a date in which a cue is looked for. */
const CUE_CHARS_MAX = 40;
const DATES_MAX = 20;

interface FoundDate {
  date: Temporal.PlainDate;
  cue: "back" | "until" | null;
}

/** Null where the text names no return after `today`. */
export function findReturnDate(text: string, today: Temporal.PlainDate): Temporal.PlainDate | null {
  const found = datesIn(fold(text), today);
  const back = latest(found.filter(({ cue }) => cue === "back"));
  if (back !== null) {
    return back;
  }
  const until = latest(found.filter(({ cue }) => cue === "until"));
  return until === null ? null : until.add({ days: 1 });
}

function latest(found: readonly FoundDate[]): Temporal.PlainDate | null {
  return found
    .map(({ date }) => date)
    .reduce<Temporal.PlainDate | null>((last, date) => {
      return last === null || Temporal.PlainDate.compare(date, last) > 0 ? date : last;
    }, null);
}

function datesIn(text: string, today: Temporal.PlainDate): FoundDate[] {
  const found: FoundDate[] = [];
  for (const { pattern, read } of FORMS) {
    for (const match of [...text.matchAll(pattern)].slice(0, DATES_MAX)) {
      const date = nearest(read(match, today), today);
      if (date !== null) {
        found.push({ date, cue: cueBefore(text.slice(0, match.index)) });
      }
    }
  }
  return found;
}

const MONTH_NUMBERS = numbersOf(MONTHS);
const WEEKDAY_NUMBERS = numbersOf(WEEKDAY_NAMES);
const WEEKDAY_WORDS = alternation([...WEEKDAY_NUMBERS.keys()]);

/** What may stand between a cue and its date: a weekday, an article, a comma. */
const BETWEEN = new RegExp(
  `(?:[\\s,(:]|\\b(?:den|dem|the|le|el|il|o|de|van|${WEEKDAY_WORDS}|mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so)\\b\\.?)*$`,
);

function cueBefore(before: string): FoundDate["cue"] {
  const near = before.slice(-CUE_CHARS_MAX);
  const words = near.replace(BETWEEN, "");
  for (const candidate of [near.trimEnd(), words]) {
    if (BACK_CUES.some((cue) => cue.test(candidate) || cue.test(`${candidate} `))) {
      return "back";
    }
    if (UNTIL_CUES.some((cue) => cue.test(candidate))) {
      return "until";
    }
  }
  return null;
}

interface DateForm {
  pattern: RegExp;
  /** Every day that the words may mean; the nearest one to come is taken. */
  read: (match: RegExpExecArray, today: Temporal.PlainDate) => (Temporal.PlainDate | null)[];
}

const MONTH_WORDS = alternation([...MONTH_NUMBERS.keys()]);
const YEAR = "(?:,? ?(?:de |del |of )?(20\\d\\d))?";

const FORMS: readonly DateForm[] = [
  {
    pattern: /\b(20\d\d)-(\d\d)-(\d\d)\b/g,
    read: ([, year, month, day]) => [dateOf(Number(year), Number(month), Number(day))],
  },
  {
    // 5. März 2026, 5th of March, 5 de marzo de 2026, 1er mars
    pattern: new RegExp(
      `\\b(\\d{1,2})(?:st|nd|rd|th|er|\\.|º|ª|o)?,? (?:de |of |d')?(${MONTH_WORDS})\\b\\.?${YEAR}`,
      "g",
    ),
    read: ([, day, month, year], today) => inYears(monthOf(month), Number(day), year, today),
  },
  {
    // March 5th, 2026
    pattern: new RegExp(
      `\\b(${MONTH_WORDS})\\b\\.? (?:the )?(\\d{1,2})(?!\\d|:)(?:st|nd|rd|th)?${YEAR}`,
      "g",
    ),
    read: ([, month, day, year], today) => inYears(monthOf(month), Number(day), year, today),
  },
  {
    // 05.03.2026, 5/3, 3/5/26: where both orders make a date, both are meant
    pattern: /(?<![\d./-])(\d{1,2})([./-])(\d{1,2})(?:\2(20\d\d|\d\d))?(?![\d/-]|[.]\d)/g,
    read: ([, first, mark, second, year], today) => {
      const [a, b] = [Number(first), Number(second)];
      const full = year === undefined || year.length === 4 ? year : `20${year}`;
      const dayFirst = inYears(b, a, full, today);
      return mark === "." ? dayFirst : [...dayFirst, ...inYears(a, b, full, today)];
    },
  },
  {
    pattern: new RegExp(`\\b(${WEEKDAY_WORDS})\\b(?!,? (?:the )?\\d|,? (?:${MONTH_WORDS}) )`, "g"),
    read: ([, name = ""], today) => {
      const ahead = ((WEEKDAY_NUMBERS.get(name) ?? 1) - today.dayOfWeek + 6) % 7;
      return [today.add({ days: ahead + 1 })];
    },
  },
  {
    pattern: new RegExp(`\\b(?:${alternation(TOMORROW)})\\b`, "g"),
    read: (_match, today) => [today.add({ days: 1 })],
  },
];

function monthOf(name: string | undefined): number {
  return MONTH_NUMBERS.get(name ?? "") ?? 0;
}

/** In the year that is given, else in this one and the next. */
function inYears(
  month: number,
  day: number,
  year: string | undefined,
  today: Temporal.PlainDate,
): (Temporal.PlainDate | null)[] {
  const years = year === undefined ? [today.year, today.year + 1] : [Number(year)];
  return years.map((one) => dateOf(one, month, day));
}

function dateOf(year: number, month: number, day: number): Temporal.PlainDate | null {
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: "reject" });
  } catch {
    return null;
  }
}

/** A date without a year that lies far ahead was meant as the one just past. */
function nearest(
  dates: readonly (Temporal.PlainDate | null)[],
  today: Temporal.PlainDate,
): Temporal.PlainDate | null {
  const ahead = dates
    .filter((date) => date !== null)
    .filter((date) => {
      const days = today.until(date, { largestUnit: "days" }).days;
      return days >= 0 && days <= ABSENCE_DAYS_MAX;
    })
    .sort(Temporal.PlainDate.compare);
  return ahead[0] ?? null;
}

function numbersOf(names: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  return new Map(names.flatMap((row, at) => row.map((name) => [name, at + 1] as const)));
}

/** Longest first, so that a name is never taken for its own beginning. */
function alternation(words: readonly string[]): string {
  return [...words].sort((a, b) => b.length - a.length).join("|");
}

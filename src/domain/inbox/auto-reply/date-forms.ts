/**
 * The forms in which people write a day: in figures, with the name of a month, as a weekday, by
 * distance. Each is a pattern over folded text and a reading of it.
 */

import {
  DAYS_AHEAD,
  MONTH_PARTS,
  MONTHS,
  NEXT_WEEK,
  NUMBER_WORDS,
  UNIT_DAYS,
  WEEKDAY_NAMES,
} from "./calendar-words.ts";

export interface ReadDay {
  /** Every day that the words may mean, the most usual reading first. */
  days: readonly (Temporal.PlainDate | null)[];
  /** `day`: a day of the calendar. `period`: the words name the beginning of a week or a month. */
  grain: "day" | "period";
  /** The words name a range and this is its end. */
  isRangeEnd?: boolean;
  /** The year is not said. */
  isYearless?: boolean;
}

export interface DateForm {
  pattern: RegExp;
  read: (match: RegExpExecArray, today: Temporal.PlainDate, slashes: Slashes) => ReadDay | null;
}

export type Slashes = "day first" | "month first" | "either";

const MONTH_NUMBERS = numbersOf(MONTHS);
const WEEKDAY_NUMBERS = numbersOf(WEEKDAY_NAMES);
export const WEEKDAY_WORDS: string = alternation([...WEEKDAY_NUMBERS.keys()]);
/** Portuguese "out" and "set" are English words too: they count only where "de" or a slash leads. */
const MONTH_WORDS = alternation([...MONTH_NUMBERS.keys()]);
const YEAR = "(?:,? ?(?:de |del |of )?(20\\d\\d))?";
const ORDINAL = "(?:st|nd|rd|th|er|eme|e|o|a|:e|:a|-go|-ego)?\\.?,?";

export const DATE_FORMS: readonly DateForm[] = [
  {
    // 2026-03-05, 2026/3/5, 2026.03.05
    pattern: /(?<![\d.-])(20\d\d)([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/g,
    read: ([, year, , month, day]) => exact([dateOf(Number(year), Number(month), Number(day))]),
  },
  {
    // 2026年3月5日, 3月5日, 3月1日~5日, 3월 5일
    pattern:
      /(?:(20\d\d)\s?[年년]\s?)?(\d{1,2}|[一二三四五六七八九十]{1,2})\s?[月월]\s?(\d{1,2}|[一二三四五六七八九十]{1,3})\s?[日号號일]?(?:(?:\s?\(.\)\s?)?\s?[-~〜至到]\s?(\d{1,2})\s?[日号號])?/g,
    read: ([, year, month, day, last], today) => {
      const days = inYears(figure(month), figure(last ?? day), year, today);
      return { days, grain: "day", isYearless: year === undefined, isRangeEnd: last !== undefined };
    },
  },
  {
    // 5. März 2026, 5th of March, 5 de marzo de 2026, 1er mars, den 5:e mars, 05/out
    pattern: new RegExp(
      `(?<![\\d.:])(\\d{1,2})${ORDINAL}[ /-]?(?:de |of |d'|do |ב)?(${MONTH_WORDS}|(?<=de |/)(?:out|set|ago))(?![\\p{L}\\d])\\.?${YEAR}`,
      "gu",
    ),
    read: ([, day, month = "", year], today) =>
      yearly(inYears(monthOf(month), Number(day), year, today), year),
  },
  {
    // 10 tháng 3
    pattern: /(?<!\d)(\d{1,2}) thang (\d{1,2})(?!\d)/g,
    read: ([, day, month], today) =>
      yearly(inYears(Number(month), Number(day), undefined, today), undefined),
  },
  {
    // March 5th, 2026; March 2-5
    pattern: new RegExp(
      `\\b(${MONTH_WORDS})\\b\\.? (?:the )?(\\d{1,2})(?!\\d|:|\\.\\d)(?:st|nd|rd|th)?(?: ?(?:-|to|through|thru|until) ?(\\d{1,2})(?!\\d|:)(?:st|nd|rd|th)?(?! (?:${MONTH_WORDS})\\b))?${YEAR}`,
      "g",
    ),
    read: ([, month = "", day, last, year], today) => ({
      ...yearly(inYears(monthOf(month), Number(last ?? day), year, today), year),
      isRangeEnd: last !== undefined,
    }),
  },
  {
    // 05.03.2026, 5/3, 3/5/26, 5. 3. 2026
    pattern: /(?<![\d/-]|\d\.)(\d{1,2})([./-]) ?(\d{1,2})(?:\2 ?(20\d\d|\d\d))?(?![\d/-]|[.:]\d)/g,
    read: ([, first, mark, second, year], today, slashes) => {
      const [a, b] = [Number(first), Number(second)];
      const full = year === undefined || year.length === 4 ? year : `20${year}`;
      if (mark === "-" && year === undefined) {
        return null;
      }
      const dayFirst = inYears(b, a, full, today);
      const monthFirst = inYears(a, b, full, today);
      const isMonthFirst = slashes === "month first" && mark !== ".";
      const preferred = isMonthFirst ? monthFirst : dayFirst;
      const isEither = slashes === "either" && mark === "/";
      const other = isMonthFirst ? dayFirst : mark === "." ? [] : monthFirst;
      const isPossible = preferred.some((date) => date !== null);
      return yearly(isEither ? [...dayFirst, ...monthFirst] : isPossible ? preferred : other, full);
    },
  },
  {
    // the 5th, on the 21st
    pattern: new RegExp(
      `\\bthe (\\d{1,2})(?:st|nd|rd|th)\\b(?! (?:of )?(?:${MONTH_WORDS})\\b)`,
      "g",
    ),
    read: ([, day], today) => {
      const months = [today, today.add({ months: 1 })];
      return exact(months.map(({ year, month }) => dateOf(year, month, Number(day))));
    },
  },
  {
    // el 12, am 12., dia 12; 16号, 16일
    pattern:
      /(?:\b(?:el|am|le|il|dia|den|op|d\.) (\d{1,2})\.?(?=[,;!)]|\.?(?: [^\p{L}]|$)))|(?<![\d月월年] ?)(\d{1,2})\s?[日号號일](?![间間中내])/gu,
    read: ([, latin, asian], today) => {
      const months = [today, today.add({ months: 1 })];
      return exact(months.map(({ year, month }) => dateOf(year, month, Number(latin ?? asian))));
    },
  },
  {
    pattern: new RegExp(
      `\\b(${WEEKDAY_WORDS})\\b(?!,? (?:(?:the|den|le|el|il|dia|d\\.|dnia|dne|de) )?\\d|,? (?:the )?(?:${MONTH_WORDS})\\b)`,
      "g",
    ),
    read: ([, name = ""], today) => exact([nextWeekday(WEEKDAY_NUMBERS.get(name) ?? 1, today)]),
  },
  {
    // 月曜日, 来週月曜; 周一, 下周一
    pattern:
      /(来週の?)?([月火水木金土日])曜|(下)?(?:个|個)?(?:周|週|星期|礼拜)([一二三四五六日天])/g,
    read: ([, nextJa, ja = "", nextZh, zh = ""], today) => {
      const number =
        ja === "" ? "一二三四五六日".indexOf(zh.replace("天", "日")) : "月火水木金土日".indexOf(ja);
      const isNext = nextJa !== undefined || nextZh !== undefined;
      const monday = nextWeekday(1, today);
      return exact([isNext ? monday.add({ days: number }) : nextWeekday(number + 1, today)]);
    },
  },
  {
    pattern: new RegExp(
      `(?<![\\p{Script=Latin}-])(?:${alternation([...DAYS_AHEAD.keys()])})(?![a-z])`,
      "gu",
    ),
    read: ([word], today) => exact([today.add({ days: DAYS_AHEAD.get(word) ?? 1 })]),
  },
  {
    // Not where a weekday of that week is named.
    pattern: new RegExp(
      `(?:${alternation(NEXT_WEEK)})(?!の?[月火水木金土日]曜|[一二三四五六日天])`,
      "g",
    ),
    read: (_match, today) => ({ days: [nextWeekday(1, today)], grain: "period" }),
  },
  {
    // in two weeks, in 10 Tagen, dans trois jours
    pattern: new RegExp(
      `\\b(?:in|dans|en|dentro de|over|em|daqui a|tra|fra|za|om) (\\d{1,2}|${alternation([...NUMBER_WORDS.keys()])}) (${alternation([...UNIT_DAYS.keys()])})\\b`,
      "g",
    ),
    read: ([, count = "", unit = ""], today) => {
      const times = NUMBER_WORDS.get(count) ?? Number(count);
      return { days: [today.add({ days: times * (UNIT_DAYS.get(unit) ?? 1) })], grain: "period" };
    },
  },
  {
    pattern: /(\d{1,2})\s?(?:日|天)\s?[后後]|(\d{1,2})\s?(?:週間|周|週|个星期|個星期)\s?[后後]/g,
    read: ([, days, weeks], today) => ({
      days: [today.add({ days: Number(days ?? 0) + 7 * Number(weeks ?? 0) })],
      grain: "period",
    }),
  },
  {
    // in March, until the end of March, Mitte März
    pattern: new RegExp(
      `(?<![\\d.] ?|\\d(?:st|nd|rd|th|er|\\.)? (?:de |of )?)\\b(?:(${MONTH_PARTS.start})|(${MONTH_PARTS.middle})|(${MONTH_PARTS.end}))? ?\\b(${MONTH_WORDS})\\b(?!\\.? (?:the )?\\d{1,2}(?!\\d))${YEAR}`,
      "g",
    ),
    read: ([, , middle, end, month = "", year], today) => {
      const number = monthOf(month);
      const day = end !== undefined ? 31 : middle !== undefined ? 15 : 1;
      const firsts = inYears(number, 1, year, today, -31);
      return {
        days: firsts.map((first) => first?.with({ day }, { overflow: "constrain" }) ?? null),
        grain: end === undefined ? "period" : "day",
        isYearless: year === undefined,
      };
    },
  },
  {
    // 3月末, 3月中旬, 3月底
    pattern: /(\d{1,2})\s?月\s?(末|底|中旬|初|上旬|下旬)/g,
    read: ([, month, part = ""], today) => {
      const day = /末|底|下旬/.test(part) ? 31 : part === "中旬" ? 15 : 1;
      const firsts = inYears(Number(month), 1, undefined, today, -31);
      return {
        days: firsts.map((first) => first?.with({ day }, { overflow: "constrain" }) ?? null),
        grain: day === 31 ? "day" : "period",
        isYearless: true,
      };
    },
  },
];

function exact(days: readonly (Temporal.PlainDate | null)[]): ReadDay {
  return { days, grain: "day" };
}

function yearly(days: readonly (Temporal.PlainDate | null)[], year: string | undefined): ReadDay {
  return { days, grain: "day", isYearless: year === undefined };
}

const SHORT_MONTHS: ReadonlyMap<string, number> = new Map([
  ["out", 10],
  ["set", 9],
  ["ago", 8],
]);

function monthOf(name: string): number {
  return MONTH_NUMBERS.get(name) ?? SHORT_MONTHS.get(name) ?? 0;
}

/** 12 or 十二 as a number. */
function figure(text: string | undefined): number {
  if (text === undefined || /^\d/.test(text)) {
    return Number(text ?? 0);
  }
  const digit = (one: string) => "一二三四五六七八九".indexOf(one) + 1;
  const [tens = "", ones = ""] = text.includes("十") ? text.split("十") : ["0", text];
  const ten = tens === "0" ? 0 : tens === "" ? 10 : digit(tens) * 10;
  return ten + digit(ones);
}

/** In the year that is given, else in this one and the next; none before `today` plus `fromDays`. */
function inYears(
  month: number,
  day: number,
  year: string | undefined,
  today: Temporal.PlainDate,
  fromDays = 0,
): (Temporal.PlainDate | null)[] {
  const years = year === undefined ? [today.year, today.year + 1] : [Number(year)];
  const earliest = today.add({ days: fromDays });
  return years
    .map((one) => dateOf(one, month, day))
    .filter((date) => {
      return date === null || year !== undefined || Temporal.PlainDate.compare(date, earliest) >= 0;
    });
}

function dateOf(year: number, month: number, day: number): Temporal.PlainDate | null {
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: "reject" });
  } catch {
    return null;
  }
}

/** The next such day after `today`; Monday is 1. */
function nextWeekday(number: number, today: Temporal.PlainDate): Temporal.PlainDate {
  return today.add({ days: ((number - today.dayOfWeek + 6) % 7) + 1 });
}

function numbersOf(names: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  return new Map(names.flatMap((row, at) => row.map((name) => [name, at + 1] as const)));
}

/** Longest first, so that a name is never taken for its own beginning. */
function alternation(all: readonly string[]): string {
  return [...all].sort((a, b) => b.length - a.length).join("|");
}

/**
 * The day on which somebody who is away will be back, as the text says it in one of thirty languages.
 *
 * Every day that the text names is looked at together with the words around it: "back on 5 March" names
 * the first day back, "until 5 March" the last day away. A first day back wins, the latest of several;
 * where there is none, the day after the last day away.
 */

import { fold } from "#domain/inbox/fold.ts";
import { WEEKDAY_SHORTS } from "./calendar-words.ts";
import {
  DATE_FORMS,
  type DateForm,
  type ReadDay,
  type Slashes,
  WEEKDAY_WORDS,
} from "./date-forms.ts";
import { ARTICLES, AVAILABLE, CUES } from "./return-cues.ts";

/** A return further away is not believed, nor one that is past. */
export const ABSENCE_DAYS_MAX = 365;
/** A day without a year that would lie further ahead was meant as the one just past. */
const YEARLESS_DAYS_MAX = 300;
/** Words beside a date in which a cue is looked for. */
const CUE_CHARS_MAX = 60;
const DATES_MAX = 20;

interface FoundDate {
  /** The first day back. */
  back: Temporal.PlainDate;
  cue: "back" | "until";
}

type Cue = "back" | "until" | null;

/** Null where the text names no return from `today` on. */
export function findReturnDate(text: string, today: Temporal.PlainDate): Temporal.PlainDate | null {
  const folded = fold(text);
  const found = DATE_FORMS.flatMap((form) => datesOf(form, folded, today)).filter(({ back }) => {
    const days = today.until(back, { largestUnit: "days" }).days;
    return days >= 0 && days <= ABSENCE_DAYS_MAX;
  });
  return latest(found, "back") ?? latest(found, "until");
}

function latest(found: readonly FoundDate[], cue: FoundDate["cue"]): Temporal.PlainDate | null {
  return found
    .filter((one) => one.cue === cue)
    .map(({ back }) => back)
    .reduce<Temporal.PlainDate | null>((last, date) => {
      return last === null || Temporal.PlainDate.compare(date, last) > 0 ? date : last;
    }, null);
}

function datesOf(form: DateForm, text: string, today: Temporal.PlainDate): FoundDate[] {
  const found: FoundDate[] = [];
  for (const match of firstMatches(form.pattern, text)) {
    const before = text.slice(Math.max(0, match.index - CUE_CHARS_MAX), match.index);
    const end = match.index + match[0].length;
    const { cue, slashes } = cueOf(before, text.slice(end, end + CUE_CHARS_MAX));
    const read = form.read(match, today, slashes);
    const kind = cue ?? (read?.isRangeEnd === true ? "until" : null);
    const day = read === null ? null : nearest(read, today);
    if (read !== null && day !== null && kind !== null) {
      const isLast = kind === "until" && read.grain === "day";
      found.push({ back: isLast ? day.add({ days: 1 }) : day, cue: kind });
    }
  }
  return found;
}

function* firstMatches(pattern: RegExp, text: string): Generator<RegExpExecArray> {
  let count = 0;
  for (const match of text.matchAll(pattern)) {
    if (count === DATES_MAX) {
      return;
    }
    count += 1;
    yield match;
  }
}

/** The nearest of the readings that is still to come. */
function nearest(read: ReadDay, today: Temporal.PlainDate): Temporal.PlainDate | null {
  const daysMax = read.isYearless === true ? YEARLESS_DAYS_MAX : ABSENCE_DAYS_MAX;
  const ahead = read.days
    .filter((date) => date !== null)
    .filter((date) => {
      const days = today.until(date, { largestUnit: "days" }).days;
      return days >= 0 && days <= daysMax;
    })
    .sort(Temporal.PlainDate.compare);
  return ahead[0] ?? null;
}

/** What may stand between a cue and its date: a weekday, an article, a comma. */
const BETWEEN = new RegExp(
  `(?:[\\s,(:]|(?<![\\p{L}])(?:${[...ARTICLES, ...WEEKDAY_SHORTS].join("|")}|${WEEKDAY_WORDS})(?![\\p{L}])[.)]?)+$`,
  "u",
);
/** "2 - 5 March", "02.03. – 05.03.": the date after the dash is the end. */
const RANGE_DASH = /[\p{L}\d.)日号] ?(?:-|~|〜|\.\.\.?) ?$/u;

function cueOf(before: string, after: string): { cue: Cue; slashes: Slashes } {
  const near = before.trimEnd();
  const bare = before.replace(BETWEEN, "");
  for (const words of near === bare ? [near] : [near, bare]) {
    for (const row of CUES) {
      if (row.back.some((cue) => cue.test(words))) {
        return { cue: "back", slashes: row.slashes };
      }
    }
    for (const row of CUES) {
      if (row.until.some((cue) => cue.test(words))) {
        return { cue: "until", slashes: row.slashes };
      }
    }
  }
  return cueAfter(after) ?? weakCue(before, bare, after);
}

function cueAfter(after: string): { cue: Cue; slashes: Slashes } | null {
  const words = after.trimStart();
  for (const { untilAfter, backAfter, slashes } of CUES) {
    if (untilAfter?.test(words) === true) {
      return { cue: "until", slashes };
    }
    if (backAfter?.test(words) === true) {
      return { cue: "back", slashes };
    }
  }
  return null;
}

function weakCue(before: string, bare: string, after: string): { cue: Cue; slashes: Slashes } {
  if (RANGE_DASH.test(before)) {
    return { cue: "until", slashes: "either" };
  }
  const row = CUES.find(({ from }) => from?.test(bare) || from?.test(before.trimEnd()));
  const clause = `${before.split(/[.!?] /).at(-1) ?? ""}|${after.replace(/^\./, "").split(/[.!?](?: |$)/)[0] ?? ""}`;
  const isBack = row !== undefined && AVAILABLE.some((words) => words.test(clause));
  return { cue: isBack ? "back" : null, slashes: row?.slashes ?? "either" };
}

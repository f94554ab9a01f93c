/** When people reply, in one sentence that says no more than the counts can bear. */

import { clock, DAYS } from "../../charts/week.tsx";
import { percent, plural } from "../../lib/format.ts";
import { sum } from "../../lib/sum.ts";

/** Hours of a span; how many spans begin within one day. */
const SPAN = 3;
const SPANS = 24 - SPAN + 1;
/** Square of the normal quantile of a two-sided test at 5 %. */
export const Z_SQUARED = 3.84;

/** Of replies by weekday, Monday first, and hour: the busiest hours and weekday, each where it leads by more than chance. */
export function busiest(hours: readonly (readonly number[])[]): string {
  const byDay = hours.map(sum);
  const all = sum(byDay);
  if (all === 0) {
    return "No replies yet";
  }
  const bySpan = Array.from({ length: SPANS }, (_, hour) =>
    sum(hours.flatMap((row) => row.slice(hour, hour + SPAN))),
  );
  const span = leaderOf(bySpan, SPAN);
  const day = leaderOf(byDay, 1);
  if (span === null) {
    return day === null
      ? `${plural(all, "reply", "replies")} by weekday and hour`
      : `${DAYS[day]} has the most replies`;
  }
  const part = percent((bySpan[span] ?? 0) / all);
  const when = `${part} of replies came between ${clock(span)} and ${clock(span + SPAN)}`;
  return day === null ? when : `${when}; ${DAYS[day]} has the most`;
}

/**
 * The index of the largest count, where it is larger than that of the next best by more than chance; null
 * otherwise. Counts nearer than `apart` share what they count, and are no rivals. The two-sided sign test of the
 * first against the second keeps its level, though both were picked by looking (Hung & Fithian 2019).
 */
function leaderOf(counts: readonly number[], apart: number): number | null {
  const most = Math.max(...counts);
  const first = counts.indexOf(most);
  const second = Math.max(0, ...counts.filter((_, nth) => Math.abs(nth - first) >= apart));
  return (most - second) ** 2 > Z_SQUARED * (most + second) ? first : null;
}

/** The sentence above the hours of replies claims nothing that chance alone would show. */

import { expect, test } from "bun:test";
import { busiest } from "../../src/ui/pages/overview/hours.ts";
import { createDraw } from "../support/simulation/draw.ts";

const WEEKS = 2000;
const REPLIES = [5, 14, 60, 400] as const;

/** Replies of one week, each in an hour that `place` draws. */
function weekOf(replies: number, place: () => { day: number; hour: number }): number[][] {
  const hours = Array.from({ length: 7 }, () => Array<number>(24).fill(0));
  for (let nth = 0; nth < replies; nth += 1) {
    const { day, hour } = place();
    hours[day]![hour]! += 1;
  }
  return hours;
}

test.each(REPLIES)("of %d replies at any hour it rarely names a day or hours", (replies) => {
  const draw = createDraw(replies);
  const anyHour = () => ({ day: draw.int(0, 6), hour: draw.int(0, 23) });
  const said = Array.from({ length: WEEKS }, () => busiest(weekOf(replies, anyHour)));
  const naming = (word: RegExp) => said.filter((sentence) => word.test(sentence)).length / WEEKS;
  expect(naming(/[A-Z]\w+day/)).toBeLessThanOrEqual(0.05);
  expect(naming(/between/)).toBeLessThanOrEqual(0.05);
});

test("it finds the morning and the day that do lead", () => {
  const draw = createDraw(7);
  const tuesdays = () => ({
    day: draw.chance(0.5) ? 1 : draw.int(0, 6),
    hour: draw.chance(0.6) ? draw.int(9, 11) : draw.int(0, 23),
  });
  const sentence = busiest(weekOf(200, tuesdays));
  expect(sentence).toMatch(
    /^\d+(\.\d)?% of replies came between 09:00 and 12:00; Tuesday has the most$/,
  );
});

test("the share is that of the hours it names, midnight included", () => {
  const hours = weekOf(0, () => ({ day: 0, hour: 0 }));
  hours[2]![22] = 30;
  hours[5]![4] = 10;
  expect(busiest(hours)).toBe(
    "75% of replies came between 20:00 and 23:00; Wednesday has the most",
  );
  expect(busiest(weekOf(0, () => ({ day: 0, hour: 0 })))).toBe("No replies yet");
});

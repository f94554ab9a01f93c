/** Guarantees of `domain/campaigns/step.ts`. */

import { expect, test } from "bun:test";
import { defaultWaitDays } from "#domain/campaigns/step.ts";

test("the first step goes at once by default, later ones after three days", () => {
  expect([1, 2, 3, 50].map(defaultWaitDays)).toEqual([0, 3, 3, 3]);
});

/** What `./build.sh` says of the compiler's work; that it keeps to the budget is seen at every build. */

import { expect, test } from "bun:test";
import { INSTANTIATIONS_MAX, verdictOf } from "../../.ci/types.ts";

const told = (instantiations: number) =>
  `Files:              2\nTypes:          1\nInstantiations: ${String(instantiations).padStart(8)}\n`;

test("types that take no more work than they may are passed without a word", () => {
  expect(verdictOf(told(INSTANTIATIONS_MAX))).toEqual({ said: "", refusal: undefined });
});

test("types that take more are refused, with how many they are", () => {
  const { refusal } = verdictOf(told(INSTANTIATIONS_MAX + 1));
  expect(refusal).toContain(String(INSTANTIATIONS_MAX + 1));
});

test("what the compiler says of a fault is passed on, and no count is a refusal", () => {
  const fault = "src/a.ts(1,1): error TS2304: Cannot find name 'x'.\n";
  expect(verdictOf(fault + told(1)).said).toBe(fault);
  expect(verdictOf("killed").refusal).toBeString();
});

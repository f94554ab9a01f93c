/** The licences that the executable shows are those of what is in it. */

import { expect, test } from "bun:test";
import notices from "#cli/third-party.txt" with { type: "text" };
import { notices as noticesOf, thirdParties } from "../../.ci/third-party.ts";
import manifest from "../../package.json";

test("every package of the executable is named with its licence", () => {
  const packages = thirdParties();
  expect(packages.map(({ name }) => name)).toContainValues(Object.keys(manifest.dependencies));
  expect(packages.filter(({ licence }) => licence === "see its text")).toEqual([]);
  // When this fails: bun .ci/third-party.ts notices > src/cli/third-party.txt
  expect(noticesOf(packages) === notices).toBe(true);
});

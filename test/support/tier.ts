/** Which tests run here: all of them in the full tier; in the quick one, what this machine can run. */

const TIER = process.env["OUTRIDER_TEST_TIER"] ?? "quick";

/**
 * Whether a test that needs `needed` (`root`, or programs on the PATH) is to be skipped. Never in the
 * full tier: there, what is missing makes the test fail.
 */
export function lacks(...needed: readonly string[]): boolean {
  return TIER !== "full" && needed.some((name) => !has(name));
}

function has(name: string): boolean {
  return name === "root" ? process.getuid?.() === 0 : Bun.which(name) !== null;
}

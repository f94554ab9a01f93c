/**
 * Randomness without state: a number that looks random and is a function of its parts. The planner
 * draws by (account, local date, ordinal) and spintax by (lead and step, ordinal), so that a forecast,
 * a retry and a replay see what the engine saw. Never for secrets.
 *
 * Two 32-bit workers absorb UTF-16 code units with unlike multipliers, and each ends in a finaliser in
 * which every input bit reaches every output bit.
 */

/** Ends each part; above every code unit, so that ("ab", "c") and ("a", "bc") differ. */
const END_OF_PART = 0x1_0000;

/** 2^21 and 2^53: the high worker gives 21 bits, the low worker 32. */
const HIGH_SPAN = 0x20_0000;
const FRACTION_SPAN = 0x20_0000_0000_0000;
const LOW_SPAN = 0x1_0000_0000;

/**
 * A number in [0, 1) with 53 bits, the same for the same parts on every machine. A number counts as
 * its decimal text: 1 and "1" are one part.
 */
export function hash01(...parts: readonly (string | number)[]): number {
  let low = 0x9e37_79b9;
  let high = 0x7f4a_7c15;
  for (const part of parts) {
    const text = String(part);
    for (let at = 0; at <= text.length; at += 1) {
      const unit = at < text.length ? text.charCodeAt(at) : END_OF_PART;
      low = Math.imul(low ^ unit, 0x85eb_ca6b);
      low ^= low >>> 15;
      high = Math.imul(high ^ unit, 0xc2b2_ae35);
      high ^= high >>> 13;
    }
  }
  const mixedLow = finish(low ^ Math.imul(high, 0x27d4_eb2f));
  const mixedHigh = finish(high ^ Math.imul(mixedLow, 0x1656_67b1));
  return ((mixedHigh % HIGH_SPAN) * LOW_SPAN + mixedLow) / FRACTION_SPAN;
}

/** An integer in [0, bound), as evenly spread as {@link hash01}. `bound` is at least 1. */
export function hashInt(bound: number, ...parts: readonly (string | number)[]): number {
  return Math.floor(hash01(...parts) * bound);
}

/** The finaliser of MurmurHash3's 32-bit form, unsigned. */
function finish(value: number): number {
  let mixed = value ^ (value >>> 16);
  mixed = Math.imul(mixed, 0x85eb_ca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2_ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/**
 * Arguments of statistics, checked where they come in: a caller learns which of them is wrong, and
 * nothing that comes out is ever NaN.
 */

/** Above every list of leads; sums and products of four counts stay far below 2^1023. */
export const COUNT_MAX = 1e9;

const WEIGHT_MAX = 1e12;

/** An argument outside of its range. `argument` is its name, `epochs[2].allocA` inside of a list. */
export class ArgumentError extends RangeError {
  readonly argument: string;
  /** What would have been right. */
  readonly rule: string;

  constructor(argument: string, rule: string) {
    super(`${argument} ${rule}`);
    this.name = "ArgumentError";
    this.argument = argument;
    this.rule = rule;
  }
}

/** A finite number from 0 to {@link COUNT_MAX}; fractions are let through. */
export function checkAmount(argument: string, value: number): void {
  if (!(Number.isFinite(value) && value >= 0 && value <= COUNT_MAX)) {
    throw new ArgumentError(argument, `must be a number from 0 to ${COUNT_MAX}`);
  }
}

/** A whole number from `min` to `max`. */
export function checkCount(argument: string, value: number, min = 0, max = COUNT_MAX): void {
  if (!(Number.isInteger(value) && value >= min && value <= max)) {
    throw new ArgumentError(argument, `must be a whole number from ${min} to ${max}`);
  }
}

/** A number above 0, up to `max`. */
export function checkPositive(argument: string, value: number, max = Number.MAX_VALUE): void {
  if (!(Number.isFinite(value) && value > 0 && value <= max)) {
    throw new ArgumentError(argument, "must be a finite number above 0");
  }
}

/** A number strictly between 0 and 1. */
export function checkInside(argument: string, value: number): void {
  if (!(Number.isFinite(value) && value > 0 && value < 1)) {
    throw new ArgumentError(argument, "must be a number between 0 and 1, both excluded");
  }
}

/** Smallest share of a split: below that of the lightest of ten variants, far above where 1 − share is 1. */
const SHARE_MIN = 1e-10;

/** A share of a split: strictly between 0 and 1, and as far from both as {@link SHARE_MIN}. */
export function checkShare(argument: string, value: number): void {
  if (!(Number.isFinite(value) && value >= SHARE_MIN && value <= 1 - SHARE_MIN)) {
    throw new ArgumentError(argument, `must be a number from ${SHARE_MIN} to 1 - ${SHARE_MIN}`);
  }
}

/** Weights of a split: as many as it has parts, above 0, none out of sight beside their sum. */
export function checkWeights(argument: string, weights: readonly number[], parts: number): void {
  checkList(argument, weights, { min: parts, max: parts });
  for (const [index, weight] of weights.entries()) {
    checkPositive(`${argument}[${index}]`, weight, WEIGHT_MAX);
  }
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const small = weights.findIndex((weight) => weight < sum * SHARE_MIN);
  if (small !== -1) {
    throw new ArgumentError(`${argument}[${small}]`, `must be at least ${SHARE_MIN} of their sum`);
  }
}

/** A number from 0 to 1. */
export function checkProbability(argument: string, value: number): void {
  if (!(Number.isFinite(value) && value >= 0 && value <= 1)) {
    throw new ArgumentError(argument, "must be a number from 0 to 1");
  }
}

/** A list of `min` to `max` members; what they are is for the caller to check. */
export function checkList(
  argument: string,
  list: readonly unknown[],
  { min, max }: { min: number; max: number },
): void {
  if (!Array.isArray(list) || list.length < min || list.length > max) {
    const size = min === max ? `${min}` : `${min} to ${max}`;
    throw new ArgumentError(argument, `must be a list of ${size} members`);
  }
}

export function checkFlag(argument: string, value: boolean): void {
  if (typeof value !== "boolean") {
    throw new ArgumentError(argument, "must be true or false");
  }
}

/** A member of a list: an object, so that its fields can be read. */
export function checkRecord(argument: string, value: unknown): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ArgumentError(argument, "must be an object");
  }
}

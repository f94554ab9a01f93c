/** Exact arithmetic for checking what doubles compute: fractions of big integers. */

export class Fraction {
  readonly top: bigint;
  readonly bottom: bigint;

  constructor(top: bigint | number, bottom: bigint | number = 1n) {
    const [a, b] = [BigInt(top), BigInt(bottom)];
    const divisor = greatestCommonDivisor(a, b) * (b < 0n ? -1n : 1n);
    this.top = a / divisor;
    this.bottom = b / divisor;
  }

  plus({ top, bottom }: Fraction): Fraction {
    return new Fraction(this.top * bottom + top * this.bottom, this.bottom * bottom);
  }

  minus({ top, bottom }: Fraction): Fraction {
    return new Fraction(this.top * bottom - top * this.bottom, this.bottom * bottom);
  }

  times({ top, bottom }: Fraction): Fraction {
    return new Fraction(this.top * top, this.bottom * bottom);
  }

  over({ top, bottom }: Fraction): Fraction {
    return new Fraction(this.top * bottom, this.bottom * top);
  }

  /** The nearest double, or one beside it, however small or large the parts are. */
  toNumber(): number {
    if (this.top === 0n) {
      return 0;
    }
    const sign = this.top < 0n ? -1 : 1;
    const top = this.top < 0n ? -this.top : this.top;
    const shift = bitsOf(this.bottom) - bitsOf(top) + 64;
    const scaled =
      shift >= 0 ? (top << BigInt(shift)) / this.bottom : top / (this.bottom << BigInt(-shift));
    // In two steps, so that neither factor is below the least double.
    const half = Math.trunc(-shift / 2);
    return sign * Number(scaled) * 2 ** half * 2 ** (-shift - half);
  }
}

export const ZERO = new Fraction(0);
export const ONE = new Fraction(1);

export function sumOf(fractions: readonly Fraction[]): Fraction {
  return fractions.reduce((sum, fraction) => sum.plus(fraction), ZERO);
}

function bitsOf(value: bigint): number {
  return value.toString(2).length;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) {
    [x, y] = [y, x % y];
  }
  return x;
}

const factorials = [1n];

export function factorial(n: number): bigint {
  while (factorials.length <= n) {
    factorials.push((factorials.at(-1) ?? 1n) * BigInt(factorials.length));
  }
  return factorials[n] ?? 1n;
}

export function choose(n: number, k: number): bigint {
  return k < 0 || k > n ? 0n : factorial(n) / (factorial(k) * factorial(n - k));
}

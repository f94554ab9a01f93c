/** How likely a difference of this size is to be found. */

/** Beyond it a normal value lies with the chance that the test at the end may be wrong by, on each side. */
export const Z_FIXED = 2.053748910631823;

/** Φ(x), right to 1e-7. Source: Abramowitz and Stegun 26.2.17. */
function normalBelow(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const poly =
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * poly;
  return x >= 0 ? 1 - tail : tail;
}

/** Probability that the test at the end finds `ratio` with `leads` in each variant. */
export function powerOf(baseline: number, ratio: number, leads: number): number {
  const other = Math.min(0.9999, baseline * ratio);
  const mean = (baseline + other) / 2;
  const noise = Math.sqrt(2 * mean * (1 - mean)) * Z_FIXED;
  const spread = Math.sqrt(baseline * (1 - baseline) + other * (1 - other));
  return normalBelow((Math.abs(other - baseline) * Math.sqrt(leads) - noise) / spread);
}

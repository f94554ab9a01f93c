/** Suppressions: addresses and domains that are never written to. */

/** Weakest first: a stronger reason replaces a weaker one and never the reverse. */
export const SUPPRESSION_REASONS = [
  "import",
  "manual",
  "bounce",
  "unsubscribe",
  "complaint",
] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

export function isStronger(a: SuppressionReason, b: SuppressionReason): boolean {
  return SUPPRESSION_REASONS.indexOf(a) > SUPPRESSION_REASONS.indexOf(b);
}

/** A bounce says of an address that nobody reads it; all else says that a person is not to be written to. */
export function isAboutPerson(reason: SuppressionReason): boolean {
  return reason !== "bounce";
}

/** This many soft bounces in a row are a hard one. */
export const SOFT_BOUNCES_MAX = 3;

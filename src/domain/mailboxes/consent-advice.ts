/** What to click where a provider refuses a consent, a token, or a login by one. */

/** Null where nothing better than the provider's own words is known. */
export function remedyForGrant(_words: string): string | null {
  return null;
}

/** What of an unsubscribe link nobody but its server has to read. Source: ours. */

/** The token is of no use to a reader, and whoever sees it can unsubscribe the lead. */
export function withoutTokens(text: string): string {
  return text.replace(/(%20|\b)[lt][\w-]{43}(?![\w-])/g, "…");
}

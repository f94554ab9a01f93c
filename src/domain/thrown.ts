/** What was thrown, in words: anything may be thrown, and is an `Error` only as a rule. */

/** For whoever asked. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** For the log, with where it happened. */
export function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

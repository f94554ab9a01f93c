/** Words of a server, fit for a record, a log line and a page. */

import { messageOf } from "#domain/thrown.ts";

export const RESPONSE_CHARS_MAX = 500;

/**
 * One line without control characters or direction marks, at most {@link RESPONSE_CHARS_MAX} long.
 */
export function serverText(text: string): string {
  return text
    .slice(0, 4 * RESPONSE_CHARS_MAX)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim()
    .slice(0, RESPONSE_CHARS_MAX)
    .toWellFormed();
}

/** The message of whatever was thrown, as {@link serverText}. */
export function reasonOf(error: unknown): string {
  const text = serverText(messageOf(error));
  return text === "" ? "unknown failure" : text;
}

/** Where a mailbox's spam is: servers mark a folder, other programs and people's filters make more. */

import type { ListResponse } from "imapflow";

/** Names of junk folders beside the one that the library knows, in lower case. */
const NAMES = new Set([
  "bulk",
  "bulk mail",
  "junk",
  "junk e-mail",
  "junk email",
  "spam",
  "spambox",
  "spam-verdacht",
  "spamverdacht",
  "unerwünscht",
  "unerwünschte werbung",
  "unsolicited",
]);
const JUNK_MAX = 4;

/** Paths, those that are marked first; never the inbox. */
export function junkOf(folders: readonly ListResponse[]): string[] {
  const open = folders.filter(
    ({ path, flags }) =>
      path.toUpperCase() !== "INBOX" && !flags.has("\\Noselect") && !flags.has("\\NonExistent"),
  );
  const marked = open.filter(({ specialUse }) => specialUse === "\\Junk");
  const named = open.filter(
    ({ name, specialUse }) => !specialUse && NAMES.has(name.normalize("NFC").toLowerCase()),
  );
  return [...marked, ...named].map(({ path }) => path).slice(0, JUNK_MAX);
}

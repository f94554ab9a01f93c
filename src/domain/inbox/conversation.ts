/**
 * Conversations as the inbox shows them: what a subject is without what mail programs put before it,
 * what kind a whole thread is, and the message that a plus address names.
 *
 * Source: ours; the prefixes are those of the usual clients in some twenty languages.
 */

import type { InboundKind } from "./classify.ts";
import { REPLY_PREFIXES } from "./reply-prefix.ts";

/** "Re:", "AW: ", "Antw[2]:", "[EXT]" … */
const PREFIX = new RegExp(
  `^\\s*(?:(?:${REPLY_PREFIXES})(?:\\s?[[(]\\d{1,3}[\\])])?\\s?[:：]|` +
    "\\[(?:ext|extern|externe|externo|external|spam)\\])\\s*",
  "i",
);
const PREFIXES_MAX = 20;

/** What two emails of one conversation share: without prefixes, in lower case, blanks in a row as one. */
export function bareSubject(subject: string): string {
  let bare = subject;
  for (let count = 0; count < PREFIXES_MAX; count += 1) {
    const shorter = bare.replace(PREFIX, "");
    if (shorter === bare) {
      break;
    }
    bare = shorter;
  }
  return bare.replace(/\s+/g, " ").trim().toLowerCase();
}

/** What a person may say that an email is. */
export const WRITABLE_KINDS = [
  "reply",
  "auto_reply",
  "bounce",
  "notice",
  "complaint",
  "unsubscribe",
  "unrelated",
] as const satisfies readonly InboundKind[];
export type SettableKind = (typeof WRITABLE_KINDS)[number];

const PEOPLE: readonly InboundKind[] = ["reply", "unsubscribe", "complaint"];
const PROGRAMS: readonly InboundKind[] = ["bounce", "auto_reply"];

/** An email that a reply would go back to. */
export function canBeRepliedTo(kind: InboundKind): boolean {
  return kind === "reply" || kind === "unsubscribe" || kind === "auto_reply";
}

/**
 * Place of the email that gives a thread its kind, `kinds` being newest first: the newest by a person, so
 * that no auto-reply hides who wrote; else the newest by a program that says something; else the
 * newest. -1 for none.
 */
export function decisiveMail(kinds: readonly InboundKind[]): number {
  for (const wanted of [PEOPLE, PROGRAMS]) {
    const place = kinds.findIndex((kind) => wanted.includes(kind));
    if (place !== -1) {
      return place;
    }
  }
  return kinds.length === 0 ? -1 : 0;
}

const DETAIL =
  /^[^+@]+\+(?:[a-z]{1,2}[.-])?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})@/;

/** Of `ann+<uuid>@example.com` the uuid: the left part of a Message-ID of ours. Null for others. */
export function detailOf(address: string): string | null {
  return DETAIL.exec(address.toLowerCase())?.[1] ?? null;
}

/** What mail programs put before the subject of a reply or of a forwarded email. */

import { fold } from "./fold.ts";

/** Alternatives of a pattern, in the clients of some twenty languages; in lower case. */
export const REPLY_PREFIXES =
  "re|aw|antw|antwort|sv|vs|vl|rv|res|ref|rif|odp|ynt|vb|tr|fw|fwd|wg|doorst|enc|i|r|va|vá|" +
  "回复|回覆|答复|答覆|返信|转发|轉寄|轉發|転送|회신|전달";

const PREFIX = new RegExp(`^(?:${REPLY_PREFIXES})\\s?(?:[[(]\\d{1,3}[\\])])?\\s?:`);

/** True for "Re: …", "AW: …", "回复: …" and the like. */
export function isReply(subject: string): boolean {
  return PREFIX.test(fold(subject));
}

/**
 * Receipts of reading: somebody's program says that an email was opened, or deleted unread.
 *
 * Source: RFC 8098 (message/disposition-notification); the titles and sentences are those of Outlook,
 * which some systems pass on as text alone.
 */

import { fold } from "#domain/inbox/fold.ts";
import type { ParsedMail } from "#domain/inbox/mail.ts";

const BODY_CHARS_MAX = 1000;

/** What shows that it is one; null for everything else. */
export function findReceipt(mail: ParsedMail): string | null {
  if (mail.parts.some(({ type }) => type === "message/disposition-notification")) {
    return "disposition-notification";
  }
  const title = TITLE.exec(fold(mail.subject))?.[0];
  const isSaid = BODY.test(fold(mail.text.slice(0, BODY_CHARS_MAX)));
  return title !== undefined && isSaid ? `receipt: ${title}` : null;
}

const TITLE =
  /^(?:read|not read|gelesen|ungelesen|lu|non lu|leido|no leido|gelezen|niet gelezen|lida?|nao lida?|letto|non letto|przeczytan[oe]|nie przeczytan[oe]|last|olast|laest|ulaest|lest|ulest|precteno|neprecteno|開封済み|未開封|已读|已讀|未读|未讀) ?:/;
const BODY =
  /\b(?:was|is) (?:read|opened|displayed|deleted without being read) (?:on|at)\b|\bwurde am .{1,60} (?:gelesen|geoffnet)|\bwurde (?:ungelesen|ohne gelesen)|\ba ete (?:lu|supprime)\b|\bse (?:leyo|elimino) el\b|\bis (?:gelezen|verwijderd) op\b|\bfoi (?:lida?|eliminad[ao]) em\b|\be stato (?:letto|eliminato) il\b|\bzostala (?:przeczytana|usunieta)\b|\b(?:lastes|togs bort) den\b|\bblev (?:laest|slettet) den\b|\bble (?:lest|slettet) den\b|\bbyla (?:prectena|odstranena)\b|に開封|に削除|(?:已于|已於).{1,40}(?:阅读|閱讀|读取|讀取|删除|刪除)/;

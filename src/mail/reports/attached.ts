/**
 * The report that an email carries: recognized by its subject or type, attached or as the body, packed or not.
 *
 * Source: RFC 7489 §7.2.1.1, RFC 8460 §§5.3, 5.4.
 */

import PostalMime from "postal-mime";
import { header, type ParsedMail } from "#domain/inbox/mail.ts";
import type { ReceivedReport } from "#domain/mailboxes/domain-reports/report.ts";
import { readDmarcReport } from "./dmarc.ts";
import { readTlsReport } from "./tls.ts";
import { unpack } from "./unpack.ts";

/** Attachments that are looked into. */
const FILES_MAX = 4;
const NESTING_MAX = 8;
const HEADERS_BYTES_MAX = 65_536;

const SUBJECT = /\breport[\s_-]?domain\b|\bdmarc\b|\btls[\s-]?rpt\b/i;
const PACKED =
  /^application\/(x-)?(zip|gzip|zip-compressed|octet-stream|tlsrpt\+(gzip|json)|json|xml)$/;
const NAMED = /\.(xml|json)(\.gz|\.zip)?$|\.(gz|zip)$/i;

/**
 * Null for any other email, and for a report that can't be read. Reports answer nothing: whoever replies with one
 * attached is a person. Never throws.
 */
export async function reportIn(raw: Uint8Array, mail: ParsedMail): Promise<ReceivedReport | null> {
  const type = header(mail, "content-type") ?? "";
  const isLikely =
    SUBJECT.test(mail.subject) ||
    header(mail, "tls-report-domain") !== null ||
    /tlsrpt|^application\/(x-)?(zip|gzip)\b/i.test(type);
  const isReply = header(mail, "in-reply-to") !== null || header(mail, "references") !== null;
  if (!isLikely || isReply) {
    return null;
  }
  for (const file of await filesOf(raw)) {
    const text = (await unpack(file))?.trimStart() ?? "";
    const report = text.startsWith("{") ? readTlsReport(text) : await readDmarcReport(text);
    if (report !== null) {
      return report;
    }
  }
  return null;
}

async function filesOf(raw: Uint8Array): Promise<Uint8Array[]> {
  try {
    const { attachments } = await PostalMime.parse(raw, {
      attachmentEncoding: "arraybuffer",
      maxNestingDepth: NESTING_MAX,
      maxHeadersSize: HEADERS_BYTES_MAX,
    });
    return attachments
      .filter(
        ({ mimeType, filename }) =>
          PACKED.test(mimeType) || /xml$/.test(mimeType) || NAMED.test(filename ?? ""),
      )
      .slice(0, FILES_MAX)
      .flatMap(({ content }) => (content instanceof ArrayBuffer ? [new Uint8Array(content)] : []));
  } catch {
    return [];
  }
}

/** Reports as receivers write them, and the emails that carry them. */

import { gzipSync } from "node:zlib";

export interface Row {
  ip: string;
  count: number;
  from?: string;
  disposition?: string;
  dkim?: string;
  spf?: string;
}

export interface Written {
  domain?: string;
  reporter?: string;
  id?: string;
  /** Seconds. */
  begin?: number;
  end?: number;
  rows: Row[];
}

/** Monday, 2 March 2026. */
export const BEGIN = 1_772_409_600;

/** Source: RFC 7489 appendix C. */
export function dmarcXml(report: Written, namespace = ""): string {
  const {
    domain = "sender.example",
    reporter = "google.com",
    id = "1",
    begin = BEGIN,
    rows,
  } = report;
  const records = rows.map(
    ({ ip, count, from = domain, disposition = "none", dkim = "pass", spf = "pass" }) =>
      `<record><row><source_ip>${ip}</source_ip><count>${count}</count><policy_evaluated><disposition>${disposition}</disposition><dkim>${dkim}</dkim><spf>${spf}</spf></policy_evaluated></row><identifiers><header_from>${from}</header_from></identifiers><auth_results><spf><domain>${from}</domain><result>${spf}</result></spf></auth_results></record>`,
  );
  return `<?xml version="1.0" encoding="UTF-8" ?><feedback${namespace}><version>1.0</version><report_metadata><org_name>${reporter}</org_name><email>noreply@${reporter}</email><report_id>${id}</report_id><date_range><begin>${begin}</begin><end>${report.end ?? begin + 86_399}</end></date_range></report_metadata><policy_published><domain>${domain}</domain><adkim>r</adkim><aspf>r</aspf><p>none</p><sp>none</sp><pct>100</pct></policy_published>${records.join("")}</feedback>`;
}

export function reportMail(
  bytes: Uint8Array | string,
  {
    to = "ann@sender.example",
    type = "application/gzip",
    name = "google.com!sender.example!1772409600!1772495999.xml.gz",
    subject = "Report domain: sender.example Submitter: google.com Report-ID: 1",
    headers = [] as string[],
  } = {},
): string {
  const packed = typeof bytes === "string" && type === "application/gzip" ? gzipSync(bytes) : bytes;
  const lines =
    Buffer.from(packed)
      .toString("base64")
      .match(/.{1,76}/g) ?? [];
  return [
    ...headers,
    "From: noreply-dmarc-support@google.com",
    `To: ${to}`,
    `Subject: ${subject}`,
    `Message-ID: <${Bun.hash(String(bytes) + subject)}@google.com>`,
    "Date: Tue, 03 Mar 2026 01:00:00 +0000",
    "MIME-Version: 1.0",
    `Content-Type: ${type}; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    "Content-Transfer-Encoding: base64",
    "",
    ...lines,
    "",
  ].join("\n");
}

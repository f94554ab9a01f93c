/** Reports in every packing that receivers use, and what a stranger may send instead of one. */

import { describe, expect, test } from "bun:test";
import { deflateRawSync, gzipSync } from "node:zlib";
import { type DmarcReport, SOURCES_MAX } from "#domain/mailboxes/domain-reports/report.ts";
import { unixMs } from "#domain/time.ts";
import { parseMail } from "#mail/parse.ts";
import { reportIn } from "#mail/reports/attached.ts";
import { readDmarcReport } from "#mail/reports/dmarc.ts";
import { readTlsReport } from "#mail/reports/tls.ts";
import { TEXT_BYTES_MAX, unpack } from "#mail/reports/unpack.ts";
import { BEGIN, dmarcXml, reportMail } from "./support.ts";

const ROWS = [
  { ip: "192.0.2.1", count: 3 },
  { ip: "192.0.2.1", count: 2, dkim: "fail" },
  { ip: "2001:DB8::1", count: 5, dkim: "fail", spf: "fail", disposition: "reject" },
];
const XML = dmarcXml({ rows: ROWS });

/** An archive of one file, by the specification; `packed` replaces what is in it. */
function zip(
  name: string,
  content: Uint8Array,
  packed: Uint8Array = deflateRawSync(content),
  flags = 0,
) {
  const file = Buffer.from(name);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(flags, 6);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(packed.length, 18);
  local.writeUInt32LE(content.length, 22);
  local.writeUInt16LE(file.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(flags, 8);
  central.writeUInt16LE(8, 10);
  central.writeUInt32LE(packed.length, 20);
  central.writeUInt32LE(content.length, 24);
  central.writeUInt16LE(file.length, 28);
  const body = Buffer.concat([local, file, packed]);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length + file.length, 12);
  end.writeUInt32LE(body.length, 16);
  return Buffer.concat([body, central, file, end]);
}

async function read(raw: string) {
  const bytes = new TextEncoder().encode(raw);
  return await reportIn(bytes, await parseMail(bytes));
}

describe("a DMARC report", () => {
  const whole: DmarcReport = {
    ...{
      kind: "dmarc" as const,
      reporter: "google.com",
      reportId: "1",
      domain: "sender.example",
      others: 0,
    },
    ...{ beginAt: unixMs(BEGIN * 1_000), endAt: unixMs((BEGIN + 86_399) * 1_000) },
    sources: [
      {
        ...{ ip: "192.0.2.1", headerFrom: "sender.example", messages: 5, passed: 5, spf: 5 },
        ...{ dkim: 3, quarantined: 0, rejected: 0 },
      },
      {
        ...{ ip: "2001:db8::1", headerFrom: "sender.example", messages: 5, passed: 0, spf: 0 },
        ...{ dkim: 0, quarantined: 0, rejected: 5 },
      },
    ],
  };

  test.each([
    ["gzip", reportMail(XML)],
    [
      "gzip with a line end behind it",
      reportMail(Buffer.concat([gzipSync(XML), Buffer.from("\r\n")])),
    ],
    ["ZIP", reportMail(zip("r.xml", Buffer.from(XML)), { type: "application/zip", name: "r.zip" })],
    ["plain XML", reportMail(XML, { type: "text/xml", name: "r.xml" })],
    ["of no type", reportMail(gzipSync(XML), { type: "application/octet-stream" })],
  ])("%s", async (_, raw) => {
    expect(await read(raw)).toEqual(whole);
  });

  test("with the namespace of RFC 9990, a prefix, or in UTF-16", async () => {
    const named = dmarcXml({ rows: ROWS }, ' xmlns="urn:ietf:params:xml:ns:dmarc-2.0"');
    const prefixed = XML.replace(/<(\/?)([a-z])/g, "<$1d:$2");
    const wide = Buffer.from(`\uFEFF${XML.replace("UTF-8", "UTF-16")}`, "utf16le");
    for (const text of [named, prefixed, await unpack(wide)]) {
      expect(await readDmarcReport(text ?? "")).toEqual(whole);
    }
  });

  test.each([
    ["no domain", XML.replace(/<domain>.*?<\/domain>/, "")],
    ["no period", XML.replace(/<date_range>.*<\/date_range>/, "")],
    ["a period that ends before it begins", dmarcXml({ rows: ROWS, end: BEGIN - 1 })],
    ["nobody who reports", XML.replace(/<org_name>.*<\/email>/, "")],
    ["a page", "<!doctype html><html><body>Hello</body></html>"],
    ["nothing", ""],
  ])("none: %s", async (_, xml) => {
    expect(await readDmarcReport(xml)).toBeNull();
  });

  test("what is missing in a record leaves out that record", async () => {
    const odd = [{ ip: "not an address", count: 9 }, { ip: "192.0.2.9", count: -4 }, ...ROWS];
    expect(await readDmarcReport(dmarcXml({ rows: odd }))).toEqual(whole);
  });
});

describe("hostile reports", () => {
  test("entities are not expanded, and nothing outside is read", async () => {
    const laughs = Array.from(
      { length: 10 },
      (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`,
    ).join("");
    const dtd = `<!DOCTYPE feedback [<!ENTITY l0 "ha"><!ENTITY x SYSTEM "file:///etc/passwd">${laughs}]>`;
    for (const entity of ["&l10;", "&x;"]) {
      const xml = dmarcXml({ rows: ROWS, reporter: entity }).replace(
        "<feedback",
        `${dtd}<feedback`,
      );
      const report = await readDmarcReport(xml);
      expect(report?.reporter ?? "").toBe(entity);
    }
  });

  test.each(["<a>", "<a b='", "<!--", "<![CDATA[", "<?", "</a>", "&amp;", "<record>"])(
    "%s without end",
    async (piece) => {
      expect(await readDmarcReport(piece.repeat(TEXT_BYTES_MAX / piece.length))).toBeNull();
    },
  );

  test("a million records: what is told apart is bounded", async () => {
    const [head = "", tail = ""] = dmarcXml({ rows: [] }).split("</feedback>");
    const record = (n: number) =>
      `<record><row><source_ip>10.${n >> 16}.${(n >> 8) & 255}.${n & 255}</source_ip><count>1</count></row></record>`;
    const rows = Array.from({ length: 1_000_000 }, (_, n) => record(n)).join("");
    const report = await readDmarcReport(`${head}${rows}</feedback>${tail}`);
    expect(report?.sources).toHaveLength(SOURCES_MAX);
    expect(report?.others).toBeGreaterThan(0);
  });

  test("an archive that unpacks to more than a report may have is refused, however it is packed", async () => {
    const much = Buffer.alloc(TEXT_BYTES_MAX + 1, 0x20);
    expect(await unpack(gzipSync(much))).toBeNull();
    expect(await unpack(zip("r.xml", much))).toBeNull();
    // One that promises little.
    expect(await unpack(zip("r.xml", Buffer.alloc(10), deflateRawSync(much)))).toBeNull();
    // Members one behind the other, two gigabytes in all.
    const member = gzipSync(Buffer.alloc(8 * 1024 * 1024));
    expect(await unpack(Buffer.concat(Array.from({ length: 256 }, () => member)))).toBeNull();
  });

  test("an archive in an archive is no report", async () => {
    const nested = zip("r.zip", zip("r.xml", Buffer.from(XML)));
    expect(await read(reportMail(nested, { type: "application/zip", name: "r.zip" }))).toBeNull();
    expect(await read(reportMail(gzipSync(gzipSync(XML))))).toBeNull();
  });

  test("broken and encrypted archives", async () => {
    const whole = zip("r.xml", Buffer.from(XML));
    for (let cut = 1; cut < whole.length; cut += 7) {
      expect((await unpack(whole.subarray(0, cut))) ?? "").not.toContain("<feedback>");
    }
    expect(await unpack(zip("r.xml", Buffer.from(XML), undefined, 1))).toBeNull();
    expect(await unpack(gzipSync(XML).subarray(0, 100))).toBeNull();
  });

  test("counts beyond all bounds, and bytes in no encoding", async () => {
    const rows = [{ ip: "192.0.2.1", count: 1e300 }];
    const report = (await readDmarcReport(dmarcXml({ rows }))) as DmarcReport;
    expect(report.sources[0]?.messages).toBe(1_000_000_000);
    const bytes = Buffer.from(XML.replace("google.com", "caf\u00e9"), "latin1");
    const text = await unpack(bytes);
    expect((await readDmarcReport(text ?? ""))?.reporter).toBe("caf\uFFFD");
  });

  test.each(["In-Reply-To", "References"])("a reply (%s) with one attached", async (name) => {
    expect(await read(reportMail(XML, { headers: [] }))).not.toBeNull();
    expect(await read(reportMail(XML, { headers: [`${name}: <1@sender.example>`] }))).toBeNull();
  });

  test("another email that talks of reports", async () => {
    expect(await read(reportMail("Hello", { type: "text/plain", name: "a.txt" }))).toBeNull();
    expect(await read(reportMail(XML, { subject: "Lunch?", type: "text/xml" }))).toBeNull();
  });
});

describe("a TLS report", () => {
  /** Source: RFC 8460 appendix B, shortened. */
  const EXAMPLE = {
    "organization-name": "Company-X",
    "date-range": {
      "start-datetime": "2016-04-01T00:00:00Z",
      "end-datetime": "2016-04-01T23:59:59Z",
    },
    "report-id": "5065427c-23d3-47ca-b6e0-946ea0e8c4be",
    policies: [
      {
        policy: { "policy-type": "sts", "policy-domain": "company-y.example" },
        summary: { "total-successful-session-count": 5326, "total-failure-session-count": 303 },
        "failure-details": [
          { "result-type": "certificate-expired", "failed-session-count": 100 },
          {
            "result-type": "starttls-not-supported",
            "receiving-mx-hostname": "mx2.mail.company-y.example",
            "failed-session-count": 200,
          },
          { "result-type": "certificate-expired", "failed-session-count": 3 },
        ],
      },
    ],
  };

  test("is read, gzipped as RFC 8460 has it, with its failures by type", async () => {
    const raw = reportMail(gzipSync(JSON.stringify(EXAMPLE)), {
      ...{
        type: "application/tlsrpt+gzip",
        name: "company-x!company-y.example!1459468800!1459555199.json.gz",
      },
      subject: "Report Domain: company-y.example Submitter: company-x",
    });
    expect(await read(raw)).toMatchObject({
      ...{ kind: "tls", reporter: "Company-X", reportId: EXAMPLE["report-id"] },
      policies: [
        {
          ...{ domain: "company-y.example", passed: 5326, failed: 303 },
          failures: [
            { type: "certificate-expired", host: "", sessions: 103 },
            { type: "starttls-not-supported", host: "mx2.mail.company-y.example", sessions: 200 },
          ],
        },
      ],
    });
  });

  test.each([
    ["no JSON", "{"],
    ["no object", "[]"],
    ["without policies", JSON.stringify({ ...EXAMPLE, policies: [] })],
    ["a list of nothing", JSON.stringify({ ...EXAMPLE, policies: "x" })],
    ["no period", JSON.stringify({ ...EXAMPLE, "date-range": null })],
    ["nesting without end", `${'{"a":'.repeat(100_000)}1`],
  ])("none: %s", (_, text) => {
    expect(readTlsReport(text)).toBeNull();
  });
});

/**
 * Reports drawn from a seed, as files in every packing, held against parsedmarc, another's reading of the same RFCs:
 * both sum up the same. Its own published samples were read alike when this was written.
 */

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { hash01, hashInt } from "#domain/random.ts";
import { readDmarcReport } from "#mail/reports/dmarc.ts";
import { readTlsReport } from "#mail/reports/tls.ts";
import { unpack } from "#mail/reports/unpack.ts";
import { BEGIN, dmarcXml, type Row } from "./support.ts";

const PYTHON = resolve(import.meta.dir, "../../../.toolchain/dmarc/bin/python");
const SCRIPT = join(import.meta.dir, "report_sums.py");
const REPORTS = 60;
const DAY_SECONDS = 86_400;

function row(report: number, nth: number): Row {
  const pick = <Value>(what: string, ...values: Value[]): Value =>
    values[hashInt(values.length, what, report, nth)] as Value;
  return {
    ip: pick("ip", "192.0.2.1", "192.0.2.2", "198.51.100.7", "2001:db8::1", "2001:db8::2"),
    count: 1 + hashInt(pick("size", 3, 1_000, 1_000_000), "count", report, nth),
    from: pick("from", "sender.example", "news.sender.example"),
    disposition: pick("disposition", "none", "none", "quarantine", "reject"),
    dkim: pick("dkim", "pass", "fail"),
    spf: pick("spf", "pass", "fail"),
  };
}

function dmarc(report: number): string {
  const rows = Array.from({ length: 1 + hashInt(30, "rows", report) }, (_, nth) =>
    row(report, nth),
  );
  const namespace =
    hash01("rfc9990", report) < 0.5 ? "" : ' xmlns="urn:ietf:params:xml:ns:dmarc-2.0"';
  const begin = BEGIN + report * DAY_SECONDS;
  return dmarcXml(
    { id: `id-${report}`, reporter: `receiver${report % 7}.example`, begin, rows },
    namespace,
  );
}

function tls(report: number): string {
  const policies = Array.from({ length: 1 + hashInt(3, "policies", report) }, (_, nth) => ({
    policy: { "policy-type": "sts", "policy-string": [], "policy-domain": `d${nth}.example` },
    summary: {
      "total-successful-session-count": hashInt(1_000, "good", report, nth),
      "total-failure-session-count": hashInt(10, "bad", report, nth),
    },
  }));
  return JSON.stringify({
    ...{ "organization-name": `Receiver ${report}`, "report-id": `tls-${report}`, policies },
    ...{ "contact-info": "tls@receiver.example" },
    "date-range": {
      "start-datetime": "2026-03-02T00:00:00Z",
      "end-datetime": "2026-03-02T23:59:59Z",
    },
  });
}

async function ours(bytes: Uint8Array) {
  const text = (await unpack(bytes)) ?? "";
  const report = text.startsWith("{") ? readTlsReport(text) : await readDmarcReport(text);
  if (report?.kind !== "dmarc") {
    const policies = report?.policies.map(({ domain, passed, failed }) => [domain, passed, failed]);
    return report && [report.reporter, report.reportId, policies];
  }
  const sources = report.sources.map(
    ({ ip, headerFrom, messages, passed, spf, dkim, quarantined, rejected }) =>
      [`${ip} ${headerFrom}`, [messages, passed, spf, dkim, quarantined, rejected]] as const,
  );
  return [report.reporter, report.reportId, report.domain, Object.fromEntries(sources)];
}

const isFull = process.env["OUTRIDER_TEST_TIER"] === "full" || process.env["CI"] === "true";

test.skipIf(!isFull && !existsSync(PYTHON))(
  "reports say what parsedmarc reads in them",
  async () => {
    const dir = await mkdtemp(join(tmpdir(), "outrider-reports-"));
    const files: { path: string; bytes: Uint8Array }[] = [];
    for (let nth = 0; nth < REPORTS; nth += 1) {
      const text = nth % 5 === 4 ? tls(nth) : dmarc(nth);
      const bytes = nth % 2 === 0 ? gzipSync(text) : new TextEncoder().encode(text);
      const path = join(dir, String(nth));
      await Bun.write(path, bytes);
      files.push({ path, bytes });
    }
    const child = Bun.spawn([PYTHON, SCRIPT, ...files.map(({ path }) => path)], {
      stderr: "inherit",
    });
    const theirs = (await new Response(child.stdout).json()) as unknown[];
    await rm(dir, { recursive: true });
    expect(theirs).not.toContain(null);
    const read: unknown[] = await Promise.all(files.map(({ bytes }) => ours(bytes)));
    expect(read).toEqual(theirs);
  },
);

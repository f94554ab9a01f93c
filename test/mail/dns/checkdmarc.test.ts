/**
 * Records of every kind, held against checkdmarc, another's reading of the same RFCs: both ask one name server,
 * unbound, and agree on what is valid. Where they don't, the case says why.
 */

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { examineDmarc } from "#domain/mailboxes/sender-domain/dmarc.ts";
import { examineDomain } from "#domain/mailboxes/sender-domain/examine.ts";
import type { DomainCheck, DomainSubject } from "#domain/mailboxes/sender-domain/finding.ts";
import { examineSpf } from "#domain/mailboxes/sender-domain/spf.ts";
import { createDns } from "#mail/dns/dns.ts";
import { systemClock } from "#platform/clock.ts";
import { answered } from "#usecases/placement/domain-check.ts";
import { answeredFrom } from "../../domain/mailboxes/sender-domain/support.ts";
import { createTestApp } from "../../support/app.ts";
import { skipsUnbound, startUnbound } from "../../support/unbound.ts";

const PYTHON = resolve(import.meta.dir, "../../../.toolchain/dmarc/bin/python");
const SCRIPT = join(import.meta.dir, "dmarc_verdicts.py");

const SPF = {
  plain: "v=spf1 ip4:192.0.2.0/24 -all",
  mx: "v=spf1 mx a:mail.spf.example ~all",
  includes: "v=spf1 include:plain.spf.example include:mx.spf.example ~all",
  redirected: "v=spf1 redirect=plain.spf.example",
  ten: `v=spf1 ${"a:mail.spf.example ".repeat(10)}-all`,
  eleven: `v=spf1 ${"a:mail.spf.example ".repeat(11)}-all`,
  nested: "v=spf1 include:ten.spf.example -all",
  voids: "v=spf1 a:no1.spf.example a:no2.spf.example -all",
  "voids-three": "v=spf1 a:no1.spf.example a:no2.spf.example a:no3.spf.example -all",
  typo: "v=spf1 ipv4:192.0.2.1 -all",
  "bad-network": "v=spf1 ip4:192.0.2.256 -all",
  "bad-length": "v=spf1 ip4:192.0.2.0/33 -all",
  loop: "v=spf1 include:loop.spf.example -all",
  nowhere: "v=spf1 include:nothing.spf.example -all",
  macro: "v=spf1 exists:%{i}._spf.spf.example -all",
  six: "v=spf1 ip6:2001:db8::/32 -all",
};
const DMARC = {
  none: "v=DMARC1; p=none; rua=mailto:a@none.dmarc.example",
  reject: "v=DMARC1;p=reject;rua=mailto:a@reject.dmarc.example",
  spaces: "v=DMARC1 ; p=quarantine ; rua=mailto:a@spaces.dmarc.example",
  word: "v=DMARC1; p=always; rua=mailto:a@word.dmarc.example",
  twice: "v=DMARC1; p=none; p=reject; rua=mailto:a@twice.dmarc.example",
  junk: "v=DMARC1; p=none; =; rua=mailto:a@junk.dmarc.example",
};
const TLS = [
  "v=TLSRPTv1; rua=mailto:reports@example.com",
  "v=TLSRPTv1;rua=https://reporting.example.com/v1/tlsrpt",
  "v=TLSRPTv1; rua=mailto:a@example.com,mailto:b@example.com",
  "v=TLSRPTv1;",
  "v=TLSRPTv1; rua=ftp://example.com/",
];
const STS = [
  "v=STSv1; id=20160831085700Z;",
  "v=STSv1; id=1",
  "v=STSv1;",
  `v=STSv1; id=${"1".repeat(33)}`,
];
const LINES = ["version: STSv1", "mode: enforce", "mx: mail.example.com", "max_age: 604800"];
const without = (start: string, ...more: string[]) =>
  [...LINES.filter((line) => !line.startsWith(start)), ...more].join("\r\n");
const POLICIES = [
  ...[without("nothing"), without("mode", "mode: none"), without("mode", "mode: testing")],
  ...[without("version"), without("mode"), without("mx"), without("max_age")],
  ...[without("mode", "mode: always"), without("max_age", "max_age: long")],
];

interface Verdicts {
  spf: Record<string, [valid: boolean, lookups: number | null]>;
  dmarc: Record<string, boolean>;
  tls: Record<string, boolean>;
  sts: Record<string, boolean>;
  policy: Record<string, boolean>;
}

const SUBJECT: DomainSubject = {
  ...{ domain: "example.com", address: "a@example.com", provider: "smtp" as const, dkim: null },
  ...{ isProviderDomain: false, smtpHost: null, selectors: [], linkHost: null },
  ...{ sentFrom: [], blockLists: [], isPublic: () => true },
};
const isValid = (check: DomainCheck, zone: Record<string, string[]>) =>
  answeredFrom(zone, examineDomain(SUBJECT, true)).result.checks.find((one) => one.check === check)
    ?.verdict === "ok";

const isFull = process.env["OUTRIDER_TEST_TIER"] === "full" || process.env["CI"] === "true";
const skips = skipsUnbound() || (!isFull && !existsSync(PYTHON));

test.skipIf(skips)("verdicts on SPF, DMARC, TLS-RPT and MTA-STS are checkdmarc's", async () => {
  await using server = await startUnbound({
    zones: [["example.", "static"]],
    records: [
      "mail.spf.example. 300 A 192.0.2.1",
      "mx.spf.example. 300 MX 10 mail.spf.example.",
      ...Object.entries(SPF).map(([name, text]) => `${name}.spf.example. 300 TXT "${text}"`),
      ...Object.entries(DMARC).map(
        ([name, text]) => `_dmarc.${name}.dmarc.example. 300 TXT "${text}"`,
      ),
    ],
  });
  const spf = Object.keys(SPF).map((name) => `${name}.spf.example`);
  const dmarc = Object.keys(DMARC).map((name) => `${name}.dmarc.example`);
  const child = Bun.spawn([PYTHON, SCRIPT, String(server.port)], {
    stdin: new Blob([JSON.stringify({ spf, dmarc, tls: TLS, sts: STS, policy: POLICIES })]),
    stderr: "inherit",
  });
  const theirs = (await new Response(child.stdout).json()) as Verdicts;

  const app = await createTestApp({ dns: createDns({ clock: systemClock, servers: [server] }) });
  const { live } = app.environments;
  const ours: Verdicts = { spf: {}, dmarc: {}, tls: {}, sts: {}, policy: {} };
  for (const name of spf) {
    const { errors, lookups } = await answered(live, app.team.id, examineSpf(name));
    // It doesn't count the look-ups of a record that it gives up on.
    const isCounted = theirs.spf[name]?.[1] !== null;
    ours.spf[name] = [errors.length === 0, isCounted ? lookups : null];
  }
  for (const name of dmarc) {
    const { errors, record } = await answered(live, app.team.id, examineDmarc(name));
    ours.dmarc[name] = errors.length === 0 && record !== null;
  }
  const mx = { "mx example.com": ["mail.example.com"] };
  const fine = {
    "txt _mta-sts.example.com": ["v=STSv1; id=1"],
    "mta_sts example.com": [LINES.join("\n")],
  };
  for (const text of TLS) {
    ours.tls[text] = isValid("tls_rpt", { "txt _smtp._tls.example.com": [text] });
  }
  for (const text of STS) {
    ours.sts[text] = isValid("mta_sts", { ...mx, ...fine, "txt _mta-sts.example.com": [text] });
  }
  for (const text of POLICIES) {
    ours.policy[text] = isValid("mta_sts", { ...mx, ...fine, "mta_sts example.com": [text] });
  }
  await app.close();
  expect(ours).toEqual(theirs);
});

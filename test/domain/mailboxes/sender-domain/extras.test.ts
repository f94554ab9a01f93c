/** BIMI, MTA-STS and TLS-RPT: the examples of their RFCs, and what may be wrong. Nothing of it holds up a launch. */

import { describe, expect, test } from "bun:test";
import { examineDomain } from "#domain/mailboxes/sender-domain/examine.ts";
import type { DomainCheck, DomainSubject } from "#domain/mailboxes/sender-domain/finding.ts";
import { answeredFrom, type Zone } from "./support.ts";

const SUBJECT: DomainSubject = {
  ...{ domain: "example.com", address: "ann@example.com", provider: "smtp" as const },
  ...{ isProviderDomain: false, smtpHost: null, dkim: null, selectors: [], linkHost: null },
  ...{ sentFrom: [], blockLists: [], isPublic: () => true },
};
const MX: Zone = {
  "mx example.com": ["mail.example.com", "server.example.net", "backupmx.example.com"],
};
/** Source: RFC 8461 §3.2. */
const POLICY = [
  ...["version: STSv1", "mode: enforce", "mx: mail.example.com", "mx: *.example.net"],
  ...["mx: backupmx.example.com", "max_age: 604800"],
];
const STS: Zone = {
  ...MX,
  "txt _mta-sts.example.com": ["v=STSv1; id=20160831085700Z;"],
  "mta_sts example.com": [`${POLICY.join("\r\n")}\r\n`],
};

function check(name: DomainCheck, zone: Zone) {
  const { checks } = answeredFrom(zone, examineDomain(SUBJECT, true)).result;
  return checks.find((one) => one.check === name);
}

test("they are looked at where they are asked for alone, and never of a provider's own domain", () => {
  const names = (subject: DomainSubject, extras: boolean) =>
    answeredFrom({}, examineDomain(subject, extras)).result.checks.map((one) => one.check);
  expect(names(SUBJECT, true).slice(-3)).toEqual(["mta_sts", "tls_rpt", "bimi"]);
  expect(names(SUBJECT, false)).not.toContain("mta_sts");
  expect(names({ ...SUBJECT, isProviderDomain: true }, true)).not.toContain("mta_sts");
});

test("without them: advice, which doesn't make the domain faulty, and the record to publish", () => {
  const zone: Zone = { "txt _mta-sts.example.com": ["something else"] };
  expect(
    ["mta_sts", "tls_rpt", "bimi"].map((name) => check(name as DomainCheck, zone)?.verdict),
  ).toEqual(["advice", "advice", "advice"]);
  expect(check("tls_rpt", zone)?.publish).toEqual([
    {
      name: "_smtp._tls.example.com",
      type: "TXT",
      value: "v=TLSRPTv1; rua=mailto:ann@example.com",
    },
  ]);
});

describe("MTA-STS", () => {
  const withPolicy = (...lines: string[]): Zone => ({
    ...STS,
    "mta_sts example.com": [lines.join("\n")],
  });
  const without = (start: string) => POLICY.filter((line) => !line.startsWith(start));

  test("the example of RFC 8461 is right", () => {
    expect(check("mta_sts", STS)).toMatchObject({
      verdict: "ok",
      message: "the MTA-STS policy is enforce",
    });
  });
  test.each<[string, Zone, RegExp]>([
    ["no policy file", { ...STS, "mta_sts example.com": [] }, /can't be fetched/],
    ["no id", { ...STS, "txt _mta-sts.example.com": ["v=STSv1;"] }, /needs an id/],
    [
      "two records",
      { ...STS, "txt _mta-sts.example.com": ["v=STSv1; id=1", "v=STSv1; id=2"] },
      /only one/,
    ],
    ["no version", withPolicy(...without("version")), /needs version/],
    ["an odd mode", withPolicy(...without("mode"), "mode: report"), /a mode/],
    ["no max_age", withPolicy(...without("max_age")), /max_age/],
    ["too long", withPolicy(...without("max_age"), "max_age: 31557601"), /max_age/],
    [
      "a server that it doesn't name",
      withPolicy(...without("mx: mail")),
      /name mail\.example\.com/,
    ],
    ["a wildcard covers one label", { ...STS, "mx example.com": ["a.b.example.net"] }, /name a\.b/],
  ])("%s", (_, zone, words) => {
    expect(check("mta_sts", zone)).toMatchObject({
      verdict: "advice",
      message: expect.stringMatching(words),
    });
  });
  test("mode none needs no servers", () => {
    expect(
      check("mta_sts", withPolicy("version: STSv1", "mode: none", "max_age: 86400"))?.verdict,
    ).toBe("ok");
  });
});

describe("TLS-RPT", () => {
  test.each([
    ["v=TLSRPTv1;rua=mailto:reports@example.com", "ok"],
    ["v=TLSRPTv1; rua=https://reporting.example.com/v1/tlsrpt", "ok"],
    ["v=TLSRPTv1; rua=mailto:a@example.com,https://b.example", "ok"],
    ["v=TLSRPTv1;", "advice"],
    ["v=TLSRPTv1; rua=ftp://example.com", "advice"],
  ])("%s: %s", (record, verdict) => {
    expect(check("tls_rpt", { "txt _smtp._tls.example.com": [record] })?.verdict).toBe(
      verdict as "ok",
    );
  });
});

describe("BIMI", () => {
  const LOGO = "v=BIMI1; l=https://example.com/logo.svg; a=https://example.com/vmc.pem";
  test.each([
    [LOGO, "v=DMARC1; p=reject", "ok"],
    [LOGO, "v=DMARC1; p=quarantine; rua=mailto:a@example.com", "ok"],
    [LOGO, "v=DMARC1; p=quarantine; pct=20", "advice"],
    [LOGO, "v=DMARC1; p=reject; pct=20", "advice"],
    [LOGO, "v=DMARC1; p=none", "advice"],
    ["v=BIMI1; l=; a=;", "v=DMARC1; p=none", "ok"],
    ["v=BIMI1; l=http://example.com/logo.svg", "v=DMARC1; p=reject", "advice"],
    ["v=BIMI1; l=https://example.com/logo.png", "v=DMARC1; p=reject", "advice"],
    ["v=BIMI1; a=https://example.com/vmc.pem", "v=DMARC1; p=reject", "advice"],
    ["v=BIMI1; l=https://example.com/logo.svg; a=vmc.pem", "v=DMARC1; p=reject", "advice"],
  ])("%s with %s: %s", (record, dmarc, verdict) => {
    const zone = { "txt default._bimi.example.com": [record], "txt _dmarc.example.com": [dmarc] };
    expect(check("bimi", zone)?.verdict).toBe(verdict as "ok");
  });
});

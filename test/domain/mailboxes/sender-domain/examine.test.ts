/** What is said of a sending domain, and what to publish, one row a case. */

import { describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { checkKey, dkimRecord, readSelector } from "#domain/mailboxes/sender-domain/dkim-record.ts";
import { examineDmarc } from "#domain/mailboxes/sender-domain/dmarc.ts";
import { examineDomain } from "#domain/mailboxes/sender-domain/examine.ts";
import type { DomainCheck, DomainSubject } from "#domain/mailboxes/sender-domain/finding.ts";
import { answeredFrom, type Zone } from "./support.ts";

const keyOf = (bits: number) =>
  generateKeyPairSync("rsa", { modulusLength: bits })
    .publicKey.export({ type: "spki", format: "der" })
    .toString("base64");
const KEY = keyOf(2048);
const RECORD = dkimRecord(KEY);

const GOOGLE: DomainSubject = {
  ...{ domain: "a.test", address: "ann@a.test", provider: "google", isProviderDomain: false },
  ...{ smtpHost: "smtp.gmail.com", dkim: null, selectors: [], linkHost: "go.a.test" },
  ...{ sentFrom: [], blockLists: [], isPublic: () => true },
};
const GOOD: Zone = {
  "mx a.test": ["aspmx.l.google.com"],
  "txt a.test": ["v=spf1 include:_spf.google.com ~all"],
  "txt _spf.google.com": ["v=spf1 ip4:198.51.100.0/24 ~all"],
  "txt google._domainkey.a.test": [RECORD],
  "txt _dmarc.a.test": ["v=DMARC1; p=none; rua=mailto:ann@a.test"],
  "address go.a.test": ["192.0.2.1"],
};
const OWN: DomainSubject = {
  ...GOOGLE,
  ...{ provider: "smtp", smtpHost: "mail.a.test" },
};
const OWN_ZONE: Zone = {
  ...GOOD,
  "mx a.test": ["mail.a.test"],
  "txt a.test": ["v=spf1 mx -all"],
  "address mail.a.test": ["192.0.2.25"],
  "ptr 192.0.2.25": ["mail.a.test"],
};

function examine(subject: DomainSubject, zone: Zone) {
  return answeredFrom(zone, examineDomain(subject)).result;
}
function check(subject: DomainSubject, zone: Zone, name: DomainCheck) {
  const found = examine(subject, zone).checks.find((entry) => entry.check === name);
  if (found === undefined) {
    throw new Error(`no check ${name}`);
  }
  return found;
}

test("a good domain is good in everything", () => {
  for (const [subject, zone] of [
    [GOOGLE, GOOD],
    [OWN, OWN_ZONE],
  ] as const) {
    const report = examine(subject, zone);
    expect(report.checks.filter(({ verdict }) => verdict !== "ok")).toEqual([]);
    expect(report).toMatchObject({ ok: true, selectors: ["google"], dmarcPolicy: "none" });
  }
});

test("nothing published: each check says what to publish, verbatim", () => {
  const report = examine(GOOGLE, {});
  const publish = report.checks.flatMap((entry) => entry.publish);
  expect(report.ok).toBe(false);
  expect(publish).toEqual([
    { name: "a.test", type: "MX", value: "1 smtp.google.com" },
    { name: "a.test", type: "TXT", value: "v=spf1 include:_spf.google.com ~all" },
    { name: "_dmarc.a.test", type: "TXT", value: "v=DMARC1; p=none; rua=mailto:ann@a.test" },
  ]);
  expect(report.checks.every(({ remedy }) => remedy !== null || GOOGLE.provider === "google")).toBe(
    true,
  );
});

test("what DNS does not answer is unknown, never a fault", () => {
  const silent = new Proxy<Zone>({}, { get: () => null });
  const { checks, ok } = examine(GOOGLE, silent);
  expect(checks.map(({ check: name, verdict }) => [name, verdict])).toEqual([
    ["mx", "unknown"],
    ["spf", "unknown"],
    ["dkim", "unknown"],
    ["dmarc", "unknown"],
    ["sending_host", "ok"],
    ["tracking_host", "unknown"],
  ]);
  expect(ok).toBe(true);
});

test("of a mail service's own domain nothing is to be published", () => {
  const subject = {
    ...GOOGLE,
    domain: "gmail.com",
    address: "ann@gmail.com",
    isProviderDomain: true,
  };
  expect(examine(subject, {}).checks.flatMap((entry) => entry.publish)).toEqual([]);
});

describe.each<[DomainCheck, DomainSubject, Zone, [string, Zone, string, RegExp][]]>([
  [
    "mx",
    GOOGLE,
    GOOD,
    [
      ["none", { "mx a.test": [] }, "fault", /can.t receive email/],
      ["somebody else's", { "mx a.test": ["mx.b.test"] }, "warning", /not to google/],
    ],
  ],
  [
    "spf",
    GOOGLE,
    GOOD,
    [
      [
        "without the provider",
        { "txt a.test": ["v=spf1 mx -all"], "mx a.test": ["a.test"] },
        "fault",
        /_spf.google.com/,
      ],
      [
        "that lets everybody send",
        { "txt a.test": ["v=spf1 include:_spf.google.com +all"] },
        "fault",
        /\+all/,
      ],
      [
        "without an end",
        { "txt a.test": ["v=spf1 include:_spf.google.com"] },
        "warning",
        /does not end/,
      ],
      ["with ptr", { "txt a.test": ["v=spf1 ptr include:_spf.google.com -all"] }, "warning", /ptr/],
      ["twice", { "txt a.test": ["v=spf1 -all", "v=spf1 ~all"] }, "fault", /2 SPF records/],
      ["whose include is silent", { "txt _spf.google.com": null }, "unknown", /_spf.google.com/],
    ],
  ],
  [
    "spf",
    OWN,
    OWN_ZONE,
    [
      [
        "without our server",
        { "txt a.test": ["v=spf1 ip4:203.0.113.0/24 -all"] },
        "warning",
        /mail.a.test/,
      ],
    ],
  ],
  [
    "dkim",
    GOOGLE,
    GOOD,
    [
      ["none", { "txt google._domainkey.a.test": [] }, "fault", /no valid DKIM key/],
      ["revoked", { "txt google._domainkey.a.test": ["v=DKIM1; p="] }, "fault", /revoked/],
      [
        "weak",
        { "txt google._domainkey.a.test": [dkimRecord(keyOf(1024))] },
        "warning",
        /1024 bits/,
      ],
      [
        "too weak",
        { "txt google._domainkey.a.test": [dkimRecord(keyOf(512))] },
        "fault",
        /512 bits/,
      ],
      [
        "no key",
        { "txt google._domainkey.a.test": ["v=DKIM1; p=hello"] },
        "fault",
        /not a readable key/,
      ],
      ["testing", { "txt google._domainkey.a.test": [`${RECORD}; t=y`] }, "warning", /t=y/],
      [
        "under another selector",
        { "txt google._domainkey.a.test": [], "txt s1._domainkey.a.test": [RECORD] },
        "ok",
        /s1/,
      ],
    ],
  ],
  [
    "dkim",
    { ...OWN, dkim: { selector: "out1", publicKey: KEY } },
    { ...OWN_ZONE, "txt out1._domainkey.a.test": [RECORD] },
    [
      ["our own", {}, "ok", /out1/],
      ["our own, not published", { "txt out1._domainkey.a.test": [] }, "fault", /is not published/],
      [
        "our own, another published",
        { "txt out1._domainkey.a.test": [dkimRecord(keyOf(1024))] },
        "fault",
        /differs/,
      ],
      ["our own, no answer", { "txt out1._domainkey.a.test": null }, "unknown", /out1/],
    ],
  ],
  [
    "dmarc",
    GOOGLE,
    GOOD,
    [
      ["none", { "txt _dmarc.a.test": [] }, "fault", /no DMARC record/],
      [
        "two",
        { "txt _dmarc.a.test": ["v=DMARC1; p=none", "v=DMARC1; p=reject"] },
        "fault",
        /2 DMARC records/,
      ],
      [
        "without a policy",
        { "txt _dmarc.a.test": ["v=DMARC1; rua=mailto:a@a.test"] },
        "fault",
        /no policy/,
      ],
      ["with another word", { "txt _dmarc.a.test": ["v=DMARC1; p=maybe"] }, "fault", /"maybe"/],
      [
        "that cannot be read",
        { "txt _dmarc.a.test": ["v=DMARC1; p=none; p=none"] },
        "fault",
        /can.t be read/,
      ],
      ["without reports", { "txt _dmarc.a.test": ["v=DMARC1; p=reject"] }, "warning", /rua/],
      [
        "in part",
        { "txt _dmarc.a.test": ["v=DMARC1; p=reject; pct=50; rua=mailto:a@a.test"] },
        "warning",
        /pct=50/,
      ],
      [
        "to somebody who did not agree",
        { "txt _dmarc.a.test": ["v=DMARC1; p=none; rua=mailto:x@b.example"] },
        "warning",
        /b.example hasn.t agreed/,
      ],
      [
        "that nothing passes",
        {
          "txt _dmarc.a.test": ["v=DMARC1; p=reject; rua=mailto:a@a.test"],
          "txt a.test": [],
          "txt google._domainkey.a.test": [],
        },
        "fault",
        /receivers reject this email/,
      ],
      ["no answer", { "txt _dmarc.a.test": null }, "unknown", /_dmarc.a.test/],
    ],
  ],
  [
    "sending_host",
    OWN,
    OWN_ZONE,
    [
      ["without a name", { "ptr 192.0.2.25": [] }, "warning", /no PTR/],
      [
        "whose name is another's",
        { "ptr 192.0.2.25": ["other.test"], "address other.test": ["192.0.2.1"] },
        "warning",
        /does not resolve back/,
      ],
      ["without an address", { "address mail.a.test": [] }, "fault", /no address/],
      ["no answer", { "ptr 192.0.2.25": null }, "unknown", /did not respond/],
    ],
  ],
  [
    "tracking_host",
    GOOGLE,
    GOOD,
    [["without an address", { "address go.a.test": [] }, "fault", /go.a.test/]],
  ],
])("%s", (name, subject, zone, cases) => {
  test.each(cases)("%s", (_name, change, verdict, message) => {
    const found = check(subject, { ...zone, ...change }, name);
    expect(found).toMatchObject({ verdict, message: expect.stringMatching(message) });
    expect(found.remedy === null).toBe(verdict === "ok");
  });
});

test("a domain without a DMARC record takes its parent's, as the parent says of those below", () => {
  const zone = { "txt _dmarc.a.test": ["v=DMARC1; p=reject; sp=quarantine; rua=mailto:x@a.test"] };
  const { result, asked } = answeredFrom(zone, examineDmarc("mail.eu.a.test"));
  expect(result).toMatchObject({ policy: "quarantine", name: "_dmarc.a.test", errors: [] });
  expect(asked).toEqual(["txt _dmarc.mail.eu.a.test", "txt _dmarc.eu.a.test", "txt _dmarc.a.test"]);
});

test("the published key of ours is ok however its record is spaced and split", () => {
  const record = `v=DKIM1;k=rsa; p=${KEY.slice(0, 100)} ${KEY.slice(100)}`;
  const subject = { ...OWN, dkim: { selector: "out1", publicKey: KEY } };
  expect(
    check(subject, { ...OWN_ZONE, "txt out1._domainkey.a.test": [record] }, "dkim").verdict,
  ).toBe("ok");
});

test.each([512, 1024, 2048, 3072, 4096])("a key of %d bits is measured", (bits) => {
  expect(checkKey(dkimRecord(keyOf(bits)))?.bits).toBe(bits);
});

test.each([
  ["Out1", "out1"],
  ["2026.s", "2026.s"],
  ["-a", null],
  ["a_b", null],
  ["", null],
  ["a..b", null],
  ["x".repeat(64), null],
])("selector %p is %p", (text, expected) => {
  expect(readSelector(text)).toBe(expected);
});

test("records of every shape are reported without an exception, on one line each", () => {
  const record = fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.string({ maxLength: 100 }).map((text) => `v=DMARC1; ${text}`),
    fc.string({ maxLength: 100 }).map((text) => `v=DKIM1; p=${text}`),
    fc.string({ maxLength: 100 }).map((text) => `v=spf1 ${text}`),
  );
  fc.assert(
    fc.property(fc.array(record, { maxLength: 5 }), (records) => {
      const zone = new Proxy<Zone>({}, { get: () => records });
      const { checks } = examine(OWN, zone);
      expect(checks).toHaveLength(6);
      expect(checks.flatMap(({ found }) => found).join("")).not.toMatch(/[\p{Cc}]/u);
    }),
  );
});

import { Type } from "@sinclair/typebox";
import { CreatedAt, Described, Line, Nullable, OneOf, Shape, TimestampOf } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import type { DkimSettings } from "#domain/mailboxes/account.ts";
import { SELECTOR_MAX } from "#domain/mailboxes/sender-domain/dkim-record.ts";
import type { DomainReport } from "#domain/mailboxes/sender-domain/examine.ts";
import { DOMAIN_CHECKS, DOMAIN_VERDICTS } from "#domain/mailboxes/sender-domain/finding.ts";
import { recordOfKey } from "#usecases/mailboxes/dkim.ts";

const Entry = Shape(
  {
    name: Type.String({
      description: "Full name of the record, without a dot at the end",
      examples: ["out1._domainkey.example.com"],
    }),
    type: OneOf(["TXT", "MX"], { description: "Type of the record" }),
    value: Type.String({
      description: "Value of the record",
      examples: ["v=DKIM1; k=rsa; p=MIIBIjANBgkq…"],
    }),
  },
  { description: "Record to publish in the domain's DNS" },
);

const selector = Line(SELECTOR_MAX, { description: "Name of the key in DNS", examples: ["out1"] });

export const DkimRequest = Shape({ selector });

export const Dkim = Shape({
  domain: Type.String({ description: "Domain that signs", examples: ["example.com"] }),
  selector,
  active: Type.Boolean({
    description: "Whether emails are signed; they are once the record has been found in DNS",
  }),
  active_since: Nullable(TimestampOf("Since when emails are signed; null while they are not")),
  record: Entry,
  created_at: CreatedAt,
});

export const DnsQuery = Shape({
  selector: Type.Optional(
    Described(selector, "DKIM selector to look for, besides the usual ones", "out1"),
  ),
});

export const Check = OneOf(DOMAIN_CHECKS, { description: "What was checked" });

export const Seen = Shape({
  verdict: OneOf(DOMAIN_VERDICTS, {
    description:
      "`fault`: servers refuse emails or file them as spam for it; `advice`: optional; `unknown`: DNS gave no response",
  }),
  message: Type.String({ description: "What was found" }),
  found: Type.Array(Type.String(), { description: "Records found in DNS" }),
});

export const Checks = Type.Array(
  Shape({
    check: Check,
    ...Seen.properties,
    remedy: Nullable(Type.String({ description: "How to fix it; null when nothing is wrong" })),
    publish: Type.Array(Entry, { description: "Records to publish" }),
    rules: Type.String({
      description: "Page on which the rules of receiving servers are explained",
    }),
  }),
  { description: "The checks, with what to publish" },
);

export const DnsReport = Shape({
  domain: Type.String({ description: "The account's domain", examples: ["example.com"] }),
  ok: Type.Boolean({ description: "Whether no check found a fault" }),
  checks: Checks,
  spf_lookups: Nullable(
    Type.Integer({
      description:
        "DNS lookups that the SPF record needs; receivers allow 10. Null without a record",
    }),
  ),
  spf_void_lookups: Nullable(
    Type.Integer({
      description: "Lookups that find nothing; receivers allow 2. Null without an SPF record",
    }),
  ),
  dkim_selectors: Type.Array(Type.String(), {
    description: "DKIM selectors with a valid key",
    examples: [["out1"]],
  }),
  dmarc_policy: Nullable(
    OneOf(["none", "quarantine", "reject"], {
      description: "What the DMARC record asks receivers to do; null without a record",
    }),
  ),
});

export function presentDkim(dkim: DkimSettings) {
  const { activeAt } = dkim;
  const active = activeAt !== null;
  return present(Dkim, { ...dkim, active, activeSince: activeAt, record: recordOfKey(dkim) });
}

export function presentDns(report: DomainReport) {
  return present(DnsReport, {
    ...report,
    spfLookups: report.spf?.lookups ?? null,
    spfVoidLookups: report.spf?.voids ?? null,
    dkimSelectors: report.selectors,
  });
}

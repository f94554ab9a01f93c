import { type Static, Type } from "@sinclair/typebox";
import { Line, Nullable, OneOf, Shape, Timestamp } from "#api/schema.ts";
import type { DkimSettings } from "#domain/mailboxes/account.ts";
import { SELECTOR_MAX } from "#domain/mailboxes/sender-domain/dkim-record.ts";
import type { DomainReport } from "#domain/mailboxes/sender-domain/examine.ts";
import {
  type DnsRecord,
  DOMAIN_CHECKS,
  DOMAIN_VERDICTS,
} from "#domain/mailboxes/sender-domain/finding.ts";
import { toIso, toIsoOrNull } from "#domain/time.ts";
import { recordOfKey } from "#usecases/mailboxes/dkim.ts";

const Entry = Shape(
  {
    name: Type.String({ description: "Without a dot at its end" }),
    type: OneOf(["TXT", "MX"]),
    value: Type.String(),
  },
  { description: "A record as it is entered at the domain's DNS" },
);

const selector = Line(SELECTOR_MAX, { description: "Name of the key in DNS, such as out1" });

export const DkimRequest = Shape({ selector });

export const Dkim = Shape({
  domain: Type.String(),
  selector: Type.String(),
  active: Type.Boolean({ description: "Mail is signed; so from when the record has been seen" }),
  active_since: Nullable(Timestamp),
  record: Entry,
  created_at: Timestamp,
});

export const DnsQuery = Shape({
  selector: Type.Optional({
    ...selector,
    description: "A DKIM selector to look for besides the usual ones",
  }),
});

export const DnsReport = Shape({
  domain: Type.String(),
  ok: Type.Boolean({ description: "No fault was found" }),
  checks: Type.Array(
    Shape({
      check: OneOf(DOMAIN_CHECKS),
      verdict: OneOf(DOMAIN_VERDICTS, {
        description: "`fault`: mail is refused or judged spam for it; `unknown`: DNS was silent",
      }),
      message: Type.String(),
      remedy: Nullable(Type.String()),
      found: Type.Array(Type.String(), { description: "Records as they stand" }),
      publish: Type.Array(Entry),
      rules: Type.String({ description: "Where the receivers' rules are explained" }),
    }),
  ),
  spf_lookups: Nullable(Type.Integer({ description: "Receivers stop at 10" })),
  spf_void_lookups: Nullable(Type.Integer({ description: "Receivers stop at 2" })),
  dkim_selectors: Type.Array(Type.String(), { description: "Those with a good key" }),
  dmarc_policy: Nullable(OneOf(["none", "quarantine", "reject"])),
});

export function presentDkim(dkim: DkimSettings): Static<typeof Dkim> {
  return {
    domain: dkim.domain,
    selector: dkim.selector,
    active: dkim.activeAt !== null,
    active_since: toIsoOrNull(dkim.activeAt),
    record: presentRecord(recordOfKey(dkim)),
    created_at: toIso(dkim.createdAt),
  };
}

export function presentDns(report: DomainReport): Static<typeof DnsReport> {
  return {
    domain: report.domain,
    ok: report.ok,
    checks: report.checks.map((entry) => ({
      check: entry.check,
      verdict: entry.verdict,
      message: entry.message,
      remedy: entry.remedy,
      found: entry.found,
      publish: entry.publish.map(presentRecord),
      rules: entry.rules,
    })),
    spf_lookups: report.spf?.lookups ?? null,
    spf_void_lookups: report.spf?.voids ?? null,
    dkim_selectors: report.selectors,
    dmarc_policy: report.dmarcPolicy,
  };
}

function presentRecord({ name, type, value }: DnsRecord): Static<typeof Entry> {
  return { name, type, value };
}

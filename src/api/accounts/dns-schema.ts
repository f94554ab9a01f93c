import { Type } from "@sinclair/typebox";
import { Line, Nullable, OneOf, Shape, Timestamp } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import type { DkimSettings } from "#domain/mailboxes/account.ts";
import { SELECTOR_MAX } from "#domain/mailboxes/sender-domain/dkim-record.ts";
import type { DomainReport } from "#domain/mailboxes/sender-domain/examine.ts";
import { DOMAIN_CHECKS, DOMAIN_VERDICTS } from "#domain/mailboxes/sender-domain/finding.ts";
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

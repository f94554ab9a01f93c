/** What an SPF record means for one mailbox, and the record that would be right. */

import { serviceOf } from "#domain/mailboxes/mail-services.ts";
import {
  type DnsRecord,
  type DomainFinding,
  type DomainSubject,
  finding,
  unanswered,
} from "./finding.ts";
import { isWithin } from "./ip.ts";
import type { SpfReport } from "./spf.ts";
import { withTerm } from "./spf-record.ts";

/** Null where the mailbox is at none of those that have one. */
export function includeFor({ provider, smtpHost }: DomainSubject): string | null {
  const byProvider = { google: "gmail.com", microsoft: "office365.com", smtp: "", sandbox: "" };
  return serviceOf(byProvider[provider] || (smtpHost ?? ""))?.include ?? null;
}

/** Whether the record lets this mailbox's servers send; null: that cannot be told from here. */
export function covers(
  subject: DomainSubject,
  spf: SpfReport,
  addresses: readonly string[],
): boolean | null {
  const include = includeFor(subject);
  if (include !== null) {
    return spf.includes.includes(include);
  }
  const isCovered = addresses.some((ip) => spf.networks.some((network) => isWithin(ip, network)));
  return isCovered || spf.all === "+" ? true : addresses.length === 0 ? null : false;
}

export function checkSpf(
  subject: DomainSubject,
  spf: SpfReport,
  addresses: readonly string[],
): DomainFinding {
  const { domain } = subject;
  const found = spf.record === null ? [] : [spf.record];
  if (spf.records === 0 && spf.silent.length > 0) {
    return unanswered("spf", spf.silent);
  }
  if (spf.records === 0) {
    const message = `${domain} has no SPF record, so receivers can't check who may send for it`;
    return finding("spf", "fault", message, {
      remedy: "Publish an SPF record that lists the servers sending for the domain.",
      publish: publishable(subject, null, addresses),
    });
  }
  if (spf.errors.length > 0) {
    const message = `receivers reject the SPF record: ${spf.errors.slice(0, 3).join("; ")}`;
    return finding("spf", "fault", message, { remedy: SPF_REMEDY, found });
  }
  if (covers(subject, spf, addresses) === false) {
    return checkUncovered(subject, spf, addresses);
  }
  return checkSpfEnd(spf, found);
}

function checkUncovered(
  subject: DomainSubject,
  { record }: SpfReport,
  addresses: readonly string[],
): DomainFinding {
  const include = includeFor(subject);
  const isCertain = include !== null;
  const who = isCertain ? `"include:${include}"` : `the server ${subject.smtpHost}`;
  const verdict = isCertain ? "fault" : "warning";
  return finding("spf", verdict, `the SPF record does not include ${who}`, {
    remedy: isCertain
      ? "Add your provider's include to the record."
      : "If this server also delivers your email, add its address. Otherwise, ask your provider.",
    found: record === null ? [] : [record],
    publish: publishable(subject, record, addresses),
  });
}

/** The record with this mailbox's servers in it; nothing where they are not known. */
function publishable(
  subject: DomainSubject,
  record: string | null,
  addresses: readonly string[],
): DnsRecord[] {
  const include = includeFor(subject);
  const literals = addresses.map((ip) => (ip.includes(":") ? `ip6:${ip}` : `ip4:${ip}`));
  const terms = include === null ? literals.join(" ") : `include:${include}`;
  return subject.isProviderDomain || terms === ""
    ? []
    : [{ name: subject.domain, type: "TXT", value: withTerm(record, terms) }];
}

const SPF_REMEDY =
  "Keep one record. Remove unused terms, or list networks (ip4:, ip6:) instead of includes.";

function checkSpfEnd(spf: SpfReport, found: string[]): DomainFinding {
  if (spf.silent.length > 0) {
    return unanswered("spf", spf.silent);
  }
  const count = `${spf.lookups} of 10 lookups`;
  if (spf.all === "+") {
    return finding(
      "spf",
      "fault",
      "the SPF record ends in +all, which lets anyone send for the domain",
      {
        remedy: "End it in ~all or -all.",
        found,
      },
    );
  }
  const open = spf.all === "?" || spf.all === null;
  const advice = [...(open ? ["the record does not end in ~all or -all"] : []), ...spf.advice];
  return advice.length === 0
    ? finding("spf", "ok", `the SPF record is valid and covers this mailbox (${count})`, { found })
    : finding("spf", "warning", `the SPF record works (${count}), but ${advice.join("; ")}`, {
        remedy: "Fix it the next time you change the record.",
        found,
      });
}

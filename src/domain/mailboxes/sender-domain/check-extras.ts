/**
 * What a domain may publish beyond what receivers ask for: a logo, and how email to it is to be encrypted.
 * Advice only: email goes out well without any of it.
 *
 * Source: RFC 8461 (MTA-STS), RFC 8460 §3 (TLS-RPT), draft-brand-indicators-for-message-identification §4 (BIMI).
 */

import type { DmarcReport } from "./dmarc.ts";
import { type DomainCheck, type DomainFinding, type DomainSubject, finding } from "./finding.ts";
import { type Asking, askAll, type DnsAnswer } from "./question.ts";
import { parseTags } from "./tags.ts";

/** A year and a bit: the longest `max_age` that counts. */
const AGE_SECONDS_MAX = 31_557_600;
const POLICY_LINES_MAX = 200;

export function* checkExtras(
  { domain, address }: DomainSubject,
  dmarc: DmarcReport,
  exchanges: readonly string[],
): Asking<DomainFinding[]> {
  const sts = `_mta-sts.${domain}`;
  const tls = `_smtp._tls.${domain}`;
  const bimi = `default._bimi.${domain}`;
  const [stsAnswer, tlsAnswer, bimiAnswer] = yield* askAll(
    [sts, tls, bimi].map((name) => ({ type: "txt", name })),
  );
  const policy = recordsOf(stsAnswer, "STSv1").length === 1 ? [domain] : [];
  const [file] = yield* askAll(policy.map((name) => ({ type: "mta_sts", name })));
  return [
    one("mta_sts", sts, stsAnswer, { version: "STSv1", none: NO_STS }, (record) =>
      readSts(record, file, exchanges),
    ),
    one("tls_rpt", tls, tlsAnswer, { version: "TLSRPTv1", none: NO_TLS, address }, readTlsRpt),
    one("bimi", bimi, bimiAnswer, { version: "BIMI1", none: NO_BIMI }, (record) =>
      readBimi(record, dmarc),
    ),
  ];
}

const NO_STS =
  "no MTA-STS policy, so servers that write to you can't insist on an encrypted connection";
const NO_TLS =
  "no TLS-RPT record, so nobody tells you when email to you couldn't be sent encrypted";
const NO_BIMI = "no BIMI record, so email apps show no logo beside your emails";

interface Wanted {
  version: string;
  /** What its absence means. */
  none: string;
  /** Who gets reports, where the record can be written from here. */
  address?: string;
}

/** `read` says what is wrong with the record, or nothing. */
function one(
  check: DomainCheck,
  name: string,
  answer: DnsAnswer | undefined,
  { version, none, address }: Wanted,
  read: (record: string) => { fault: string | null; fine: string },
): DomainFinding {
  if (answer?.kind !== "records") {
    return finding(check, "unknown", `DNS did not respond for ${name}`);
  }
  const found = recordsOf(answer, version);
  const value = `v=${version}; rua=mailto:${address}`;
  const publish = address === undefined ? [] : [{ name, type: "TXT" as const, value }];
  const [record] = found;
  if (record === undefined) {
    return finding(check, "advice", none, { remedy: REMEDIES[check] ?? OPTIONAL, publish });
  }
  if (found.length > 1) {
    const message = `${name} has ${found.length} records, so they are ignored; publish only one`;
    return finding(check, "advice", message, { remedy: "Remove all but one.", found });
  }
  const { fault, fine } = read(record);
  return fault === null
    ? finding(check, "ok", fine, { found })
    : finding(check, "advice", fault, { remedy: REMEDIES[check] ?? OPTIONAL, found, publish });
}

const OPTIONAL = "Optional: publish this record.";
const REMEDIES: Partial<Record<DomainCheck, string>> = {
  mta_sts:
    "Optional: serve the policy at https://mta-sts.<domain>/.well-known/mta-sts.txt, then publish TXT at _mta-sts.<domain>: v=STSv1; id=1. Change the id whenever the policy changes.",
  bimi: "Optional: publish v=BIMI1; l=https://…/logo.svg at default._bimi.<domain>; most mailbox providers also want a certificate (a=) and p=quarantine or p=reject.",
};

/** Those that begin with the version, which is all that other records at the name are told from it by. */
function recordsOf(answer: DnsAnswer | undefined, version: string): string[] {
  const records = answer?.kind === "records" ? answer.records : [];
  const begins = new RegExp(`^v\\s*=\\s*${version}\\s*(;|$)`);
  return records.filter((text) => begins.test(text));
}

function readBimi(record: string, { policy, advice }: DmarcReport) {
  const tags = parseTags(record);
  const logo = tags?.get("l");
  const url = URL.parse(logo ?? "");
  const certificate = tags?.get("a") ?? "";
  const fine = `the logo is ${logo}`;
  if (tags === null || logo === undefined) {
    return { fault: "the BIMI record has no l= with the URL of a logo", fine };
  }
  if (logo === "" && certificate === "") {
    return { fault: null, fine: "the BIMI record says that the domain shows no logo" };
  }
  if (logo !== "" && (url?.protocol !== "https:" || !/\.svgz?$/i.test(url.pathname))) {
    return { fault: "the logo in the BIMI record must be an https URL of an SVG file", fine };
  }
  if (certificate !== "" && URL.parse(certificate)?.protocol !== "https:") {
    return { fault: "the certificate in the BIMI record (a=) must be an https URL", fine };
  }
  const isPartial = advice.some((words) => words.startsWith("pct="));
  const isEnforced = (policy === "quarantine" || policy === "reject") && !isPartial;
  return { fault: isEnforced ? null : NEEDS_DMARC, fine };
}

const NEEDS_DMARC =
  "the logo isn't shown: BIMI needs a DMARC policy of quarantine or reject for all email";

function readTlsRpt(record: string) {
  const uris = (parseTags(record)?.get("rua") ?? "").split(",").map((uri) => uri.trim());
  const isGood = uris.every((uri) => /^(mailto:[^@\s]+@[^@\s]+|https:\/\/[^\s]+)$/i.test(uri));
  return {
    fault: isGood ? null : "the TLS-RPT record needs rua= with a mailto: or https: address",
    fine: `reports on encryption go to ${uris.join(", ")}`,
  };
}

/** The record, then the policy that it announces. Source: RFC 8461 §§3.1, 3.2, 4.1. */
function readSts(record: string, file: DnsAnswer | undefined, exchanges: readonly string[]) {
  const id = parseTags(record)?.get("id") ?? "";
  if (!/^[a-z0-9]{1,32}$/i.test(id)) {
    return { fault: "the MTA-STS record needs an id= of 1 to 32 letters and digits", fine: "" };
  }
  const [text] = file?.kind === "records" ? file.records : [];
  if (text === undefined) {
    return { fault: "the MTA-STS record is there, but its policy can't be fetched", fine: "" };
  }
  const lines = text.split(/\r?\n/, POLICY_LINES_MAX).map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, Math.max(0, colon)).trim(), line.slice(colon + 1).trim()] as const;
  });
  const of = (key: string) => lines.filter(([name]) => name === key).map(([, value]) => value);
  const [mode] = of("mode");
  const [age = ""] = of("max_age");
  const patterns = of("mx").map((name) => name.toLowerCase());
  const fine = `the MTA-STS policy is ${mode}`;
  if (of("version")[0] !== "STSv1" || !/^(enforce|testing|none)$/.test(mode ?? "")) {
    return { fault: "the MTA-STS policy needs version: STSv1 and a mode", fine };
  }
  if (!/^\d{1,10}$/.test(age) || Number(age) > AGE_SECONDS_MAX) {
    return { fault: `the MTA-STS policy needs a max_age of at most ${AGE_SECONDS_MAX}`, fine };
  }
  const missing = exchanges.filter((host) => !patterns.some((pattern) => covers(pattern, host)));
  return mode !== "none" && (patterns.length === 0 || missing.length > 0)
    ? { fault: `the MTA-STS policy doesn't name ${missing[0] ?? "any mail server"}`, fine }
    : { fault: null, fine };
}

/** `*.example.com` covers one label. */
function covers(pattern: string, host: string): boolean {
  const name = host.toLowerCase();
  return pattern.startsWith("*.")
    ? name.slice(name.indexOf(".") + 1) === pattern.slice(2)
    : name === pattern;
}

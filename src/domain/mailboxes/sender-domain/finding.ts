/** What a check of a sending domain found, and what is to be published. */

import type { Provider } from "#domain/mailboxes/mailbox.ts";

export const DOMAIN_CHECKS = [
  "mx",
  "spf",
  "dkim",
  "dmarc",
  "sending_host",
  "block_lists",
  "tracking_host",
  "mta_sts",
  "tls_rpt",
  "bimi",
] as const;
export type DomainCheck = (typeof DOMAIN_CHECKS)[number];
/** Email goes out well without them. */
export const OPTIONAL_CHECKS = ["mta_sts", "tls_rpt", "bimi"] as const satisfies DomainCheck[];

export const DOMAIN_VERDICTS = ["ok", "advice", "warning", "fault", "unknown"] as const;
/** `fault`: email is refused or ends in spam for it. `advice`: optional. `unknown`: DNS gave no answer. */
export type DomainVerdict = (typeof DOMAIN_VERDICTS)[number];

/** A record as it is entered at the domain's DNS. */
export interface DnsRecord {
  /** Without a dot at its end. */
  name: string;
  type: "TXT" | "MX";
  value: string;
}

export interface DomainFinding {
  check: DomainCheck;
  verdict: DomainVerdict;
  message: string;
  /** What to do about it; null where nothing needs doing. */
  remedy: string | null;
  /** Records as they stand in DNS. */
  found: string[];
  publish: DnsRecord[];
  /** Where the rules are explained: a heading of `docs/deliverability.md`. */
  rules: string;
}

/** The domain of a mailbox, and what is known of how its email goes out. */
export interface DomainSubject {
  domain: string;
  address: string;
  provider: Provider;
  /** A domain of a free mail service: nobody but the service can change its records. */
  isProviderDomain: boolean;
  /** The server that email is handed to; null where none is set. */
  smtpHost: string | null;
  /** The key that we sign with, its SubjectPublicKeyInfo in base64; null: we do not. */
  dkim: { selector: string; publicKey: string } | null;
  /** Selectors to look for besides the usual ones. */
  selectors: readonly string[];
  /** Addresses that receivers say its email came from, the latest first. */
  sentFrom: readonly string[];
  /** Zones of block lists that are asked; none: they aren't. */
  blockLists: readonly string[];
  /** False for addresses that nobody outside can know. */
  isPublic: (ip: string) => boolean;
  /** Host of the links that we put into email; null where there are none. */
  linkHost: string | null;
}

/** Records shown of each check, and characters of each. */
const FOUND_MAX = 10;
const FOUND_CHARS_MAX = 500;

export function finding(
  check: DomainCheck,
  verdict: DomainVerdict,
  message: string,
  more: { remedy?: string; found?: readonly string[]; publish?: DnsRecord[] } = {},
): DomainFinding {
  return {
    check,
    verdict,
    message,
    remedy: more.remedy ?? null,
    found: (more.found ?? []).slice(0, FOUND_MAX).map((text) => shownRecord(text)),
    publish: more.publish ?? [],
    rules: `docs/deliverability.md#${check.replaceAll("_", "-")}`,
  };
}

/** Records are anybody's text: one line of it, without what would steer a terminal or a page. */
function shownRecord(text: string): string {
  return text
    .slice(0, FOUND_CHARS_MAX)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, " ")
    .toWellFormed();
}

export function unanswered(check: DomainCheck, names: readonly string[]): DomainFinding {
  const which = [...new Set(names)].slice(0, 3).join(", ");
  return finding(check, "unknown", `DNS did not respond for ${which}`, {
    remedy: "Try again. If it keeps failing, that domain's name servers are not responding.",
  });
}

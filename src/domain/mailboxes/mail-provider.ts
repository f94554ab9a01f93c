/**
 * Who runs a mailbox's servers, read off its domain's mail exchanges, and where such a mailbox is read.
 *
 * Source: the exchanges and IMAP servers that the providers publish in their set-up pages.
 */

import { DAY_MS } from "#domain/time.ts";
import type { ServerSettings } from "./account.ts";

export const MAIL_PROVIDERS = ["google", "microsoft", "yahoo", "icloud", "zoho", "custom"] as const;
/** `custom`: anybody else. */
export type MailProvider = (typeof MAIL_PROVIDERS)[number];

/** Emails of sequences that a mailbox may send on its local day to recipients at each provider. */
export type ProviderLimits = Partial<Record<Exclude<MailProvider, "custom">, number>>;

/** Whose servers a domain is behind, as last heard; `isKnown` is false where that may have changed since. */
export interface Receiver {
  provider: MailProvider;
  isKnown: boolean;
}

/** Of an email to a domain of which it isn't known whose servers it is behind. */
export const UNKNOWN_PROVIDER = "unknown";

/** As what an email to a domain counts against a mailbox's limits for each provider. */
export function countedAs({ provider, isKnown }: Receiver): string {
  return isKnown ? provider : UNKNOWN_PROVIDER;
}

/**
 * `none`: email goes to the domain's own address. `no_host`: it has none either. `null_mx`: it takes no email.
 * `no_domain`: there is no such name. `unknown`: no name server answered.
 */
export const MX_ANSWERS = ["found", "none", "no_host", "null_mx", "no_domain", "unknown"] as const;
export type MxAnswer = (typeof MX_ANSWERS)[number];
/** A domain may move to another provider. */
export const MX_FRESH_MS = 7 * DAY_MS;

/** Domains under which each provider's exchanges stand. */
const EXCHANGES: readonly (readonly [suffix: string, provider: MailProvider])[] = [
  ["google.com", "google"],
  ["googlemail.com", "google"],
  ["outlook.com", "microsoft"],
  ["hotmail.com", "microsoft"],
  ["mx.microsoft", "microsoft"],
  ["yahoodns.net", "yahoo"],
  ["icloud.com", "icloud"],
  ["zoho.com", "zoho"],
  ["zoho.eu", "zoho"],
  ["zoho.in", "zoho"],
  ["zoho.com.au", "zoho"],
  ["zoho.jp", "zoho"],
  ["zohocloud.ca", "zoho"],
];

/** Domains of the providers' own free mailboxes: known before anybody has been asked. */
const DOMAINS: Readonly<Record<string, MailProvider>> = {
  "gmail.com": "google",
  "googlemail.com": "google",
  "outlook.com": "microsoft",
  "hotmail.com": "microsoft",
  "live.com": "microsoft",
  "msn.com": "microsoft",
  "yahoo.com": "yahoo",
  "yahoo.co.uk": "yahoo",
  "yahoo.de": "yahoo",
  "yahoo.fr": "yahoo",
  "ymail.com": "yahoo",
  "aol.com": "yahoo",
  "icloud.com": "icloud",
  "me.com": "icloud",
  "mac.com": "icloud",
  "zoho.com": "zoho",
  "zohomail.com": "zoho",
  "zohomail.eu": "zoho",
};

export const PROVIDER_DOMAINS: readonly string[] = Object.keys(DOMAINS);

const IMAP_HOSTS: Readonly<Partial<Record<MailProvider, string>>> = {
  google: "imap.gmail.com",
  microsoft: "outlook.office365.com",
  yahoo: "imap.mail.yahoo.com",
  icloud: "imap.mail.me.com",
  zoho: "imap.zoho.com",
};

const IMAPS_PORT = 993;

/** The provider of the best of a domain's exchanges, best first; `custom` for none and any other. */
export function providerOfExchanges(exchanges: readonly string[]): MailProvider {
  const host = exchanges[0]?.toLowerCase().replace(/\.$/, "") ?? "";
  const known = EXCHANGES.find(([suffix]) => host === suffix || host.endsWith(`.${suffix}`));
  return known?.[1] ?? "custom";
}

/** True where the name servers have said that no email to the domain can arrive. */
export function takesNoEmail(mx: MxAnswer): boolean {
  return mx === "no_domain" || mx === "no_host" || mx === "null_mx";
}

/** What a domain's exchanges say; a lone empty name is RFC 7505's "no email here". */
export function answerOf(exchanges: readonly string[]): MxAnswer {
  if (exchanges.length === 0) {
    return "none";
  }
  return exchanges.every((host) => host === "") ? "null_mx" : "found";
}

/** The provider of a domain whose name says it; null where its exchanges have to be asked for. */
export function providerOfDomain(domain: string): MailProvider | null {
  return DOMAINS[domain] ?? null;
}

/** Whose server `host` is, by the names under which the providers' own stand; `custom` for any other. */
export function providerOfServer(host: string): MailProvider {
  const names = [...EXCHANGES, ...Object.entries(DOMAINS), ["office365.com", "microsoft"]] as const;
  const own = names.find(([suffix]) => host.toLowerCase().endsWith(`.${suffix}`));
  return own?.[1] ?? "custom";
}

/** The domains of a named provider's free mailboxes; null for anything else. */
export function domainsOfProvider(name: string): readonly string[] | null {
  return name !== "custom" && MAIL_PROVIDERS.some((provider) => provider === name)
    ? Object.keys(DOMAINS).filter((domain) => DOMAINS[domain] === name)
    : null;
}

/** The provider's IMAP server for `email`; null where only its owner knows it. */
export function imapServerOf(provider: MailProvider, email: string): ServerSettings | null {
  const host = IMAP_HOSTS[provider];
  return host === undefined ? null : { host, port: IMAPS_PORT, security: "tls", username: email };
}

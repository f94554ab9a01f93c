/**
 * The simulated domain name system: every domain has an address and the mail exchanges of whoever the
 * sandbox says is behind it, and what its owner has published for its email. Some owners forgot something,
 * so that there is something to find.
 *
 * Source: host names as the providers publish them; which made-up domain is whose is drawn from the seed.
 */

import { type MailProvider, providerOfExchanges } from "#domain/mailboxes/mail-provider.ts";
import { dkimName, dkimRecord } from "#domain/mailboxes/sender-domain/dkim-record.ts";
import { hash01, hashInt } from "#domain/random.ts";
import type { Dns, MailExchange } from "#platform/ports/dns.ts";
import { dkimOfDomain } from "#store/mailboxes/accounts.ts";
import { sandboxSeed } from "#store/sandbox/sandbox.ts";
import type { Db } from "#store/sqlite/database.ts";
import { type Host, hostOf } from "./providers.ts";

/** Domains of providers that no recipient's behaviour depends on. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  "yahoo.com": ["mta5.am0.yahoodns.net", "mta6.am0.yahoodns.net"],
  "icloud.com": ["mx01.mail.icloud.com", "mx02.mail.icloud.com"],
  "me.com": ["mx01.mail.icloud.com"],
  "zoho.com": ["mx.zoho.com", "mx2.zoho.com"],
};

const PRIORITY_STEP = 10;

export function createSandboxDns(db: Db): Dns {
  return {
    lookup: async (host) => (isAbsent(host) ? [] : [addressOf(host.toLowerCase())]),
    mx: async (domain) => exchangesOf(sandboxSeed(db), normal(domain)),
    isAbsent: async (domain) => isAbsent(domain),
    txt: async (name) => textsOf(db, normal(name)),
    ptr: async (ip) => [`host-${ip.replaceAll(/[.:]/g, "-")}.example.net`],
  };
}

/** Of names that never are (RFC 6761 §6.4): to try what becomes of a lead at a domain that is gone. */
function isAbsent(name: string): boolean {
  return /(^|\.)invalid$/.test(normal(name));
}

/** Takes no email (RFC 7505), as a web shop's domain does that sends its own from another one. */
const NULL_MX = /(^|\.)nomail\.test$/;

function normal(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

/** The names that `ptr` gives lead back to their addresses. */
function addressOf(host: string): string {
  const named = /^host-(\d+)-(\d+)-(\d+)-(\d+)\.example\.net$/.exec(host);
  return named === null ? `192.0.2.${1 + hashInt(254, "address", host)}` : named.slice(1).join(".");
}

function exchangesOf(seed: number, domain: string): MailExchange[] {
  if (isAbsent(domain)) {
    return [];
  }
  if (NULL_MX.test(domain)) {
    return [{ exchange: "", priority: 0 }];
  }
  return (KNOWN[domain] ?? drawn(seed, domain)).map((exchange, index) => {
    return { exchange, priority: (index + 1) * PRIORITY_STEP };
  });
}

/** Whose servers a simulated domain is behind. */
export function simulatedProvider(seed: number, domain: string): MailProvider {
  return providerOfExchanges(exchangesOf(seed, domain).map(({ exchange }) => exchange));
}

function drawn(seed: number, domain: string): string[] {
  switch (hostOf(seed, domain)) {
    case "google":
      return ["aspmx.l.google.com", "alt1.aspmx.l.google.com"];
    case "microsoft":
      return [`${domain.replaceAll(".", "-")}.mail.protection.outlook.com`];
    case "postfix":
      return [`mx.${domain}`];
  }
}

/** What owners forget; most of them nothing. */
const FLAWS = ["none", "spf", "two_spf", "dkim", "dmarc", "reports"] as const;
type Flaw = (typeof FLAWS)[number];
const FLAWLESS_SHARE = 0.7;

function flawOf(seed: number, domain: string): Flaw {
  const draw = hash01(seed, "dns", domain);
  const rest = (draw - FLAWLESS_SHARE) / (1 - FLAWLESS_SHARE);
  return draw < FLAWLESS_SHARE ? "none" : (FLAWS[1 + Math.floor(rest * 5)] ?? "none");
}

const SPF_INCLUDES: Readonly<Record<Host, string>> = {
  google: "include:_spf.google.com",
  microsoft: "include:spf.protection.outlook.com",
  postfix: "mx ip4:192.0.2.0/24",
};
const INCLUDED = ["_spf.google.com", "spf.protection.outlook.com"];
const SELECTORS: Readonly<Record<Host, string>> = {
  google: "google",
  microsoft: "selector1",
  postfix: "mail",
};
/** A key of 2,048 bits that signs nothing: made of the domain's name, as long as a real one. */
const KEY_HEAD = "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA";
const KEY_CHARS = 341;
const KEY_TAIL = "QIDAQAB";
/** Those whose first bit is set, as a modulus of full length begins. */
const KEY_LETTERS = "ghijklmnopqrstuvwxyz0123456789";

function textsOf(db: Db, name: string): string[] {
  const seed = sandboxSeed(db);
  if (INCLUDED.includes(name)) {
    return ["v=spf1 ip4:192.0.2.0/24 ~all"];
  }
  if (name.startsWith("_dmarc.")) {
    return dmarcOf(flawOf(seed, name.slice("_dmarc.".length)));
  }
  const key = /^(.+)\._domainkey\.(.+)$/.exec(name);
  if (key !== null) {
    const [, selector = "", domain = ""] = key;
    return keysOf(db, seed, selector, domain);
  }
  // What is optional, nobody has published.
  return name.includes("_") ? [] : spfOf(seed, name);
}

function spfOf(seed: number, domain: string): string[] {
  const flaw = flawOf(seed, domain);
  const record = `v=spf1 ${SPF_INCLUDES[hostOf(seed, domain)]} ~all`;
  const others = ["sandbox-verification=1"];
  if (flaw === "spf") {
    return others;
  }
  return flaw === "two_spf" ? [record, "v=spf1 mx -all", ...others] : [record, ...others];
}

function dmarcOf(flaw: Flaw): string[] {
  if (flaw === "dmarc") {
    return [];
  }
  return [
    flaw === "reports" ? "v=DMARC1; p=none" : "v=DMARC1; p=none; rua=mailto:dmarc@example.net",
  ];
}

/** What somebody was told to publish is published at once. */
function keysOf(db: Db, seed: number, selector: string, domain: string): string[] {
  const own = dkimOfDomain(db, domain, selector);
  if (own !== undefined) {
    return [dkimRecord(own)];
  }
  const isUsed = SELECTORS[hostOf(seed, domain)] === selector && flawOf(seed, domain) !== "dkim";
  if (!isUsed) {
    return [];
  }
  const letters = Array.from({ length: KEY_CHARS }, (_, index) =>
    KEY_LETTERS.charAt(hashInt(KEY_LETTERS.length, dkimName(selector, domain), index)),
  );
  return [dkimRecord(`${KEY_HEAD}${letters.join("")}${KEY_TAIL}`)];
}

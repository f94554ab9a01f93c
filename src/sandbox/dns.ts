/**
 * The simulated domain name system: every domain has an address and the mail exchanges of whoever the
 * sandbox says is behind it.
 *
 * Source: host names as the providers publish them; which made-up domain is whose is drawn from the seed.
 */

import { hashInt } from "#domain/random.ts";
import type { Dns, MailExchange } from "#runtime/ports/dns.ts";
import type { Db } from "#store/database.ts";
import { sandboxSeed } from "#store/sandbox.ts";
import { hostOf } from "./providers.ts";

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
    lookup: async (host) => [`192.0.2.${1 + hashInt(254, "address", host.toLowerCase())}`],
    mx: async (domain) => exchangesOf(sandboxSeed(db), domain.toLowerCase().replace(/\.$/, "")),
  };
}

function exchangesOf(seed: number, domain: string): MailExchange[] {
  return (KNOWN[domain] ?? drawn(seed, domain)).map((exchange, index) => {
    return { exchange, priority: (index + 1) * PRIORITY_STEP };
  });
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

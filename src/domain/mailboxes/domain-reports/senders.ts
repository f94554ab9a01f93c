/**
 * Who sends as a domain, in words: addresses that receivers reported, grouped by whose servers they are, and
 * what to do about each.
 */

import { type MailService, serviceOf } from "#domain/mailboxes/mail-services.ts";
import type { DmarcPolicy } from "#domain/mailboxes/sender-domain/dmarc.ts";
import { isWithin } from "#domain/mailboxes/sender-domain/ip.ts";

/** An address, and what all reports say of it. */
export interface SourceSum {
  ip: string;
  messages: number;
  passed: number;
  spf: number;
  dkim: number;
  quarantined: number;
  rejected: number;
}

export interface Sender extends Omit<SourceSum, "ip"> {
  /** The service, the domain of its servers, or the address of one without a name. */
  name: string;
  addresses: string[];
  /** Null: its name doesn't lead back to it. */
  host: string | null;
  ours: boolean;
  advice: string | null;
}

export interface SendingDomain {
  domain: string;
  policy: DmarcPolicy | null;
  /** Names of addresses that lead back to them; empty: none. */
  hosts: Readonly<Record<string, string>>;
  /** Networks that SPF lets send. */
  networks: readonly string[];
  /** Addresses that placement tests came from. */
  sentFrom: readonly string[];
}

const ADDRESSES_SHOWN_MAX = 20;

/** Those that send most first. */
export function sendersOf(of: SendingDomain, sources: readonly SourceSum[]): Sender[] {
  const groups = Map.groupBy(sources, ({ ip }) => ownerOf(of.hosts[ip] ?? "") ?? ip);
  return [...groups]
    .map(([name, all]) => senderOf(of, name, all))
    .toSorted((a, b) => b.messages - a.messages);
}

function senderOf(of: SendingDomain, name: string, all: readonly SourceSum[]): Sender {
  const sum = (key: Exclude<keyof SourceSum, "ip">) => all.reduce((at, one) => at + one[key], 0);
  const host = of.hosts[all[0]?.ip ?? ""] || null;
  const counts = {
    ...{ messages: sum("messages"), passed: sum("passed"), spf: sum("spf"), dkim: sum("dkim") },
    ...{ quarantined: sum("quarantined"), rejected: sum("rejected") },
  };
  const ours = all.some(
    ({ ip }) => of.sentFrom.includes(ip) || of.networks.some((network) => isWithin(ip, network)),
  );
  return {
    name,
    addresses: all.slice(0, ADDRESSES_SHOWN_MAX).map(({ ip }) => ip),
    host,
    ...counts,
    ours,
    advice: adviceOn(of, { ...counts, ours, service: serviceOf(host ?? "") }),
  };
}

/** `mail.co.uk` and the like are nobody's. */
const SHARED = /^(ac|co|com|edu|gov|net|or|org)\.[a-z]{2}$/;

function ownerOf(host: string): string | null {
  const labels = host.split(".");
  const last = labels.slice(-2).join(".");
  const own = SHARED.test(last) ? labels.slice(-3).join(".") : last;
  return host === "" ? null : (serviceOf(host)?.name ?? own);
}

type Standing = Pick<Sender, "messages" | "passed" | "spf" | "dkim" | "ours"> & {
  service: MailService | null;
};

/** What to do; null: nothing. */
function adviceOn({ domain, policy }: SendingDomain, from: Standing): string | null {
  const { messages, passed, spf, dkim, ours, service } = from;
  if (passed === messages) {
    return null;
  }
  if (service !== null && passed === 0) {
    const include = ours ? "" : `add include:${service.include} to SPF, and `;
    return `If you send through ${service.name}, ${include}turn on DKIM there for ${domain}. If you don't, somebody else sends as you from there.`;
  }
  if (ours || spf > 0) {
    return dkim === 0
      ? `Sign this server's email with DKIM for ${domain}: SPF alone fails when email is forwarded or the envelope has another domain.`
      : "Part of its email isn't signed, or was changed on its way. Look at what sends without DKIM.";
  }
  if (dkim > 0) {
    return "Probably a forwarder: SPF fails there, and DKIM passes unless it changes the email. Nothing to do.";
  }
  return policy === "none" || policy === null
    ? "An unknown server sends as you. If it's yours, add it to SPF or sign its email with DKIM; if not, move to p=quarantine once all your own servers pass."
    : `An unknown server sends as you, and your policy (p=${policy}) has receivers act against it. Nothing to do unless it's yours.`;
}

/**
 * What receivers can see of a sending domain: where its email goes, who may send for it, whether its email
 * is signed, what it asks receivers to do, and who its servers say they are. For each, what is wrong and
 * what is to be published, verbatim.
 *
 * Source: the rules of the large receivers for senders of bulk email, in `docs/deliverability.md`.
 */

import { providerOfExchanges } from "#domain/mailboxes/mail-provider.ts";
import { checkBlockLists, type Listing } from "./check-block-lists.ts";
import { checkDkim } from "./check-dkim.ts";
import { checkDmarc } from "./check-dmarc.ts";
import { checkExtras } from "./check-extras.ts";
import { checkSpf, covers, includeFor } from "./check-spf.ts";
import { type DmarcPolicy, examineDmarc } from "./dmarc.ts";
import {
  type DomainCheck,
  type DomainFinding,
  type DomainSubject,
  finding,
  unanswered,
} from "./finding.ts";
import { type Asking, ask, askAll, type DnsAnswer } from "./question.ts";
import { examineSpf, type SpfReport } from "./spf.ts";

export interface DomainReport {
  domain: string;
  /** No fault was found. */
  ok: boolean;
  checks: DomainFinding[];
  spf: Pick<SpfReport, "lookups" | "voids"> | null;
  /** Selectors under which a good key was found. */
  selectors: string[];
  dmarcPolicy: DmarcPolicy | null;
  /** Checks of which some questions had no response. */
  partial: DomainCheck[];
  /** What each block list said of each address. */
  listings: Listing[];
  /** Networks that SPF lets send. */
  networks: string[];
}

/** Addresses of the sending host that are looked at. */
const ADDRESSES_MAX = 8;

/** `extras`: what is optional is looked at too. */
export function* examineDomain(subject: DomainSubject, extras = false): Asking<DomainReport> {
  const { domain } = subject;
  const exchanges = yield* ask({ type: "mx", name: domain });
  const mx = checkMx(subject, exchanges);
  const hosts = subject.smtpHost === null ? [] : yield* addressesOf(subject.smtpHost);
  const addresses = hosts ?? [];
  const spf = yield* examineSpf(domain);
  const dkim = yield* checkDkim(subject);
  const dmarc = yield* examineDmarc(domain);
  const lists = yield* checkBlockLists(subject, addresses);
  const checks = [
    mx,
    checkSpf(subject, spf, addresses),
    dkim.finding,
    checkDmarc(subject, dmarc, {
      spf: covers(subject, spf, addresses) === true && spf.errors.length === 0,
      dkim: dkim.selectors.length > 0,
    }),
    yield* checkSendingHost(subject, hosts),
    ...lists.findings,
    yield* checkTrackingHost(subject),
    ...(extras && !subject.isProviderDomain
      ? yield* checkExtras(subject, dmarc, recordsOf(exchanges) ?? [])
      : []),
  ];
  return {
    domain,
    ok: checks.every(({ verdict }) => verdict !== "fault"),
    checks,
    spf: spf.record === null ? null : { lookups: spf.lookups, voids: spf.voids },
    selectors: dkim.selectors,
    dmarcPolicy: dmarc.policy,
    partial: [
      ...(spf.silent.length > 0 ? (["spf"] as const) : []),
      ...(dkim.isPartial ? (["dkim"] as const) : []),
    ],
    listings: lists.listings,
    networks: spf.networks,
  };
}

/** Null: DNS gave no answer. */
function* addressesOf(host: string): Asking<readonly string[] | null> {
  return recordsOf(yield* ask({ type: "address", name: host }))?.slice(0, ADDRESSES_MAX) ?? null;
}

const EXCHANGES: Readonly<Record<string, (domain: string) => string>> = {
  google: () => "1 smtp.google.com",
  microsoft: (domain) => `0 ${domain.replaceAll(".", "-")}.mail.protection.outlook.com`,
};

function checkMx(
  { domain, provider, isProviderDomain }: DomainSubject,
  answer: DnsAnswer,
): DomainFinding {
  if (answer.kind === "silent") {
    return unanswered("mx", [domain]);
  }
  const found = answer.records;
  if (found.length === 0) {
    const value = EXCHANGES[provider]?.(domain);
    return finding("mx", "fault", `${domain} can't receive email: it has no MX record`, {
      remedy: "Replies and bounces can't arrive. Publish your mail provider's MX records.",
      publish: value === undefined || isProviderDomain ? [] : [{ name: domain, type: "MX", value }],
    });
  }
  const host = providerOfExchanges(found);
  const isOther = provider in EXCHANGES && host !== provider;
  return isOther
    ? finding("mx", "warning", `email to ${domain} goes to ${found[0]}, not to ${provider}`, {
        remedy: "Make sure that replies reach this mailbox; forward them if needed.",
        found,
      })
    : finding("mx", "ok", `email to ${domain} goes to ${found[0]}`, { found });
}

function* checkSendingHost(
  subject: DomainSubject,
  addresses: readonly string[] | null,
): Asking<DomainFinding> {
  const { smtpHost } = subject;
  if (includeFor(subject) !== null || subject.isProviderDomain) {
    return finding(
      "sending_host",
      "ok",
      "the provider's own servers deliver, so there is nothing to check",
    );
  }
  if (smtpHost === null) {
    return finding("sending_host", "unknown", "no SMTP server is set");
  }
  if (addresses === null) {
    return unanswered("sending_host", [smtpHost]);
  }
  if (addresses.length === 0) {
    return finding("sending_host", "fault", `${smtpHost} has no address in DNS`, {
      remedy: "Correct the SMTP server's host name.",
    });
  }
  const answers = yield* askAll(addresses.map((name) => ({ type: "ptr", name })));
  const named = addresses.map((ip, index) => ({ ip, names: recordsOf(answers[index]) }));
  const bare = named.filter(({ names }) => names?.length === 0).map(({ ip }) => ip);
  const found = named.map(({ ip, names }) => `${ip}: ${(names ?? ["no response"]).join(", ")}`);
  if (named.every(({ names }) => names === null)) {
    return unanswered("sending_host", addresses);
  }
  if (bare.length > 0) {
    const message = `${bare.join(", ")} (${smtpHost}) has no name in DNS (no PTR record)`;
    return finding("sending_host", "warning", message, {
      remedy: `If this server also delivers email, ask its hosting provider to set the PTR record to ${smtpHost}.`,
      found,
    });
  }
  const [first] = named;
  const name = first?.names?.[0] ?? smtpHost;
  const back = recordsOf(yield* ask({ type: "address", name }));
  return back === null || back.includes(first?.ip ?? "")
    ? finding("sending_host", "ok", `the PTR record of ${smtpHost} matches its address`, { found })
    : finding("sending_host", "warning", `${name} does not resolve back to ${first?.ip}`, {
        remedy: "The sending server's PTR record and address record must match.",
        found,
      });
}

function recordsOf(answer: DnsAnswer | undefined): readonly string[] | null {
  return answer?.kind === "records" ? answer.records : null;
}

function* checkTrackingHost({ linkHost, domain }: DomainSubject): Asking<DomainFinding> {
  if (linkHost === null) {
    const message =
      "public_url is not set, so emails have no unsubscribe link and no one-click opt-out";
    return finding("tracking_host", "warning", message, {
      remedy: "Set public_url: bulk senders must offer one-click unsubscribe (RFC 8058).",
    });
  }
  const answer = yield* ask({ type: "address", name: linkHost });
  if (answer.kind === "silent") {
    return unanswered("tracking_host", [linkHost]);
  }
  if (answer.records.length === 0) {
    return finding(
      "tracking_host",
      "fault",
      `${linkHost}, the host in links, has no address in DNS`,
      {
        remedy: "Publish an address record for it, or correct public_url.",
      },
    );
  }
  const top = (name: string) => name.split(".").slice(-2).join(".");
  return top(linkHost) === top(domain)
    ? finding("tracking_host", "ok", `links point to ${linkHost}, on the same domain`)
    : finding("tracking_host", "ok", `links point to ${linkHost}`, {
        remedy: "Some filters trust links on the sending domain more.",
      });
}

/** Whether a mailbox's email is signed with a key that receivers can find. */

import { checkKey, dkimName, dkimRecord, isSameKey, selectorsToTry } from "./dkim-record.ts";
import { type DomainFinding, type DomainSubject, finding, unanswered } from "./finding.ts";
import { type Asking, askAll, type DnsAnswer } from "./question.ts";

/** Looks for keys, and says which are good. */
export function* checkDkim(
  subject: DomainSubject,
): Asking<{ finding: DomainFinding; selectors: string[]; isPartial: boolean }> {
  const { domain, dkim } = subject;
  const known = [...(dkim === null ? [] : [dkim.selector]), ...subject.selectors];
  const selectors = selectorsToTry(known, subject.provider);
  const answers = yield* askAll(
    selectors.map((selector) => ({ type: "txt", name: dkimName(selector, domain) })),
  );
  const keys = selectors.flatMap((selector, index) => keyAt(selector, answers[index]));
  const good = keys.filter(({ key }) => key.good).map(({ selector }) => selector);
  const silent = selectors.filter((_, index) => answers[index]?.kind === "silent");
  const found = keys.map(({ selector, record }) => `${dkimName(selector, domain)}: ${record}`);
  const checked = checkKeys(subject, { keys, good, silent, found });
  return { finding: checked, selectors: good, isPartial: silent.length > 0 };
}

interface FoundKey {
  selector: string;
  record: string;
  key: { good: boolean; words: string | null };
}

function keyAt(selector: string, answer: DnsAnswer | undefined): FoundKey[] {
  const records = answer?.kind === "records" ? answer.records : [];
  for (const record of records) {
    const key = checkKey(record);
    if (key !== null) {
      return [{ selector, record, key }];
    }
  }
  return [];
}

interface Seen {
  keys: FoundKey[];
  good: string[];
  /** Selectors about which DNS gave no answer. */
  silent: string[];
  found: string[];
}

function checkKeys(subject: DomainSubject, seen: Seen): DomainFinding {
  const { domain, dkim, isProviderDomain } = subject;
  const { keys, good, found } = seen;
  if (isProviderDomain) {
    return finding("dkim", "ok", `${domain} signs its users' email itself`, { found });
  }
  if (dkim !== null) {
    return checkOwnKey(domain, dkim, seen);
  }
  if (good.length === 0) {
    return checkNoKey(subject, seen);
  }
  const words = keys.find(({ key }) => key.good && key.words !== null)?.key.words ?? null;
  const names = good.join(", ");
  return words === null
    ? finding("dkim", "ok", `valid keys are published (selectors: ${names})`, { found })
    : finding("dkim", "warning", `keys are published (selectors: ${names}), but ${words}`, {
        remedy: "Create a new 2048-bit key where your email is signed.",
        found,
      });
}

function checkOwnKey(
  domain: string,
  { selector, publicKey }: NonNullable<DomainSubject["dkim"]>,
  { keys, silent, found }: Seen,
): DomainFinding {
  const own = keys.find((key) => key.selector === selector);
  const name = dkimName(selector, domain);
  if (own === undefined && silent.includes(selector)) {
    return unanswered("dkim", [name]);
  }
  if (own !== undefined && isSameKey(own.record, publicKey)) {
    return finding("dkim", "ok", `email is signed with selector "${selector}"`, { found });
  }
  const state = own === undefined ? "is not published" : "differs from what is published";
  return finding("dkim", "fault", `the key of selector "${selector}" ${state}`, {
    remedy: "Publish this record. Signing starts as soon as Outrider sees it.",
    found,
    publish: [{ name, type: "TXT", value: dkimRecord(publicKey) }],
  });
}

function checkNoKey({ domain, provider }: DomainSubject, { keys, silent, found }: Seen) {
  const [bad] = keys;
  if (bad === undefined && silent.length > 0) {
    return unanswered(
      "dkim",
      silent.map((selector) => dkimName(selector, domain)),
    );
  }
  const why = bad === undefined ? "" : `: "${bad.selector}": ${bad.key.words}`;
  return finding("dkim", "fault", `no valid DKIM key found under the usual selectors${why}`, {
    remedy: DKIM_REMEDIES[provider],
    found,
  });
}

const OWN_DKIM =
  "If your mail server doesn't sign email, POST /accounts/{id}/dkim creates a key and returns the record to publish. If it does, pass its selector in ?selector=.";
const DKIM_REMEDIES: Readonly<Record<DomainSubject["provider"], string>> = {
  google:
    "In the Google Admin console, under Apps, Google Workspace, Gmail, Authenticate email: generate a 2048-bit record, publish it, then start authentication.",
  microsoft:
    "In Microsoft Defender, under Email authentication settings, DKIM: select the domain, publish the two CNAME records it shows, then enable signing.",
  smtp: OWN_DKIM,
  sandbox: OWN_DKIM,
};

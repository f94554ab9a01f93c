/**
 * Recipient providers that refuse a mailbox as a sender: when it stops writing to one, and when it tries
 * again. The first try after a wait is one email to one lead, which stays pending if it is refused.
 *
 * Source: ours; the pages are the providers' own.
 */

import type { MailProvider } from "#domain/mailboxes/mail-provider.ts";
import { HOUR_MS, plus, type UnixMs } from "#domain/time.ts";

export interface Refusals {
  /** A provider, the domain itself where nobody known runs its servers, or `OWN_SERVERS`. */
  receiver: string;
  /** In a row, without an email taken in between. */
  count: number;
  since: UnixMs;
  /** Nothing is sent there before; null: one refusal alone stops nothing. */
  until: UnixMs | null;
  /** The last refusal in the server's words. */
  words: string;
}

/** All domains that run their own servers, counted together: many of them may use one block list. */
export const OWN_SERVERS = "*";
/** So many in a row stop the mailbox there. */
const REFUSALS_TO_STOP = 2;
/** The same for `OWN_SERVERS`, where each refusal may come from another domain. */
const OWN_SERVERS_TO_STOP = 5;
/** How long, the first time and after each refused try. */
const WAITS_MS: readonly number[] = [HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS, 24 * HOUR_MS];
/** Receivers remembered of one mailbox; the one that refused longest ago is forgotten. */
const RECEIVERS_MAX = 100;

export function receiverOf(domain: string, provider: MailProvider): string {
  return provider === "custom" ? domain : provider;
}

/** A named provider, rather than a domain by itself. */
export function isProvider(receiver: string): boolean {
  return receiver !== OWN_SERVERS && !receiver.includes(".");
}

export function inWords(receiver: string): string {
  return receiver === OWN_SERVERS ? "one domain after another" : receiver;
}

export function isStopped({ until }: Refusals, now: UnixMs): boolean {
  return until !== null && until > now;
}

/** With one more refusal by `receiver`. */
export function refusedBy(
  known: readonly Refusals[],
  { receiver, words, now }: { receiver: string; words: string; now: UnixMs },
): Refusals[] {
  const last = known.find((one) => one.receiver === receiver);
  const count = (last?.count ?? 0) + 1;
  const toStop = receiver === OWN_SERVERS ? OWN_SERVERS_TO_STOP : REFUSALS_TO_STOP;
  const wait = WAITS_MS[Math.min(count - toStop, WAITS_MS.length - 1)];
  const until = wait === undefined ? null : plus(now, wait);
  const entry = { receiver, count, since: last?.since ?? now, until, words };
  const others = known.filter((one) => one.receiver !== receiver);
  return [...others, entry].slice(-RECEIVERS_MAX);
}

/** `receiver` has taken an email. */
export function takenBy(known: readonly Refusals[], receiver: string): Refusals[] {
  const whole = isProvider(receiver) ? receiver : OWN_SERVERS;
  return known.filter((one) => one.receiver !== receiver && one.receiver !== whole);
}

/** Somebody wants every stop tried at once; one more refusal waits on from where it was. */
export function tryAgain(known: readonly Refusals[], now: UnixMs): Refusals[] {
  return known.map((one) => (isStopped(one, now) ? { ...one, until: now } : one));
}

/** Where the provider says what it wants of senders and what its refusals mean. */
const PAGES: Readonly<Record<string, string>> = {
  google: "https://support.google.com/a/answer/3726730",
  microsoft: "https://sender.office.com",
  yahoo: "https://senders.yahooinc.com/smtp-error-codes",
  icloud: "https://support.apple.com/102322",
};

export function pageOf(receiver: string): string | null {
  return PAGES[receiver] ?? null;
}

const AUTHENTICATION = /authenticat|\b(spf|dkim|dmarc)\b|sender policy framework/i;
const REVERSE_NAME = /\bptr\b|reverse (dns|host)/i;

/** What a person can do about it, as one sentence. */
export function remedyFor(words: string): string {
  if (AUTHENTICATION.test(words)) {
    return "Publish SPF, DKIM, and DMARC for the sender's domain; the domain check shows which record is missing.";
  }
  return REVERSE_NAME.test(words)
    ? "Ask whoever runs the mail server to set up reverse DNS for its IP address."
    : "Request removal of the mail server's IP address or domain from the block list named here.";
}

/**
 * Whose servers a simulated recipient is behind. Providers word their bounces differently, mark their
 * holiday notices differently and quote differently, and a classifier has to get on with all of them.
 *
 * Source: the shapes follow RFC 3464 and RFC 3834; the wording is ours.
 */

import { hash01 } from "#domain/random.ts";
import type { Headers } from "./mime.ts";

export const HOSTS = ["google", "microsoft", "postfix"] as const;
export type Host = (typeof HOSTS)[number];

const KNOWN: Readonly<Record<string, Host>> = {
  "gmail.com": "google",
  "googlemail.com": "google",
  "outlook.com": "microsoft",
  "hotmail.com": "microsoft",
};

/** The same for all of one domain. */
export function hostOf(seed: number, domain: string): Host {
  const drawn = HOSTS[Math.floor(hash01(seed, "host", domain) * HOSTS.length)];
  return KNOWN[domain] ?? drawn ?? "postfix";
}

export interface Failure {
  /** RFC 3463. */
  status: string;
  /** Diagnostic-Code, after `smtp; `. */
  diagnostic: string;
  /** For the person who reads the report. */
  words: string;
}

/** Nobody has that address. */
export function unknownUser(host: Host, recipient: string): Failure {
  switch (host) {
    case "google":
      return {
        status: "5.1.1",
        diagnostic: `550-5.1.1 The email account that you tried to reach does not exist`,
        words: `${recipient} could not be found, or cannot receive mail.`,
      };
    case "microsoft":
      return {
        status: "5.1.10",
        diagnostic: `550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ${recipient} not found`,
        words: `The recipient's server has no mailbox with the name ${recipient}.`,
      };
    case "postfix":
      return {
        status: "5.1.1",
        diagnostic: `550 5.1.1 <${recipient}>: Recipient address rejected: User unknown`,
        words: `<${recipient}>: the remote host said: 550 5.1.1 user unknown (in reply to RCPT TO)`,
      };
  }
}

/** There is a mailbox, and it takes nothing more. */
export function mailboxFull(host: Host, recipient: string): Failure {
  switch (host) {
    case "google":
      return {
        status: "4.2.2",
        diagnostic: "452-4.2.2 The recipient's inbox is out of storage space",
        words: `The inbox of ${recipient} is out of storage space. Delivery was tried for 8 hours.`,
      };
    case "microsoft":
      return {
        status: "5.2.2",
        diagnostic: "554 5.2.2 mailbox full; STOREDRV.Deliver; quota exceeded",
        words: `The mailbox of ${recipient} is full and cannot accept messages now.`,
      };
    case "postfix":
      return {
        status: "4.2.2",
        diagnostic: `452 4.2.2 <${recipient}>: mailbox is full, quota exceeded`,
        words: `<${recipient}>: the remote host said: 452 4.2.2 mailbox is full (in reply to RCPT TO)`,
      };
  }
}

/** It was refused for what it is, or for who sent it: the address may be good. */
export function judgedSpam(host: Host, recipient: string): Failure {
  switch (host) {
    case "google":
      return {
        status: "5.7.1",
        diagnostic:
          "550-5.7.1 Our system has detected that this message is likely unsolicited mail",
        words: `The message to ${recipient} was blocked as likely spam.`,
      };
    case "microsoft":
      return {
        status: "5.7.1",
        diagnostic: "550 5.7.1 Message rejected as spam by Content Filtering",
        words: "The recipient's organization has rejected the message as spam.",
      };
    case "postfix":
      return {
        status: "5.7.1",
        diagnostic: `554 5.7.1 <${recipient}>: Service unavailable; client host blocked using a blocklist`,
        words: `<${recipient}>: the remote host said: 554 5.7.1 blocked using a blocklist`,
      };
  }
}

/** Still being tried. */
export function delayed(_host: Host, recipient: string): Failure {
  return {
    status: "4.4.1",
    diagnostic: "451 4.4.1 connection timed out",
    words: `The server of ${recipient} does not answer. Delivery will be tried for 2 more days.`,
  };
}

/** The name under which a host reports. */
export function daemonOf(host: Host, domain: string): { name: string; address: string } {
  return host === "microsoft"
    ? { name: "", address: `postmaster@${domain}` }
    : { name: "Mail Delivery Subsystem", address: `mailer-daemon@${domain}` };
}

export function bounceSubject(host: Host, subject: string): string {
  switch (host) {
    case "google":
      return "Delivery Status Notification (Failure)";
    case "microsoft":
      return `Undeliverable: ${subject}`;
    case "postfix":
      return "Undelivered Mail Returned to Sender";
  }
}

/** How a holiday notice says that no person wrote it (RFC 3834 §5, and what is usual beside it). */
export function automaticHeaders(host: Host): Headers {
  switch (host) {
    case "google":
      return [
        ["Auto-Submitted", "auto-replied"],
        ["Precedence", "bulk"],
        ["X-Autoreply", "yes"],
      ];
    case "microsoft":
      return [
        ["Auto-Submitted", "auto-generated"],
        ["X-Auto-Response-Suppress", "All"],
      ];
    case "postfix":
      return [["Auto-Submitted", "auto-replied (vacation)"]];
  }
}

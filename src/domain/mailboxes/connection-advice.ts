/**
 * What a failed connection means to the person who set it up, and how to fix it. A server's words are
 * looked at first: the large providers say in them what a code alone does not.
 *
 * Source: Google's "Gmail SMTP errors and codes" and its IMAP alerts, Microsoft's articles on SMTP AUTH and
 * the end of basic authentication (5.7.139, 5.7.30), RFC 6749 §5.2, RFC 5530, and OpenSSL's names.
 */

import type { Provider, Security } from "./mailbox.ts";

/** How far the way to a server went, and what ended it. */
export const REACH_FAULTS = [
  "no_settings",
  "no_address",
  "dns_silent",
  "not_allowed",
  "plain_remote",
  "refused",
  "no_route",
  "silent",
  "other_service",
  "wants_tls",
  "speaks_plain",
  "no_starttls",
  "turned_away",
  "certificate_expired",
  "certificate_early",
  "certificate_own",
  "certificate_issuer",
  "certificate_name",
  "tls",
] as const;
export type ReachFault = (typeof REACH_FAULTS)[number];

export interface TriedServer {
  side: "smtp" | "imap";
  provider: Provider;
  host: string;
  port: number;
  security: Security;
  /** Logs in with an access token. */
  isOauth: boolean;
}

export interface Advice {
  message: string;
  remedy: string;
}

const PORTS = {
  smtp: "465 with TLS, or 587 with STARTTLS",
  imap: "993 with TLS, or 143 with STARTTLS",
} as const;

/** What it means that a server could not be reached, or not safely. `words` are the system's or its own. */
export function adviseReach(server: TriedServer, fault: ReachFault, words: string): Advice {
  const { host, port, side } = server;
  const name = side.toUpperCase();
  const where = `${host}, port ${port}`;
  const usual = `${name} usually uses port ${PORTS[side]}.`;
  const [message, remedy] = REACH[fault]({ ...server, where, usual, name });
  return { message: words === "" ? message : `${message} (${words})`, remedy };
}

type Told = TriedServer & { where: string; usual: string; name: string };

const REACH: Readonly<Record<ReachFault, (told: Told) => readonly [string, string]>> = {
  no_settings: ({ name }) => [
    `no ${name} server is set`,
    "Set its host, port, and user name; google and microsoft accounts don't need them.",
  ],
  no_address: ({ host }) => [
    `${host} has no address in DNS`,
    "Check the host name for typos; your mail provider's help pages list it.",
  ],
  dns_silent: ({ host }) => [
    `DNS did not respond for ${host}`,
    "Try again. If it keeps failing, check the DNS resolver of the machine Outrider runs on.",
  ],
  not_allowed: ({ host }) => [
    `${host} is a private or reserved address`,
    "If the address is correct, ask the operator to allow it with allow_cidrs.",
  ],
  plain_remote: ({ host }) => [
    `connecting to ${host} without TLS would send the password unencrypted`,
    'Set security to "tls" or "starttls".',
  ],
  refused: ({ where, usual }) => [`${where} refused the connection`, `Check the port. ${usual}`],
  no_route: ({ where }) => [
    `no network route to ${where}`,
    "Check the network and the firewall of the machine Outrider runs on.",
  ],
  silent: ({ where, usual }) => [
    `${where} did not respond in time`,
    `A firewall may be dropping the connection: many hosting providers block outgoing SMTP ports. ${usual}`,
  ],
  other_service: ({ where, name, usual }) => [
    `the server at ${where} is not an ${name} server`,
    `Check the host and port. ${usual}`,
  ],
  wants_tls: ({ where, side }) => [
    `${where} expects TLS from the start, not STARTTLS`,
    `Set security to "tls", or use port ${side === "smtp" ? 587 : 143}.`,
  ],
  speaks_plain: ({ where, side }) => [
    `${where} does not accept TLS from the start`,
    `Set security to "starttls", or use port ${side === "smtp" ? 465 : 993}.`,
  ],
  no_starttls: ({ where, side }) => [
    `the server at ${where} offers no encryption (STARTTLS)`,
    `Use port ${side === "smtp" ? 465 : 993} with security "tls", or another server: Outrider never sends credentials unencrypted.`,
  ],
  turned_away: ({ where }) => [
    `the server at ${where} rejected the connection`,
    "It may be blocking this machine's IP address, or be overloaded. Ask its provider.",
  ],
  certificate_expired: ({ host }) => [
    `the certificate of ${host} has expired`,
    "Ask whoever runs the server to renew it.",
  ],
  certificate_early: ({ host }) => [
    `the certificate of ${host} is not valid yet`,
    "Check the clock of the machine Outrider runs on, then the server's.",
  ],
  certificate_own: ({ host }) => [
    `the certificate of ${host} is self-signed`,
    "Get a certificate from a public authority, or ask the operator to add this one to mail_ca_file.",
  ],
  certificate_issuer: ({ host }) => [
    `the certificate of ${host} is from an unknown authority`,
    "The server must send its full certificate chain. For a private authority, ask the operator to add it to mail_ca_file.",
  ],
  certificate_name: ({ host }) => [
    `the server's certificate is not for ${host}`,
    "Use the host name on the certificate; your provider's help pages list it.",
  ],
  tls: ({ where }) => [
    `could not set up a secure connection to ${where}`,
    "The server may be too old: Outrider needs TLS 1.2 or newer.",
  ],
};

/** Words of a server, and what to do about them; the first that match count. */
interface Rule {
  words: RegExp;
  side?: "smtp" | "imap";
  provider?: Provider;
  says: string;
  remedy: string;
}

const APP_PASSWORD =
  "Create an app password (Google account, Security, 2-Step Verification, App passwords) and set it for SMTP and IMAP, or connect with OAuth: POST /accounts/{id}/connect.";
const CONNECT_ANEW = "Reconnect the mailbox: POST /accounts/{id}/connect returns a link.";

/** Logins with a token. */
const GRANT_RULES: readonly Rule[] = [
  {
    words: /\binstallation's OAuth client\b/i,
    says: "the provider rejects this installation's OAuth client",
    remedy:
      "Ask the operator to fix it (outrider doctor shows what's wrong). The mailbox then resumes on its own.",
  },
  {
    words: /\b(invalid_grant|(interaction|consent|login)_required|account_selection_required)\b/i,
    says: "the provider no longer accepts the sign-in: access was revoked or has expired, or the password changed",
    remedy: `${CONNECT_ANEW} A Google project in "Testing" ends access after 7 days: publish it.`,
  },
  {
    words: /\b(invalid_client|unauthorized_client)\b/i,
    says: "the provider doesn't recognize the OAuth client id or its secret",
    remedy: "Check the client id and client secret, and that the secret hasn't expired.",
  },
  {
    words: /^token endpoint|temporarily_unavailable|^status \d{3}\b/i,
    says: "the provider's token endpoint did not respond",
    remedy: "Outrider retries on its own; you only need to act if this keeps happening.",
  },
  {
    words: /\bno OAuth (login|credentials)\b/i,
    says: "OAuth is not set up for this account",
    remedy: CONNECT_ANEW,
  },
];

const PROVIDER_RULES: readonly Rule[] = [
  {
    words: /5\.7\.9\b|application-specific password|InvalidSecondFactor/i,
    says: "Google requires an app password because the account uses 2-Step Verification",
    remedy: APP_PASSWORD,
  },
  {
    words: /5\.7\.14\b|web browser|webloginrequired|WEBALERT/i,
    says: "Google has blocked this login until someone signs in with a browser",
    remedy: "Sign in to the mailbox with a browser, confirm it was you, then test again.",
  },
  {
    words: /not enabled for IMAP|IMAP access is disabled/i,
    says: "IMAP is turned off for this mailbox",
    remedy: "Turn on IMAP in the mailbox's settings, under Forwarding and POP/IMAP.",
  },
  {
    words: /SmtpClientAuthentication is disabled for the (Tenant|mailbox)/i,
    says: "SMTP AUTH is turned off for this mailbox or its organization at Microsoft",
    remedy:
      "In the Microsoft 365 admin center, open the user, then Mail, Manage email apps, and allow Authenticated SMTP.",
  },
  {
    words: /5\.7\.139\b|5\.7\.30\b|basic authentication is (disabled|not supported)/i,
    says: "Microsoft no longer accepts passwords here: basic authentication is disabled",
    remedy: "Connect with OAuth: POST /accounts/{id}/connect returns a link.",
  },
  {
    words: /authenticated but not connected/i,
    says: "Microsoft accepted the login but not the mailbox: IMAP is off, the user has no license, or Microsoft is throttling",
    remedy: "Allow IMAP under the user's Manage email apps, and make sure the user has a license.",
  },
  {
    words:
      /\b(locked|suspended|blocked sign-?in|account (is |has been )?disabled|user (is )?disabled)\b/i,
    says: "the provider has locked this mailbox",
    remedy: "Sign in to the mailbox with a browser, or ask your administrator to unlock it.",
  },
  {
    words: /too many|throttl|rate limit|try again|temporar|(?<!reason )unavailable|exceeded/i,
    says: "the server is not accepting logins right now",
    remedy: "Outrider retries on its own; you don't need to do anything.",
  },
  {
    words: /invalid credentials|BadCredentials|5\.7\.8\b/i,
    provider: "google",
    says: "Google rejected the user name or password; it never accepts a regular account password",
    remedy: APP_PASSWORD,
  },
  {
    words: /LOGIN failed|authenticat|5\.7\.3\b/i,
    provider: "microsoft",
    side: "imap",
    says: "Microsoft rejected the login; it no longer accepts passwords over IMAP",
    remedy: "Connect with OAuth: POST /accounts/{id}/connect returns a link.",
  },
  {
    words: /no password is stored/i,
    says: "no password is stored",
    remedy: "Set the password for this server, or connect with OAuth.",
  },
  {
    words:
      /no mechanism|not (supported|enabled|available|implemented)|auth(entication)? (is )?(not|disabled)/i,
    says: "the server does not support this kind of login",
    remedy:
      "Check that the host and port are the ones for mail clients (submission), not for other servers.",
  },
];

/** The server took the login, and would not let the mailbox do its work. */
const AFTER_LOGIN_RULES: readonly Rule[] = [
  {
    words: /5\.7\.60\b|SendAsDenied|not owned by user|sender address rejected|domain must match/i,
    side: "smtp",
    says: "signed in, but this login may not send from the account's address",
    remedy:
      "Set the account's address to the mailbox's own. At Microsoft, the user or application needs Send As or Full Access on the mailbox.",
  },
  {
    words: /5\.4\.5\b|5\.2\.0\b|limit|quota|exceeded|too many/i,
    says: "signed in, but the mailbox has used up what its provider lets it send or read",
    remedy:
      "Wait until the provider's limit ends, usually within a day. Lower the account's limits.",
  },
  {
    words: /5\.1\.8\b|5\.7\.50[0-9]\b|5\.7\.70[58]\b|bad outbound sender|spam|suspicious/i,
    side: "smtp",
    says: "signed in, but the provider has blocked this mailbox from sending",
    remedy:
      "At Microsoft, an administrator unblocks it under Restricted entities in the Defender portal. Elsewhere, ask the provider; change the password first.",
  },
  {
    words: /SmtpClientAuthentication|5\.7\.57\b|not authenticated to send/i,
    side: "smtp",
    says: "signed in, but the mailbox may not send: SMTP AUTH is turned off for it or its organization",
    remedy:
      "In the Microsoft 365 admin center, open the user, then Mail, Manage email apps, and allow Authenticated SMTP.",
  },
  {
    words: /authenticated but not connected/i,
    side: "imap",
    says: "signed in, but Microsoft doesn't open the mailbox: IMAP is off, the user has no license, or the application has no access to it",
    remedy:
      "Allow IMAP under the user's Manage email apps. For a workspace, add the mailbox: Add-MailboxPermission with the application's object id.",
  },
  {
    words: /IMAP (access )?(is )?(disabled|not enabled)|not enabled for IMAP/i,
    side: "imap",
    says: "signed in, but IMAP is turned off for this mailbox",
    remedy: "Turn on IMAP in the mailbox's settings, or for the user in the admin console.",
  },
];

/** What it means that a server took the login, and then refused. `words` are the server's. */
export function adviseAfterLogin({ side }: TriedServer, words: string): Advice {
  const rule = AFTER_LOGIN_RULES.find(
    (entry) => entry.words.test(words) && (entry.side ?? side) === side,
  );
  const what = side === "smtp" ? "send" : "be read";
  return rule === undefined
    ? {
        message: `signed in, but the mailbox may not ${what} (${words})`,
        remedy: "The credentials are right. Read the server's response, or ask its provider.",
      }
    : { message: `${rule.says} (${words})`, remedy: rule.remedy };
}

/** What a refused login means. `words` are the server's. */
export function adviseLogin(server: TriedServer, words: string): Advice {
  const { host, side, provider, isOauth } = server;
  const rules = isOauth ? [...GRANT_RULES, ...PROVIDER_RULES] : PROVIDER_RULES;
  const rule = rules.find(
    (entry) =>
      entry.words.test(words) &&
      (entry.side ?? side) === side &&
      (entry.provider ?? provider) === provider,
  );
  if (rule !== undefined) {
    return { message: `${rule.says} (${words})`, remedy: rule.remedy };
  }
  return {
    message: `${host} rejected the login (${words})`,
    remedy: isOauth
      ? `Make sure that you signed in as this mailbox. ${CONNECT_ANEW}`
      : "Check the user name and password; the user name is often the full email address.",
  };
}

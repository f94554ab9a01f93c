/**
 * What a failed connection means to the person who set it up, and how to mend it. A server's words are
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
  const usual = `${name} usually answers at port ${PORTS[side]}.`;
  const [message, remedy] = REACH[fault]({ ...server, where, usual, name });
  return { message: words === "" ? message : `${message} (${words})`, remedy };
}

type Told = TriedServer & { where: string; usual: string; name: string };

const REACH: Readonly<Record<ReachFault, (told: Told) => readonly [string, string]>> = {
  no_settings: ({ name }) => [
    `no ${name} server is set`,
    "Set its host, port and user name; for google and microsoft they are known.",
  ],
  no_address: ({ host }) => [
    `${host} has no address in DNS`,
    "Check the host name for a slip; the mail provider's help page names it.",
  ],
  dns_silent: ({ host }) => [
    `DNS gave no answer about ${host}`,
    "Try again; if it stays so, check the resolver of the machine that Outrider runs on.",
  ],
  not_allowed: ({ host }) => [
    `${host} is a private or reserved address`,
    "If it is right, the operator has to allow it with allow_cidrs.",
  ],
  plain_remote: ({ host }) => [
    `without TLS, ${host} may not be reached: the password would travel in clear`,
    'Set security to "tls" or "starttls".',
  ],
  refused: ({ where, usual }) => [
    `nothing answers at ${where}: the connection was refused`,
    `Check the port. ${usual}`,
  ],
  no_route: ({ where }) => [
    `there is no way to ${where}`,
    "Check the network and the firewall of the machine that Outrider runs on.",
  ],
  silent: ({ where, usual }) => [
    `${where} does not answer in time`,
    `A firewall may drop the connection: many hosts block outgoing mail ports. ${usual}`,
  ],
  other_service: ({ where, name, usual }) => [
    `what answers at ${where} does not speak ${name}`,
    `Check host and port. ${usual}`,
  ],
  wants_tls: ({ where, side }) => [
    `${where} speaks TLS from the first byte, not STARTTLS`,
    `Set security to "tls", or use port ${side === "smtp" ? 587 : 143}.`,
  ],
  speaks_plain: ({ where, side }) => [
    `${where} does not speak TLS from the first byte`,
    `Set security to "starttls", or use port ${side === "smtp" ? 465 : 993}.`,
  ],
  no_starttls: ({ where, side }) => [
    `the server at ${where} offers no encryption (STARTTLS)`,
    `Use port ${side === "smtp" ? 465 : 993} with security "tls", or another server: credentials are never sent in clear.`,
  ],
  turned_away: ({ where }) => [
    `the server at ${where} turned the connection away`,
    "It may block this machine's address, or be overloaded; ask its provider.",
  ],
  certificate_expired: ({ host }) => [
    `the certificate of ${host} has expired`,
    "Whoever runs the server has to renew it.",
  ],
  certificate_early: ({ host }) => [
    `the certificate of ${host} is not valid yet`,
    "Check the clock of the machine that Outrider runs on, then that of the server.",
  ],
  certificate_own: ({ host }) => [
    `the certificate of ${host} is signed by itself`,
    "Get one from a public authority, or have the operator name this one in mail_ca_file.",
  ],
  certificate_issuer: ({ host }) => [
    `the certificate of ${host} comes from an authority that is not known`,
    "The server has to send its whole chain; a private authority goes into mail_ca_file.",
  ],
  certificate_name: ({ host }) => [
    `the certificate of the server is not for ${host}`,
    "Set the host name that the certificate names; the provider's help page has it.",
  ],
  tls: ({ where }) => [
    `no secure connection to ${where} came about`,
    "The server may be too old: TLS 1.2 or newer is needed.",
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
  "Create an app password (Google account, Security, 2-Step Verification, App passwords) and set it for SMTP and IMAP, or connect by OAuth: POST /accounts/{id}/connect.";
const CONNECT_ANEW = "Connect the mailbox anew: POST /accounts/{id}/connect gives a link for it.";

/** Logins with a token. */
const GRANT_RULES: readonly Rule[] = [
  {
    words: /\binstallation's OAuth client\b/i,
    says: "the provider does not accept the OAuth client of this installation",
    remedy:
      "Its operator has to fix it (outrider doctor says what is wrong); the mailbox goes on by itself then.",
  },
  {
    words: /\b(invalid_grant|(interaction|consent|login)_required|account_selection_required)\b/i,
    says: "the provider no longer honours the consent: it was withdrawn, has expired, or the password was changed",
    remedy: `${CONNECT_ANEW} A Google project in "Testing" ends consents after 7 days: publish it.`,
  },
  {
    words: /\b(invalid_client|unauthorized_client)\b/i,
    says: "the provider does not know the OAuth client, or not with this secret",
    remedy: "Check client id and client secret, and that the secret has not expired.",
  },
  {
    words: /^token endpoint|temporarily_unavailable|^status \d{3}\b/i,
    says: "the provider's token endpoint does not answer",
    remedy: "It is tried again by itself; nothing needs doing unless it stays so.",
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
    says: "Google wants an app password: the account has 2-step verification",
    remedy: APP_PASSWORD,
  },
  {
    words: /5\.7\.14\b|web browser|webloginrequired|WEBALERT/i,
    says: "Google has locked this login until somebody signs in with a browser",
    remedy: "Sign in to the mailbox with a browser, confirm that it was you, then test again.",
  },
  {
    words: /not enabled for IMAP|IMAP access is disabled/i,
    says: "IMAP is switched off for this mailbox",
    remedy: "Switch IMAP on in the mailbox's settings, under Forwarding and POP/IMAP.",
  },
  {
    words: /SmtpClientAuthentication is disabled for the (Tenant|mailbox)/i,
    says: "Microsoft has SMTP AUTH switched off for the organization or the mailbox",
    remedy:
      "In the Microsoft 365 admin center open the user, Mail, Manage email apps, and allow Authenticated SMTP.",
  },
  {
    words: /5\.7\.139\b|5\.7\.30\b|basic authentication is (disabled|not supported)/i,
    says: "Microsoft no longer takes a password here: basic authentication is disabled",
    remedy: "Connect by OAuth: POST /accounts/{id}/connect gives a link.",
  },
  {
    words: /authenticated but not connected/i,
    says: "Microsoft let us in and gives no mailbox: IMAP is off, there is no licence, or it throttles",
    remedy: "Allow IMAP under Manage email apps of the user, and see that it has a licence.",
  },
  {
    words:
      /\b(locked|suspended|blocked sign-?in|account (is |has been )?disabled|user (is )?disabled)\b/i,
    says: "the provider has locked this mailbox",
    remedy: "Sign in to the mailbox with a browser, or ask its administrator to unlock it.",
  },
  {
    words: /too many|throttl|rate limit|try again|temporar|(?<!reason )unavailable|exceeded/i,
    says: "the server lets nobody in just now",
    remedy: "Wait a while; it is tried again by itself.",
  },
  {
    words: /invalid credentials|BadCredentials|5\.7\.8\b/i,
    provider: "google",
    says: "Google refuses user name and password; an ordinary account password is never taken",
    remedy: APP_PASSWORD,
  },
  {
    words: /LOGIN failed|authenticat|5\.7\.3\b/i,
    provider: "microsoft",
    side: "imap",
    says: "Microsoft refuses the login; passwords are no longer taken over IMAP",
    remedy: "Connect by OAuth: POST /accounts/{id}/connect gives a link.",
  },
  {
    words: /no password is stored/i,
    says: "no password is stored",
    remedy: "Set the password of this side, or connect by OAuth.",
  },
  {
    words:
      /no mechanism|not (supported|enabled|available|implemented)|auth(entication)? (is )?(not|disabled)/i,
    says: "the server takes no login of this kind",
    remedy:
      "Check that port and host are those for mail programs (submission), not for other servers.",
  },
];

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
    message: `${host} refuses the login (${words})`,
    remedy: isOauth
      ? `See that the consent was given by this very mailbox. ${CONNECT_ANEW}`
      : "Check user name and password; the user name is often the whole address.",
  };
}

/** From a mailbox to a logged-in IMAP connection, and what it means when there is none. */

import type { ConnectionOptions } from "node:tls";
import type { AuthOptions, ImapFlow } from "imapflow";
import { SECOND_MS } from "#domain/time.ts";
import { routeTo } from "#mail/connect.ts";
import type { TokenStore } from "#mail/oauth/oauth.ts";
import type { MailLimits, MailOptions } from "#mail/options.ts";
import { reasonOf, serverText } from "#mail/server-text.ts";
import type { ConnectionCheck, Mailbox, ServerLogin } from "#platform/ports/mail.ts";

/** Largest literal that is accepted; what is asked for is far smaller. */
const LITERAL_BYTES_MAX = 16_777_216;
const LINE_BYTES_MAX = 4_194_304;
/** How much longer than from one renewal of IDLE to the next a kept connection may be silent. */
const SILENCE_MS = 60 * SECOND_MS;

export type ImapResult<T> = { kind: "done"; value: T } | ImapFailure;
export interface ImapFailure {
  kind: "unreachable";
  reason: string;
  /** True where the server refused the credentials themselves. */
  login: boolean;
  /** True where the server took the login and refused afterwards. */
  signedIn?: boolean;
}

export interface Connecting {
  /** It will wait for news: without compression, whose tables are three times the rest of it. */
  isKept: boolean;
  /** Is handed every connection before it is opened, so that it can be closed meanwhile. */
  track: (client: ImapFlow) => void;
}

export class ImapConnector {
  private readonly options: MailOptions;
  private readonly limits: MailLimits;
  private readonly tokens: TokenStore;

  constructor(options: MailOptions, limits: MailLimits, tokens: TokenStore) {
    this.options = options;
    this.limits = limits;
    this.tokens = tokens;
  }

  /** Connects and logs in; an access token that is refused is replaced once. Never rejects. */
  async connect(mailbox: Mailbox, { isKept, track }: Connecting): Promise<ImapResult<ImapFlow>> {
    const { imap: server } = mailbox;
    if (server === null) {
      return unreachable("no IMAP settings are stored");
    }
    const route = await routeTo(server, mailbox.teamId, this.options);
    if (route.kind === "refused") {
      return unreachable(route.reason);
    }
    let rejected: string | undefined;
    for (let attempt = 1; ; attempt += 1) {
      const auth = await this.authFor(mailbox, server, rejected);
      if (auth.kind === "unreachable") {
        return auth;
      }
      const way = { host: route.ip, tls: route.tls, auth: auth.value };
      const client = await createClient(server, way, this.limits, isKept);
      track(client);
      try {
        await client.connect();
        return { kind: "done", value: client };
      } catch (error) {
        client.close();
        const login = refusesLogin(error);
        // A token may have been withdrawn before its time: one more try with a new one.
        rejected = auth.value.accessToken;
        if (!login || rejected === undefined || attempt === 2) {
          return { kind: "unreachable", reason: failureText(error), login };
        }
      }
    }
  }

  private async authFor(
    mailbox: Mailbox,
    server: ServerLogin,
    rejected: string | undefined,
  ): Promise<ImapResult<{ user: string; pass?: string; accessToken?: string }>> {
    const user = server.username;
    if (mailbox.oauth !== null) {
      const got = await this.tokens.token(mailbox, rejected);
      return got.kind === "token"
        ? { kind: "done", value: { user, accessToken: got.token } }
        : { kind: "unreachable", reason: got.reason, login: got.kind === "refused" };
    }
    const pass = server.password ?? "";
    return pass === ""
      ? { kind: "unreachable", reason: "no password is stored", login: true }
      : { kind: "done", value: { user, pass } };
  }
}

async function createClient(
  server: ServerLogin,
  way: { host: string; tls: ConnectionOptions; auth: AuthOptions },
  limits: MailLimits,
  isKept: boolean,
): Promise<ImapFlow> {
  // A quarter of the program's start and 10 MiB, with all the character sets of mail: loaded when needed.
  const library = await import("imapflow");
  const client = new library.ImapFlow({
    ...way,
    port: server.port,
    secure: server.security === "tls",
    doSTARTTLS: server.security === "starttls",
    ...(way.tls.servername !== undefined && { servername: way.tls.servername }),
    logger: false,
    clientInfo: { name: "Outrider" },
    disableAutoIdle: true,
    disableCompression: isKept,
    maxIdleTime: limits.idleRenewMs,
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.connectMs,
    socketTimeout: isKept ? limits.idleRenewMs + SILENCE_MS : limits.replyMs,
    maxLineLength: LINE_BYTES_MAX,
    maxLiteralSize: LITERAL_BYTES_MAX,
    maxResponseSize: 2 * LITERAL_BYTES_MAX,
  });
  // Every failure also rejects the call that it meets; without a listener it would end the process.
  client.on("error", () => undefined);
  return client;
}

/** Response codes (RFC 5530) and words that speak of the server's state, not of the credentials. */
const BUSY_CODES = new Set(["UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG", "OVERQUOTA", "ALERT"]);
const BUSY_WORDS =
  /too many|throttl|temporar|try again|rate limit|unavailable|not connected|exceeded|internal err/i;

function refusesLogin(error: unknown): boolean {
  const { authenticationFailed, serverResponseCode, response, responseText } = imapError(error);
  if (authenticationFailed !== true) {
    return false;
  }
  const code = typeof serverResponseCode === "string" ? serverResponseCode.toUpperCase() : "";
  if (code === "AUTHENTICATIONFAILED" || code === "AUTHORIZATIONFAILED" || code === "EXPIRED") {
    return true;
  }
  return !BUSY_CODES.has(code) && !BUSY_WORDS.test(`${response} ${responseText}`);
}

/** The server's words where it said some. */
export function failureText(error: unknown): string {
  const { response, responseText } = imapError(error);
  const words = [responseText, response].find((text) => typeof text === "string" && text !== "");
  return typeof words === "string" ? serverText(words) : reasonOf(error);
}

function imapError(error: unknown): Readonly<Record<string, unknown>> {
  return typeof error === "object" && error !== null ? { ...error } : {};
}

export function unreachable(reason: string): ImapFailure {
  return { kind: "unreachable", reason, login: false };
}

/** For a test of the connection. */
export function failedImap({ reason, login, signedIn }: ImapFailure): ConnectionCheck {
  const check = { ok: false, error: reason, login };
  return signedIn === true ? { ...check, signedIn } : check;
}

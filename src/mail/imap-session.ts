/**
 * One IMAP connection for one task: opened, used, closed.
 *
 * Connections are not kept: a poll every few minutes costs 4 ms of processor time with connecting,
 * while a kept one ends with its access token, counts against the provider's limit (15 at Gmail),
 * and can be dead without saying so.
 */

import type { ConnectionOptions } from "node:tls";
import { type AuthOptions, ImapFlow } from "imapflow";
import type { Mailbox, ServerLogin } from "#runtime/ports/mail.ts";
import { routeTo } from "./connect.ts";
import { after } from "./deadline.ts";
import type { TokenStore } from "./oauth.ts";
import type { MailLimits, MailOptions } from "./options.ts";
import { reasonOf, serverText } from "./server-text.ts";

/** Largest literal that is accepted; what is asked for is far smaller. */
const LITERAL_BYTES_MAX = 16_777_216;
const LINE_BYTES_MAX = 4_194_304;

export type ImapResult<T> =
  | { kind: "done"; value: T }
  /** `login` is true where the server refused the credentials themselves. */
  | { kind: "unreachable"; reason: string; login: boolean };

export class Imap {
  private readonly options: MailOptions;
  private readonly limits: MailLimits;
  private readonly tokens: TokenStore;
  private readonly open = new Map<ImapFlow, string>();

  constructor(options: MailOptions, limits: MailLimits, tokens: TokenStore) {
    this.options = options;
    this.limits = limits;
    this.tokens = tokens;
  }

  /** Logs in and hands the connection to `work`, within `limits.imapMs` in all. Never rejects. */
  async session<T>(
    mailbox: Mailbox,
    work: (client: ImapFlow) => Promise<T>,
  ): Promise<ImapResult<T>> {
    const { imap } = mailbox;
    if (imap === null) {
      return unreachable("no IMAP settings are stored");
    }
    let client: ImapFlow | undefined;
    let isLate = false;
    const cancel = after(this.limits.imapMs, () => {
      isLate = true;
      client?.close();
    });
    try {
      const connected = await this.connect(mailbox, imap, (next) => {
        client = next;
        if (isLate) {
          next.close();
        }
      });
      return connected.kind === "done"
        ? { kind: "done", value: await work(connected.value) }
        : connected;
    } catch (error) {
      return unreachable(isLate ? "timed out" : failureText(error));
    } finally {
      cancel();
      if (client !== undefined) {
        this.open.delete(client);
        client.close();
      }
    }
  }

  /** Cuts whatever is under way for this account. */
  forget(accountId: string): void {
    for (const [client, owner] of this.open) {
      if (owner === accountId) {
        client.close();
      }
    }
  }

  close(): void {
    for (const client of this.open.keys()) {
      client.close();
    }
  }

  private async connect(
    mailbox: Mailbox,
    server: ServerLogin,
    watch: (client: ImapFlow) => void,
  ): Promise<ImapResult<ImapFlow>> {
    const route = await routeTo(server, this.options);
    if (route.kind === "refused") {
      return unreachable(route.reason);
    }
    let rejected: string | undefined;
    for (let attempt = 1; ; attempt += 1) {
      const auth = await this.authFor(mailbox, server, rejected);
      if (auth.kind === "unreachable") {
        return auth;
      }
      const client = createClient(server, this.limits, {
        host: route.ip,
        tls: route.tls,
        auth: auth.value,
      });
      this.open.set(client, mailbox.accountId);
      watch(client);
      try {
        await client.connect();
        return { kind: "done", value: client };
      } catch (error) {
        this.open.delete(client);
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

function createClient(
  server: ServerLogin,
  limits: MailLimits,
  options: { host: string; tls: ConnectionOptions; auth: AuthOptions },
): ImapFlow {
  const client = new ImapFlow({
    ...options,
    port: server.port,
    secure: server.security === "tls",
    doSTARTTLS: server.security === "starttls",
    ...(options.tls.servername !== undefined && { servername: options.tls.servername }),
    logger: false,
    clientInfo: { name: "Outrider" },
    disableAutoIdle: true,
    disableCompression: true,
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.connectMs,
    socketTimeout: limits.replyMs,
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
function failureText(error: unknown): string {
  const { response, responseText } = imapError(error);
  const words = [responseText, response].find((text) => typeof text === "string" && text !== "");
  return typeof words === "string" ? serverText(words) : reasonOf(error);
}

function imapError(error: unknown): Readonly<Record<string, unknown>> {
  return typeof error === "object" && error !== null ? { ...error } : {};
}

function unreachable(reason: string): { kind: "unreachable"; reason: string; login: boolean } {
  return { kind: "unreachable", reason, login: false };
}

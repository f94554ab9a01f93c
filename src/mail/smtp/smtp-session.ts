/**
 * One SMTP connection: opened, logged in, then used for one message after another.
 *
 * The library's low-level connection is used because it reads the message only after the server has
 * said 354. So it is known, whenever a connection dies, whether the body had been handed over.
 */

import { Readable } from "node:stream";
import SMTPConnection, {
  type SMTPConnectionCustomAuthContext,
} from "nodemailer/lib/smtp-connection";
import type { SendOutcome } from "#domain/mailboxes/send-outcome.ts";
import type { Route } from "#mail/connect.ts";
import { after, DeadlineError } from "#mail/deadline.ts";
import type { MailLimits } from "#mail/options.ts";
import { piecesOf } from "#mail/pieces.ts";
import type { Envelope, ServerLogin } from "#platform/ports/mail.ts";
import { outcomeOf, outcomeOfReply, refused, replyText } from "./smtp-outcome.ts";
import { type LogEntry, Tracker } from "./smtp-tracker.ts";

/** Largest reply that is read. */
export const REPLY_BYTES_MAX = 65_536;
/** Wait for the peer to close after QUIT or after our side closed. */
export const QUIT_MS_MAX = 2_000;

/** What is said at EHLO. An address literal, so that no host name of ours gets into headers. */
const EHLO_NAME = "[127.0.0.1]";

/**
 * Our handler's name in the library, which would take "XOAUTH2" for its own and say PLAIN instead.
 */
const TOKEN_METHOD = "OUTRIDER-XOAUTH2";
/** The library has no way to say MAIL alone, but lets a handler of logins say anything. */
const SENDER_METHOD = "OUTRIDER-SENDER";

export type Login =
  | { kind: "password"; username: string; password: string }
  /** `fresh` gets another token after the server refused the first one; null: there is none. */
  | { kind: "oauth"; username: string; token: string; fresh: () => Promise<string | null> }
  /** A relay on this machine that asks for no login. */
  | { kind: "none" };

export interface SmtpSession {
  /** False once the peer or we have closed. */
  isOpen(): boolean;
  /** Null when logged in. */
  login(login: Login): Promise<SendOutcome | null>;
  send(envelope: Envelope, beforeBody: () => Promise<void>): Promise<Delivery>;
  /** Says MAIL and takes it back: null where the server would take email from this address. */
  offer(from: string): Promise<SendOutcome | null>;
  /** Says QUIT and closes, after {@link QUIT_MS_MAX} at most. */
  quit(): Promise<void>;
  /** Closes at once. Whoever waits for a reply gets "unreachable". */
  drop(reason: string): void;
}

export interface Delivery {
  outcome: SendOutcome;
  /** The server answered a command of this message, so the connection was alive at its start. */
  answered: boolean;
}

export type Opened =
  | { kind: "open"; session: SmtpSession }
  | { kind: "failed"; outcome: SendOutcome };

/** Connects, greets, and upgrades to TLS where `server.security` says so. */
export async function openSmtp(
  server: ServerLogin,
  route: Extract<Route, { kind: "open" }>,
  limits: Pick<MailLimits, "connectMs" | "replyMs">,
): Promise<Opened> {
  const tracker = new Tracker();
  const connection = new SMTPConnection({
    host: route.ip,
    port: server.port,
    name: EHLO_NAME,
    secure: server.security === "tls",
    requireTLS: server.security === "starttls",
    ignoreTLS: server.security === "none",
    tls: route.tls,
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.connectMs,
    socketTimeout: limits.replyMs,
    socketCloseTimeout: QUIT_MS_MAX,
    maxResponseSize: REPLY_BYTES_MAX,
    customAuth: { [TOKEN_METHOD]: sayToken, [SENDER_METHOD]: saySender },
    transactionLog: true,
    logger: { debug: (entry: LogEntry, line: string) => tracker.read(entry, line) },
  });
  const wire = new Wire(connection);
  try {
    await wire.step<void>((done) => {
      connection.connect((error) => done(error ?? null, undefined));
    });
  } catch (error) {
    wire.drop("connection failed");
    return { kind: "failed", outcome: outcomeOf(error, tracker.progress(false)) };
  }
  return { kind: "open", session: session(connection, wire, tracker) };
}

function session(connection: SMTPConnection, wire: Wire, tracker: Tracker): SmtpSession {
  return {
    isOpen: () => wire.isOpen,
    login: async (login) => {
      tracker.base = "auth";
      try {
        if (login.kind === "password") {
          const { username: user, password: pass } = login;
          await wire.step((done) => connection.login({ user, pass }, done));
        } else if (login.kind === "oauth") {
          await loginByToken(connection, wire, login);
        }
      } catch (error) {
        return outcomeOf(error, tracker.progress(false));
      }
      tracker.base = "mail";
      return null;
    },
    send: async (envelope, beforeBody) => {
      const wrong = wrongAddress(envelope);
      if (wrong !== null) {
        return { outcome: wrong, answered: true };
      }
      tracker.start();
      const body = new Body(envelope.raw, async () => {
        // Copies are of an email that somebody else gets.
        if (tracker.refusal !== null) {
          throw new Error("the server refused the recipient, and took copies");
        }
        if (saysMore(connection)) {
          throw new Error("the server responds before it is asked");
        }
        await beforeBody();
      });
      const { copies = [] } = envelope;
      const parameters = {
        ...{ from: envelope.from, size: envelope.raw.length },
        to: [envelope.to, ...copies.filter((address) => !UNSAFE.test(address))],
      };
      try {
        const info = await wire.step<Sent>((done) => {
          connection.send(parameters, body, done);
        });
        if (!body.isWhole) {
          throw new Error("the server accepted a message before it was sent");
        }
        const response = replyText(info.response);
        if (!IS_TAKEN.test(response)) {
          throw new Error(`the server answers out of turn: ${response}`);
        }
        const words = [response, ...(info.rejectedErrors ?? []).map(refusalOf)].join("; ");
        return { outcome: { kind: "accepted", response: words }, answered: true };
      } catch (error) {
        const { refusal } = tracker;
        const outcome =
          (refusal === null ? null : outcomeOfReply("rcpt", refusal)) ??
          outcomeOf(error, tracker.progress(body.isHandedOver));
        const answered = tracker.hasReply;
        await settle(connection, wire, tracker);
        return { outcome, answered };
      }
    },
    offer: async (from) => {
      if (from === "" || UNSAFE.test(from)) {
        return refused("mail", 553, "5.1.7", "not a sender address");
      }
      try {
        tracker.start();
        const options = { reply: "" };
        const login = { method: SENDER_METHOD, user: from, pass: "-", options };
        await wire.step((done) => connection.login(login, done));
        await settle(connection, wire, tracker);
        return outcomeOfReply("mail", options.reply);
      } catch (error) {
        return outcomeOf(error, tracker.progress(false));
      }
    },
    quit: () => wire.quit(),
    drop: (reason) => wire.drop(reason),
  };
}

interface Sent {
  response: string;
  /** Of recipients that were refused where others were not. */
  rejectedErrors?: readonly Refusal[] | undefined;
}

interface Refusal {
  message: string;
  recipient?: string | undefined;
  response?: string | undefined;
}

function refusalOf({ recipient, response, message }: Refusal): string {
  return `no copy to ${recipient}: ${replyText(response ?? message)}`;
}

/** A reply that is there before the body would be taken for the answer to its final dot. */
function saysMore(connection: SMTPConnection): boolean {
  // The library has no other name for what it has read and nobody has asked for.
  const { _responseQueue: replies } = connection as unknown as { _responseQueue: string[] };
  return replies.length > 0;
}

/** Greetings, farewells and logins are no answer to a final dot: who says them has lost count. */
const IS_TAKEN = /^2(?!20|21|35)\d\d(?:[ -]|$)/;

/**
 * After a failure: forgets the transaction, as servers refuse a second MAIL in one. When DATA has
 * begun, the rest of the body may still be on its way, and the connection is good for nothing
 * more.
 */
async function settle(connection: SMTPConnection, wire: Wire, tracker: Tracker): Promise<void> {
  if (tracker.isInData) {
    wire.drop("transaction given up");
  } else if (wire.isOpen) {
    await wire.step((done) => connection.reset(done)).catch(() => wire.drop("no answer to RSET"));
  }
}

/**
 * XOAUTH2, the predecessor of RFC 7628 that Google and Microsoft speak. Token errors come back as
 * 334 with a reason in JSON; an empty line asks for the verdict itself.
 */
async function sayToken(context: SMTPConnectionCustomAuthContext): Promise<void> {
  const { user, pass } = context.auth.credentials;
  const response = Buffer.from(`user=${user}\u0001auth=Bearer ${pass}\u0001\u0001`);
  const first = await context.sendCommand(`AUTH XOAUTH2 ${response.toString("base64")}`);
  const last = first.status === 334 ? await context.sendCommand("") : first;
  if (last.status !== 235) {
    context.reject("the server refused the access token");
  }
}

/** The answer, good or bad, goes into the options that came with the address. */
async function saySender(context: SMTPConnectionCustomAuthContext): Promise<void> {
  const { user, options } = context.auth.credentials;
  const { response } = await context.sendCommand(`MAIL FROM:<${user}>`);
  Object.assign(options ?? {}, { reply: response });
}

async function loginByToken(
  connection: SMTPConnection,
  wire: Wire,
  login: Extract<Login, { kind: "oauth" }>,
): Promise<void> {
  const attempt = (pass: string) =>
    wire.step((done) => {
      connection.login({ method: TOKEN_METHOD, user: login.username, pass }, done);
    });
  try {
    await attempt(login.token);
  } catch (error) {
    const isRefused = error instanceof Error && "permanent" in error && error.permanent === true;
    const token = isRefused && wire.isOpen ? await login.fresh() : null;
    if (token === null) {
      throw error;
    }
    await attempt(token);
  }
}

/** Characters that no address may carry into a command line. */
const UNSAFE = /[\s<>\p{Cc}]/u;

function wrongAddress(envelope: Envelope): SendOutcome | null {
  if (envelope.from === "" || UNSAFE.test(envelope.from)) {
    return refused("mail", 553, "5.1.7", "not a sender address");
  }
  if (envelope.to === "" || UNSAFE.test(envelope.to)) {
    return refused("rcpt", 553, "5.1.3", "not a recipient address");
  }
  return null;
}

/** The message as a stream that waits for `beforeBody` when it is first read. */
class Body extends Readable {
  isHandedOver = false;
  /** To its last byte. */
  isWhole = false;
  private isAsked = false;
  private readonly pieces: AsyncGenerator<Uint8Array, void>;
  private readonly beforeBody: () => Promise<void>;

  constructor(raw: Uint8Array, beforeBody: () => Promise<void>) {
    super();
    this.pieces = piecesOf(raw);
    this.beforeBody = beforeBody;
  }

  override _read(): void {
    if (this.isHandedOver) {
      void this.pieces.next().then(({ value }) => {
        this.isWhole = value === undefined;
        this.push(value ?? null);
      });
    } else if (!this.isAsked) {
      this.isAsked = true;
      void this.handOver();
    }
  }

  private async handOver(): Promise<void> {
    try {
      await this.beforeBody();
    } catch {
      this.destroy(new Error("the message was withheld before its first byte"));
      return;
    }
    if (!this.destroyed) {
      this.isHandedOver = true;
      this._read();
    }
  }
}

type Done<T> = (error: Error | null, result?: T) => void;

/** Turns callbacks, `error` and `end` of a connection into one promise a step. */
class Wire {
  isOpen = true;
  private fail: ((error: Error) => void) | undefined;
  private readonly connection: SMTPConnection;
  private readonly ended = Promise.withResolvers<void>();

  constructor(connection: SMTPConnection) {
    this.connection = connection;
    connection.on("error", (error: Error) => this.close(error));
    connection.on("end", () => {
      this.isOpen = false;
      // Where a reply closed the connection, its error is on the way and says more.
      queueMicrotask(() => this.close(new Error("the connection was closed")));
    });
  }

  step<T>(run: (done: Done<T>) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      this.fail = reject;
      run((error, result) => (error === null ? resolve(result as T) : reject(error)));
      if (!this.isOpen) {
        reject(new Error("the connection was closed"));
      }
    });
  }

  drop(reason: string): void {
    this.close(new DeadlineError(reason));
    this.connection.close();
  }

  async quit(): Promise<void> {
    if (!this.isOpen) {
      return;
    }
    const cancel = after(QUIT_MS_MAX, () => this.drop("no answer to QUIT"));
    this.connection.quit();
    await this.ended.promise;
    cancel();
  }

  private close(error: Error): void {
    this.isOpen = false;
    this.fail?.(error);
    this.ended.resolve();
  }
}

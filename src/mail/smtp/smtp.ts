/**
 * SMTP submission for mailboxes: a connection that waits for the mailbox is used again, a new one
 * is opened otherwise.
 *
 * The one thing tried again here is a connection that had died while it waited: the server has not
 * answered a single command of the message, so a fresh connection starts from nothing.
 */

import type { SendOutcome } from "#domain/mailboxes/send-outcome.ts";
import { routeTo } from "#mail/connect.ts";
import { after } from "#mail/deadline.ts";
import type { TokenOutcome, TokenStore } from "#mail/oauth/oauth.ts";
import type { MailLimits, MailOptions } from "#mail/options.ts";
import type { ConnectionCheck, Envelope, Mailbox } from "#platform/ports/mail.ts";
import { refused } from "./smtp-outcome.ts";
import { SmtpPool } from "./smtp-pool.ts";
import { type Delivery, type Login, openSmtp, type SmtpSession } from "./smtp-session.ts";

type BeforeBody = () => Promise<void>;
type Ready = { kind: "open"; session: SmtpSession } | { kind: "failed"; outcome: SendOutcome };

export class Smtp {
  private readonly options: MailOptions;
  private readonly limits: MailLimits;
  private readonly tokens: TokenStore;
  private readonly pool: SmtpPool;

  constructor(options: MailOptions, limits: MailLimits, tokens: TokenStore) {
    this.options = options;
    this.limits = limits;
    this.tokens = tokens;
    this.pool = new SmtpPool(limits.idleMs);
  }

  /** As the port says. Resolves within `limits.sendMs`, and calls `beforeBody` once at most. */
  async send(mailbox: Mailbox, envelope: Envelope, beforeBody: BeforeBody): Promise<SendOutcome> {
    const deadline = new Deadline(this.limits.sendMs);
    try {
      const kept = this.pool.take(mailbox);
      if (kept !== undefined) {
        deadline.watch(kept);
        const first = await kept.send(envelope, beforeBody);
        this.pool.release(kept);
        if (!wasStale(first) || deadline.hasPassed) {
          return first.outcome;
        }
      }
      const ready = await this.open(mailbox, deadline);
      if (ready.kind === "failed") {
        return ready.outcome;
      }
      const { outcome } = await ready.session.send(envelope, beforeBody);
      this.pool.release(ready.session);
      return outcome;
    } finally {
      deadline.cancel();
    }
  }

  /** Connects, logs in, and asks whether email from the mailbox's address would be taken. */
  async test(mailbox: Mailbox): Promise<ConnectionCheck> {
    const deadline = new Deadline(this.limits.sendMs);
    try {
      const ready = await this.open(mailbox, deadline);
      if (ready.kind === "failed") {
        return failedCheck(ready.outcome);
      }
      const rejection = await ready.session.offer(mailbox.address);
      await this.pool.end(ready.session);
      return rejection === null
        ? { ok: true, error: null }
        : { ...failedCheck(rejection), signedIn: true };
    } finally {
      deadline.cancel();
    }
  }

  forget(accountId: string): void {
    this.pool.forget(accountId);
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private async open(mailbox: Mailbox, deadline: Deadline): Promise<Ready> {
    if (mailbox.smtp === null) {
      return { kind: "failed", outcome: unreachable("connect", "no SMTP settings are stored") };
    }
    const route = await routeTo(mailbox.smtp, mailbox.teamId, this.options);
    if (route.kind === "refused") {
      return { kind: "failed", outcome: unreachable("connect", route.reason) };
    }
    const credentials = await this.loginFor(mailbox);
    if (credentials.kind === "failed") {
      return credentials;
    }
    const opened = await openSmtp(mailbox.smtp, route, this.limits);
    if (opened.kind === "failed") {
      return opened;
    }
    this.pool.add(mailbox, opened.session);
    deadline.watch(opened.session);
    const outcome = await opened.session.login(credentials.login);
    if (outcome !== null) {
      void this.pool.end(opened.session);
      return { kind: "failed", outcome: credentials.renewal() ?? outcome };
    }
    return opened;
  }

  private async loginFor(
    mailbox: Mailbox,
  ): Promise<Credentials | { kind: "failed"; outcome: SendOutcome }> {
    const username = mailbox.smtp?.username ?? "";
    const password = mailbox.smtp?.password ?? "";
    if (mailbox.oauth !== null) {
      const got = await this.tokens.token(mailbox);
      if (got.kind !== "token") {
        return { kind: "failed", outcome: withoutToken(got) };
      }
      let failed: SendOutcome | null = null;
      const fresh = async () => {
        const next = await this.tokens.token(mailbox, got.token);
        failed = next.kind === "token" ? null : withoutToken(next);
        return next.kind === "token" ? next.token : null;
      };
      const login: Login = { kind: "oauth", username, token: got.token, fresh };
      return { kind: "ready", login, renewal: () => failed };
    }
    if (password !== "") {
      return {
        kind: "ready",
        login: { kind: "password", username, password },
        renewal: () => null,
      };
    }
    return username === ""
      ? { kind: "ready", login: { kind: "none" }, renewal: () => null }
      : { kind: "failed", outcome: refused("auth", 535, null, "no password is stored") };
  }
}

function failedCheck(outcome: SendOutcome): ConnectionCheck {
  const error = outcome.kind === "unreachable" ? outcome.reason : outcome.response;
  return { ok: false, error, login: outcome.kind === "refused" && outcome.stage === "auth" };
}

interface Credentials {
  kind: "ready";
  login: Login;
  /**
   * Why a refused token could not be refreshed; null where it could. It says more than the server's reply,
   * which may only mean that the old token had expired.
   */
  renewal: () => SendOutcome | null;
}

function withoutToken({ kind, reason }: Exclude<TokenOutcome, { kind: "token" }>): SendOutcome {
  return kind === "refused" ? refused("auth", 535, null, reason) : unreachable("auth", reason);
}

/** Drops whichever connection is in use when the time for the whole of it is over. */
class Deadline {
  hasPassed = false;
  readonly cancel: () => void;
  private session: SmtpSession | undefined;

  constructor(ms: number) {
    this.cancel = after(ms, () => {
      this.hasPassed = true;
      this.session?.drop("timed out");
    });
  }

  watch(session: SmtpSession): void {
    this.session = session;
    if (this.hasPassed) {
      session.drop("timed out");
    }
  }
}

/** No command of this message was answered, or only by the server's farewell. */
function wasStale({ outcome, answered }: Delivery): boolean {
  if (outcome.kind === "unreachable") {
    return !answered && !outcome.bodySent;
  }
  return outcome.kind === "deferred" && outcome.code === 421 && outcome.stage === "mail";
}

function unreachable(stage: "connect" | "auth", reason: string): SendOutcome {
  return { kind: "unreachable", stage, reason, bodySent: false };
}

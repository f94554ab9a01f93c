/**
 * SMTP connections that are open: those under way, and one a mailbox at most that waits a while for
 * another message.
 */

import { after } from "#mail/deadline.ts";
import type { Mailbox } from "#platform/ports/mail.ts";
import type { SmtpSession } from "./smtp-session.ts";

/** Messages over one connection; then it is replaced, as servers put a limit on it. */
export const MESSAGES_PER_CONNECTION_MAX = 100;

interface Kept {
  session: SmtpSession;
  /** What the connection was opened with; another login needs another connection. */
  identity: string;
  messages: number;
  cancel: () => void;
}

interface Busy {
  accountId: string;
  identity: string;
  messages: number;
  isForgotten: boolean;
}

export class SmtpPool {
  private readonly kept = new Map<string, Kept>();
  private readonly busy = new Map<SmtpSession, Busy>();
  private readonly idleMs: number;

  constructor(idleMs: number) {
    this.idleMs = idleMs;
  }

  /**
   * The connection that waits for this mailbox, if it is alive and was opened for the same login.
   */
  take(mailbox: Mailbox): SmtpSession | undefined {
    const { accountId } = mailbox;
    const kept = this.unkeep(accountId);
    if (kept === undefined) {
      return undefined;
    }
    const { session, identity, messages } = kept;
    if (!session.isOpen() || identity !== identityOf(mailbox)) {
      void session.quit();
      return undefined;
    }
    this.busy.set(session, { accountId, identity, messages, isForgotten: false });
    return session;
  }

  /** Takes note of a connection that was just opened. */
  add(mailbox: Mailbox, session: SmtpSession): void {
    const { accountId } = mailbox;
    const identity = identityOf(mailbox);
    this.busy.set(session, { accountId, identity, messages: 0, isForgotten: false });
  }

  /** A message went over it, or was refused: keeps it if it may serve again, else says QUIT. */
  release(session: SmtpSession): void {
    const busy = this.busy.get(session);
    this.busy.delete(session);
    const isSpent =
      busy === undefined ||
      busy.isForgotten ||
      busy.messages + 1 >= MESSAGES_PER_CONNECTION_MAX ||
      this.kept.has(busy.accountId);
    if (isSpent || !session.isOpen()) {
      void session.quit();
      return;
    }
    const { accountId, identity } = busy;
    const cancel = after(this.idleMs, () => {
      this.kept.delete(accountId);
      void session.quit();
    });
    this.kept.set(accountId, { session, identity, messages: busy.messages + 1, cancel });
  }

  /** Will not serve again. */
  async end(session: SmtpSession): Promise<void> {
    this.busy.delete(session);
    await session.quit();
  }

  forget(accountId: string): void {
    void this.unkeep(accountId)?.session.quit();
    for (const busy of this.busy.values()) {
      busy.isForgotten ||= busy.accountId === accountId;
    }
  }

  /** Drops what is under way, and says QUIT where nothing is. */
  async close(): Promise<void> {
    for (const session of this.busy.keys()) {
      session.drop("shutting down");
    }
    const kept = [...this.kept.keys()].map((accountId) => this.unkeep(accountId));
    await Promise.all(kept.map((entry) => entry?.session.quit()));
  }

  private unkeep(accountId: string): Kept | undefined {
    const kept = this.kept.get(accountId);
    this.kept.delete(accountId);
    kept?.cancel();
    return kept;
  }
}

/** Equal when a connection opened for one mailbox serves the other. Held in memory only. */
function identityOf(mailbox: Mailbox): string {
  return JSON.stringify([mailbox.smtp, mailbox.oauth?.clientId ?? null]);
}

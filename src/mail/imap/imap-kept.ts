/**
 * A connection that waits on INBOX for news (IDLE, RFC 2177), and reads for its mailbox meanwhile.
 *
 * IDLE is begun anew every `idleRenewMs`, so that a link that has died without a word is noticed, and
 * well before the 29 minutes after which servers may hang up.
 */

import type { ImapFlow } from "imapflow";
import { after } from "#mail/deadline.ts";
import type { MailLimits } from "#mail/options.ts";
import type { Mailbox } from "#platform/ports/mail.ts";
import { failureText, type ImapResult, unreachable } from "./imap-connect.ts";

/** Times in a row that a server may end IDLE by itself, and say nothing new. */
const EMPTY_IDLES_MAX = 10;

export class Kept {
  /** Ended by us. */
  isStopped = false;
  /** The server has IDLE and does not do it. */
  refusesIdle = false;
  private readonly client: ImapFlow;
  private readonly login: string;
  private readonly limits: MailLimits;
  private readonly onNews: () => void;
  private reading: Promise<void> | undefined;
  private emptyIdles = 0;
  private lastError = "the server closed the connection";

  /** `client` is logged in, and is the new object's own from now on. */
  constructor(client: ImapFlow, mailbox: Mailbox, limits: MailLimits, onNews: () => void) {
    this.client = client;
    this.login = loginOf(mailbox);
    this.limits = limits;
    this.onNews = onNews;
    client.on("error", (error: unknown) => {
      this.lastError = failureText(error);
    });
    client.on("exists", ({ path }: { path: string }) => {
      if (isInbox(path)) {
        this.emptyIdles = 0;
        onNews();
      }
    });
  }

  /** True while it can read for `mailbox`: alive as far as is known, not busy, and its login. */
  isFree(mailbox: Mailbox): boolean {
    return this.client.usable && this.reading === undefined && this.login === loginOf(mailbox);
  }

  /** Waits for news until the connection ends. Resolves to why; never rejects. */
  async wait(): Promise<string> {
    while (this.client.usable && this.emptyIdles <= EMPTY_IDLES_MAX) {
      if (this.reading !== undefined) {
        await this.reading;
        continue;
      }
      this.emptyIdles += 1;
      const idled = await this.client.idle().catch(() => false);
      if (idled === false && this.client.usable) {
        this.refusesIdle = true;
        return "the server refuses to idle";
      }
    }
    return this.lastError;
  }

  /**
   * Hands the connection to `work`, in INBOX, within `imapMs`, and goes back to INBOX. Whatever fails
   * ends the connection. Never rejects.
   */
  async read<T>(work: (client: ImapFlow) => Promise<T>): Promise<ImapResult<T>> {
    const { client, limits } = this;
    const done = Promise.withResolvers<void>();
    this.reading = done.promise;
    this.emptyIdles = 0;
    const cancel = after(limits.imapMs, () => client.close());
    try {
      const before = await this.openInbox();
      const value = await work(client);
      if (client.mailbox !== false && !isInbox(client.mailbox.path)) {
        const now = await this.openInbox();
        if (now !== before) {
          this.onNews();
        }
      }
      return { kind: "done", value };
    } catch (error) {
      client.close();
      return unreachable(failureText(error));
    } finally {
      cancel();
      this.reading = undefined;
      done.resolve();
    }
  }

  /**
   * What tells one state of INBOX from another. A link that has died in silence would hold up a poll
   * for as long as an answer may take, so this one is due as soon as a connection is.
   */
  async openInbox(): Promise<string> {
    const { client } = this;
    const cancel = after(this.limits.connectMs, () => client.close());
    try {
      const { uidValidity, uidNext, exists } = await client.mailboxOpen("INBOX", {
        readOnly: true,
      });
      return `${uidValidity} ${uidNext} ${exists}`;
    } finally {
      cancel();
    }
  }
}

/** Kept connections of other credentials or another server are of no use to a mailbox. */
function loginOf({ imap, oauth }: Mailbox): string {
  return JSON.stringify([imap, oauth?.clientId]);
}

function isInbox(path: string): boolean {
  return path.toUpperCase() === "INBOX";
}

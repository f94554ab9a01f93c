/**
 * IMAP connections, of two kinds: opened for a task and ended with it, or kept on INBOX to hear of new
 * email. Polls of a mailbox with a kept connection go over it; without one, or where it turns out to be
 * dead, over one of their own.
 */

import type { ImapFlow } from "imapflow";
import { after, within } from "#mail/deadline.ts";
import type { TokenStore } from "#mail/oauth/oauth.ts";
import type { MailLimits, MailOptions } from "#mail/options.ts";
import type { Mailbox, WatchEnd } from "#platform/ports/mail.ts";
import {
  failureText,
  ImapConnector,
  type ImapFailure,
  type ImapResult,
  unreachable,
} from "./imap-connect.ts";
import { Kept } from "./imap-kept.ts";

/** How long the end of the program waits for servers to answer LOGOUT. */
const LOGOUT_MS_MAX = 1_000;

type Work<T> = (client: ImapFlow) => Promise<T>;

export class Imap {
  private readonly limits: MailLimits;
  private readonly connector: ImapConnector;
  /** Every connection that is not closed, and its owner. */
  private readonly open = new Map<ImapFlow, string>();
  /** One a mailbox. */
  private readonly kept = new Map<string, { kept: Kept; client: ImapFlow }>();
  private readonly leaving = new Set<Promise<void>>();

  constructor(options: MailOptions, limits: MailLimits, tokens: TokenStore) {
    this.limits = limits;
    this.connector = new ImapConnector(options, limits, tokens);
  }

  /** Logs in and hands the connection to `work`, within `limits.imapMs` in all. Never rejects. */
  async session<T>(mailbox: Mailbox, work: Work<T>): Promise<ImapResult<T>> {
    const task = new Task(this.open, mailbox.accountId, this.limits.imapMs);
    try {
      const connected = await this.connector.connect(mailbox, { isKept: false, track: task.track });
      if (connected.kind === "unreachable") {
        return task.failure(connected);
      }
      const value = await work(connected.value);
      void this.leave(connected.value);
      return { kind: "done", value };
    } catch (error) {
      return task.failure({ ...unreachable(failureText(error)), signedIn: true });
    } finally {
      task.settle();
    }
  }

  /** As `session`, over the kept connection where there is one that answers. */
  async reading<T>(mailbox: Mailbox, work: Work<T>): Promise<ImapResult<T>> {
    const held = this.kept.get(mailbox.accountId);
    const result = held?.kept.isFree(mailbox) ? await held.kept.read(work) : undefined;
    return result?.kind === "done" ? result : await this.session(mailbox, work);
  }

  /** As the port says. */
  async watch(mailbox: Mailbox, signal: AbortSignal, onNews: () => void): Promise<WatchEnd> {
    if (signal.aborted) {
      return { kind: "stopped" };
    }
    const { accountId } = mailbox;
    const task = new Task(this.open, accountId, this.limits.imapMs);
    const stop = () => {
      const held = this.kept.get(accountId);
      return held === undefined ? task.close() : void this.end(held);
    };
    signal.addEventListener("abort", stop, { once: true });
    try {
      const connected = await this.connector.connect(mailbox, { isKept: true, track: task.track });
      if (connected.kind === "unreachable") {
        const failure = task.failure(connected);
        return signal.aborted ? { kind: "stopped" } : failure;
      }
      const client = connected.value;
      if (!client.capabilities.has("IDLE")) {
        void this.leave(client);
        return { kind: "unsupported", reason: "the server has no IDLE" };
      }
      const kept = new Kept(client, mailbox, this.limits, onNews);
      await kept.openInbox();
      task.settle();
      return await this.keep(accountId, { kept, client }, onNews);
    } catch (error) {
      const failure = task.failure(unreachable(failureText(error)));
      return signal.aborted ? { kind: "stopped" } : failure;
    } finally {
      task.settle();
      signal.removeEventListener("abort", stop);
    }
  }

  /** Cuts whatever is under way for this account. */
  forget(accountId: string): void {
    const held = this.kept.get(accountId);
    if (held !== undefined) {
      held.kept.isStopped = true;
    }
    for (const [client, owner] of this.open) {
      if (owner === accountId) {
        client.close();
      }
    }
  }

  /** Kept connections take their leave; what does not answer, or is under way, is cut. */
  async close(): Promise<void> {
    for (const held of this.kept.values()) {
      void this.end(held);
    }
    await within(Promise.all(this.leaving), LOGOUT_MS_MAX, "no answer to LOGOUT").catch(
      () => undefined,
    );
    for (const client of this.open.keys()) {
      client.close();
    }
  }

  private async keep(
    accountId: string,
    held: { kept: Kept; client: ImapFlow },
    onNews: () => void,
  ): Promise<WatchEnd> {
    const { kept, client } = held;
    const older = this.kept.get(accountId);
    if (older !== undefined) {
      void this.end(older);
    }
    this.kept.set(accountId, held);
    onNews();
    const reason = await kept.wait();
    if (this.kept.get(accountId) === held) {
      this.kept.delete(accountId);
    }
    if (kept.isStopped) {
      return { kind: "stopped" };
    }
    this.open.delete(client);
    client.close();
    return { kind: kept.refusesIdle ? "unsupported" : "ended", reason };
  }

  private async end({ kept, client }: { kept: Kept; client: ImapFlow }): Promise<void> {
    kept.isStopped = true;
    await this.leave(client);
  }

  /** Says LOGOUT, and closes when it is answered; the library waits ten seconds at most. */
  private leave(client: ImapFlow): Promise<void> {
    const leaving = client
      .logout()
      .catch(() => undefined)
      .then(() => {
        client.close();
        this.open.delete(client);
        this.leaving.delete(leaving);
      });
    this.leaving.add(leaving);
    return leaving;
  }
}

/** The connections of one task, bounded in time together. */
class Task {
  readonly track: (client: ImapFlow) => void;
  private isLate = false;
  private readonly clients: ImapFlow[] = [];
  private readonly cancel: () => void;
  private readonly open: Map<ImapFlow, string>;

  constructor(open: Map<ImapFlow, string>, accountId: string, ms: number) {
    this.open = open;
    this.track = (client) => {
      this.clients.push(client);
      open.set(client, accountId);
      client.on("close", () => open.delete(client));
      if (this.isLate) {
        client.close();
      }
    };
    this.cancel = after(ms, () => {
      this.isLate = true;
      this.close();
    });
  }

  /** No more bound on what is open. */
  settle(): void {
    this.cancel();
  }

  close(): void {
    for (const client of this.clients) {
      client.close();
      this.open.delete(client);
    }
  }

  /** Closes all, and says why. */
  failure(failure: ImapFailure): ImapFailure {
    this.close();
    return this.isLate ? unreachable("timed out") : failure;
  }
}

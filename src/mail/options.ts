/** What the mail floor is made from, and how long it waits. */

import type { Clock } from "#platform/clock.ts";
import type { Cidr } from "#platform/http/guard.ts";
import type { Log } from "#platform/log.ts";
import type { Dns } from "#platform/ports/dns.ts";
import type { OauthPort } from "#platform/ports/oauth.ts";

/** Longest time from the start of `send` to its outcome. */
export const SEND_MS_MAX = 300_000;
/** Longest time from the start of a poll, a search or an upload to its outcome. */
export const IMAP_MS_MAX = 120_000;

/** All in milliseconds. Tests shorten them; nothing else does. */
export interface MailLimits {
  /** From the first packet to the end of the TLS handshake, greeting included. */
  connectMs: number;
  /** Silence of the server in the middle of a session. */
  replyMs: number;
  sendMs: number;
  imapMs: number;
  /** From the look-up of a mail exchange to the end of a callout there. */
  calloutMs: number;
  /** How long an SMTP connection waits for another message of its mailbox. */
  idleMs: number;
  /** How long a kept IMAP connection waits for news before it asks anew. */
  idleRenewMs: number;
}

export const MAIL_LIMITS: MailLimits = {
  connectMs: 15_000,
  replyMs: 120_000,
  sendMs: SEND_MS_MAX,
  imapMs: IMAP_MS_MAX,
  calloutMs: 60_000,
  idleMs: 30_000,
  idleRenewMs: 240_000,
};

export interface MailOptions {
  dns: Dns;
  clock: Clock;
  log: Log;
  /** Blocks of private addresses that mail servers may be in. */
  allowCidrs: readonly Cidr[];
  /** PEM of authorities trusted besides the public ones. */
  ca?: string;
  /** Google's and Microsoft's own if left out. */
  oauth?: Pick<OauthPort, "refresh" | "workspaceToken">;
  /** Called, and waited for, when a workspace was asked for a token: null was granted, else why not. */
  onWorkspace?: (workspaceId: string, reason: string | null) => void | Promise<void>;
  /**
   * Called, and waited for, when a provider replaced a refresh token: those that it came from, `older`,
   * are dead.
   */
  onRotated: (
    accountId: string,
    refreshToken: string,
    older: readonly string[],
  ) => void | Promise<void>;
  limits?: Partial<MailLimits>;
  /** Where mail exchanges listen. Tests set another; nothing else does. */
  mxPort?: number;
}

/**
 * Access tokens for mailboxes that log in by OAuth 2.0. A refresh token, or a workspace's consent, is traded for
 * an access token once for all who ask at the same time; the answer is kept until shortly before it ends.
 *
 * Source: RFC 6749 §6. A provider may replace the refresh token with each answer (Microsoft does),
 * so the new one is reported, and used from then on even while the caller still hands in the old
 * one.
 */

import { MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import type { MailOptions } from "#mail/options.ts";
import { reasonOf } from "#mail/server-text.ts";
import type { Clock } from "#platform/clock.ts";
import { createFetch } from "#platform/http/fetch.ts";
import type { Mailbox, MailboxGrant } from "#platform/ports/mail.ts";
import type {
  AccessToken,
  OauthPort,
  WorkspaceGrant,
  WorkspaceOutcome,
} from "#platform/ports/oauth.ts";
import { createOauth } from "./oauth-servers.ts";

/** A token is renewed this long before it ends, or after half its life when that is shorter. */
export const TOKEN_MARGIN_MS = 5 * MINUTE_MS;

export type TokenOutcome =
  | { kind: "token"; token: string }
  /** The grant is dead, or the account's own client is not accepted: its owner has to see to it. */
  | { kind: "refused"; reason: string }
  | { kind: "unreachable"; reason: string };

export interface TokenStore {
  /** `rejected` is a token that a server has just refused: it is not handed out again. */
  token(mailbox: Mailbox, rejected?: string): Promise<TokenOutcome>;
  forget(accountId: string): void;
}

/** What is traded for an access token; another one begins a lineage of its own. */
function sourceOf(oauth: NonNullable<Mailbox["oauth"]>): string {
  return oauth.refreshToken ?? oauth.clientSecret;
}

/** A tenant's token serves all its mailboxes. */
function holderOf({ accountId, oauth }: Mailbox): string {
  const isShared = oauth !== null && "workspaceId" in oauth && oauth.tenant !== null;
  return isShared ? `${oauth.workspaceId} ${oauth.tenant} ${oauth.clientId}` : accountId;
}

/** Replaced refresh tokens that are still recognised when a caller hands them in. */
const LINEAGE_MAX = 8;

const NOT_GRANTED = { kind: "refused", reason: "no OAuth credentials are stored" } as const;

interface Held {
  /** The refresh token first handed in and those that replaced it; the last one is used. */
  lineage: readonly string[];
  access: { token: string; renewAt: UnixMs } | undefined;
  pending: Promise<TokenOutcome> | undefined;
}

export function createTokenStore(options: MailOptions): TokenStore {
  const { clock, log } = options;
  const oauth = options.oauth ?? createOauth({}, { clock, fetch: createFetch(options.dns), log });
  const accounts = new Map<string, Held>();

  const heldFor = (mailbox: Mailbox, oauth: NonNullable<Mailbox["oauth"]>): Held => {
    const holder = holderOf(mailbox);
    const source = sourceOf(oauth);
    const known = accounts.get(holder);
    if (known?.lineage.includes(source)) {
      return known;
    }
    const { access } = oauth;
    const held = {
      lineage: [source],
      access: access && lasting(access, clock),
      pending: undefined,
    };
    accounts.set(holder, held);
    return held;
  };

  const refresh = async (mailbox: Mailbox, held: Held): Promise<TokenOutcome> => {
    const { oauth: grant, provider } = mailbox;
    if (grant === null) {
      return NOT_GRANTED;
    }
    if ("workspaceId" in grant) {
      const outcome = await askWorkspace(options, oauth, mailbox, grant);
      if (outcome.kind !== "granted") {
        return outcome;
      }
      held.access = lasting(outcome.access, clock);
      return { kind: "token", token: outcome.access.token };
    }
    const current = held.lineage.at(-1) ?? grant.refreshToken;
    const outcome = await oauth.refresh(provider, grant, current);
    if (outcome.kind !== "granted") {
      return outcome;
    }
    const { access, refreshToken } = outcome;
    held.access = lasting(access, clock);
    if (refreshToken !== null && refreshToken !== current) {
      const older = held.lineage;
      held.lineage = [...older, refreshToken].slice(-LINEAGE_MAX);
      await report(mailbox, grant, refreshToken, older);
    }
    return { kind: "token", token: access.token };
  };

  const report = async (
    { accountId }: Mailbox,
    holder: MailboxGrant,
    refreshToken: string,
    older: readonly string[],
  ): Promise<void> => {
    try {
      holder.onRotated?.(refreshToken);
      await options.onRotated(accountId, refreshToken, older);
    } catch (error) {
      log.error("a replaced refresh token was not stored", {
        account: accountId,
        error: reasonOf(error),
      });
    }
  };

  return {
    token: async (mailbox, rejected) => {
      if (mailbox.oauth === null) {
        return NOT_GRANTED;
      }
      const held = heldFor(mailbox, mailbox.oauth);
      const { access } = held;
      const isGood = access !== undefined && access.token !== rejected;
      if (isGood && clock.now() < access.renewAt) {
        return { kind: "token", token: access.token };
      }
      held.pending ??= refresh(mailbox, held).finally(() => {
        held.pending = undefined;
      });
      return held.pending;
    },
    forget: (accountId) => {
      accounts.delete(accountId);
    },
  };
}

function lasting({ token, expiresAt }: AccessToken, clock: Clock) {
  const lifeMs = Math.max(0, expiresAt - clock.now());
  return { token, renewAt: plus(expiresAt, -Math.min(TOKEN_MARGIN_MS, lifeMs / 2)) };
}

/** Where the workspace is refused, that is recorded of it, and no mailbox is to blame. */
async function askWorkspace(
  { onWorkspace, log }: MailOptions,
  oauth: Pick<OauthPort, "workspaceToken">,
  { provider, address }: Mailbox,
  grant: WorkspaceGrant,
): Promise<Exclude<WorkspaceOutcome, { kind: "revoked" }>> {
  const outcome = await oauth.workspaceToken(provider, grant, address);
  if (outcome.kind === "refused" || outcome.kind === "unreachable") {
    return outcome;
  }
  try {
    const reason = outcome.kind === "revoked" ? outcome.reason : null;
    await onWorkspace?.(grant.workspaceId, reason);
  } catch (error) {
    const why = { workspace: grant.workspaceId, error: reasonOf(error) };
    log.error("what a workspace said was not stored", why);
  }
  return outcome.kind === "revoked" ? { kind: "unreachable", reason: outcome.reason } : outcome;
}

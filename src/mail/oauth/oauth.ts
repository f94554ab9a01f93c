/**
 * Access tokens for mailboxes that log in by OAuth 2.0. A refresh token is traded for an access
 * token once for all who ask at the same time; the answer is kept until shortly before it ends.
 *
 * Source: RFC 6749 §6. A provider may replace the refresh token with each answer (Microsoft does),
 * so the new one is reported, and used from then on even while the caller still hands in the old
 * one.
 */

import { MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import type { MailOptions } from "#mail/options.ts";
import { reasonOf } from "#mail/server-text.ts";
import { createFetch } from "#platform/http/fetch.ts";
import type { Mailbox } from "#platform/ports/mail.ts";
import type { AccessToken } from "#platform/ports/oauth.ts";
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

  const heldFor = (accountId: string, oauth: NonNullable<Mailbox["oauth"]>): Held => {
    const { refreshToken, access } = oauth;
    const known = accounts.get(accountId);
    if (known?.lineage.includes(refreshToken)) {
      return known;
    }
    const held = { lineage: [refreshToken], access: access && lasting(access), pending: undefined };
    accounts.set(accountId, held);
    return held;
  };

  const refresh = async (mailbox: Mailbox, held: Held): Promise<TokenOutcome> => {
    if (mailbox.oauth === null) {
      return NOT_GRANTED;
    }
    const current = held.lineage.at(-1) ?? mailbox.oauth.refreshToken;
    const outcome = await oauth.refresh(mailbox.provider, mailbox.oauth, current);
    if (outcome.kind !== "granted") {
      return outcome;
    }
    const { access, refreshToken } = outcome;
    held.access = lasting(access);
    if (refreshToken !== null && refreshToken !== current) {
      const older = held.lineage;
      held.lineage = [...older, refreshToken].slice(-LINEAGE_MAX);
      await report(mailbox, refreshToken, older);
    }
    return { kind: "token", token: access.token };
  };

  const lasting = ({ token, expiresAt }: AccessToken) => {
    const lifeMs = Math.max(0, expiresAt - clock.now());
    return { token, renewAt: plus(expiresAt, -Math.min(TOKEN_MARGIN_MS, lifeMs / 2)) };
  };

  const report = async (
    { accountId, oauth: holder }: Mailbox,
    refreshToken: string,
    older: readonly string[],
  ): Promise<void> => {
    try {
      holder?.onRotated?.(refreshToken);
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
      const held = heldFor(mailbox.accountId, mailbox.oauth);
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

/**
 * Access tokens for mailboxes that log in by OAuth 2.0. A refresh token is traded for an access
 * token once for all who ask at the same time; the answer is kept until shortly before it ends.
 *
 * Source: RFC 6749 §6. A provider may replace the refresh token with each answer (Microsoft does),
 * so the new one is reported, and used from then on even while the caller still hands in the old
 * one.
 */

import type { Provider } from "#domain/mailbox.ts";
import { MINUTE_MS, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { Mailbox } from "#runtime/ports/mail.ts";
import type { AccessToken } from "#runtime/ports/oauth.ts";
import { createOauth } from "./oauth-servers.ts";
import type { MailOptions } from "./options.ts";
import { reasonOf } from "./server-text.ts";
import { askForToken } from "./token-endpoint.ts";

/** A token is renewed this long before it ends, or after half its life when that is shorter. */
export const TOKEN_MARGIN_MS = 5 * MINUTE_MS;

export type TokenOutcome =
  | { kind: "token"; token: string }
  /** The grant itself is dead or was never good: a person has to connect the mailbox again. */
  | { kind: "refused"; reason: string }
  | { kind: "unreachable"; reason: string };

export interface TokenStore {
  /** `rejected` is a token that a server has just refused: it is not handed out again. */
  token(mailbox: Mailbox, rejected?: string): Promise<TokenOutcome>;
  forget(accountId: string): void;
}

/** Replaced refresh tokens that are still recognised when a caller hands them in. */
const LINEAGE_MAX = 8;

interface Held {
  /** The refresh token first handed in and those that replaced it; the last one is used. */
  lineage: readonly string[];
  access: { token: string; renewAt: UnixMs } | undefined;
  pending: Promise<TokenOutcome> | undefined;
}

export function createTokenStore(options: MailOptions): TokenStore {
  const endpointOf = endpointsOf(options);
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
    const endpoint = await endpointOf(mailbox.provider);
    if (endpoint.kind !== "known" || mailbox.oauth === null) {
      const reason = "reason" in endpoint ? endpoint.reason : "no OAuth credentials are stored";
      return { kind: endpoint.kind === "unreachable" ? "unreachable" : "refused", reason };
    }
    const { clientId, clientSecret } = mailbox.oauth;
    const current = held.lineage.at(-1) ?? mailbox.oauth.refreshToken;
    const answer = await askForToken(endpoint.url, {
      grant_type: "refresh_token",
      client_id: clientId,
      client_secret: clientSecret,
      refresh_token: current,
    });
    if (answer.kind !== "granted") {
      return answer;
    }
    const { token, lifeSeconds, refreshToken } = answer;
    const expiresAt = plus(options.clock.now(), lifeSeconds * SECOND_MS);
    held.access = lasting({ token, expiresAt });
    if (refreshToken !== null && refreshToken !== current) {
      const older = held.lineage;
      held.lineage = [...older, refreshToken].slice(-LINEAGE_MAX);
      await report(mailbox.accountId, refreshToken, older);
    }
    return { kind: "token", token };
  };

  const lasting = ({ token, expiresAt }: AccessToken) => {
    const lifeMs = Math.max(0, expiresAt - options.clock.now());
    return { token, renewAt: plus(expiresAt, -Math.min(TOKEN_MARGIN_MS, lifeMs / 2)) };
  };

  const report = async (
    accountId: string,
    refreshToken: string,
    older: readonly string[],
  ): Promise<void> => {
    try {
      await options.onRotated(accountId, refreshToken, older);
    } catch (error) {
      options.log.error("a replaced refresh token was not stored", {
        account: accountId,
        error: reasonOf(error),
      });
    }
  };

  return {
    token: async (mailbox, rejected) => {
      if (mailbox.oauth === null) {
        return { kind: "refused", reason: "no OAuth credentials are stored" };
      }
      const held = heldFor(mailbox.accountId, mailbox.oauth);
      const { access } = held;
      const isGood = access !== undefined && access.token !== rejected;
      if (isGood && options.clock.now() < access.renewAt) {
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

type Endpoint = { kind: "known"; url: string } | { kind: "none" | "unreachable"; reason: string };

function endpointsOf(options: MailOptions): (provider: Provider) => Promise<Endpoint> {
  const { tokenEndpoints: fixed } = options;
  const oauth = options.oauth ?? createOauth({}, options.clock);
  return async (provider) => {
    if (fixed !== undefined) {
      const url = fixed[provider];
      const reason = `no OAuth login is known for ${provider}`;
      return url === undefined ? { kind: "none", reason } : { kind: "known", url };
    }
    const found = await oauth.server(provider);
    return found.kind === "known" ? { kind: "known", url: found.server.tokenUrl } : found;
  };
}

/**
 * Access tokens for mailboxes that log in by OAuth 2.0. A refresh token is traded for an access
 * token once for all who ask at the same time; the answer is kept until shortly before it ends.
 *
 * Source: RFC 6749 §6. A provider may replace the refresh token with each answer (Microsoft does),
 * so the new one is reported, and used from then on even while the caller still hands in the old
 * one.
 */

import { MINUTE_MS, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { Mailbox } from "#runtime/ports/mail.ts";
import { type MailOptions, TOKEN_ENDPOINTS } from "./options.ts";
import { reasonOf, serverText } from "./server-text.ts";

export const TOKEN_MS_MAX = 15_000;
export const TOKEN_BYTES_MAX = 65_536;
/** A token is renewed this long before it ends, or after half its life when that is shorter. */
export const TOKEN_MARGIN_MS = 5 * MINUTE_MS;
/** Life of a token whose answer does not say (RFC 6749 leaves it out of the must-haves). */
const TOKEN_LIFE_DEFAULT_S = 3_600;

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

/** Error codes that no later try mends (RFC 6749 §5.2). */
const DEAD_GRANTS = new Set(["invalid_grant", "invalid_client", "unauthorized_client"]);

/** Replaced refresh tokens that are still recognised when a caller hands them in. */
const LINEAGE_MAX = 8;

interface Held {
  /** The refresh token first handed in and those that replaced it; the last one is used. */
  lineage: readonly string[];
  access: { token: string; renewAt: UnixMs } | undefined;
  pending: Promise<TokenOutcome> | undefined;
}

export function createTokenStore(options: MailOptions): TokenStore {
  const endpoints = options.tokenEndpoints ?? TOKEN_ENDPOINTS;
  const accounts = new Map<string, Held>();

  const heldFor = (accountId: string, refreshToken: string): Held => {
    const known = accounts.get(accountId);
    if (known?.lineage.includes(refreshToken)) {
      return known;
    }
    const held = { lineage: [refreshToken], access: undefined, pending: undefined };
    accounts.set(accountId, held);
    return held;
  };

  const refresh = async (mailbox: Mailbox, held: Held): Promise<TokenOutcome> => {
    const endpoint = endpoints[mailbox.provider];
    if (endpoint === undefined || mailbox.oauth === null) {
      return { kind: "refused", reason: `no OAuth login is known for ${mailbox.provider}` };
    }
    const { clientId, clientSecret } = mailbox.oauth;
    const current = held.lineage.at(-1) ?? mailbox.oauth.refreshToken;
    const answer = await askForToken(endpoint, { clientId, clientSecret, token: current });
    if (answer.kind !== "granted") {
      return answer;
    }
    const lifeMs = answer.lifeSeconds * SECOND_MS;
    const margin = Math.min(TOKEN_MARGIN_MS, lifeMs / 2);
    const renewAt = plus(options.clock.now(), lifeMs - margin);
    held.access = { token: answer.token, renewAt };
    if (answer.rotated !== null && answer.rotated !== current) {
      held.lineage = [...held.lineage, answer.rotated].slice(-LINEAGE_MAX);
      await report(mailbox.accountId, answer.rotated);
    }
    return { kind: "token", token: answer.token };
  };

  const report = async (accountId: string, refreshToken: string): Promise<void> => {
    try {
      await options.onRotated(accountId, refreshToken);
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
      const held = heldFor(mailbox.accountId, mailbox.oauth.refreshToken);
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

type Answer =
  | { kind: "granted"; token: string; lifeSeconds: number; rotated: string | null }
  | { kind: "refused"; reason: string }
  | { kind: "unreachable"; reason: string };

async function askForToken(
  endpoint: string,
  grant: { clientId: string; clientSecret: string; token: string },
): Promise<Answer> {
  const form = new URLSearchParams({
    grant_type: "refresh_token",
    client_id: grant.clientId,
    refresh_token: grant.token,
  });
  if (grant.clientSecret !== "") {
    form.set("client_secret", grant.clientSecret);
  }
  try {
    const response = await fetch(endpoint, {
      method: "POST",
      body: form,
      headers: { accept: "application/json" },
      redirect: "error",
      signal: AbortSignal.timeout(TOKEN_MS_MAX),
    });
    return readAnswer(response.status, await readText(response));
  } catch (error) {
    return { kind: "unreachable", reason: `token endpoint: ${reasonOf(error)}` };
  }
}

function readAnswer(status: number, text: string): Answer {
  const body = jsonObject(text);
  const token = body["access_token"];
  if (status === 200 && typeof token === "string" && token !== "") {
    const seconds = Number(body["expires_in"] ?? TOKEN_LIFE_DEFAULT_S);
    const rotated = body["refresh_token"];
    return {
      kind: "granted",
      token,
      lifeSeconds: Number.isFinite(seconds) && seconds > 0 ? seconds : TOKEN_LIFE_DEFAULT_S,
      rotated: typeof rotated === "string" && rotated !== "" ? rotated : null,
    };
  }
  const error = typeof body["error"] === "string" ? body["error"] : `status ${status}`;
  const description = body["error_description"];
  const words = typeof description === "string" ? `${error}: ${description}` : error;
  const kind = status < 500 && DEAD_GRANTS.has(error) ? "refused" : "unreachable";
  return { kind, reason: serverText(words) };
}

function jsonObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > TOKEN_BYTES_MAX) {
      throw new Error("the answer is too large");
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

/**
 * Single sign-on by OpenID Connect: the authorization code flow with PKCE, `state` and `nonce`, and an ID
 * token whose issuer, audience, times and signature are checked.
 *
 * The issuer is the operator's own setting, so it may stand in a private network.
 *
 * Source: OpenID Connect Core 1.0 §3.1, Discovery 1.0, RFC 7636, RFC 9207, by `openid-client`.
 */

import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import { isAhead, MINUTE_MS, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { Clock } from "#platform/clock.ts";
import type { Fetch } from "#platform/http/fetch.ts";
import type { Claims, SignOn, SignOnEnd, SignOnSecrets } from "#platform/ports/sign-on.ts";
import { authentications, discover } from "./authorization-server.ts";

export interface OpenIdConfig {
  issuer: string;
  clientId: string;
  /** Null: a client without one, which PKCE alone protects. */
  clientSecret: string | null;
  /** As the button names it. */
  name: string;
}

/** What a provider says of itself is asked again after this long, failures sooner. */
const DISCOVERED_FOR_MS = 60 * MINUTE_MS;
const FAILED_FOR_MS = 10 * SECOND_MS;
const REASON_CHARS_MAX = 300;
const UNAUTHORIZED = 401;

export function createSignOn(config: OpenIdConfig, clock: Clock, fetch: Fetch): SignOn {
  const client = new Client(config.clientSecret);
  let kept: { provider: Promise<Configuration>; until: UnixMs; ms: number } | undefined;
  const provider = async (): Promise<Configuration> => {
    if (kept === undefined || !isAhead(kept.until, clock.now(), kept.ms)) {
      const entry = {
        provider: discover(fetch, config, client.show),
        until: plus(clock.now(), DISCOVERED_FOR_MS),
        ms: DISCOVERED_FOR_MS,
      };
      kept = entry;
      entry.provider.catch(() => {
        Object.assign(entry, { until: plus(clock.now(), FAILED_FOR_MS), ms: FAILED_FOR_MS });
      });
    }
    return await kept.provider;
  };
  return {
    name: config.name,
    start: async (redirectUri) => {
      try {
        const secrets = {
          state: randomState(),
          nonce: randomNonce(),
          verifier: randomPKCECodeVerifier(),
        };
        const url = buildAuthorizationUrl(await provider(), {
          redirect_uri: redirectUri,
          scope: "openid email profile",
          state: secrets.state,
          nonce: secrets.nonce,
          code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
          code_challenge_method: "S256",
        });
        return { kind: "away", url: url.href, secrets };
      } catch (error) {
        return { kind: "unreachable", reason: reasonOf(error) };
      }
    },
    finish: async (answer, secrets) => {
      try {
        return await trade(await provider(), client, answer, secrets);
      } catch (error) {
        return { kind: isOurSide(error) ? "unreachable" : "refused", reason: reasonOf(error) };
      }
    },
  };
}

/** Shows the client's secret in one way after the other, until the provider takes one. */
class Client {
  private readonly secret: string | null;
  private turn = 0;

  constructor(secret: string | null) {
    this.secret = secret;
  }

  readonly show: ClientAuth = (provider, client, body, headers) => {
    const ways = this.ways(provider.token_endpoint_auth_methods_supported);
    ways[this.turn % ways.length]?.(provider, client, body, headers);
  };

  /** A client that is not taken has spent nothing: the same question may be asked once more. */
  async ask<Answer>(provider: Configuration, question: () => Promise<Answer>): Promise<Answer> {
    const { turn } = this;
    try {
      return await question();
    } catch (error) {
      const named = provider.serverMetadata().token_endpoint_auth_methods_supported;
      if (!refusesClient(error) || this.ways(named).length === 1) {
        throw error;
      }
      this.turn = turn + 1;
      return await question();
    }
  }

  private ways(named: readonly string[] | undefined): ClientAuth[] {
    return authentications(this.secret, named);
  }
}

function refusesClient(error: unknown): boolean {
  const { error: code, status } = error as { error?: unknown; status?: unknown };
  return code === "invalid_client" || status === UNAUTHORIZED;
}

async function trade(
  provider: Configuration,
  client: Client,
  answer: URL,
  { state, nonce, verifier }: SignOnSecrets,
): Promise<SignOnEnd> {
  const tokens = await client.ask(provider, () =>
    authorizationCodeGrant(provider, answer, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    }),
  );
  const token = tokens.claims();
  if (token === undefined) {
    return { kind: "refused", reason: "the provider gave no ID token" };
  }
  // Some say the address here only.
  const told =
    token["email"] === undefined && provider.serverMetadata().userinfo_endpoint !== undefined
      ? await fetchUserInfo(provider, tokens.access_token, token.sub)
      : token;
  return { kind: "known", claims: claimsOf({ issuer: token.iss, subject: token.sub }, told) };
}

function claimsOf(
  who: { issuer: string; subject: string },
  told: Readonly<Record<string, unknown>>,
): Claims {
  const text = (name: string) => (typeof told[name] === "string" ? told[name] : null);
  return {
    ...who,
    email: text("email"),
    // Amazon Cognito says it as a text.
    isVerified: told["email_verified"] === true || told["email_verified"] === "true",
    name: text("name"),
  };
}

/** Errors by which the provider could not be asked, or could not answer. */
const UNREACHABLE = new Set(["OAUTH_TIMEOUT", "OAUTH_ABORT", "OAUTH_RESPONSE_IS_NOT_CONFORM"]);

function isOurSide(error: unknown): boolean {
  const { code, status } = error as { code?: unknown; status?: unknown };
  const isServerError = typeof status === "number" && status >= 500;
  return isServerError || code === undefined || UNREACHABLE.has(String(code));
}

/** One line, without control characters. */
function reasonOf(error: unknown): string {
  if (refusesClient(error)) {
    return "it rejects this installation's client; ask the operator to check oidc_client_id and oidc_client_secret";
  }
  const { error_description: said, cause } = error as { error_description?: unknown } & Error;
  const own = cause instanceof Error ? cause.message : String((error as Error).message);
  return (typeof said === "string" ? `it says "${said}"` : `its response is invalid: ${own}`)
    .slice(0, REASON_CHARS_MAX)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
}

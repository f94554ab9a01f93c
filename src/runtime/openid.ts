/**
 * Single sign-on by OpenID Connect: the authorization code flow with PKCE, `state` and `nonce`, and an ID
 * token whose issuer, audience, times and signature are checked.
 *
 * The issuer is the operator's own setting, so it may stand in a private network.
 *
 * Source: OpenID Connect Core 1.0 §3.1, Discovery 1.0, RFC 7636, RFC 9207, by `openid-client`.
 */

import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import { MINUTE_MS, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { Clock } from "./clock.ts";
import type { Claims, SignOn, SignOnEnd, SignOnSecrets } from "./ports/sign-on.ts";
import { readAtMost } from "./read-at-most.ts";

export interface OpenIdConfig {
  issuer: string;
  clientId: string;
  /** Null: a client without one, which PKCE alone protects. */
  clientSecret: string | null;
  /** As the button names it. */
  name: string;
}

/** One question to the provider. */
const ANSWER_SECONDS_MAX = 10;
const ANSWER_BYTES_MAX = 256 * 1024;
/** What a provider says of itself is asked again after this long, failures sooner. */
const DISCOVERED_FOR_MS = 60 * MINUTE_MS;
const FAILED_FOR_MS = 10 * SECOND_MS;
const REASON_CHARS_MAX = 300;

export function createSignOn(config: OpenIdConfig, clock: Clock): SignOn {
  let kept: { provider: Promise<Configuration>; until: UnixMs } | undefined;
  const provider = async (): Promise<Configuration> => {
    if (kept === undefined || clock.now() >= kept.until) {
      const entry = { provider: discover(config), until: plus(clock.now(), DISCOVERED_FOR_MS) };
      kept = entry;
      entry.provider.catch(() => {
        entry.until = plus(clock.now(), FAILED_FOR_MS);
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
        return await trade(await provider(), answer, secrets);
      } catch (error) {
        return { kind: isOurSide(error) ? "unreachable" : "refused", reason: reasonOf(error) };
      }
    },
  };
}

async function discover({ issuer, clientId, clientSecret }: OpenIdConfig): Promise<Configuration> {
  const url = new URL(issuer);
  const isPlain = url.protocol === "http:";
  return await discovery(url, clientId, undefined, authentication(clientSecret), {
    timeout: ANSWER_SECONDS_MAX,
    [customFetch]: boundedFetch,
    execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
  });
}

/** How the client shows its secret: in the way that the provider says it takes. */
function authentication(secret: string | null): ClientAuth {
  return (provider, client, body, headers) => {
    const ways = provider.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const named = ways.includes("client_secret_post") ? ClientSecretPost : ClientSecretBasic;
    return (secret === null ? None() : named(secret))(provider, client, body, headers);
  };
}

async function trade(
  provider: Configuration,
  answer: URL,
  { state, nonce, verifier }: SignOnSecrets,
): Promise<SignOnEnd> {
  const tokens = await authorizationCodeGrant(provider, answer, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
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
    isVerified: told["email_verified"] === true,
    name: text("name"),
  };
}

/** `fetch` whose answers are read up to a bound. */
async function boundedFetch(url: string, options: object): Promise<Response> {
  const response = await fetch(url, options);
  const body = response.body === null ? null : await readAtMost(response.body, ANSWER_BYTES_MAX);
  if (body === null && response.body !== null) {
    throw new Error("the answer is too large");
  }
  const { status, headers } = response;
  return new Response(body, { status, headers });
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
  const { error_description: said, cause } = error as { error_description?: unknown } & Error;
  const own = cause instanceof Error ? cause.message : String((error as Error).message);
  return (typeof said === "string" ? `it says "${said}"` : `its answer is not right: ${own}`)
    .slice(0, REASON_CHARS_MAX)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
}

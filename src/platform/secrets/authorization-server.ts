/**
 * What an authorization server says of itself, and the ways in which a client shows its secret there.
 *
 * Source: OpenID Connect Discovery 1.0 §4, RFC 8414 §§2 and 3, RFC 6749 §2.3.1, by `openid-client`.
 */

import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetchOptions,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
} from "openid-client";
import type { Fetch } from "#platform/http/fetch.ts";
import { readAtMost } from "#platform/http/read-at-most.ts";

export type { ClientAuth };

/** Longest time of one request to the server. */
const ANSWER_SECONDS_MAX = 10;
const ANSWER_BYTES_MAX = 256 * 1024;

/**
 * Asks at the address of OpenID Connect Discovery, then at that of RFC 8414. Rejects where neither
 * describes a server, or where the description is of another issuer. `authentication` may be left out
 * where nothing but the description is wanted.
 */
export async function discover(
  fetch: Fetch,
  { issuer, clientId }: { issuer: string; clientId: string },
  authentication?: ClientAuth,
): Promise<Configuration> {
  const url = new URL(issuer);
  const isPlain = url.protocol === "http:";
  const ask = async (algorithm: "oidc" | "oauth2"): Promise<Configuration> =>
    await discovery(url, clientId, undefined, authentication, {
      algorithm,
      timeout: ANSWER_SECONDS_MAX,
      [customFetch]: (address, request) => boundedFetch(fetch, address, request),
      execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
    });
  try {
    return await ask("oidc").catch((error: unknown) => {
      if (!DESCRIBES_NOTHING.has(codeOf(error))) {
        throw error;
      }
      return ask("oauth2");
    });
  } catch (error) {
    if (codeOf(error) === OTHER_ISSUER) {
      throw new Error(`the server at ${issuer} names itself "${issuerNamedIn(error)}"`);
    }
    throw error;
  }
}

/** Something answered, and it was no description of a server. */
const DESCRIBES_NOTHING = new Set([
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_PARSE_ERROR",
  "OAUTH_INVALID_RESPONSE",
]);
const OTHER_ISSUER = "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED";
const NAME_CHARS_MAX = 200;

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code);
}

function issuerNamedIn(error: unknown): string {
  const { cause } = error as { cause?: { body?: { issuer?: unknown } } };
  return String(cause?.body?.issuer).slice(0, NAME_CHARS_MAX);
}

/**
 * The ways of showing `secret`, in the order to try them: servers that know several may still insist on the
 * one that the client was registered with. `named` are those in the server's description, which may
 * leave them out. Without a secret the client says its id alone.
 */
export function authentications(
  secret: string | null,
  named: readonly string[] | undefined,
): ClientAuth[] {
  if (secret === null || secret === "") {
    return [None()];
  }
  const [post, basic] = [ClientSecretPost(secret), ClientSecretBasic(secret)];
  const ways = [
    ...(named?.includes("client_secret_post") === true ? [post] : []),
    ...(named?.includes("client_secret_basic") === true ? [basic] : []),
  ];
  return ways.length > 0 ? ways : [basic, post];
}

/** `fetch` whose answers are read up to a bound. */
async function boundedFetch(
  fetch: Fetch,
  url: string,
  { body: sent = null, ...options }: CustomFetchOptions,
): Promise<Response> {
  const response = await fetch(url, { ...options, body: sent as BodyInit | null });
  const body = response.body === null ? null : await readAtMost(response.body, ANSWER_BYTES_MAX);
  if (body === null && response.body !== null) {
    throw new Error("the response is too large");
  }
  const { status, headers } = response;
  return new Response(body, { status, headers });
}

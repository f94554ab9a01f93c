/**
 * One question to a token endpoint, and what the answer means: whether the grant has died, the client is
 * not taken, or the server is in trouble.
 *
 * Source: RFC 6749 §§5, 4.1.3, 6; OpenID Connect Core §§3.1.2.6 and 3.1.3.7 (an ID token that came over
 * TLS from the endpoint itself needs no look at its signature); RFC 9110 §10.2.3 for Retry-After.
 */

import { readRetryAfter } from "#domain/retry-after.ts";
import type { UnixMs } from "#domain/time.ts";
import { reasonOf, serverText } from "#mail/server-text.ts";
import type { Fetch } from "#platform/http/fetch.ts";
import { readAtMost } from "#platform/http/read-at-most.ts";
import type { ClientAuth } from "#platform/secrets/authorization-server.ts";

export const TOKEN_MS_MAX = 15_000;
export const TOKEN_BYTES_MAX = 65_536;
/** Life of a token whose answer does not say (RFC 6749 leaves it out of the must-haves). */
const TOKEN_LIFE_DEFAULT_S = 3_600;
const TOKEN_LIFE_S_MAX = 366 * 86_400;

/** The mailbox's owner has to agree anew. */
const DEAD_GRANTS = new Set([
  "invalid_grant",
  "interaction_required",
  "consent_required",
  "login_required",
  "account_selection_required",
]);
/** Whoever registered the client has to see to it; grants are as good as they were. */
const REFUSED_CLIENTS = new Set(["invalid_client", "unauthorized_client"]);
/** RFC 6749 §5.2: with any other status it is not the authorization server's verdict. */
const VERDICTS = new Set([400, 401, 403]);

export type TokenResponse =
  | {
      kind: "granted";
      token: string;
      lifeSeconds: number;
      refreshToken: string | null;
      idToken: string | null;
    }
  /** No later try changes it. */
  | { kind: "refused"; reason: string }
  /** `code` is the error's. */
  | { kind: "client"; code: string; reason: string }
  /** `retryAfterMs` is how long the server asks to be left alone; null: it does not say. */
  | { kind: "unreachable"; reason: string; retryAfterMs: number | null };

export interface TokenQuestion {
  url: string;
  clientId: string;
  /** How the client shows its secret. */
  authentication: ClientAuth;
  fields: Readonly<Record<string, string>>;
  /** Whom a refusal is about; as for a mailbox's own grant if left out. */
  verdict?: Verdict;
}

export type Verdict = (code: string, description: string) => "refused" | "client" | "unreachable";

const grantsVerdict: Verdict = (code) => {
  if (DEAD_GRANTS.has(code)) {
    return "refused";
  }
  return REFUSED_CLIENTS.has(code) ? "client" : "unreachable";
};

/** Never rejects. */
export async function askForToken(
  { url, clientId, authentication, fields, verdict = grantsVerdict }: TokenQuestion,
  { fetch, now }: { fetch: Fetch; now: UnixMs },
): Promise<TokenResponse> {
  const body = new URLSearchParams(fields);
  const headers = new Headers({ accept: "application/json" });
  try {
    authentication({ issuer: url }, { client_id: clientId }, body, headers);
    const response = await fetch(url, {
      method: "POST",
      body,
      headers,
      redirect: "error",
      signal: AbortSignal.timeout(TOKEN_MS_MAX),
    });
    const asked = readRetryAfter(response.headers.get("retry-after"), now);
    return readResponse(response.status, await textOf(response), asked, verdict);
  } catch (error) {
    const reason = `token endpoint: ${reasonOf(error)}`;
    return { kind: "unreachable", reason, retryAfterMs: null };
  }
}

function readResponse(
  status: number,
  text: string,
  retryAfterMs: number | null,
  verdict: Verdict,
): TokenResponse {
  const body = jsonObject(text);
  const token = body["access_token"];
  if (status === 200 && typeof token === "string" && token !== "") {
    const seconds = Number(body["expires_in"] ?? TOKEN_LIFE_DEFAULT_S);
    return {
      kind: "granted",
      token,
      lifeSeconds: seconds > 0 ? Math.min(seconds, TOKEN_LIFE_S_MAX) : TOKEN_LIFE_DEFAULT_S,
      refreshToken: textIn(body, "refresh_token"),
      idToken: textIn(body, "id_token"),
    };
  }
  const code = textIn(body, "error") ?? `status ${status}`;
  const description = textIn(body, "error_description");
  const reason = serverText(description === null ? code : `${code}: ${description}`);
  const kind = VERDICTS.has(status) ? verdict(code, description ?? "") : "unreachable";
  switch (kind) {
    case "refused":
      return { kind, reason };
    case "client":
      return { kind, code, reason };
    case "unreachable":
      return { kind, reason, retryAfterMs };
  }
}

function textIn(body: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = body[name];
  return typeof value === "string" && value !== "" ? value : null;
}

/** The fields of a JSON object; none where the text is anything else. */
function jsonObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

async function textOf({ body }: Response): Promise<string> {
  const bytes = body === null ? new Uint8Array() : await readAtMost(body, TOKEN_BYTES_MAX);
  if (bytes === null) {
    throw new Error("the response is too large");
  }
  return new TextDecoder().decode(bytes);
}

/** Claims that name a login. Microsoft says `preferred_username`, older tenants `upn`. */
const LOGIN_CLAIMS = ["email", "preferred_username", "upn", "unique_name"];

/** Addresses under which an ID token for `clientId` says that somebody logged in, in lower case. */
export function loginsOf(idToken: string | null, clientId: string): string[] {
  const payload = idToken?.split(".")[1] ?? "";
  const claims = jsonObject(Buffer.from(payload, "base64url").toString("utf8"));
  const audience = [claims["aud"]].flat();
  if (!audience.includes(clientId)) {
    return [];
  }
  const named = LOGIN_CLAIMS.map((claim) => claims[claim]);
  const addresses = named.filter((name) => typeof name === "string" && name.includes("@"));
  return [...new Set(addresses.map((address) => String(address).trim().toLowerCase()))];
}

/**
 * One question to a token endpoint, and what its answer means.
 *
 * Source: RFC 6749 §§5, 4.1.3, 6; OpenID Connect Core §3.1.3.7 for who logged in: an ID token that came
 * over TLS from the endpoint itself needs no look at its signature.
 */

import { reasonOf, serverText } from "./server-text.ts";

export const TOKEN_MS_MAX = 15_000;
export const TOKEN_BYTES_MAX = 65_536;
/** Life of a token whose answer does not say (RFC 6749 leaves it out of the must-haves). */
const TOKEN_LIFE_DEFAULT_S = 3_600;

/** Error codes that no later try mends (RFC 6749 §5.2). */
const DEAD_GRANTS = new Set(["invalid_grant", "invalid_client", "unauthorized_client"]);

export type TokenAnswer =
  | {
      kind: "granted";
      token: string;
      lifeSeconds: number;
      refreshToken: string | null;
      idToken: string | null;
    }
  /** No later try mends it. */
  | { kind: "refused"; reason: string }
  | { kind: "unreachable"; reason: string };

/** Asks with `fields`; those that are empty are left out. Never rejects. */
export async function askForToken(
  endpoint: string,
  fields: Readonly<Record<string, string>>,
): Promise<TokenAnswer> {
  const given = Object.entries(fields).filter(([, value]) => value !== "");
  try {
    const response = await fetch(endpoint, {
      method: "POST",
      body: new URLSearchParams(given),
      headers: { accept: "application/json" },
      redirect: "error",
      signal: AbortSignal.timeout(TOKEN_MS_MAX),
    });
    return readAnswer(response.status, await readBounded(response));
  } catch (error) {
    return { kind: "unreachable", reason: `token endpoint: ${reasonOf(error)}` };
  }
}

function readAnswer(status: number, text: string): TokenAnswer {
  const body = jsonObject(text);
  const token = body["access_token"];
  if (status === 200 && typeof token === "string" && token !== "") {
    const seconds = Number(body["expires_in"] ?? TOKEN_LIFE_DEFAULT_S);
    return {
      kind: "granted",
      token,
      lifeSeconds: Number.isFinite(seconds) && seconds > 0 ? seconds : TOKEN_LIFE_DEFAULT_S,
      refreshToken: textIn(body, "refresh_token"),
      idToken: textIn(body, "id_token"),
    };
  }
  const error = textIn(body, "error") ?? `status ${status}`;
  const description = textIn(body, "error_description");
  const words = description === null ? error : `${error}: ${description}`;
  const kind = status < 500 && DEAD_GRANTS.has(error) ? "refused" : "unreachable";
  return { kind, reason: serverText(words) };
}

function textIn(body: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = body[name];
  return typeof value === "string" && value !== "" ? value : null;
}

/** The fields of a JSON object; none where the text is anything else. */
export function jsonObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** The text of an answer of {@link TOKEN_BYTES_MAX} at most; rejects for a longer one. */
export async function readBounded(response: Response): Promise<string> {
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

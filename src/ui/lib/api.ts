/**
 * The public API, by the client that others get too. The console has no other source: what is on screen
 * can be had with a key and `curl`.
 */

import { type Outrider, OutriderError, OutriderUnreachable, outrider } from "#client.ts";
import { type Env, env } from "./route.ts";
import { sessionFetch } from "./session-fetch.ts";

/** A page asks again by itself, and whoever is signed out in the middle takes as long as they like. */
const createFor = (of: Env) =>
  outrider({ url: `/${of}`, tries: 1, timeoutMs: 0, fetch: sessionFetch });
const clients = { live: createFor("live"), test: createFor("test") };

/** The API of the environment on show. */
export function api(): Outrider {
  return clients[env.value];
}

/**
 * What stands beside the API: the door, and the API's document. Throws {@link OutriderError} or
 * {@link OutriderUnreachable}.
 */
export async function request<Data>(
  method: string,
  url: string,
  body?: object,
  send: typeof sessionFetch = sessionFetch,
): Promise<Data> {
  const sent = body && {
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json" },
  };
  try {
    const response = await send(url, { method, ...sent });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    const value = isJson && text !== "" ? JSON.parse(text) : null;
    if (!response.ok) {
      throw new OutriderError(value ?? {}, response.status, response.headers.get("x-request-id"));
    }
    return value as Data;
  } catch (cause) {
    throw cause instanceof OutriderError ? cause : new OutriderUnreachable(cause);
  }
}

/** The API where the typed client has no word for it: files, and paths that it takes for its own. */

import { ask } from "./api.ts";
import { type Answer, request } from "./client.ts";
import { env } from "./route.ts";

export type Method = "GET" | "POST" | "DELETE";

/** Throws {@link ApiError} or {@link Unreachable}. `body` is sent as JSON, or a file as it is. */
export function callApi<Data>(method: Method, path: string, body?: object | Blob): Promise<Data> {
  const url = `/${env.peek()}/api/v1${path}`;
  return ask(request(method, url, body) as Promise<Answer<Data>>);
}

/** The API where the typed client has no word for it: files, and paths that it takes for its own. */

import { ApiError, Unreachable } from "./api.ts";
import { env } from "./route.ts";

export type Method = "GET" | "POST" | "DELETE";

/** Throws {@link ApiError} or {@link Unreachable}. `body` is sent as JSON, or a file as it is. */
export async function callApi<Answer>(
  method: Method,
  path: string,
  body?: object | Blob,
): Promise<Answer> {
  const isFile = body instanceof Blob;
  const type = isFile ? "application/octet-stream" : "application/json";
  const answer = await fetch(`/${env.peek()}/api/v1${path}`, {
    method,
    credentials: "same-origin",
    ...(body === undefined
      ? {}
      : { headers: { "Content-Type": type }, body: isFile ? body : JSON.stringify(body) }),
  }).catch(() => {
    throw new Unreachable();
  });
  const value: unknown = answer.status === 204 ? null : await answer.json().catch(() => null);
  if (!answer.ok) {
    throw new ApiError(answer.status, value, answer.headers.get("x-request-id"));
  }
  return value as Answer;
}

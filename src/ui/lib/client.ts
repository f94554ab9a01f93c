/**
 * Requests, typed from the server's own routes: `client.leads({ id }).get()` is `GET …/leads/{id}`. The
 * types are Eden's; what it does in a browser fits on this page.
 */

import type { Treaty } from "@elysiajs/eden";
import type { apiRoutes } from "#api/server.ts";
import { sessionFetch } from "./session-fetch.ts";

export type Client = Treaty.Create<ReturnType<typeof apiRoutes>>;

export interface Answer<Data> {
  data: Data | null;
  error: { status: unknown; value: unknown } | null;
  response: Response;
}

/** `body` is sent as JSON, or a file as it is. Rejects where no answer comes. */
export async function request(
  method: string,
  url: string,
  body?: unknown,
  headers?: HeadersInit,
  send: typeof fetch = sessionFetch,
): Promise<Answer<unknown>> {
  const sent = new Headers(headers);
  const isFile = body instanceof Blob;
  if (body !== undefined) {
    sent.set("Content-Type", isFile ? "application/octet-stream" : "application/json");
  }
  const response = await send(url, {
    method,
    headers: sent,
    credentials: "same-origin",
    ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  const value: unknown = isJson && text !== "" ? JSON.parse(text) : text || null;
  return response.ok
    ? { data: value, error: null, response }
    : { data: null, error: { status: response.status, value }, response };
}

const METHODS = ["get", "post", "put", "patch", "delete"];

interface Options {
  query?: Readonly<Record<string, unknown>>;
  headers?: HeadersInit;
}

/** The client of the API below `url`. */
export function createClient(url: string): Client {
  return below(url, "") as Client;
}

/** Words are gathered until one of them is called: a method, or a path's parameter. */
function below(url: string, word: string): unknown {
  return new Proxy(() => undefined, {
    get: (_, next) => below(word === "" ? url : `${url}/${word}`, String(next)),
    apply: (_, __, [first, second]: unknown[]) => {
      if (!METHODS.includes(word)) {
        const [value] = Object.values(first as Record<string, string>);
        return below(`${url}/${word}`, encodeURIComponent(value ?? ""));
      }
      const isRead = word === "get";
      const { query, headers } = ((isRead ? first : second) ?? {}) as Options;
      return request(word.toUpperCase(), url + textOf(query), isRead ? undefined : first, headers);
    },
  });
}

function textOf(query: Options["query"] = {}): string {
  const all = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null) {
        all.append(name, String(each));
      }
    }
  }
  return all.size === 0 ? "" : `?${all}`;
}

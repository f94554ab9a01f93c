/** Files sent to a campaign, as a test sends them: whole, in pieces, or broken off. */

import type { Answer, TestApp } from "./app.ts";

export interface SendOptions {
  query?: Record<string, string>;
  type?: string;
  headers?: Record<string, string>;
}

/** POSTs `file` to a path below `/api/v1` with the test key. */
export async function sendFile(
  app: TestApp,
  path: string,
  file: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  { query = {}, type = "text/csv", headers = {} }: SendOptions = {},
): Promise<Answer> {
  const response = await app.fetch(
    new Request(`http://localhost/api/v1${path}?${new URLSearchParams(query)}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${app.keys.test}`, "Content-Type": type, ...headers },
      body: file,
    }),
  );
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  return {
    status: response.status,
    body: isJson ? JSON.parse(text) : text,
    headers: response.headers,
    text,
  };
}

export function importFile(
  app: TestApp,
  campaignId: string,
  file: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  options: SendOptions = {},
): Promise<Answer> {
  return sendFile(app, `/campaigns/${campaignId}/leads/import`, file, options);
}

/** A stream of the text's pieces that ends by `fail`, or well. */
export function pieces(
  texts: Iterable<string | Uint8Array>,
  fail?: Error,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const source = texts[Symbol.iterator]();
  return new ReadableStream({
    pull: (controller) => {
      const { done, value } = source.next();
      if (!done) {
        controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
      } else if (fail === undefined) {
        controller.close();
      } else {
        controller.error(fail);
      }
    },
  });
}

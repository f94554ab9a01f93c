/** Files of a team, uploaded over HTTP. */

import type { Answer, TestApp } from "./app.ts";

const BINARY = "application/octet-stream";

/** With the test key unless `key` says otherwise. */
export async function upload(
  app: TestApp,
  name: string,
  content: Uint8Array<ArrayBuffer> | string,
  { key = app.keys.test, headers = {} }: { key?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const response = await app.fetch(
    new Request(`http://localhost/api/v1/files?name=${encodeURIComponent(name)}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": BINARY, ...headers },
      body: new Blob([content]),
    }),
  );
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text), headers: response.headers, text };
}

/** What is downloaded of it. */
export async function contentOf(
  app: TestApp,
  id: string,
  key = app.keys.test,
): Promise<{ bytes: Uint8Array; headers: Headers }> {
  const path = `http://localhost/api/v1/files/${id}/download`;
  const response = await app.fetch(
    new Request(path, { headers: { Authorization: `Bearer ${key}` } }),
  );
  return { bytes: await response.bytes(), headers: response.headers };
}

/** The same bytes for the same seed, of all values. */
export function bytesOf(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let state = seed;
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

/** One pixel. */
export const PIXEL = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);

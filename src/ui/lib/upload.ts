/** Uploads of files, which tell how far they have come: `fetch` can't. */

import { signal } from "@preact/signals";
import type { StoredFile } from "#client.ts";
import { api, request } from "./api.ts";
import { env } from "./route.ts";
import { withSession } from "./session-fetch.ts";

/** Files that the page knows by name. */
export const known = signal<ReadonlyMap<string, StoredFile>>(new Map());

function know(file: StoredFile): StoredFile {
  known.value = new Map(known.peek()).set(file.id, file);
  return file;
}

/** Asks for the files that the page doesn't know; one that is gone stays unknown. */
export async function learn(ids: readonly string[]): Promise<void> {
  const unknown = ids.filter((id) => !known.peek().has(id));
  await Promise.allSettled(unknown.map(async (id) => know(await api().getFile({ id }))));
}

/** Throws as {@link request} does, also where `signal` has called it off. */
export async function upload(
  file: File,
  onShare: (share: number) => void,
  signal: AbortSignal,
): Promise<StoredFile> {
  const send = withSession((url, init) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const call = new XMLHttpRequest();
    call.open(init?.method ?? "POST", String(url));
    call.setRequestHeader("Content-Type", "application/octet-stream");
    call.upload.onprogress = ({ loaded, total }) => onShare(loaded / total);
    call.onload = () => {
      const type = call.getResponseHeader("Content-Type") ?? "";
      const headers = { "Content-Type": type };
      resolve(new Response(call.responseText, { status: call.status, headers }));
    };
    call.onerror = reject;
    call.onabort = reject;
    signal.addEventListener("abort", () => call.abort());
    call.send(file);
    return promise;
  });
  const url = `/${env.peek()}/api/v1/files?name=${encodeURIComponent(file.name)}`;
  return know(await request<StoredFile>("POST", url, undefined, send));
}

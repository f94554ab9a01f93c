/** Forms that our own pages send: a few fields, far smaller than the bound. */

import { readAtMost } from "#platform/http/read-at-most.ts";

const FORM_BYTES_MAX = 16 * 1024;

/** The form of a POST, empty where the body is none. Null when it is larger than `bytesMax`. */
export async function readForm(
  request: Request,
  bytesMax = FORM_BYTES_MAX,
): Promise<FormData | null> {
  if (Number(request.headers.get("content-length") ?? "0") > bytesMax) {
    return null;
  }
  const bytes = request.body === null ? undefined : await readAtMost(request.body, bytesMax);
  if (bytes === null) {
    return null;
  }
  const type = request.headers.get("content-type") ?? "";
  try {
    return await new Response(bytes, { headers: { "Content-Type": type } }).formData();
  } catch {
    return new FormData();
  }
}

/**
 * Reading a request's body: JSON only, bounded, never guessed at. Elysia's own parser would take any
 * content type and turn broken UTF-8 into question marks.
 */

import { Problem } from "#domain/problem.ts";
import { readAtMost } from "#runtime/read-at-most.ts";

export const BODY_BYTES_MAX = 8 * 1024 * 1024;

export interface Body {
  raw: string;
  value: unknown;
}

/** Throws 415, 413 or 400. A request without a body gives `undefined`. */
export async function readJson(request: Request): Promise<Body | undefined> {
  const declared = Number(request.headers.get("content-length") ?? "0");
  if (declared > BODY_BYTES_MAX) {
    throw tooLarge();
  }
  if (request.body === null) {
    return undefined;
  }
  const bytes = await readAtMost(request.body, BODY_BYTES_MAX);
  if (bytes === null) {
    throw tooLarge();
  }
  if (bytes.byteLength === 0) {
    return undefined;
  }
  checkType(request);
  let raw: string;
  try {
    raw = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Problem("invalid_request", "the body is not valid UTF-8");
  }
  try {
    return { raw, value: JSON.parse(raw) };
  } catch (error) {
    const cause = error instanceof Error ? error.message.slice(0, 200) : "";
    throw new Problem("invalid_request", `the body is not valid JSON: ${cause}`);
  }
}

function checkType(request: Request): void {
  const accepted =
    request.method === "PATCH"
      ? ["application/json", "application/merge-patch+json"]
      : ["application/json"];
  const type =
    (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (!accepted.includes(type)) {
    throw new Problem(
      "unsupported_media_type",
      `send Content-Type: ${accepted[0]}${type === "" ? "" : `, not ${type.slice(0, 100)}`}`,
      null,
      { [request.method === "PATCH" ? "Accept-Patch" : "Accept-Post"]: accepted.join(", ") },
    );
  }
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity") {
    throw new Problem("unsupported_media_type", "send the body without a Content-Encoding");
  }
}

function tooLarge(): Problem {
  return new Problem("payload_too_large", `a body may have at most ${BODY_BYTES_MAX} bytes`);
}

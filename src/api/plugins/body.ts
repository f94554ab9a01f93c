/**
 * Reading a request's body: JSON only, bounded, never guessed at. Elysia's own parser would take any
 * content type and turn broken UTF-8 into question marks.
 */

import { parseJson } from "#domain/json-text.ts";
import { invalidAll, Problem } from "#domain/problem.ts";
import { readAtMost } from "#platform/http/read-at-most.ts";
import { type Holder, holds } from "#platform/turns.ts";
import type { Operation } from "./routes.ts";

export const BODY_BYTES_MAX = 8 * 1024 * 1024;
/** Brackets within brackets; no record of ours comes near it, and what walks a body may recurse. */
export const BODY_DEPTH_MAX = 64;

export interface Body {
  raw: string;
  value: unknown;
}

/**
 * Throws 415, 413 or 400, in this order. A request without a body gives `undefined`. `holder`: whose body it is.
 */
export async function readJson(request: Request, holder: Holder): Promise<Body | undefined> {
  const declared = Number(request.headers.get("content-length") ?? "0");
  if (declared > 0) {
    checkType(request);
  }
  if (declared > BODY_BYTES_MAX) {
    throw tooLarge();
  }
  const bytes = declared > 0 ? await readWhole(request) : await readStream(request);
  holds(holder);
  if (bytes?.byteLength === 0) {
    return undefined;
  }
  checkType(request);
  if (bytes === null) {
    throw tooLarge();
  }
  let raw: string;
  try {
    raw = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Problem("invalid_request", "the body is not valid UTF-8");
  }
  return { raw, value: parseJson(raw, BODY_DEPTH_MAX) };
}

/**
 * What an operation reads of a body. Clients that are generated send `null` for one that they leave out. Throws
 * `validation_error` for what is no object, and for a body that nobody reads.
 */
export function checkBody(
  value: unknown,
  { takesBody, isBodyOptional }: Pick<Operation, "takesBody" | "isBodyOptional">,
): unknown {
  if (value === null && isBodyOptional) {
    return {};
  }
  (takesBody ? checkObject : checkEmpty)(value);
  return value;
}

/**
 * Throws `validation_error` for a body that is no object. Every body that is read is one; where it may be
 * left out, `null` and `false` would pass for one that was.
 */
function checkObject(value: unknown): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Problem("validation_error", "must be an object");
  }
}

/** Throws `validation_error` unless a body that nobody reads says nothing: `{}` or `null`. */
function checkEmpty(value: unknown): void {
  if (value === null) {
    return;
  }
  if (typeof value !== "object" || Array.isArray(value)) {
    throw new Problem("validation_error", "this operation takes no body; send none, or {}");
  }
  const [first, ...others] = Object.keys(value).map((field) => {
    return { field, message: "unknown field", didYouMean: null };
  });
  if (first !== undefined) {
    throw invalidAll([first, ...others]);
  }
}

/** A length that was declared bounds what the transport hands on; as a stream it would cost twice. */
async function readWhole(request: Request): Promise<Uint8Array | null> {
  const bytes = await request.bytes();
  return bytes.byteLength > BODY_BYTES_MAX ? null : bytes;
}

async function readStream({ body }: Request): Promise<Uint8Array | null> {
  return body === null ? new Uint8Array() : await readAtMost(body, BODY_BYTES_MAX);
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

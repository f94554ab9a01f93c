/**
 * What the console's own routes ask of a request: which session it brings, whether it comes from our own
 * pages, and from which address.
 *
 * Source: RFC 6265bis §4.1.3.2 for the cookie's prefix; the W3C's Fetch Metadata for `Sec-Fetch-Site`.
 */

import { invalid, Problem } from "#domain/problem.ts";
import { SECOND_MS } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { clientAddress, networkOf } from "#platform/http/client-address.ts";
import { type Cidr, liesIn } from "#platform/http/guard.ts";
import { readAtMost } from "#platform/http/read-at-most.ts";
import type { SignOn } from "#platform/ports/sign-on.ts";
import { SESSION_MS_MAX } from "#usecases/team/sessions.ts";

/** Where a connection comes from, as Bun's server says it; null in tests. */
export interface Connection {
  requestIP(request: Request): { address: string } | null;
}

export interface Door {
  publicUrl: string | null;
  trustedProxies: readonly Cidr[];
  /** Null: by password only. */
  signOn: SignOn | null;
}

/** A browser takes such a cookie only over TLS, for this host alone and for all of it. */
export const HOST_PREFIX = "__Host-";
const INSTALLATION_CHARS = 8;

/**
 * What a cookie of this installation is called. To a browser, servers on two ports of one host are one:
 * by another name each would end the other's sessions.
 */
export function cookieName({ vault }: Pick<Environment, "vault">, tls: boolean, of = ""): string {
  const installation = vault.digest("console cookies").toHex().slice(0, INSTALLATION_CHARS);
  return `${tls ? HOST_PREFIX : ""}outrider-${installation}${of}`;
}

/** True where the browser came by TLS: a proxy that is trusted says so, or the public address is meant. */
export function isTls(door: Door, request: Request, server: Connection | null): boolean {
  const peer = server?.requestIP(request)?.address ?? null;
  const said = request.headers.get("x-forwarded-proto");
  if (peer !== null && said !== null && liesIn(peer, door.trustedProxies)) {
    return said.split(",").at(-1)?.trim() === "https";
  }
  const publicUrl = door.publicUrl === null ? null : new URL(door.publicUrl);
  return publicUrl?.protocol === "https:" && publicUrl.host === hostOf(request);
}

function hostOf(request: Request): string {
  return request.headers.get("host") ?? new URL(request.url).host;
}

/** The session's token; empty where there is none. */
export function tokenOf(live: Environment, request: Request, tls: boolean): string {
  return cookieOf(request, cookieName(live, tls));
}

export function cookieOf(request: Request, name: string): string {
  const pairs = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
}

/** Keeps `token`, or forgets the session where it is empty. The server alone says when a session ends. */
export function sessionCookie(live: Environment, token: string, tls: boolean): string {
  const seconds = token === "" ? 0 : SESSION_MS_MAX / SECOND_MS;
  const secure = tls ? "; Secure" : "";
  return `${cookieName(live, tls)}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}

/** Whether a page of another site may be behind the request. Browsers of today say which site asks. */
export function checkOwnPage(door: Door, request: Request): void {
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  const isRead = request.method === "GET" || request.method === "HEAD";
  const isOwnSite = site === null || site === "same-origin" || (site === "none" && isRead);
  const isOwnOrigin = origin === null ? site !== null || isRead : isOwn(door, request, origin);
  if (!isOwnSite || !isOwnOrigin) {
    throw new Problem(
      "permission_error",
      "a console session works only in the console; use an API key in programs",
    );
  }
}

function isOwn(door: Door, request: Request, origin: string): boolean {
  return origin === door.publicUrl || URL.parse(origin)?.host === hostOf(request);
}

/** The network that somebody comes from: whoever tries passwords has many addresses of one. */
export function visitorNetwork(door: Door, request: Request, server: Connection | null): string {
  const peer = server?.requestIP(request)?.address ?? null;
  const forwarded = request.headers.get("x-forwarded-for");
  return networkOf(clientAddress(peer, forwarded, door.trustedProxies));
}

const BODY_BYTES_MAX = 16 * 1024;
const FIELD_CHARS_MAX = 8_000;

/**
 * The texts of a JSON body: all of `names`, and of `optional` what is there. Throws 415, 413, 400, or
 * `validation_error` naming the field that is missing, unknown, too long or no text.
 */
export async function readFields<Name extends string, Other extends string = never>(
  request: Request,
  names: readonly Name[],
  optional: readonly Other[] = [],
): Promise<Record<Name, string> & Partial<Record<Other, string>>> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new Problem("unsupported_media_type", "send JSON with Content-Type: application/json");
  }
  const bytes = request.body === null ? null : await readAtMost(request.body, BODY_BYTES_MAX);
  if (bytes === null && request.body !== null) {
    throw new Problem("payload_too_large", `a body may have ${BODY_BYTES_MAX} bytes here`);
  }
  const body = parse(bytes);
  const known: readonly string[] = [...names, ...optional];
  for (const [name, value] of Object.entries(body)) {
    if (!known.includes(name)) {
      throw invalid(name, "unknown field");
    }
    if (typeof value !== "string" || value.length > FIELD_CHARS_MAX || value.includes("\0")) {
      throw invalid(name, `must be a string of ${FIELD_CHARS_MAX} characters at most`);
    }
  }
  const missing = names.find((name) => !Object.hasOwn(body, name));
  if (missing !== undefined) {
    throw invalid(missing, "is required");
  }
  return body as Record<Name, string> & Partial<Record<Other, string>>;
}

function parse(bytes: Uint8Array | null): object {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes ?? new Uint8Array()));
  } catch {
    throw new Problem("invalid_request", "the body is not valid JSON");
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new Problem("invalid_request", "the body must be an object");
  }
  return body;
}

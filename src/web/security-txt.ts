/**
 * `/.well-known/security.txt`: whom to tell of a vulnerability of this installation, where its operator says so.
 *
 * Source: RFC 9116.
 */

import { type AnyElysia, Elysia } from "elysia";
import { DAY_MS, plus, toIso, type UnixMs } from "#domain/time.ts";

export const SECURITY_TXT_PATH = "/.well-known/security.txt";
/** Less than a year, as the standard advises. A server that runs says so anew each time. */
const VALID_MS = 180 * DAY_MS;

/** `contact`: an address as a URI (`mailto:…`) or a page; null: there is no file. */
export function securityTxtRoutes(
  contact: string | null,
  publicUrl: string | null,
  now: () => UnixMs,
): AnyElysia {
  return new Elysia({ name: "security.txt", normalize: false }).get(SECURITY_TXT_PATH, () => {
    if (contact === null) {
      return new Response("not found\n", { status: 404 });
    }
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${toIso(plus(now(), VALID_MS))}`,
      ...(publicUrl === null ? [] : [`Canonical: ${publicUrl}${SECURITY_TXT_PATH}`]),
    ];
    return new Response(`${lines.join("\n")}\n`, {
      headers: { "Content-Type": "text/plain; charset=utf-8" },
    });
  });
}

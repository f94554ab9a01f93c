/**
 * The address that an email left from, as the server that received it noted. What the sender wrote below
 * that server's own fields isn't believed.
 *
 * Large providers hand an email on inside, between public addresses of their own, and name the sender in
 * their result of SPF, which stands on top; they remove results that pretend to be theirs. Anybody else notes it
 * in the topmost Received field that has an address other than the server's own; a private one there means that
 * another server stands between, and nothing below is the receiver's.
 *
 * Source: RFC 8601 §5 (forged results), RFC 5321 §4.4 (Received).
 */

import type { HeaderField } from "./authentication-results.ts";
import type { MailProvider } from "./mail-provider.ts";
import { addressBytes } from "./sender-domain/ip.ts";

const FIELD_CHARS_MAX = 8_000;
const IN_RESULT = /(?:designates|sender IP is)\s+([0-9a-f.:]{2,45})/gi;
const IN_RECEIVED = /\[(?:IPv6:)?([0-9a-f.:]{2,45})\]/gi;
const LOOPBACK = /^(?:127\.|::1$)/;

/** Null where the receiver doesn't say. */
export function sendingAddressOf(
  fields: readonly HeaderField[],
  receiver: MailProvider,
): string | null {
  const valuesOf = (wanted: string) =>
    fields
      .filter(({ name }) => name.toLowerCase() === wanted)
      .map(({ value }) => value.slice(0, FIELD_CHARS_MAX));
  if (receiver !== "custom") {
    return addressIn(IN_RESULT, valuesOf("authentication-results")[0] ?? "");
  }
  const noted = valuesOf("received").map((value) => {
    const [from = ""] = /^\s*from\s/i.test(value) ? value.split(/\sby\s/i) : [];
    return addressIn(IN_RECEIVED, from);
  });
  return noted.find((address) => address !== null && !LOOPBACK.test(address)) ?? null;
}

/** The last one: what comes before may be the sender's word for itself. */
function addressIn(pattern: RegExp, text: string): string | null {
  const found = [...text.matchAll(pattern)].at(-1)?.[1]?.toLowerCase() ?? "";
  return addressBytes(found) === null ? null : found;
}

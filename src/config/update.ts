/** Settings of `outrider update`: where releases are, and who signs them. */

import { fileURLToPath } from "node:url";
import { type MinisignKey, parseMinisignKey } from "#platform/secrets/minisign.ts";
import { ConfigError } from "./values.ts";

export interface UpdateConfig {
  /** An absolute directory, or a URL with a slash at its end; null: not known. */
  from: string | null;
  key: MinisignKey;
}

/** Of the key that signs our releases, whose secret half is with those who make them. */
const RELEASE_KEY = "RWQUBh6pt/92uCwYjXdln5axJrZANFWVe4/VFayKW/ZVZVYykL0WWrqH";

export const UPDATE_SETTINGS = {
  update_url: {
    about: "Where releases are for outrider update: a URL (https) or a directory",
    value: "URL",
    fallback: null,
  },
  update_key: {
    about: "Public key that releases are signed with, as minisign prints it",
    value: "KEY",
    fallback: RELEASE_KEY,
  },
} as const;

type Read = <Value>(
  name: keyof typeof UPDATE_SETTINGS,
  parse: (text: string, base: string) => Value,
) => Value | null;

export function readUpdateConfig(read: Read): UpdateConfig {
  return {
    from: read("update_url", parsePlace),
    key: read("update_key", parseKey) ?? parseKey(RELEASE_KEY),
  };
}

function parsePlace(text: string): string {
  if (text.startsWith("/") || /^[A-Za-z]:[\\/]/.test(text)) {
    return text;
  }
  const url = URL.parse(text);
  if (url?.protocol === "file:") {
    return fileURLToPath(url);
  }
  const isLocal =
    url?.protocol === "http:" && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (
    url === null ||
    (url.protocol !== "https:" && !isLocal) ||
    url.search !== "" ||
    url.hash !== ""
  ) {
    const right = "a URL like https://releases.example.com/outrider/, or an absolute directory";
    throw new ConfigError(`must be ${right}, not "${text}"`);
  }
  return url.href.replace(/\/?$/, "/");
}

function parseKey(text: string): MinisignKey {
  const key = parseMinisignKey(text);
  if (key === null) {
    throw new ConfigError("must be a minisign public key: 56 characters, beginning with RW");
  }
  return key;
}

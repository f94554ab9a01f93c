/**
 * API keys: `outrider_<env>_<body>`, the body 32 random base62 characters and a 6-character CRC-32 of
 * everything before it, so that a mistyped key is refused without a look-up and scanners can match it.
 *
 * Source: prefix, environment word and body are the seed's; checksum and scopes are ours.
 */

export const ENVS = ["live", "test"] as const;
export type Env = (typeof ENVS)[number];

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 32;
const CHECK_LENGTH = 6;
const SHAPE = /^outrider_(live|test)_([0-9A-Za-z]{38})$/;

/** Bytes below this are a fair draw of 62; the others are thrown away. */
const FAIR_BYTE = 248;

/** A new key. `randomByte` is called until 32 fair bytes have come; `crc32` is the zlib checksum. */
export function mintKey(
  env: Env,
  randomByte: () => number,
  crc32: (text: string) => number,
): string {
  let body = "";
  while (body.length < RANDOM_LENGTH) {
    const byte = randomByte();
    if (byte < FAIR_BYTE) {
      body += BASE62.charAt(byte % 62);
    }
  }
  const start = `outrider_${env}_${body}`;
  return start + checksum(start, crc32);
}

/** The environment word of a text that may be a key, else null. */
export function envNamedBy(key: string): Env | null {
  return ENVS.find((env) => key.startsWith(`outrider_${env}_`)) ?? null;
}

/** The environment word of a key whose shape and checksum are right, else null. */
export function readKey(key: string, crc32: (text: string) => number): Env | null {
  const env = SHAPE.exec(key)?.[1];
  if (env !== "live" && env !== "test") {
    return null;
  }
  const start = key.slice(0, -CHECK_LENGTH);
  return checksum(start, crc32) === key.slice(-CHECK_LENGTH) ? env : null;
}

function checksum(text: string, crc32: (text: string) => number): string {
  let rest = crc32(text);
  let digits = "";
  for (let place = 0; place < CHECK_LENGTH; place += 1) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Resources that a scope may name, each with `:read` or `:write`. */
export const SCOPE_RESOURCES = [
  "campaigns",
  "leads",
  "accounts",
  "suppressions",
  "files",
  "team",
  "experiments",
  "placement",
  "inbox",
  "webhooks",
  "keys",
  "billing",
  "audit",
  "sandbox",
] as const;
export type ScopeResource = (typeof SCOPE_RESOURCES)[number];
export type Access = "read" | "write";

/** The installation itself: its backups and its state. No other scope implies it, and it implies none. */
export const OPERATOR_SCOPE = "operator";

/**
 * Every scope there is: `read`, `write`, `admin`, `operator`, and `<resource>:<access>`. `write` includes
 * `read`.
 */
export const SCOPES: readonly string[] = [
  "read",
  "write",
  "admin",
  OPERATOR_SCOPE,
  ...SCOPE_RESOURCES.flatMap((resource) => [`${resource}:read`, `${resource}:write`]),
];

/** Resources that only `admin` or their own named scope opens: broad `read` and `write` do not. */
const ADMIN_ONLY: ReadonlySet<ScopeResource> = new Set(["keys", "billing", "audit"]);

/** True when a key with `scopes` may do what needs `wanted`: `admin`, `operator` or `<resource>:<access>`. */
export function holds(scopes: readonly string[], wanted: string): boolean {
  if (wanted === OPERATOR_SCOPE) {
    return scopes.includes(OPERATOR_SCOPE);
  }
  const [resource, access] = wanted.split(":");
  const known = SCOPE_RESOURCES.find((name) => name === resource);
  return known === undefined
    ? scopes.includes("admin")
    : permits(scopes, known, access === "read" ? "read" : "write");
}

/** True when a key with `scopes` may do `access` on `resource`. */
export function permits(
  scopes: readonly string[],
  resource: ScopeResource,
  access: Access,
): boolean {
  if (scopes.includes("admin") || scopes.includes(`${resource}:write`)) {
    return true;
  }
  if (access === "read" && scopes.includes(`${resource}:read`)) {
    return true;
  }
  if (ADMIN_ONLY.has(resource)) {
    return false;
  }
  return scopes.includes("write") || (access === "read" && scopes.includes("read"));
}

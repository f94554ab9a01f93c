/** Values of settings: from the text that somebody wrote to what the program uses, or why it cannot be. */

import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { resolve } from "node:path";
import { parseAddress } from "#domain/email-address.ts";
import { canonicalHost } from "#domain/mailboxes/host.ts";
import { nearestWord } from "#domain/nearest-word.ts";
import {
  PAID_PLANS,
  type PaidPlan,
  type PlanLimits,
  readPlanLimits,
} from "#domain/sending/plan.ts";
import { DNS_PORT } from "#mail/dns/dns-settings.ts";
import type { NameServer } from "#mail/dns/dns-wire.ts";
import { isLoopback } from "#platform/http/guard.ts";
import { MASTER_KEY_BYTES, parseMasterKeys } from "#platform/secrets/crypto.ts";

const CA_BYTES_MAX = 1024 * 1024;
const HOST_LENGTH_MAX = 253;
const PORT_MAX = 65_535;

/** A value that cannot be used. `fromFlag` tells a mistake on the command line from one elsewhere. */
export class ConfigError extends Error {
  readonly fromFlag: boolean;

  constructor(message: string, fromFlag = false) {
    super(message);
    this.name = "ConfigError";
    this.fromFlag = fromFlag;
  }
}

/** A word for the end of a message about a word that is not known. */
export function hint(word: string, known: readonly string[]): string {
  const nearest = nearestWord(word, known);
  return nearest === undefined ? "" : `; did you mean "${nearest}"?`;
}

export function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : -1;
    if (value < min || value > max) {
      throw new ConfigError(`must be a whole number from ${min} to ${max}, not "${text}"`);
    }
    return value;
  };
}

export function oneOf<const Value extends string>(
  allowed: readonly Value[],
): (text: string) => Value {
  return (text) => {
    const value = allowed.find((word) => word === text);
    if (value === undefined) {
      throw new ConfigError(
        `must be one of ${allowed.join(", ")}, not "${text}"${hint(text, allowed)}`,
      );
    }
    return value;
  };
}

export function parseSwitch(text: string): boolean {
  if (text === "on" || text === "true") {
    return true;
  }
  if (text === "off" || text === "false") {
    return false;
  }
  throw new ConfigError(`must be on or off, not "${text}"`);
}

export function parseHost(text: string): string {
  if (!/^[A-Za-z0-9._:%-]+$/.test(text) || text.length > HOST_LENGTH_MAX) {
    throw new ConfigError(`must be a host name or an IP address, not "${text}"`);
  }
  return text;
}

/** `localhost:783`, `[::1]:783`. */
export function parseHostPort(text: string): { host: string; port: number } {
  const [, host = "", port = ""] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(text) ?? [];
  if (host === "" || Number(port) < 1 || Number(port) > PORT_MAX) {
    throw new ConfigError(`must be a host and a port like localhost:783, not "${text}"`);
  }
  return { host: parseHost(host.replace(/^\[|\]$/g, "")), port: Number(port) };
}

const ZONES_MAX = 20;

/** Names of DNS zones with a comma between; none for `none` or nothing. */
export function parseZones(text: string): string[] {
  const zones = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== "" && word !== "none");
  const wrong = zones.find((zone) => !/^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})+$/.test(zone));
  if (wrong !== undefined || zones.length > ZONES_MAX) {
    const right = `at most ${ZONES_MAX} zones like bl.spamcop.net, or none`;
    throw new ConfigError(`must be ${right}, not "${wrong ?? text}"`);
  }
  return [...new Set(zones)];
}

const NAME_SERVERS_MAX = 10;

/** Addresses with a comma between, port 53 where none is named: `10.0.0.53, [fd00::53]:5353`. */
export function parseNameServers(text: string): NameServer[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  if (words.length > NAME_SERVERS_MAX) {
    throw new ConfigError(`must be at most ${NAME_SERVERS_MAX} DNS servers`);
  }
  return words.map((word) => {
    const [, bracketed, plain, port] =
      /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(word) ?? [];
    const server = { address: bracketed ?? plain ?? word, port: Number(port ?? DNS_PORT) };
    if (isIP(server.address) === 0 || server.port < 1 || server.port > PORT_MAX) {
      const right = "an IP address with an optional port, like 10.0.0.53 or [fd00::53]:5353";
      throw new ConfigError(`must be ${right}, not "${word}"`);
    }
    return server;
  });
}

export function parsePublicUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new ConfigError(`must be a URL like https://mail.example.com, not "${text}"`);
  }
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "" || url.username !== "") {
    throw new ConfigError("must have only a scheme, host, and port: no path, query, or user");
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (url.protocol === "http:" && host !== "localhost" && !isLoopback(host)) {
    throw new ConfigError("must use https; http works for localhost only");
  }
  return url.origin;
}

/** Origins as browsers send them, so that a request's can be looked up. `*` is none: a site is named. */
export function parseOrigins(text: string): string[] {
  return listed(text).map((one) => {
    const url = URL.parse(one);
    if (!url || !/^https?:$/.test(url.protocol) || url.origin !== one.toLowerCase()) {
      throw new ConfigError(`must be origins like https://app.example.com, not "${one}"`);
    }
    return url.origin;
  });
}

/** Host names in the form in which a request's is compared. */
export function parseHosts(text: string): string[] {
  return listed(text).map((one) => {
    const host = canonicalHost(one);
    if (host === null) {
      throw new ConfigError(`must be host names like mail.example.com, not "${one}"`);
    }
    return host;
  });
}

function listed(text: string): string[] {
  const given = text.split(",").map((one) => one.trim());
  return given.filter((one) => one !== "");
}

export function readCertificates(text: string, base: string): string {
  const path = resolve(base, text);
  const pem = readBounded(path, CA_BYTES_MAX);
  if (!pem.includes("-----BEGIN CERTIFICATE-----")) {
    throw new ConfigError(`${path} contains no PEM certificate`);
  }
  return pem;
}

export function parseEmail(text: string): string {
  const email = parseAddress(text);
  if (email === null) {
    throw new ConfigError("must be an email address such as ann@example.com");
  }
  return email.address;
}

export function parseMasterKey(text: string): Uint8Array {
  const keys = parseMasterKeys(text);
  if (keys === null) {
    throw new ConfigError(`must be ${MASTER_KEY_BYTES} bytes in base64`);
  }
  return keys;
}

export function parsePlanLimits(text: string): PlanLimits {
  try {
    return readPlanLimits(text);
  } catch (error) {
    throw error instanceof RangeError ? new ConfigError(error.message) : error;
  }
}

const LICENCE_KEYS_MAX = 2;
/** 32 bytes in base64url. */
const PUBLIC_KEY = /^[A-Za-z0-9_-]{43}$/;

export function parseLicenceKeys(text: string): string[] {
  const keys = text
    .split(",")
    .map((key) => key.trim())
    .filter((key) => key !== "");
  if (keys.length > LICENCE_KEYS_MAX || !keys.every((key) => PUBLIC_KEY.test(key))) {
    throw new ConfigError(`must be at most ${LICENCE_KEYS_MAX} Ed25519 public keys in base64url`);
  }
  return keys;
}

export interface StripeConfig {
  secretKey: string;
  /** Signs what Stripe tells us. */
  webhookSecret: string;
  /** Price id of each plan that is sold. */
  prices: Readonly<Partial<Record<PaidPlan, string>>>;
}

const STRIPE_SHAPE =
  '{"secret_key": "sk_…", "webhook_secret": "whsec_…", "prices": {"pro": "price_…"}}';

export function parseStripe(text: string): StripeConfig {
  const wrong = () => new ConfigError(`must look like ${STRIPE_SHAPE}`);
  let given: Record<string, unknown>;
  try {
    given = Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    throw wrong();
  }
  const { secret_key: secretKey, webhook_secret: webhookSecret, prices, ...others } = given;
  const isText = (value: unknown) => typeof value === "string" && value !== "";
  const entries = Object.entries(Object(prices));
  const arePrices = entries.every(
    ([plan, price]) => PAID_PLANS.some((name) => name === plan) && isText(price),
  );
  const isWhole = isText(secretKey) && isText(webhookSecret) && entries.length > 0 && arePrices;
  if (!isWhole || Object.keys(others).length > 0) {
    throw wrong();
  }
  return {
    secretKey: String(secretKey),
    webhookSecret: String(webhookSecret),
    prices: Object.fromEntries(entries),
  };
}

export function readBounded(path: string, bytesMax: number): string {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) {
      throw new ConfigError(`${path} is not a file`);
    }
    if (stat.size > bytesMax) {
      throw new ConfigError(`${path} is too large: the limit is ${bytesMax} bytes`);
    }
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof ConfigError) {
      throw error;
    }
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    throw new ConfigError(`can't read ${path}: ${CANNOT_READ[code] ?? code}`);
  }
}

const CANNOT_READ: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  EACCES: "permission denied",
};

/** TOML's numbers, booleans and lists of text as somebody would write them on the command line. */
export function textOf(value: unknown, where: string): string {
  if (typeof value === "string") {
    return value;
  }
  if (typeof value === "number" || typeof value === "boolean") {
    return String(value);
  }
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) {
    return value.join(",");
  }
  throw new ConfigError(
    `${where}: must be a string, a number, true or false, or a list of strings`,
  );
}

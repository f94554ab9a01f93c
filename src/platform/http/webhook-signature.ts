/**
 * Signatures of webhooks, by the library of the standard, so that every receiver's library agrees.
 *
 * Source: Standard Webhooks 1.0.0, "Signature scheme": HMAC-SHA-256 of `id.timestamp.body`, a signature
 * for each secret that is valid, separated by a space.
 */

import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { SECOND_MS, type UnixMs } from "#domain/time.ts";
import { toDate } from "#platform/clock.ts";

const PREFIX = "whsec_";
const NEW_BYTES = 32;
const BYTES_MIN = 24;
const BYTES_MAX = 64;

export function newSecret(): string {
  return PREFIX + randomBytes(NEW_BYTES).toString("base64");
}

/** What is wrong with a secret that a user gives; null where nothing is. */
export function faultOfSecret(secret: string): string | null {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : "";
  const bytes = Buffer.from(text, "base64");
  const isWhole = text !== "" && bytes.toString("base64") === text;
  return isWhole && bytes.byteLength >= BYTES_MIN && bytes.byteLength <= BYTES_MAX
    ? null
    : `must be ${PREFIX} and ${BYTES_MIN} to ${BYTES_MAX} bytes in standard base64`;
}

/** What of a secret may be seen by who must not sign with it. */
export function maskSecret(secret: string): string {
  return `${PREFIX}…${secret.slice(-4)}`;
}

/** The headers of a delivery that is sent at `at`. `id` holds no dot. */
export function signedHeaders(
  secrets: readonly string[],
  { id, at, body }: { id: string; at: UnixMs; body: string },
): Record<string, string> {
  const date = toDate(at);
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, date, body));
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at / SECOND_MS)),
    "webhook-signature": signatures.join(" "),
  };
}

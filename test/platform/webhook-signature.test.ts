/**
 * Guarantees of `platform/http/webhook-signature.ts`, checked by the libraries that receivers use: they believe
 * what we sign, with either secret while one is rotated, and nothing that was touched or is stale.
 */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Webhook as Standard } from "standardwebhooks";
import { Webhook as Svix } from "svix";
import { MINUTE_MS, plus, SECOND_MS, unixMs } from "#domain/time.ts";
import {
  faultOfSecret,
  maskSecret,
  newSecret,
  signedHeaders,
} from "#platform/http/webhook-signature.ts";

/** The libraries hold the timestamp against the system's clock. */
const NOW = unixMs(Date.now());
const ID = "01952c6a-4000-7000-8000-000000000001";
const BODY = JSON.stringify({ type: "email.sent", data: { subject: "Grüße 🎉" } });

type Verify = (secret: string, body: string, headers: Record<string, string>) => unknown;

const LIBRARIES: [string, Verify][] = [
  ["standardwebhooks", (secret, body, headers) => new Standard(secret).verify(body, headers)],
  ["svix", (secret, body, headers) => new Svix(secret).verify(body, headers)],
];

describe.each(LIBRARIES)("%s", (_name, verify) => {
  const secret = newSecret();
  const headers = signedHeaders([secret], { id: ID, at: NOW, body: BODY });

  test("believes what we sign", () => {
    expect(() => verify(secret, BODY, headers)).not.toThrow();
  });

  test("believes any text, signed with any secret of a right length", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.uint8Array({ minLength: 24, maxLength: 64 }),
        (data, bytes) => {
          const body = JSON.stringify({ data });
          const own = `whsec_${Buffer.from(bytes).toString("base64")}`;
          expect(faultOfSecret(own)).toBeNull();
          const signed = signedHeaders([own], { id: ID, at: NOW, body });
          expect(() => verify(own, body, signed)).not.toThrow();
        },
      ),
      { numRuns: 50 },
    );
  });

  test("believes the old and the new secret while one is rotated, and no third", () => {
    const old = newSecret();
    const both = signedHeaders([secret, old], { id: ID, at: NOW, body: BODY });
    expect(() => verify(secret, BODY, both)).not.toThrow();
    expect(() => verify(old, BODY, both)).not.toThrow();
    expect(() => verify(newSecret(), BODY, both)).toThrow();
    expect(() => verify(old, BODY, headers)).toThrow();
  });

  test.each([
    ["the body", BODY.replace("sent", "snet"), {}],
    ["the id", BODY, { "webhook-id": ID.replace(/1$/, "2") }],
    ["the time", BODY, { "webhook-timestamp": String(Math.floor(NOW / SECOND_MS) - 1) }],
    ["the signature", BODY, { "webhook-signature": `v1,${"A".repeat(43)}=` }],
    ["nothing but the version", BODY, { "webhook-signature": "v1," }],
  ])("refuses what was touched: %s", (_what, body, change) => {
    expect(() => verify(secret, body, { ...headers, ...change })).toThrow();
  });

  test.each([-6 * MINUTE_MS, 6 * MINUTE_MS])("refuses what was signed %i ms from now", (ms) => {
    const stale = signedHeaders([secret], { id: ID, at: plus(NOW, ms), body: BODY });
    expect(() => verify(secret, BODY, stale)).toThrow();
  });
});

test("signs as the standard's own example does", () => {
  const headers = signedHeaders(["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"], {
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    at: unixMs(1_614_265_330_000),
    body: '{"test": 2432232314}',
  });
  expect(headers).toEqual({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

describe("a secret", () => {
  test("is new each time, and right", () => {
    const secrets = Array.from({ length: 100 }, newSecret);
    expect(new Set(secrets).size).toBe(100);
    expect(secrets.filter((secret) => faultOfSecret(secret) !== null)).toEqual([]);
  });

  test.each([
    ["without its prefix", "A".repeat(44)],
    ["with nothing behind it", "whsec_"],
    ["too short", `whsec_${Buffer.alloc(23).toString("base64")}`],
    ["too long", `whsec_${Buffer.alloc(65).toString("base64")}`],
    ["base64url", `whsec_${Buffer.alloc(32, 255).toString("base64url")}`],
    ["with a space", `whsec_ ${Buffer.alloc(32).toString("base64")}`],
    ["another kind's", `whsk_${Buffer.alloc(32).toString("base64")}`],
  ])("%s is refused", (_name, secret) => {
    expect(faultOfSecret(secret)).toBeString();
  });

  test("shows four characters of itself to who may not sign", () => {
    const secret = newSecret();
    expect(maskSecret(secret)).toBe(`whsec_…${secret.slice(-4)}`);
  });
});

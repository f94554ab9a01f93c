/** Guarantees of `platform/secrets/crypto.ts`: what is sealed opens here only, and a token says what we said. */

import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { crc32, createVault, MASTER_KEY_BYTES, sha256 } from "#platform/secrets/crypto.ts";

const key = (fill: number) => new Uint8Array(MASTER_KEY_BYTES).fill(fill);
const vault = createVault(key(7));
const PLACE = "accounts.secrets:1";
const ID = "01890000-0000-7000-8000-00000000abcd";

describe("sealing", () => {
  test("any text comes back whole", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (text, place) => {
        expect(vault.open(vault.seal(text, place), place)).toBe(text);
      }),
    );
  });

  test("the same text is sealed differently each time, and is not to be seen in it", () => {
    const sealed = vault.seal("hunter2", PLACE);
    expect(vault.seal("hunter2", PLACE)).not.toBe(sealed);
    expect(sealed).toMatch(/^v1\.[\w-]{16}\.[\w-]{10}\.[\w-]{22}$/);
    const parts = sealed.split(".").map((part) => Buffer.from(part, "base64url").toString());
    expect(parts.join()).not.toContain("hunter2");
  });

  test("moved to another row it does not open", () => {
    const sealed = vault.seal("hunter2", PLACE);
    expect(() => vault.open(sealed, "accounts.secrets:2")).toThrow();
    expect(() => vault.open(sealed, "")).toThrow();
  });

  test("another master key does not open it", () => {
    expect(() => createVault(key(8)).open(vault.seal("hunter2", PLACE), PLACE)).toThrow();
  });

  test("a change of any part of it is found", () => {
    const sealed = vault.seal("hunter2 and more", PLACE);
    for (let at = 0; at < sealed.length; at += 1) {
      // "A" and "Q" differ in the bits that count in every place of base64.
      const other = sealed[at] === "A" ? "Q" : "A";
      const changed = sealed.slice(0, at) + other + sealed.slice(at + 1);
      expect(() => vault.open(changed, PLACE)).toThrow();
    }
  });

  test.each(["", "v1", "v1...", "v2.a.b.c", "hunter2", "v1.AAAA.AAAA.AAAA"])(
    "%j was not sealed here",
    (text) => {
      expect(() => vault.open(text, PLACE)).toThrow();
    },
  );

  test("a shortened tag is not taken for a whole one", () => {
    const [version, nonce, text, tag] = vault.seal("hunter2", PLACE).split(".");
    for (let length = 0; length < 22; length += 1) {
      const short = [version, nonce, text, tag?.slice(0, length)].join(".");
      expect(() => vault.open(short, PLACE)).toThrow();
    }
  });
});

describe("tokens", () => {
  test("name the id that was signed, in either spelling of it", () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(vault.verify("unsubscribe", vault.sign("unsubscribe", id))).toBe(id);
        expect(vault.verify("unsubscribe", vault.sign("unsubscribe", id.toUpperCase()))).toBe(id);
      }),
    );
  });

  test("hold for one purpose and one installation", () => {
    const token = vault.sign("unsubscribe", ID);
    expect(vault.verify("open", token)).toBeNull();
    expect(vault.verify("unsubscribe\0", token)).toBeNull();
    expect(createVault(key(8)).verify("unsubscribe", token)).toBeNull();
  });

  test("are the same each time, and safe in an address", () => {
    const token = vault.sign("unsubscribe", ID);
    expect(vault.sign("unsubscribe", ID)).toBe(token);
    expect(token).toMatch(/^[\w-]{43}$/);
  });

  test("with any character changed, added or taken away are nobody's", () => {
    const token = vault.sign("unsubscribe", ID);
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === "A" ? "Q" : "A";
      const changed = token.slice(0, at) + other + token.slice(at + 1);
      expect(vault.verify("unsubscribe", changed)).toBeNull();
      expect(vault.verify("unsubscribe", token.slice(0, at))).toBeNull();
    }
    for (const more of [`${token}A`, `${token}=`, ` ${token}`, `${token}\n`]) {
      expect(vault.verify("unsubscribe", more)).toBeNull();
    }
  });
});

describe("fingerprints", () => {
  test("are the same for the same text, and another key makes others", () => {
    expect(vault.digest("POST /keys")).toEqual(vault.digest("POST /keys"));
    expect(vault.digest("POST /keys")).not.toEqual(vault.digest("POST /key"));
    expect(vault.digest("POST /keys")).not.toEqual(createVault(key(8)).digest("POST /keys"));
    expect(vault.digest("POST /keys")).not.toEqual(sha256("POST /keys"));
    expect(vault.digest("")).toHaveLength(32);
  });

  test("sha256 and crc32 are those of everybody else", () => {
    expect(Buffer.from(sha256("abc"))).toEqual(createHash("sha256").update("abc").digest());
    expect(crc32("123456789")).toBe(0xcbf43926);
    expect(crc32("")).toBe(0);
    expect(crc32("é")).toBeGreaterThan(0);
  });
});

test.each([0, 16, 31, 33])("a master key of %d bytes is refused", (length) => {
  expect(() => createVault(new Uint8Array(length))).toThrow("32 bytes");
});

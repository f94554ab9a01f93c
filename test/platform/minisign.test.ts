/**
 * Guarantees of `platform/secrets/minisign.ts` and of what signs a release: minisign itself takes our signatures and
 * we take minisign's, and neither a flipped bit nor another key goes through.
 */

import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { BadSignature, parseMinisignKey, verifyMinisign } from "#platform/secrets/minisign.ts";
import { publicKeyOf, sign } from "../../.ci/sign.ts";
import { temporaryDirectory } from "../support/executable.ts";
import { minisign, type ReleaseKey, releaseKey } from "../support/releases.ts";

const HAS_MINISIGN = Bun.which("minisign") !== null;
const SKIPS = !HAS_MINISIGN && process.env["OUTRIDER_TEST_TIER"] !== "full";
const CONTENT = Buffer.from("0123  outrider-linux-x64\n");
const COMMENT = "version:1.2.3 commit:0123456789ab";
const key = releaseKey();

function verify(content: Uint8Array, signature: string, { public: text }: ReleaseKey): string {
  const parsed = parseMinisignKey(text);
  if (parsed === null) {
    throw new Error("not a key");
  }
  return verifyMinisign(content, signature, parsed);
}

describe.skipIf(SKIPS)("Beside minisign", () => {
  test("it verifies what we sign, with the key that we print", () => {
    using folder = temporaryDirectory();
    const file = join(folder.path, "SHA256SUMS");
    writeFileSync(file, CONTENT);
    writeFileSync(`${file}.minisig`, sign(CONTENT, key.secret, COMMENT));
    expect(minisign("-Vm", file, "-P", key.public)).toContain(COMMENT);
  });

  test("we verify what it signs, and sign with the key that it makes", () => {
    using folder = temporaryDirectory();
    const at = (name: string) => join(folder.path, name);
    writeFileSync(at("file"), CONTENT);
    minisign("-G", "-W", "-p", at("pub"), "-s", at("sec"));
    minisign("-S", "-m", at("file"), "-s", at("sec"), "-t", COMMENT);
    const secret = readFileSync(at("sec"), "utf8");
    const own = { secret, public: publicKeyOf(secret) };
    expect(readFileSync(at("pub"), "utf8")).toContain(`\n${own.public}\n`);
    expect(verify(CONTENT, readFileSync(at("file.minisig"), "utf8"), own)).toBe(COMMENT);
    writeFileSync(at("file.minisig"), sign(CONTENT, secret, COMMENT));
    expect(minisign("-Vm", at("file"), "-p", at("pub"))).toContain(COMMENT);
  });
});

describe("A signature", () => {
  const signature = sign(CONTENT, key.secret, COMMENT);

  test("says its comment, and is the same each time", () => {
    expect(verify(CONTENT, signature, key)).toBe(COMMENT);
    expect(sign(CONTENT, key.secret, COMMENT)).toBe(signature);
  });

  test("is no other key's", () => {
    expect(() => verify(CONTENT, signature, releaseKey())).toThrow("is by key");
    const id = Buffer.from(key.public, "base64").subarray(0, 10);
    const other = Buffer.from(releaseKey().public, "base64").subarray(10);
    const forged = { secret: "", public: Buffer.concat([id, other]).toString("base64") };
    expect(() => verify(CONTENT, signature, forged)).toThrow("doesn't match the file");
  });

  test("breaks with any bit of the file, of itself or of its comment", () => {
    fc.assert(
      fc.property(fc.constantFrom(0, 1, 2, 3), fc.nat(), fc.nat(7), (part, where, bit) => {
        const flip = <Bytes extends Uint8Array>(bytes: Bytes): Bytes => {
          bytes[where % bytes.length]! ^= 1 << bit;
          return bytes;
        };
        const lines = signature.split("\n");
        const flipText = (line: number) => {
          lines[line] = flip(Buffer.from(lines[line]!, "base64")).toString("base64");
        };
        let content = CONTENT;
        if (part === 0) {
          content = flip(Buffer.from(CONTENT));
        } else if (part === 1) {
          flipText(1);
        } else if (part === 2) {
          lines[2] = `trusted comment: ${flip(Buffer.from(COMMENT)).toString("latin1")}`;
        } else {
          flipText(3);
        }
        expect(() => verify(content, lines.join("\n"), key)).toThrow(BadSignature);
      }),
    );
  });

  test.each([
    ["nothing", ""],
    ["words", "hello\nhello\nhello\nhello\n"],
    ["one without its comment", signature.split("\n").slice(0, 2).join("\n")],
    ["one over the whole file", signature.replace(/^(.*\n)RUQ?/, (_, first) => `${first}RWQ`)],
  ])("is not %s", (_, text) => {
    expect(() => verify(CONTENT, text, key)).toThrow(BadSignature);
  });

  test.each(["", "RW", `${key.public}=`, key.public.replace("RW", "RU"), key.public.slice(4)])(
    "can't be checked with the key %s",
    (text) => {
      expect(parseMinisignKey(text)).toBeNull();
    },
  );
});

test("a secret key that is encrypted or none is refused in words", () => {
  const bytes = Buffer.from(key.secret.split("\n")[1]!, "base64");
  bytes.write("Sc", 2);
  expect(() => publicKeyOf(`x\n${bytes.toString("base64")}\n`)).toThrow("is encrypted");
  expect(() => publicKeyOf("x\nabc\n")).toThrow("not a minisign secret key");
});

/**
 * Signs a release's checksums in minisign's format, so that `outrider update` and `minisign -V` can check them:
 *
 *   RELEASE_KEY=FILE bun .ci/sign.ts SHA256SUMS COMMENT     writes SHA256SUMS.minisig
 *
 * FILE is a secret key that `minisign -G -W` made. The same key, file and comment give the same signature.
 */

import { createHash, createPrivateKey, sign as signBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { SETTINGS } from "#config/config.ts";

/** What a secret key file holds before and after its key: algorithms, salt and limits; then a checksum. */
const KEY_AT = 54;
const KEY_FILE_BYTES = 158;
const ID_BYTES = 8;
const HALF_BYTES = 32;

interface SecretKey {
  id: Buffer;
  seed: Buffer;
  publicKey: Buffer;
}

function readSecretKey(text: string): SecretKey {
  const bytes = Buffer.from(text.split(/\r?\n/)[1] ?? "", "base64");
  if (bytes.length !== KEY_FILE_BYTES || bytes.toString("latin1", 0, 2) !== "Ed") {
    throw new Error("RELEASE_KEY is not a minisign secret key");
  }
  if (bytes.readUInt16LE(2) !== 0) {
    throw new Error("RELEASE_KEY is encrypted; make one with minisign -G -W");
  }
  const [seedAt, publicAt] = [KEY_AT + ID_BYTES, KEY_AT + ID_BYTES + HALF_BYTES];
  return {
    id: bytes.subarray(KEY_AT, seedAt),
    seed: bytes.subarray(seedAt, publicAt),
    publicKey: bytes.subarray(publicAt, publicAt + HALF_BYTES),
  };
}

/** Of a secret key file, what `update_key` takes. */
export function publicKeyOf(secretKey: string): string {
  const { id, publicKey } = readSecretKey(secretKey);
  return Buffer.concat([Buffer.from("Ed"), id, publicKey]).toString("base64");
}

/** The text of a `.minisig` file. */
export function sign(content: Uint8Array, secretKey: string, comment: string): string {
  const { id, seed, publicKey } = readSecretKey(secretKey);
  const [d, x] = [seed.toString("base64url"), publicKey.toString("base64url")];
  const key = createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", d, x }, format: "jwk" });
  const own = signBytes(null, createHash("blake2b512").update(content).digest(), key);
  const whole = signBytes(null, Buffer.concat([own, Buffer.from(comment)]), key);
  return [
    "untrusted comment: signature of an Outrider release",
    Buffer.concat([Buffer.from("ED"), id, own]).toString("base64"),
    `trusted comment: ${comment}`,
    whole.toString("base64"),
    "",
  ].join("\n");
}

if (import.meta.main) {
  const [file = "", comment = ""] = process.argv.slice(2);
  const secretKey = readFileSync(process.env["RELEASE_KEY"] ?? "", "utf8");
  writeFileSync(`${file}.minisig`, sign(readFileSync(file), secretKey, comment));
  const key = publicKeyOf(secretKey);
  const isKnown = key === SETTINGS.update_key.fallback;
  const hint = isKnown ? "" : "; installations need it as their update_key";
  console.error(`== signed by ${key}${hint}`);
}

/** Releases as `./build.sh release` lays them out, signed with a key of their own. */

import { generateKeyPairSync, randomBytes } from "node:crypto";
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publicKeyOf, sign } from "../../.ci/sign.ts";

export interface ReleaseKey {
  /** As `minisign -G -W` writes it. */
  secret: string;
  /** As `update_key` takes it. */
  public: string;
}

export function releaseKey(): ReleaseKey {
  const { d, x } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  const half = (text: unknown) => Buffer.from(String(text), "base64url");
  const head = Buffer.concat([Buffer.from("Ed\0\0B2"), Buffer.alloc(48)]);
  const body = Buffer.concat([head, randomBytes(8), half(d), half(x), Buffer.alloc(32)]);
  const secret = `untrusted comment: minisign secret key\n${body.toString("base64")}\n`;
  return { secret, public: publicKeyOf(secret) };
}

/** Of the executable for this machine. */
export const RELEASE_FILE = `outrider-${process.platform}-${process.arch}`;

export interface LaidRelease {
  version: string;
  commit: string;
  key: ReleaseKey;
  /** The executable's text, or the path of one. */
  executable: { text: string } | { path: string };
}

export function layRelease(folder: string, release: LaidRelease): void {
  const { version, commit, key, executable } = release;
  mkdirSync(folder, { recursive: true });
  const path = join(folder, RELEASE_FILE);
  if ("path" in executable) {
    cpSync(executable.path, path);
  } else {
    writeFileSync(path, executable.text);
  }
  chmodSync(path, 0o644);
  const sum = new Bun.CryptoHasher("sha256").update(readFileSync(path)).digest("hex");
  const sums = Buffer.from(`${sum}  ${RELEASE_FILE}\n`);
  writeFileSync(join(folder, "SHA256SUMS"), sums);
  const comment = `version:${version} commit:${commit}`;
  writeFileSync(join(folder, "SHA256SUMS.minisig"), sign(sums, key.secret, comment));
}

/** The other implementation. What it prints; throws where it refuses. */
export function minisign(...args: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["minisign", ...args]);
  if (exitCode !== 0) {
    throw new Error(`minisign ${args.join(" ")} ended with ${exitCode}: ${stderr.toString()}`);
  }
  return stdout.toString();
}

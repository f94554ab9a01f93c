/**
 * Certificates in the data directory's `tls/`, for its owner alone: our key at the authority, for each host
 * its key and chain in one file, so that they always fit, and what was tried when, so that no restart makes
 * us ask the authority sooner.
 */

import {
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  X509Certificate,
} from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type UnixMs, unixMs } from "#domain/time.ts";
import { replaceFile } from "#platform/data-directory.ts";

export interface StoredCertificate {
  host: string;
  /** PEM, as TLS wants them. */
  key: string;
  chain: string;
  from: UnixMs;
  until: UnixMs;
}

/** What failed, and when it may be tried again. */
export interface Attempt {
  failures: number;
  retryAt: UnixMs;
  /** In words for the operator. */
  cause: string;
}

export interface Attempts {
  /** By host; what is wrong with the authority itself is under the empty name. */
  failed: Record<string, Attempt>;
  /** When orders were placed, the oldest first. */
  ordered: UnixMs[];
}

export interface CertificateFiles {
  accountKey(): KeyObject;
  all(): StoredCertificate[];
  /** Throws where `chain` is no certificate for `host` and `key`. */
  store(host: string, key: KeyObject, chain: string): void;
  remove(host: string): void;
  attempts(): Attempts;
  keepAttempts(attempts: Attempts): void;
}

const ENDING = ".pem";
const HOST = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

/** Of a data directory that is there. */
export function certificateFiles(dataDir: string): CertificateFiles {
  const directory = join(dataDir, "tls");
  const pathOf = (name: string) => join(directory, name);
  const write = (name: string, text: string) => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    replaceFile(pathOf(name), text);
  };
  return {
    accountKey: () => {
      if (!existsSync(pathOf("account.key"))) {
        write("account.key", keyText(newKey()));
      }
      return createPrivateKey(readFileSync(pathOf("account.key")));
    },
    all: () =>
      (existsSync(directory) ? readdirSync(directory) : [])
        .filter((name) => name.endsWith(ENDING))
        .flatMap((name) => readPair(name.slice(0, -ENDING.length), pathOf(name)) ?? []),
    store: (host, key, chain) => {
      const leaf = new X509Certificate(chain);
      if (!HOST.test(host) || leaf.checkHost(host) === undefined || !leaf.checkPrivateKey(key)) {
        throw new Error("the CA's certificate is not the one that was ordered");
      }
      write(host + ENDING, keyText(key) + chain);
    },
    remove: (host) => rmSync(pathOf(host + ENDING), { force: true }),
    attempts: () => {
      const path = pathOf("attempts.json");
      return existsSync(path)
        ? (JSON.parse(readFileSync(path, "utf8")) as Attempts)
        : { failed: {}, ordered: [] };
    },
    keepAttempts: (attempts) => write("attempts.json", JSON.stringify(attempts)),
  };
}

export function newKey(): KeyObject {
  return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
}

function keyText(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

/** Undefined for a file that is no certificate: it is ordered anew. */
function readPair(host: string, path: string): StoredCertificate | undefined {
  const text = readFileSync(path, "utf8");
  const start = text.indexOf("-----BEGIN CERTIFICATE-----");
  try {
    const [key, chain] = [text.slice(0, start), text.slice(start)];
    const { validFromDate, validToDate } = new X509Certificate(chain);
    createPrivateKey(key);
    return { host, key, chain, from: unixMs(+validFromDate), until: unixMs(+validToDate) };
  } catch {
    return undefined;
  }
}

export interface CertificateState {
  host: string;
  /** Null: there is none, or its time is over. */
  until: UnixMs | null;
  /** Why the last order failed; null: it did not. */
  failure: Attempt | null;
}

/** How it stands with each of `hosts`. A fault of the authority's is that of each which waits for it. */
export function certificateStates(
  files: CertificateFiles,
  hosts: readonly string[],
  now: UnixMs,
): CertificateState[] {
  const until = new Map(files.all().map((one) => [one.host, one.until]));
  const { failed } = files.attempts();
  return hosts.map((host) => {
    const end = until.get(host) ?? null;
    const isOver = end === null || end <= now;
    const failure = failed[host] ?? (isOver ? failed[""] : undefined) ?? null;
    return { host, until: isOver ? null : end, failure };
  });
}

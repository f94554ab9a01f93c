/**
 * Secrets at rest and signed tokens, all from one master key.
 *
 * - Sealing is AES-256-GCM with a random 96-bit nonce; the context (table, column, row) is bound in, so
 *   that a ciphertext moved to another row does not open. Form: `v1.<nonce>.<ciphertext>.<tag>`.
 * - A token names a row and is signed for one purpose; 128 bits of HMAC-SHA-256.
 * - A master key that took the place of others comes with them, the newest first. It alone seals and
 *   signs; what older ones have sealed or signed is still opened and believed.
 *
 * Source: NIST SP 800-38D; RFC 5869 for the derived keys.
 */

import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  sign as signBytes,
  timingSafeEqual,
  verify as verifyBytes,
} from "node:crypto";

export const MASTER_KEY_BYTES = 32;
/** A master key and the older ones behind it. */
export const MASTER_KEYS_MAX = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ID_BYTES = 16;
const HASH_BYTES = 32;

export interface Vault {
  /** `context` is where the secret lives, for example `accounts.secrets:<id>`. */
  seal(plain: string, context: string): string;
  /** Throws when the text was not sealed with one of these keys for this context. */
  open(sealed: string, context: string): string;
  /** A URL-safe token for `id`, valid for `purpose` only. */
  sign(purpose: string, id: string): string;
  /** The id that was signed for `purpose`, or null. */
  verify(purpose: string, token: string): string | null;
  /** 32 bytes by which a text is recognised that nobody can guess from them. */
  digest(text: string): Uint8Array;
  /** Whether `digest` is of `text`, made with any of these keys. */
  recognises(text: string, digest: Uint8Array): boolean;
}

/** A vault whose keys can change under those who hold it. */
export interface KeyRing extends Vault {
  /** Goes on with these keys. */
  renew(masterKey: Uint8Array): void;
}

/** Keys as lines of base64, or with spaces between them; null where the text is no such thing. */
export function parseMasterKeys(text: string): Uint8Array | null {
  const words = text.trim().split(/\s+/);
  const keys = words.map((word) => Buffer.from(word, "base64"));
  const isKey = (word: string, at: number) =>
    /^[A-Za-z0-9+/_-]+=*$/.test(word) && keys[at]?.byteLength === MASTER_KEY_BYTES;
  const isSound = words.length <= MASTER_KEYS_MAX && words.every(isKey);
  return isSound ? new Uint8Array(Buffer.concat(keys)) : null;
}

/** One key a line, as {@link parseMasterKeys} reads them. */
export function masterKeyText(masterKey: Uint8Array): string {
  return keysIn(masterKey)
    .map((key) => `${Buffer.from(key).toString("base64")}\n`)
    .join("");
}

/** The keys, the newest first. */
export function keysIn(masterKey: Uint8Array): Uint8Array[] {
  const starts = Array.from({ length: masterKey.byteLength / MASTER_KEY_BYTES }, (_, at) => at);
  return starts.map((at) => masterKey.subarray(at * MASTER_KEY_BYTES, (at + 1) * MASTER_KEY_BYTES));
}

/** `masterKey` is one key, or several behind each other, the newest first. */
export function createVault(masterKey: Uint8Array): KeyRing {
  let { newest, older } = vaultsOf(masterKey);
  return {
    seal: (plain, context) => newest.seal(plain, context),
    sign: (purpose, id) => newest.sign(purpose, id),
    digest: (text) => newest.digest(text),
    open: (sealed, context) => {
      for (const vault of older.length === 0 ? [] : [newest, ...older]) {
        try {
          return vault.open(sealed, context);
        } catch {
          // Perhaps another of them does.
        }
      }
      return newest.open(sealed, context);
    },
    verify: (purpose, token) => {
      for (const vault of [newest, ...older]) {
        const id = vault.verify(purpose, token);
        if (id !== null) {
          return id;
        }
      }
      return null;
    },
    recognises: (text, digest) =>
      [newest, ...older].some((vault) => vault.recognises(text, digest)),
    renew: (keys) => {
      ({ newest, older } = vaultsOf(keys));
    },
  };
}

function vaultsOf(masterKey: Uint8Array): { newest: Vault; older: Vault[] } {
  const length = masterKey.byteLength;
  if (length === 0 || length % MASTER_KEY_BYTES !== 0) {
    throw new Error(`the master key must have ${MASTER_KEY_BYTES} bytes`);
  }
  const [newest, ...older] = keysIn(masterKey).map(createKeyVault);
  if (newest === undefined) {
    throw new Error("no master key");
  }
  return { newest, older };
}

function createKeyVault(masterKey: Uint8Array): Vault {
  const derive = (use: string) =>
    Buffer.from(hkdfSync("sha256", masterKey, new Uint8Array(), use, MASTER_KEY_BYTES));
  const sealKey = derive("outrider seal v1");
  const tokenKey = derive("outrider token v1");
  const digestKey = derive("outrider digest v1");
  const tokens = new Bun.CryptoHasher("sha256", tokenKey);
  const digests = new Bun.CryptoHasher("sha256", digestKey);
  const mac = (purpose: string, id: Uint8Array) =>
    tokens.copy().update(`${purpose}\0`).update(id).digest();
  const digest = (text: string) => digests.copy().update(text).digest();

  return {
    seal: (plain, context) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", sealKey, nonce);
      cipher.setAAD(Buffer.from(context));
      const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      const parts = [nonce, text, cipher.getAuthTag()].map((part) => part.toString("base64url"));
      return ["v1", ...parts].join(".");
    },
    open: (sealed, context) => {
      const [version, nonce, text, tag] = sealed.split(".");
      const tagBytes = Buffer.from(tag ?? "", "base64url");
      if (version !== "v1" || nonce === undefined || tagBytes.byteLength !== TAG_BYTES) {
        throw new Error(`not a sealed secret: ${context}`);
      }
      const decipher = createDecipheriv("aes-256-gcm", sealKey, Buffer.from(nonce, "base64url"));
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(tagBytes);
      const plain = [decipher.update(Buffer.from(text ?? "", "base64url")), decipher.final()];
      return Buffer.concat(plain).toString("utf8");
    },
    digest,
    recognises: (text, other) => {
      const own = digest(text);
      return own.byteLength === other.byteLength && timingSafeEqual(own, other);
    },
    sign: (purpose, id) => {
      const bytes = Buffer.from(id.replaceAll("-", ""), "hex");
      const signature = mac(purpose, bytes).subarray(0, TAG_BYTES);
      return Buffer.concat([bytes, signature]).toString("base64url");
    },
    verify: (purpose, token) => {
      const bytes = Buffer.from(token, "base64url");
      if (bytes.byteLength !== ID_BYTES + TAG_BYTES || bytes.toString("base64url") !== token) {
        return null;
      }
      const id = bytes.subarray(0, ID_BYTES);
      const expected = mac(purpose, id).subarray(0, TAG_BYTES);
      if (!timingSafeEqual(expected, bytes.subarray(ID_BYTES))) {
        return null;
      }
      const hex = id.toString("hex");
      return [8, 12, 16, 20, 32]
        .map((end, index, ends) => hex.slice(index === 0 ? 0 : ends[index - 1], end))
        .join("-");
    },
  };
}

/** An Ed25519 key pair: the public key as base64url of its 32 bytes, the private key as PEM. */
export function newSigningKeys(): { publicKey: string; privateKey: string } {
  const pair = generateKeyPairSync("ed25519");
  return {
    publicKey: pair.publicKey.export({ format: "jwk" }).x ?? "",
    privateKey: pair.privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
  };
}

/** The Ed25519 signature of a text, base64url. Throws when `privateKey` is no PEM of such a key. */
export function signText(privateKey: string, text: string): string {
  return signBytes(null, Buffer.from(text), createPrivateKey(privateKey)).toString("base64url");
}

/** The RS256 signature of a text (RFC 7518 §3.3). Throws when `privateKey` is no PEM of an RSA key. */
export function signRs256(text: string, privateKey: string): Buffer {
  return signBytes("sha256", Buffer.from(text), createPrivateKey(privateKey));
}

/** Bits of an RSA key in PEM; null where it is none. */
export function rsaKeyBits(privateKey: string): number | null {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(privateKey);
    return asymmetricKeyType === "rsa" ? (asymmetricKeyDetails?.modulusLength ?? null) : null;
  } catch {
    return null;
  }
}

/** False also for a key or a signature that is none. `publicKey` as {@link newSigningKeys} makes it. */
export function verifySignature(publicKey: string, text: string, signature: string): boolean {
  try {
    const jwk = { kty: "OKP", crv: "Ed25519", x: publicKey };
    const key = createPublicKey({ key: jwk, format: "jwk" });
    return verifyBytes(null, Buffer.from(text), key, Buffer.from(signature, "base64url"));
  } catch {
    return false;
  }
}

export function sha256(text: string | Uint8Array): Uint8Array {
  const hash = new Uint8Array(HASH_BYTES);
  Bun.SHA256.hash(text, hash);
  return hash;
}

/** SHA-256 of what comes in pieces. */
export function sha256Stream(): { update(piece: Uint8Array): void; digest(): Uint8Array } {
  const hasher = new Bun.CryptoHasher("sha256");
  return {
    update: (piece) => {
      hasher.update(piece);
    },
    digest: () => new Uint8Array(hasher.digest()),
  };
}

/** The CRC-32 of zlib, as an unsigned integer. */
export function crc32(text: string): number {
  return Bun.hash.crc32(text) >>> 0;
}

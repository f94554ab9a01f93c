/**
 * A stream that only a passphrase opens. The key is scrypt's; the stream is cut into pieces of 64 KiB,
 * each sealed by AES-256-GCM with its number and whether it is the last in its nonce, so that pieces can
 * neither be changed, moved, left out, nor the end be cut off.
 *
 * Form: `outrider-sealed-1\n`, the exponent of scrypt's N (one byte), salt (16), start of the nonces (7),
 * then the pieces, each with its tag (16) behind it. The head is bound into every piece.
 *
 * Source: the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár 2015); RFC 7914 for scrypt, its
 * cost OWASP's for passwords (N = 2^17, r = 8, p = 1).
 */

import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";

const MAGIC = Buffer.from("outrider-sealed-1\n");
const COST_LOG2 = 17;
/** A head may ask for this much at most: 1 GiB of memory. */
const COST_LOG2_MAX = 20;
const SALT_BYTES = 16;
const PREFIX_BYTES = 7;
const TAG_BYTES = 16;
const PIECE_BYTES = 65_536;
const HEAD_BYTES = MAGIC.byteLength + 1 + SALT_BYTES + PREFIX_BYTES;

/** Bytes by which it is seen whether a file is sealed. */
export const SEALED_MAGIC_BYTES = MAGIC.byteLength;

/** The passphrase is wrong, or the stream was changed. */
export class CannotOpen extends Error {}

export function isSealed(start: Uint8Array): boolean {
  return MAGIC.equals(start.subarray(0, MAGIC.byteLength));
}

export async function* sealStream(
  source: AsyncIterable<Uint8Array>,
  passphrase: string,
): AsyncGenerator<Uint8Array> {
  const head = Buffer.concat([
    MAGIC,
    Buffer.from([COST_LOG2]),
    randomBytes(SALT_BYTES),
    randomBytes(PREFIX_BYTES),
  ]);
  const { key, nonce } = readHead(head, passphrase);
  yield head;
  let index = 0;
  for await (const { piece, isLast } of pieces(source, PIECE_BYTES)) {
    const cipher = createCipheriv("aes-256-gcm", key, nonce(index, isLast));
    cipher.setAAD(head);
    yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
    index += 1;
  }
}

/** Throws {@link CannotOpen} at the first piece that does not open. */
export async function* openStream(
  source: AsyncIterable<Uint8Array>,
  passphrase: string,
): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  let start: Uint8Array = new Uint8Array();
  while (start.byteLength < HEAD_BYTES) {
    const { done, value } = await chunks.next();
    if (done) {
      throw new CannotOpen("the file is incomplete");
    }
    start = Buffer.concat([start, value]);
  }
  const head = Buffer.from(start.subarray(0, HEAD_BYTES));
  const { key, nonce } = readHead(head, passphrase);
  const rest = async function* () {
    yield start.subarray(HEAD_BYTES);
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  let index = 0;
  for await (const { piece, isLast } of pieces(rest(), PIECE_BYTES + TAG_BYTES)) {
    yield openPiece({ piece, key, nonce: nonce(index, isLast), head });
    index += 1;
  }
}

interface SealedPiece {
  piece: Uint8Array;
  key: Uint8Array;
  nonce: Uint8Array;
  head: Uint8Array;
}

function openPiece({ piece, key, nonce, head }: SealedPiece): Uint8Array {
  if (piece.byteLength < TAG_BYTES) {
    throw new CannotOpen("the file is incomplete");
  }
  const decipher = createDecipheriv("aes-256-gcm", key, nonce);
  decipher.setAAD(head);
  decipher.setAuthTag(piece.subarray(piece.byteLength - TAG_BYTES));
  try {
    const text = decipher.update(piece.subarray(0, piece.byteLength - TAG_BYTES));
    return Buffer.concat([text, decipher.final()]);
  } catch {
    throw new CannotOpen("the passphrase is wrong, or the file is damaged");
  }
}

function readHead(head: Uint8Array, passphrase: string) {
  const cost = head[MAGIC.byteLength] ?? 0;
  if (!isSealed(head) || cost < 1 || cost > COST_LOG2_MAX) {
    throw new CannotOpen("the file isn't an encrypted Outrider backup");
  }
  const salt = head.subarray(MAGIC.byteLength + 1, MAGIC.byteLength + 1 + SALT_BYTES);
  const prefix = head.subarray(HEAD_BYTES - PREFIX_BYTES);
  const key = keyOf(passphrase, salt, cost);
  const nonce = (index: number, isLast: boolean) => {
    const bytes = Buffer.alloc(PREFIX_BYTES + 5);
    bytes.set(prefix);
    bytes.writeUInt32BE(index, PREFIX_BYTES);
    bytes[PREFIX_BYTES + 4] = isLast ? 1 : 0;
    return bytes;
  };
  return { key, nonce };
}

/** 32 bytes; takes about half a second, on purpose. */
export function keyOf(passphrase: string, salt: Uint8Array, costLog2 = COST_LOG2): Uint8Array {
  const cost = 2 ** costLog2;
  return scryptSync(passphrase, salt, 32, { N: cost, r: 8, p: 1, maxmem: cost * 1024 + 2 ** 20 });
}

/** `source` in pieces of `bytes`, the last one shorter, and empty where there is nothing. */
async function* pieces(
  source: AsyncIterable<Uint8Array>,
  bytes: number,
): AsyncGenerator<{ piece: Uint8Array; isLast: boolean }> {
  let waiting: Uint8Array = new Uint8Array();
  for await (const chunk of source) {
    waiting = waiting.byteLength === 0 ? chunk : Buffer.concat([waiting, chunk]);
    while (waiting.byteLength > bytes) {
      yield { piece: waiting.subarray(0, bytes), isLast: false };
      waiting = waiting.subarray(bytes);
    }
  }
  yield { piece: waiting, isLast: true };
}

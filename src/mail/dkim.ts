/**
 * Signing email with a key of ours (DKIM), for mailboxes whose server does not. The same message and key
 * give the same bytes.
 *
 * Source: RFC 6376 §3; RFC 8058 §4 wants both List-Unsubscribe headers signed, which the library leaves
 * out by itself.
 */

import { generateKeyPair } from "node:crypto";
import { Readable } from "node:stream";
import DKIM from "nodemailer/lib/dkim";
import { piecesOf } from "./pieces.ts";

/** Bits of a new key; a longer one does not fit into one string of many DNS hosts. */
const KEY_BITS = 2_048;

/** Those of these headers that a message has are signed. */
const SIGNED_HEADERS = [
  ...["From", "Sender", "Reply-To", "To", "Cc", "Subject", "Date", "Message-ID"],
  ...["MIME-Version", "Content-Type", "Content-Transfer-Encoding"],
  ...["In-Reply-To", "References", "List-Unsubscribe", "List-Unsubscribe-Post", "Feedback-ID"],
].join(":");

export interface KeyPair {
  /** SubjectPublicKeyInfo in base64, as a DNS record has it. */
  publicKey: string;
  /** PKCS #8 in PEM. Sealed wherever it is kept. */
  privateKey: string;
}

export interface SigningKey {
  domain: string;
  selector: string;
  /** PKCS #8 in PEM. */
  privateKey: string;
}

/** Takes the time of a second or so, outside of the event loop. */
export function generateSigningKey(): Promise<KeyPair> {
  const { promise, resolve, reject } = Promise.withResolvers<KeyPair>();
  generateKeyPair("rsa", { modulusLength: KEY_BITS }, (error, publicKey, privateKey) => {
    if (error !== null) {
      reject(error);
      return;
    }
    resolve({
      publicKey: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
      privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    });
  });
  return promise;
}

/** `raw` with a signature above it. Throws where the key is none. */
export async function signMessage(raw: Uint8Array, key: SigningKey): Promise<Uint8Array> {
  const { domain: domainName, selector: keySelector, privateKey } = key;
  const signer = new DKIM({
    ...{ domainName, keySelector, privateKey },
    headerFieldNames: SIGNED_HEADERS,
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of signer.sign(Readable.from(piecesOf(raw), { objectMode: false }))) {
    chunks.push(chunk as Uint8Array);
  }
  const signed = Buffer.concat(chunks);
  if (signed.length === raw.length) {
    throw new Error("the message could not be signed");
  }
  return signed;
}

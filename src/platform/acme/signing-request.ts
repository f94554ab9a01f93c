/**
 * What asks for a certificate (PKCS #10): a public key and the host it is for, signed with its key. The
 * subject stays empty, since browsers read the alternative name alone.
 *
 * Source: RFC 2986 §4, RFC 5280 §4.2.1.6, RFC 8555 §7.4.
 */

import { createPublicKey, type KeyObject, sign } from "node:crypto";
import { ECDSA_SHA256, oid, SUBJECT_ALT_NAME, text, tlv } from "./der.ts";

const VERSION_1 = tlv(0x02, Buffer.from([0]));
const EXTENSION_REQUEST = oid(1, 2, 840, 113549, 1, 9, 14);
const NO_SUBJECT = tlv(0x30);

/** DER. `key` is an ECDSA P-256 key. */
export function signingRequest(host: string, key: KeyObject): Buffer {
  const name = tlv(0x30, SUBJECT_ALT_NAME, tlv(0x04, tlv(0x30, text(0x82, host))));
  const attribute = tlv(0x30, EXTENSION_REQUEST, tlv(0x31, tlv(0x30, name)));
  const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
  const body = tlv(0x30, VERSION_1, NO_SUBJECT, publicKey, tlv(0xa0, attribute));
  return tlv(0x30, body, ECDSA_SHA256, tlv(0x03, Buffer.from([0]), sign("sha256", body, key)));
}

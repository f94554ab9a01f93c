/**
 * A self-signed certificate made on the spot, so that no key lies in the repository and no program
 * has to be installed. It is its own authority, and names what it is told to.
 */

import { generateKeyPairSync, sign } from "node:crypto";
import { isIP } from "node:net";
import { ECDSA_SHA256, oid, pem, SUBJECT_ALT_NAME, text, tlv } from "#platform/acme/der.ts";

export interface Certificate {
  /** PEM. */
  cert: string;
  key: string;
}

const COMMON_NAME = oid(2, 5, 4, 3);
const BASIC_CONSTRAINTS = oid(2, 5, 29, 19);

/** Valid for `names`, host names or IPv4 addresses, until 2049. */
export function selfSigned(...names: readonly string[]): Certificate {
  return certificate(names, "200101000000Z", "491231235959Z");
}

/** One whose time is over. */
export function expired(...names: readonly string[]): Certificate {
  return certificate(names, "200101000000Z", "200102000000Z");
}

/** `from` and `until` are UTCTime (X.680). */
function certificate(names: readonly string[], from: string, until: string): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = tlv(0x30, tlv(0x31, tlv(0x30, COMMON_NAME, text(0x0c, names[0] ?? "test"))));
  const alternatives = names.map((entry) =>
    isIP(entry) === 4 ? tlv(0x87, Buffer.from(entry.split(".").map(Number))) : text(0x82, entry),
  );
  const extensions = tlv(
    0x30,
    tlv(0x30, SUBJECT_ALT_NAME, tlv(0x04, tlv(0x30, ...alternatives))),
    tlv(0x30, BASIC_CONSTRAINTS, tlv(0x04, tlv(0x30, tlv(0x01, Buffer.from([0xff]))))),
  );
  const body = tlv(
    0x30,
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([1])),
    ECDSA_SHA256,
    name,
    tlv(0x30, text(0x17, from), text(0x17, until)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    tlv(0xa3, extensions),
  );
  const signature = sign("sha256", body, privateKey);
  const whole = tlv(0x30, body, ECDSA_SHA256, tlv(0x03, Buffer.from([0]), signature));
  return {
    cert: pem("CERTIFICATE", whole),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

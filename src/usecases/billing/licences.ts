/** Issuing licences: for who sells the service, with a private key that no installation holds. */

import { type Licence, licenceJson, signedText } from "#domain/billing/licence.ts";
import { toIso } from "#domain/time.ts";
import { signText } from "#platform/secrets/crypto.ts";

/** The key to hand out. Throws when `privateKey` is no Ed25519 private key in PEM. */
export function issueLicence(licence: Licence, privateKey: string): string {
  const payload = Buffer.from(licenceJson(licence, toIso)).toString("base64url");
  const signed = signedText(payload);
  return `${signed}.${signText(privateKey, signed)}`;
}

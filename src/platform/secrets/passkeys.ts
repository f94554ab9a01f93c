/**
 * Passkeys: options for the browser, and what its answers are worth.
 *
 * Whoever has one comes in without name and password, so the device asks for its owner (user verification),
 * and it keeps its owner (a discoverable credential). Devices do not have to say what they are.
 *
 * Source: W3C Web Authentication Level 3, §7, by `@simplewebauthn/server`.
 */

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";

/** What is kept of a passkey; nothing of it is secret. */
export interface PasskeyFacts {
  /** base64url. */
  credentialId: string;
  publicKey: Uint8Array;
  /** Grows with each use, on devices that count. */
  counter: number;
}

/** A challenge, and the options that ask for an answer to it. */
export interface PasskeyQuestion {
  challenge: string;
  options: object;
}

/**
 * Loaded by the first who asks: few have passkeys, and every start would pay. What reads certificates for
 * the package asks for `reflect-metadata`, does not bring it, and wants it to be there before.
 */
async function library() {
  await import("reflect-metadata");
  return await import("@simplewebauthn/server");
}

/** Asks for a new passkey for `user`, on a device that has none of `known`. */
export async function askForPasskey(
  origin: URL,
  user: { id: string; email: string; name: string },
  known: readonly string[],
): Promise<PasskeyQuestion> {
  const options = await (await library()).generateRegistrationOptions({
    rpName: "Outrider",
    rpID: origin.hostname,
    userID: new TextEncoder().encode(user.id),
    userName: user.email,
    userDisplayName: user.name,
    excludeCredentials: known.map((id) => ({ id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  return { challenge: options.challenge, options };
}

/** The passkey that was made for `challenge`; null for anything else. `answer` is the browser's JSON. */
export async function readNewPasskey(
  origin: URL,
  challenge: string,
  answer: string,
): Promise<PasskeyFacts | null> {
  try {
    const made = await (await library()).verifyRegistrationResponse({
      response: JSON.parse(answer) as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin.origin,
      expectedRPID: origin.hostname,
      requireUserVerification: true,
    });
    if (!made.verified) {
      return null;
    }
    const { id, publicKey, counter } = made.registrationInfo.credential;
    return { credentialId: id, publicKey, counter };
  } catch {
    return null;
  }
}

/** Asks for any passkey of this installation. */
export async function askForOwner(origin: URL): Promise<PasskeyQuestion> {
  const options = await (await library()).generateAuthenticationOptions({
    rpID: origin.hostname,
    userVerification: "required",
  });
  return { challenge: options.challenge, options };
}

/** Which passkey an answer says that it is of; null where it says nothing. */
export function credentialIn(answer: string): string | null {
  try {
    const said = (JSON.parse(answer) as { id?: unknown } | null)?.id;
    return typeof said === "string" ? said : null;
  } catch {
    return null;
  }
}

/** The passkey's new counter where it signed `challenge`; null for anything else, a copy too. */
export async function readOwner(
  origin: URL,
  challenge: string,
  answer: string,
  passkey: PasskeyFacts,
): Promise<number | null> {
  const { credentialId, publicKey, counter } = passkey;
  try {
    const { verified, authenticationInfo } = await (await library()).verifyAuthenticationResponse({
      response: JSON.parse(answer) as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin.origin,
      expectedRPID: origin.hostname,
      requireUserVerification: true,
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}

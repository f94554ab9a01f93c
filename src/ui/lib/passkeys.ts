/** Passkeys in this browser: made and shown by the device's own dialog. */

import { consoleRequest } from "./session.ts";

/** Browsers give them to hosts that have a name, over TLS or on this machine. */
export const hasPasskeys =
  "PublicKeyCredential" in globalThis && isSecureContext && !/^[\d.]+$|:/.test(location.hostname);

/** Makes one, as the browser's JSON. Throws what the person may read. */
export async function newPasskey(): Promise<string> {
  const options = await consoleRequest<PublicKeyCredentialCreationOptionsJSON>(
    "POST",
    "passkeys/options",
  );
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return textOf(await navigator.credentials.create({ publicKey }).catch(told));
}

/** Has one shown, as the browser's JSON. Throws what the person may read. */
export async function shownPasskey(): Promise<string> {
  const options = await consoleRequest<PublicKeyCredentialRequestOptionsJSON>(
    "POST",
    "passkeys/door",
  );
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return textOf(await navigator.credentials.get({ publicKey }).catch(told));
}

function textOf(credential: Credential | null): string {
  return JSON.stringify(credential);
}

/** Browsers tell a page little of why, so that it cannot find out who has what. */
function told(error: unknown): never {
  const isKnown = error instanceof DOMException && error.name === "InvalidStateError";
  throw new Error(
    isKnown
      ? "This device already has a passkey for your account."
      : "The passkey request was canceled or timed out. Try again.",
  );
}

/**
 * Calls wait while nobody is signed in: where the session has ended in the middle of something, somebody
 * signs in over the page, and the call goes out once more with what was typed.
 */

import { signal } from "@preact/signals";

/** True from a refusal for want of a session until somebody has signed in again. */
export const hasEnded = signal(false);

let again: PromiseWithResolvers<void> | undefined;

/** Calls wait from now on. */
export function holdCalls(): void {
  hasEnded.value = true;
  again ??= Promise.withResolvers<void>();
}

/** `fetch` for the API. */
export const sessionFetch = (async (input, init) => {
  await again?.promise;
  const response = await fetch(input, init);
  if (response.status !== 401) {
    return response;
  }
  holdCalls();
  return await sessionFetch(input, init);
}) as typeof fetch;

/** Lets the calls go on that wait. */
export function goOn(): void {
  hasEnded.value = false;
  again?.resolve();
  again = undefined;
}

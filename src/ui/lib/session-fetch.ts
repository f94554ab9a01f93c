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

type Fetch = (url: Parameters<typeof fetch>[0], init?: RequestInit) => Promise<Response>;

/** Calls by `send` that wait for somebody to be signed in. */
export function withSession(send: Fetch): typeof fetch {
  const call: Fetch = async (url, init) => {
    await again?.promise;
    const response = await send(url, init);
    if (response.status !== 401) {
      return response;
    }
    holdCalls();
    return await call(url, init);
  };
  return call as typeof fetch;
}

/** `fetch` for the API. */
export const sessionFetch = withSession((url, init) => fetch(url, init));

/** Lets the calls go on that wait. */
export function goOn(): void {
  hasEnded.value = false;
  again?.resolve();
  again = undefined;
}

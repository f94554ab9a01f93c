/**
 * The state of the API that a client was written for, by the day on which it began. A change that would break clients
 * begins a new one, and requests that name an earlier day are served as before for as long as `docs/versions.md` says.
 */

import { Problem } from "#domain/problem.ts";

export const API_VERSION_HEADER = "Outrider-Version";
/** The newest last. */
export const API_VERSIONS = ["2026-11-29"] as const;

/** Throws `invalid_request` for a day that began nothing here: what the client expects can't be known. */
export function checkApiVersion(request: Request): void {
  const named = request.headers.get(API_VERSION_HEADER);
  if (named !== null && !API_VERSIONS.some((one) => one === named)) {
    const known = API_VERSIONS.join(", ");
    const message = `must be a version of the API that this server has (${known}), or left out`;
    throw new Problem("invalid_request", message, API_VERSION_HEADER);
  }
}

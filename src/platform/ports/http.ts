/**
 * Outgoing HTTP to addresses that users name: one verb, and every way it can end. The real one is
 * `platform/http/http.ts`.
 */

/** Longest wait for an answer, its body included. */
export const POST_MS_MAX = 15_000;
/** Characters of a URL. */
export const URL_LENGTH_MAX = 2_048;

export interface PostRequest {
  /** Whose webhook it is. */
  teamId: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/**
 * Why there is no answer, coarse enough that nobody maps a network by it. `dns`: the name has no address.
 * `address_not_allowed`: it has one that is private or reserved. `protocol`: what came back is not HTTP.
 */
export type HttpFailure =
  | "dns"
  | "address_not_allowed"
  | "refused"
  | "tls"
  | "timeout"
  | "closed"
  | "protocol"
  | "too_large";

export type HttpOutcome =
  | {
      kind: "answered";
      status: number;
      /** The header as it came. */
      retryAfter: string | null;
      /** Start of the body as printable text; of an encoded body nothing. */
      excerpt: string;
    }
  | { kind: "failed"; reason: HttpFailure };

export interface Http {
  /** What is wrong with a URL before anybody is asked for its address; null where nothing is. */
  check(url: string): string | null;
  /**
   * Resolves within {@link POST_MS_MAX}; never follows a redirect, never retries. The
   * address is looked up and checked anew at each call, and the connection goes to the address that was
   * checked.
   */
  post(request: PostRequest): Promise<HttpOutcome>;
}

/** How handing a message to a mail server can end. */

/** The command whose answer was the last word. `data` is DATA and all that follows it. */
export const SEND_STAGES = ["connect", "auth", "mail", "rcpt", "data"] as const;
export type SendStage = (typeof SEND_STAGES)[number];

/** Failure is an outcome, not an exception: a caller has to look at `kind` to get any further. */
export type SendOutcome =
  | { kind: "accepted"; response: string }
  /** A 4xx verdict: the same message may be offered again later. */
  | Verdict<"deferred">
  /** A 5xx verdict, or a refused login (535, invalid_grant): it may not. */
  | Verdict<"refused">
  /**
   * The server never gave a verdict: no address, no connection, no TLS, time-out, cut. `bodySent`
   * is false when the body was certainly not handed over, so that trying again is safe.
   */
  | { kind: "unreachable"; stage: SendStage; reason: string; bodySent: boolean };

export interface Verdict<Kind extends string> {
  kind: Kind;
  stage: SendStage;
  /** Basic reply code, for example 550; for a refused OAuth token 535. */
  code: number;
  /** Enhanced status code (RFC 3463), for example `5.1.1`, where the server gave one. */
  enhanced: string | null;
  /** The server's words, at most 500 characters, without control characters. */
  response: string;
}

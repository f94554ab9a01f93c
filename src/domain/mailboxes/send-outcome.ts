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

/** `<id@host>` in an acceptance, as Exchange names what it has taken. */
const WHOLE_ID = /<[^<>@\s]{1,250}@[^<>@\s]{1,250}>/g;
/** "Ok 0102018f…-000000": Amazon says the left part and adds a domain of its own. */
const AMAZON_ID = /\bok ([0-9a-f]{12,24}-[0-9a-f-]{20,60})\s*$/i;

/**
 * The Message-ID that the sending server gave a message in place of `own`, as far as its acceptance says:
 * whole, or its left part alone. Null where it says none.
 *
 * Source: what Exchange Online and Amazon SES answer; RFC 5321 leaves the text open.
 */
export function providerIdIn(response: string, own: string): string | null {
  const given = response.slice(0, 1000);
  const whole = (given.match(WHOLE_ID) ?? []).find((id) => id !== own);
  return whole ?? AMAZON_ID.exec(given)?.[1] ?? null;
}

/** What SpamAssassin makes of a message, where one is configured. */

export interface SpamRule {
  name: string;
  points: number;
  /** Empty where the daemon says nothing. */
  about: string;
}

export type SpamOutcome =
  | { kind: "judged"; score: number; required: number; isSpam: boolean; rules: SpamRule[] }
  | { kind: "unavailable"; reason: string };

export interface Spamd {
  /** Checks a whole message with its headers. Never rejects. */
  score(raw: Uint8Array): Promise<SpamOutcome>;
}

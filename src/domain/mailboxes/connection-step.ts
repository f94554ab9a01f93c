/** The steps of trying a mailbox, and what one of them found. */

export const CONNECTION_STEPS = [
  "smtp_dns",
  "smtp_connect",
  "smtp_tls",
  "smtp_login",
  "send",
  "imap_dns",
  "imap_connect",
  "imap_tls",
  "imap_login",
  "read",
  "sent_folder",
] as const;
/** In the order in which they are shown. `send` and `read` are of one email, from the mailbox to itself. */
export type ConnectionStepName = (typeof CONNECTION_STEPS)[number];

export interface ConnectionStep {
  step: ConnectionStepName;
  /** Null: not tried, or not known yet. */
  ok: boolean | null;
  /** What happened, in plain words; a server's own words are quoted in it. */
  message: string;
  /** What to do about it; null where nothing needs doing. */
  remedy: string | null;
  /** How long it took, in whole milliseconds. */
  ms: number;
}

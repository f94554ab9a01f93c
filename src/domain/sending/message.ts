/** Messages: one for each step that was claimed for an enrollment, and manual replies. */

export const MESSAGE_KINDS = ["step", "manual", "placement"] as const;
/**
 * `manual`: a person's own words, sent at once, held by neither caps nor window. `placement`: a test email
 * to a mailbox of our own.
 */
export type MessageKind = (typeof MESSAGE_KINDS)[number];

export const MESSAGE_STATUSES = [
  "queued",
  "sending",
  "deferred",
  "sent",
  "failed",
  "unknown",
  "cancelled",
] as const;
/**
 * `queued`: a manual reply that is not claimed yet. `sending`: claimed, the outcome not yet recorded. `deferred`: will be tried again. `unknown`: the
 * body may have been handed over; only a person can have it sent again.
 * `cancelled`: the sequence ended before another try.
 */
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/**
 * Mailboxes claimed in one round of the send worker. The projection takes as many, so that both serve
 * them in the same order.
 */
export const CLAIMS_A_ROUND = 64;

/** Messages: one for each step that was taken up for an enrollment. */

export const MESSAGE_STATUSES = [
  "sending",
  "deferred",
  "sent",
  "failed",
  "unknown",
  "cancelled",
] as const;
/**
 * `sending`: claimed, the outcome not yet recorded. `deferred`: will be tried again. `unknown`: the
 * body may have been handed over; only a person can have it sent again.
 * `cancelled`: the sequence ended before another try.
 */
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/**
 * Mailboxes taken up in one round of the send lane. The projection takes as many, so that both serve
 * them in the same order.
 */
export const CLAIMS_A_ROUND = 64;

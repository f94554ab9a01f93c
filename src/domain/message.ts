/** Messages: one for each step that was taken up for an enrollment. */

export const MESSAGE_STATUSES = ["sending", "deferred", "sent", "failed", "unknown"] as const;
/**
 * `sending`: claimed, the outcome not yet recorded. `deferred`: will be tried again. `unknown`: the
 * body may have been handed over; only a person can have it sent again.
 */
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** How bad a bounce is. */

export const SEVERITIES = ["hard", "soft", "block"] as const;
/**
 * `hard`: the address will never work. `soft`: it may work later. `block`: the receiver refused the
 * sender or the content, which says nothing about the address.
 */
export type Severity = (typeof SEVERITIES)[number];

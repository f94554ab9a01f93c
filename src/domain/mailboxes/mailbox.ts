/** Words for a mailbox and its servers, shared by records and ports. */

export const SECURITIES = ["starttls", "tls", "none"] as const;
/** `tls` from the first byte, `starttls` required before the login, or `none` (loopback only). */
export type Security = (typeof SECURITIES)[number];

export const PROVIDERS = ["google", "microsoft", "smtp", "sandbox"] as const;
export type Provider = (typeof PROVIDERS)[number];

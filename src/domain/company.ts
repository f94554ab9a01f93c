/** Companies, as far as a mail domain tells. */

/** Domains whose users have nothing to do with one another. */
const SHARED_DOMAINS: ReadonlySet<string> = new Set([
  "aol.com",
  "fastmail.com",
  "gmail.com",
  "gmx.de",
  "gmx.net",
  "googlemail.com",
  "hotmail.com",
  "icloud.com",
  "live.com",
  "mac.com",
  "mail.com",
  "mail.ru",
  "me.com",
  "msn.com",
  "outlook.com",
  "pm.me",
  "proton.me",
  "protonmail.com",
  "qq.com",
  "t-online.de",
  "web.de",
  "yahoo.com",
  "yandex.ru",
  "ymail.com",
  "zoho.com",
]);

/** True when two people at `domain` may be taken for colleagues. */
export function isCompanyDomain(domain: string): boolean {
  return !SHARED_DOMAINS.has(domain);
}

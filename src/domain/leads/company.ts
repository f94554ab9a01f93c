/** Companies, as far as a mail domain tells. */

/** Domains whose users have nothing to do with one another. */
const SHARED_DOMAINS: ReadonlySet<string> = new Set([
  "126.com",
  "163.com",
  "aol.com",
  "att.net",
  "bluewin.ch",
  "btinternet.com",
  "comcast.net",
  "duck.com",
  "fastmail.com",
  "free.fr",
  "freenet.de",
  "gmail.com",
  "googlemail.com",
  "hey.com",
  "icloud.com",
  "laposte.net",
  "libero.it",
  "mac.com",
  "mail.com",
  "mail.ru",
  "me.com",
  "naver.com",
  "o2.pl",
  "orange.fr",
  "pm.me",
  "proton.me",
  "protonmail.ch",
  "protonmail.com",
  "qq.com",
  "rediffmail.com",
  "rocketmail.com",
  "sbcglobal.net",
  "seznam.cz",
  "sfr.fr",
  "t-online.de",
  "tuta.com",
  "tutanota.com",
  "verizon.net",
  "virgilio.it",
  "wanadoo.fr",
  "web.de",
  "wp.pl",
  "yandex.com",
  "yandex.ru",
  "yeah.net",
  "ymail.com",
  "ziggo.nl",
  "zoho.com",
]);

/** Providers with a domain in each country: `yahoo.co.uk`, `gmx.at`. */
const SHARED_IN_EVERY_COUNTRY = /^(?:gmx|hotmail|live|msn|outlook|yahoo)\.(?:com?\.)?[a-z]{2,3}$/;

/** True when two people at `domain` may be taken for colleagues. */
export function isCompanyDomain(domain: string): boolean {
  return !SHARED_DOMAINS.has(domain) && !SHARED_IN_EVERY_COUNTRY.test(domain);
}

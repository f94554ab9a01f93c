/**
 * Email addresses, as this product accepts them: one bare address that any mail server will take.
 *
 * - Trimmed and lower-cased as a whole. RFC 5321 lets the local part be case-sensitive; nobody's is,
 *   and one person must be one lead.
 * - The local part is a dot-atom of ASCII (RFC 5322 §3.2.3). Quoted and internationalised local parts
 *   are refused: most servers cannot be handed one.
 * - The domain is converted to its ASCII form (UTS #46, by the platform's URL), has at least two
 *   labels of letters, digits and inner hyphens, and is no IP address.
 *
 * Every check reads the text once; there is nothing to backtrack into.
 */

export interface EmailAddress {
  /** `local@domain`, ASCII, lower case, at most {@link ADDRESS_BYTES_MAX} bytes. */
  address: string;
  local: string;
  domain: string;
}

/** Source: RFC 5321 §4.5.3.1.3, less the angle brackets of a path. */
export const ADDRESS_BYTES_MAX = 254;
/** Source: RFC 5321 §4.5.3.1.1. */
export const LOCAL_BYTES_MAX = 64;
/** Source: RFC 1035 §2.3.4, in text form. */
const DOMAIN_BYTES_MAX = 253;
const LABEL_BYTES_MAX = 63;
/** Longer input is not looked at. An address may shrink when its domain is converted, but not so far. */
const INPUT_CHARS_MAX = 1000;

/** Source: RFC 5322 §3.2.3, "dot-atom-text". */
const DOT_ATOM = /^[\w!#$%&'*+\-/=?^`{|}~]+(?:\.[\w!#$%&'*+\-/=?^`{|}~]+)*$/;
/**
 * What the URL parser can read as nothing but a host: ASCII is limited to letters, digits, hyphen and dot; of
 * the rest, blanks and invisible controls are out.
 */
const PLAIN_HOST = /^(?:[A-Za-z0-9.-]|[^\p{ASCII}\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Z}])+$/u;
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/;
/** A domain that the URL parser would leave as it is; its last label is no number, or it were an IP address. */
const PLAIN_DOMAIN =
  /^(?!.*xn--)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The address in `text`, or null when it holds anything else: a display name, two addresses, a blank. */
export function parseAddress(text: string): EmailAddress | null {
  if (text.length > INPUT_CHARS_MAX) {
    return null;
  }
  const trimmed = text.trim();
  const at = trimmed.indexOf("@");
  if (at < 1 || trimmed.includes("@", at + 1)) {
    return null;
  }
  const local = trimmed.slice(0, at);
  const domain = parseDomain(trimmed.slice(at + 1));
  if (domain === null || !isDotAtom(local)) {
    return null;
  }
  const address = `${local.toLowerCase()}@${domain}`;
  if (address.length > ADDRESS_BYTES_MAX) {
    return null;
  }
  return { address, local: local.toLowerCase(), domain };
}

/** The domain of an address that {@link parseAddress} returned; empty for text without `@`. */
export function domainOf(address: string): string {
  const at = address.lastIndexOf("@");
  return at === -1 ? "" : address.slice(at + 1);
}

/** `@example.com` in its normal form, which stands for a whole domain; null for anything else. */
export function parseDomainPattern(text: string): string | null {
  if (text.length > INPUT_CHARS_MAX) {
    return null;
  }
  const trimmed = text.trim();
  const domain = trimmed.startsWith("@") ? parseDomain(trimmed.slice(1)) : null;
  return domain === null ? null : `@${domain}`;
}

/** True for `@example.com`, in any case and with blanks around it. */
export function isDomainPattern(text: string): boolean {
  return parseDomainPattern(text) !== null;
}

/** The ASCII form of a domain name, or null when it is none. */
function parseDomain(text: string): string | null {
  if (PLAIN_DOMAIN.test(text)) {
    return text.length <= DOMAIN_BYTES_MAX ? text : null;
  }
  if (!PLAIN_HOST.test(text)) {
    return null;
  }
  const url = URL.parse(`http://${text}/`);
  const domain = url?.hostname ?? "";
  return isDomainName(domain) ? domain : null;
}

function isDomainName(domain: string): boolean {
  const labels = domain.split(".");
  return (
    domain.length <= DOMAIN_BYTES_MAX &&
    labels.length >= 2 &&
    labels.every((label) => label.length <= LABEL_BYTES_MAX && LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? "")
  );
}

function isDotAtom(local: string): boolean {
  return local.length <= LOCAL_BYTES_MAX && DOT_ATOM.test(local);
}

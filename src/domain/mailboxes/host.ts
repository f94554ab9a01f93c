/**
 * Host names and addresses as a person writes them: only the text is checked here. Where a name leads is
 * looked at when a connection is made (`platform/http/guard.ts`).
 *
 * Source: RFC 1123 §2.1 (labels), RFC 3986 §3.2.2 (IPv6 in brackets), the WHATWG URL standard for what
 * a numeric host means.
 */

export const HOST_MAX = 253;

const WRITTEN = /^[\p{L}\p{M}\p{N}._-]+$/u;
const IPV6 = /^[0-9a-fA-F:.]+$/;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * `text` in the one form that is stored and compared: lower case, international names in their ASCII
 * form, numeric hosts as `127.0.0.1`, IPv6 without brackets. Null when it is no host.
 */
export function canonicalHost(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length === 0 || trimmed.length > HOST_MAX) {
    return null;
  }
  if (trimmed.includes(":")) {
    const ipv6 = trimmed.replace(/^\[(.*)\]$/, "$1");
    return IPV6.test(ipv6) ? (hostnameOf(`[${ipv6}]`)?.slice(1, -1) ?? null) : null;
  }
  const host = WRITTEN.test(trimmed) ? hostnameOf(trimmed) : null;
  if (host === null || host.length > HOST_MAX) {
    return null;
  }
  return host.split(".").every((label) => LABEL.test(label)) ? host : null;
}

function hostnameOf(host: string): string | null {
  return URL.parse(`http://${host}/`)?.hostname ?? null;
}

/**
 * `fetch` for the operator's own services: the name is looked up by our DNS, the connection goes to the
 * address, TLS is verified against the name. Without it the runtime would look names up on threads that all
 * of the program shares, and a name server that never answers would hold up whatever else needs one.
 *
 * Addresses are not checked, since only the operator's settings lead here; where users name hosts, `http.ts`
 * and `links.ts` go. Connections are not kept, as another name may stand for the same address.
 */

import { isIP, isIPv6 } from "node:net";
import type { Dns } from "#platform/ports/dns.ts";

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Rejects as `fetch` does, with a `DnsFailure` too. Redirects are not followed. */
export function createFetch(dns: Pick<Dns, "lookup">): Fetch {
  return async (url, init = {}) => {
    const target = new URL(url);
    const { host } = target;
    const name = target.hostname.replace(/^\[(.*)\]$/, "$1");
    const [ip] = isIP(name) === 0 ? await dns.lookup(name, null) : [name];
    if (ip === undefined) {
      throw new Error(`${name} has no address`);
    }
    init.signal?.throwIfAborted();
    target.hostname = isIPv6(ip) ? `[${ip}]` : ip;
    const headers = new Headers(init.headers);
    headers.set("Host", host);
    return await fetch(target, {
      redirect: "manual",
      ...init,
      headers,
      keepalive: false,
      ...(isIP(name) === 0 && { tls: { serverName: name } }),
    });
  };
}

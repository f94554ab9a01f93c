/**
 * Whose request it is: the peer of the connection, or, behind a proxy that the operator trusts, the
 * address that this proxy saw. Whatever a client writes into the header itself stands further left and
 * is not looked at.
 *
 * Source: the order of X-Forwarded-For is that of RFC 7239's Forwarded, section 4.
 */

import { addressBytes, type Cidr, liesIn } from "./guard.ts";

/** Proxies in a row. */
const HOPS_MAX = 20;

/** A whole network of a customer is one: of IPv6 the leading 64 bits. */
const V6_NETWORK_BYTES = 8;

/** `peer` is null where there is no connection, as in tests. */
export function clientAddress(
  peer: string | null,
  forwardedFor: string | null,
  trusted: readonly Cidr[],
): string {
  let address = peer ?? "unknown";
  const hops = (forwardedFor ?? "").split(",").slice(-HOPS_MAX).toReversed();
  for (const hop of hops.map((text) => text.trim())) {
    if (!liesIn(address, trusted) || addressBytes(hop) === null) {
      break;
    }
    address = hop;
  }
  return address;
}

/** What addresses of one customer have in common; a text that is no address is its own network. */
export function networkOf(address: string): string {
  const bytes = addressBytes(address);
  return bytes === null
    ? address
    : Buffer.from(bytes.length === 4 ? bytes : bytes.slice(0, V6_NETWORK_BYTES)).toString("hex");
}

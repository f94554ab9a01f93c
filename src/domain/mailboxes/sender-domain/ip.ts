/** Addresses and blocks of addresses as SPF records write them. Source: RFC 4291 §2.2, RFC 7208 §5.6. */

/** The bytes of an IPv4 (4) or IPv6 (16) address; null for anything else. */
export function addressBytes(text: string): readonly number[] | null {
  return text.includes(":") ? ipv6Bytes(text) : ipv4Bytes(text);
}

/** True for an address alone or with a prefix length, of the version that is wanted. */
export function isNetwork(text: string, version: 4 | 6): boolean {
  return networkOf(text)?.bytes.length === (version === 4 ? 4 : 16);
}

/** True when `ip` lies in `network` (`192.0.2.0/24`, `2001:db8::/32`, or an address alone). */
export function isWithin(ip: string, network: string): boolean {
  const bytes = addressBytes(ip);
  const block = networkOf(network);
  if (bytes === null || block === null || bytes.length !== block.bytes.length) {
    return false;
  }
  return bytes.every((byte, index) => {
    const bits = Math.max(0, Math.min(8, block.bits - 8 * index));
    const mask = 0xff & (0xff00 >> bits);
    return ((byte ^ (block.bytes[index] ?? 0)) & mask) === 0;
  });
}

function networkOf(text: string): { bytes: readonly number[]; bits: number } | null {
  const [address = "", length, ...rest] = text.split("/");
  const bytes = addressBytes(address);
  if (bytes === null || rest.length > 0) {
    return null;
  }
  const bitsMax = bytes.length * 8;
  if (length === undefined) {
    return { bytes, bits: bitsMax };
  }
  const bits = /^(0|[1-9]\d{0,2})$/.test(length) ? Number(length) : bitsMax + 1;
  return bits <= bitsMax ? { bytes, bits } : null;
}

function ipv4Bytes(text: string): readonly number[] | null {
  const parts = text.split(".");
  const isGood = parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
  return parts.length === 4 && isGood ? parts.map(Number) : null;
}

function ipv6Bytes(text: string): readonly number[] | null {
  const dotted = /^(.*:)(\d{1,3}(?:\.\d{1,3}){3})$/.exec(text);
  const tail = dotted === null ? null : ipv4Bytes(dotted[2] ?? "");
  if (dotted !== null && tail === null) {
    return null;
  }
  const plain = dotted === null ? text : `${dotted[1]}${hexOf(tail, 0)}:${hexOf(tail, 2)}`;
  const halves = plain.split("::");
  if (halves.length > 2) {
    return null;
  }
  const [left = [], right] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const given = left.length + (right?.length ?? 0);
  if (right === undefined ? given !== 8 : given > 7) {
    return null;
  }
  const zeros = new Array<string>(8 - given).fill("0");
  const groups = [...left, ...zeros, ...(right ?? [])];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) {
    return null;
  }
  return groups.flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

function hexOf(bytes: readonly number[] | null, from: number): string {
  return ((bytes?.[from] ?? 0) * 256 + (bytes?.[from + 1] ?? 0)).toString(16);
}

/** Guarantees of `runtime/guard.ts`: no host that a user names leads into a private network. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Problem } from "#domain/problem.ts";
import {
  allowsAddress,
  CIDRS_MAX,
  isLoopback,
  parseCidrs,
  resolveAllowed,
} from "#runtime/guard.ts";
import { DnsFailure } from "#runtime/ports/dns.ts";
import { tableDns } from "../support/dns.ts";

const REFUSED = [
  ["this network", "0.0.0.0", "0.255.255.255"],
  ["private 10/8", "10.0.0.0", "10.255.255.255"],
  ["carrier NAT", "100.64.0.0", "100.127.255.255"],
  ["loopback", "127.0.0.1", "127.255.255.255"],
  ["link local and cloud metadata", "169.254.0.1", "169.254.169.254"],
  ["private 172.16/12", "172.16.0.0", "172.31.255.255"],
  ["protocol assignments", "192.0.0.0", "192.0.0.255"],
  ["documentation 1", "192.0.2.0", "192.0.2.255"],
  ["6to4 relays", "192.88.99.0", "192.88.99.255"],
  ["private 192.168/16", "192.168.0.0", "192.168.255.255"],
  ["benchmarks", "198.18.0.0", "198.19.255.255"],
  ["documentation 2", "198.51.100.0", "198.51.100.255"],
  ["documentation 3", "203.0.113.0", "203.0.113.255"],
  ["multicast", "224.0.0.1", "239.255.255.255"],
  ["class E and broadcast", "240.0.0.0", "255.255.255.255"],
  ["unspecified and loopback v6", "::", "::1"],
  ["v4-compatible", "::127.0.0.1", "::a00:1"],
  ["v4-mapped", "::ffff:127.0.0.1", "::ffff:7f00:1"],
  ["v4-mapped, written out", "0:0:0:0:0:ffff:10.0.0.1", "0000:0000:0000:0000:0000:FFFF:A9FE:A9FE"],
  ["v4-translated", "::ffff:0:127.0.0.1", "::ffff:0:7f00:1"],
  ["NAT64", "64:ff9b::7f00:1", "64:ff9b:1::1"],
  ["discard", "100::", "100::ffff"],
  ["Teredo and protocol assignments", "2001::1", "2001:1ff:ffff::"],
  ["documentation v6", "2001:db8::1", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["6to4", "2002:7f00:1::", "2002::1"],
  ["documentation v6, 2024", "3fff::1", "3fff:fff::1"],
  ["segment routing", "5f00::1", "5fff::1"],
  ["unique local", "fc00::1", "fdff:ffff::1"],
  ["link local v6", "fe80::1", "febf::1"],
  ["site local", "fec0::1", "feff::1"],
  ["multicast v6", "ff02::1", "ff0e::1"],
  ["an interface", "fe80::1%eth0", "2606:4700::1%eth0"],
  ["no address", "", "localhost"],
  ["odd spellings", "127.1", "0x7f.0.0.1"],
] as const;

const ALLOWED = [
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.0.1.0",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "2a00:1450:4001:800::200e",
  "2001:200::1",
  "2001:4860:4860::8888",
  "::ffff:8.8.8.8",
] as const;

describe("allowsAddress", () => {
  test.each(REFUSED)("refuses %s", (_name, first, second) => {
    expect([first, second].filter((ip) => allowsAddress(ip, []))).toEqual([]);
  });

  test.each(ALLOWED)("allows %s", (ip) => {
    expect(allowsAddress(ip, [])).toBe(true);
  });

  test("an opened block is allowed, in every spelling, and nothing beside it", () => {
    const allowed = parseCidrs("10.2.0.0/15, fd00:1::/32 127.0.0.1");
    const inside = ["10.2.0.0", "10.3.255.255", "::ffff:10.2.0.1", "fd00:1::9", "127.0.0.1"];
    const outside = ["10.1.255.255", "10.4.0.0", "fd00:2::", "127.0.0.2", "::10.2.0.1"];
    expect(inside.filter((ip) => !allowsAddress(ip, allowed))).toEqual([]);
    expect(outside.filter((ip) => allowsAddress(ip, allowed))).toEqual([]);
  });

  test("an IPv4 address is judged the same however IPv6 wraps it", () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        const [a = 0, b = 0, c = 0, d = 0] = ip.split(".").map(Number);
        const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
        expect(allowsAddress(`::ffff:${ip}`, [])).toBe(allowsAddress(ip, []));
        expect(allowsAddress(`::ffff:${hex}`, [])).toBe(allowsAddress(ip, []));
      }),
    );
  });
});

test.each([
  ["127.0.0.1", true],
  ["127.9.9.9", true],
  ["::1", true],
  ["::ffff:127.0.0.1", true],
  ["10.0.0.1", false],
  ["localhost", false],
])("isLoopback(%s) is %p", (ip, expected) => {
  expect(isLoopback(ip)).toBe(expected);
});

describe("parseCidrs", () => {
  test.each(["10.0.0.0/33", "fd00::/129", "10.0.0/8", "10.0.0.0/8/8", "x", "10.0.0.0/", "::/x"])(
    "refuses %s, naming the setting",
    (text) => {
      expect(() => parseCidrs(text)).toThrow(Problem);
      expect(() => parseCidrs(text)).toThrow(expect.objectContaining({ field: "allow_cidrs" }));
    },
  );

  test("nothing opens nothing; 0 bits open a whole family", () => {
    expect(parseCidrs(" , ")).toEqual([]);
    expect(allowsAddress("10.0.0.1", parseCidrs("0.0.0.0/0"))).toBe(true);
    expect(allowsAddress("fe80::1", parseCidrs("0.0.0.0/0"))).toBe(false);
  });

  test("takes no more blocks than its bound", () => {
    const list = new Array(CIDRS_MAX + 1).fill("10.0.0.0/8").join(",");
    expect(() => parseCidrs(list)).toThrow(Problem);
  });
});

describe("resolveAllowed", () => {
  const dns = tableDns({
    "mail.example": ["1.1.1.1", "2606:4700::1"],
    "mixed.example": ["1.1.1.1", "127.0.0.1"],
    "inner.example": ["10.0.0.9"],
  });

  test("goes to the first address of a host whose addresses are all allowed", async () => {
    expect(await resolveAllowed(dns, "mail.example", [])).toEqual({
      kind: "address",
      ip: "1.1.1.1",
    });
  });

  test.each(["mixed.example", "inner.example", "127.0.0.1", "[::1]", "none.example"])(
    "refuses %s without naming an address",
    async (host) => {
      const found = await resolveAllowed(dns, host, []);
      expect(found.kind).toBe("refused");
      expect(JSON.stringify(found)).not.toContain("10.0.0.9");
    },
  );

  test("a literal address asks no resolver", async () => {
    const silent = { ...dns, lookup: () => Promise.reject(new Error("asked")) };
    expect(await resolveAllowed(silent, "[2606:4700::1]", [])).toEqual({
      kind: "address",
      ip: "2606:4700::1",
    });
  });

  test("a resolver that does not answer is a refusal; a bug is not", async () => {
    const failing = (error: Error) => ({ ...dns, lookup: () => Promise.reject(error) });
    const found = await resolveAllowed(failing(new DnsFailure("x")), "mail.example", []);
    expect(found.kind).toBe("refused");
    expect(resolveAllowed(failing(new TypeError("bug")), "mail.example", [])).rejects.toThrow();
  });
});

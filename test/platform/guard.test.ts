/** Guarantees of `platform/http/guard.ts`: no host that a user names leads into a private network. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Problem } from "#domain/problem.ts";
import {
  allowsAddress,
  CIDRS_MAX,
  isLoopback,
  parseCidrs,
  resolveAllowed,
} from "#platform/http/guard.ts";
import { DnsFailure } from "#platform/ports/dns.ts";
import { ALLOWED_ADDRESSES, REFUSED_ADDRESSES } from "../support/addresses.ts";
import { tableDns } from "../support/dns.ts";

describe("allowsAddress", () => {
  test.each(REFUSED_ADDRESSES)("refuses %s", (_name, first, second) => {
    expect([first, second].filter((ip) => allowsAddress(ip, []))).toEqual([]);
  });

  test.each(ALLOWED_ADDRESSES)("allows %s", (ip) => {
    expect(allowsAddress(ip, [])).toBe(true);
  });

  test("an opened block is allowed, in every spelling, and nothing beside it", () => {
    const allowed = parseCidrs("10.2.0.0/15, fd00:1::/32 127.0.0.1");
    const inside = ["10.2.0.0", "10.3.255.255", "::ffff:10.2.0.1", "fd00:1::9", "127.0.0.1"];
    const outside = ["10.1.255.255", "10.4.0.0", "fd00:2::", "127.0.0.2", "::10.2.0.1"];
    expect(inside.filter((ip) => !allowsAddress(ip, allowed))).toEqual([]);
    expect(outside.filter((ip) => allowsAddress(ip, allowed))).toEqual([]);
  });

  test("an IPv4 address is checked the same however IPv6 wraps it", () => {
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
    expect(await resolveAllowed(dns, { host: "mail.example", team: "a" }, [])).toEqual({
      kind: "address",
      ip: "1.1.1.1",
    });
  });

  test.each(["mixed.example", "inner.example", "127.0.0.1", "[::1]", "none.example"])(
    "refuses %s without naming an address",
    async (host) => {
      const found = await resolveAllowed(dns, { host, team: "a" }, []);
      expect(found.kind).toBe("refused");
      expect(JSON.stringify(found)).not.toContain("10.0.0.9");
    },
  );

  test.each(["localhost", "LOCALHOST.", "app.localhost"])(
    "%s is this machine, by the address that the operator has opened, and asks no resolver",
    async (host) => {
      const silent = { lookup: () => Promise.reject(new Error("asked")) };
      const by = async (cidrs: string) =>
        resolveAllowed(silent, { host, team: "a" }, parseCidrs(cidrs));
      expect(await by("127.0.0.0/8")).toEqual({ kind: "address", ip: "127.0.0.1" });
      expect(await by("::1")).toEqual({ kind: "address", ip: "::1" });
      expect(await by("10.0.0.0/8")).toMatchObject({ why: "address_not_allowed" });
    },
  );

  test("a literal address asks no resolver", async () => {
    const silent = { ...dns, lookup: () => Promise.reject(new Error("asked")) };
    expect(await resolveAllowed(silent, { host: "[2606:4700::1]", team: "a" }, [])).toEqual({
      kind: "address",
      ip: "2606:4700::1",
    });
  });

  test("a resolver that does not answer is a refusal; a bug is not", async () => {
    const failing = (error: Error) => ({ ...dns, lookup: () => Promise.reject(error) });
    const found = await resolveAllowed(
      failing(new DnsFailure("x")),
      { host: "mail.example", team: "a" },
      [],
    );
    expect(found.kind).toBe("refused");
    expect(
      resolveAllowed(failing(new TypeError("bug")), { host: "mail.example", team: "a" }, []),
    ).rejects.toThrow();
  });
});

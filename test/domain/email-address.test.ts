/** Guarantees of `domain/email-address.ts`: what is accepted is one clean address, and stays itself. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  ADDRESS_BYTES_MAX,
  domainOf,
  isDomainPattern,
  LOCAL_BYTES_MAX,
  parseAddress,
  parseDomainPattern,
} from "#domain/email-address.ts";

describe("parseAddress accepts", () => {
  test.each([
    ["ada@example.com", "ada@example.com"],
    ["  Ada.Lovelace@Example.COM\t", "ada.lovelace@example.com"],
    ["o'brien+tag@sub.example.co.uk", "o'brien+tag@sub.example.co.uk"],
    ["!#$%&'*+-/=?^_`{|}~@example.com", "!#$%&'*+-/=?^_`{|}~@example.com"],
    ["info@münchen.de", "info@xn--mnchen-3ya.de"],
    ["info@MÜNCHEN.DE", "info@xn--mnchen-3ya.de"],
    ["info@mu\u0308nchen.de", "info@xn--mnchen-3ya.de"],
    ["info@例え.jp", "info@xn--r8jz45g.jp"],
    ["info@例え。jp", "info@xn--r8jz45g.jp"],
    ["info@xn--mnchen-3ya.de", "info@xn--mnchen-3ya.de"],
    ["a@b.museum", "a@b.museum"],
    ["a@1and1.com", "a@1and1.com"],
    ["a@x.1a", "a@x.1a"],
    ["a@ab--cd.example", "a@ab--cd.example"],
    [`a@${"b".repeat(63)}.example`, `a@${"b".repeat(63)}.example`],
    [`${"a".repeat(LOCAL_BYTES_MAX)}@example.com`, `${"a".repeat(LOCAL_BYTES_MAX)}@example.com`],
  ])("%p", (text, address) => {
    const parsed = parseAddress(text);
    expect(parsed?.address).toBe(address);
    expect(`${parsed?.local}@${parsed?.domain}`).toBe(address);
  });
});

describe("parseAddress refuses", () => {
  test.each([
    ["nothing", ""],
    ["blanks", "   "],
    ["no at sign", "example.com"],
    ["no local part", "@example.com"],
    ["no domain", "ada@"],
    ["two at signs", "ada@example.com@example.org"],
    ["a display name", "Ada <ada@example.com>"],
    ["angle brackets", "<ada@example.com>"],
    ["two addresses", "ada@example.com,bob@example.com"],
    ["a quoted local part", '"ada lovelace"@example.com'],
    ["a space inside", "ada lovelace@example.com"],
    ["a space in the domain", "ada@exam ple.com"],
    ["a no-break space", "ada@exam\u00a0ple.com"],
    ["a line end", "ada@example.com\r\nbcc: eve@example.com"],
    ["a line end inside the local part", "a\nda@example.com"],
    ["NUL", "ada\0@example.com"],
    ["NUL in the domain", "ada@exa\0mple.com"],
    ["a tab in the domain", "ada@exa\tmple.com"],
    ["DEL", "ada\u007f@example.com"],
    ["a comment", "ada(work)@example.com"],
    ["an IP address", "ada@1.2.3.4"],
    ["a hexadecimal last label", "ada@x.0x1"],
    ["a label that is no Punycode", "ada@xn--a.example"],
    ["a label that is too long", `ada@${"b".repeat(64)}.example`],
    ["a dot first", ".ada@example.com"],
    ["a dot last", "ada.@example.com"],
    ["two dots", "a..da@example.com"],
    ["a letter beyond ASCII in the local part", "adä@example.com"],
    ["a look-alike that lower-cases to ASCII", "\u212aate@example.com"],
    ["a single label", "ada@localhost"],
    ["an empty label", "ada@example..com"],
    ["a dot at the end", "ada@example.com."],
    ["a hyphen first", "ada@-example.com"],
    ["a hyphen last", "ada@example-.com"],
    ["an underscore", "ada@exam_ple.com"],
    ["an IPv4 address", "ada@127.0.0.1"],
    ["an IPv4 address in short form", "ada@127.1"],
    ["an IPv4 address in hexadecimal", "ada@0x7f.1"],
    ["an IPv4 address in full-width digits", "ada@１２７.0.0.1"],
    ["an IP literal", "ada@[127.0.0.1]"],
    ["an IPv6 literal", "ada@[IPv6:::1]"],
    ["a numeric top level", "ada@example.123"],
    ["a port", "ada@example.com:25"],
    ["a path", "ada@example.com/x"],
    ["a query", "ada@example.com?x"],
    ["a percent escape", "ada@ex%61mple.com"],
    ["a backslash", "ada@example.com\\x"],
    ["broken punycode", "ada@xn--a-ecp.xn--"],
    ["a right-to-left override", "ada@exam\u202eple.com"],
    ["a lone surrogate", "ada@exam\ud800ple.com"],
    ["a local part over its bound", `${"a".repeat(LOCAL_BYTES_MAX + 1)}@example.com`],
    ["a label over its bound", `ada@${"a".repeat(64)}.com`],
    ["an address over its bound", `ada@${"a.".repeat(126)}com`],
    [
      "an address over its bound whose parts are within theirs",
      `${"a".repeat(64)}@${"b".repeat(62)}.${"c".repeat(62)}.${"d".repeat(60)}.com`,
    ],
    ["a megabyte", `${"a".repeat(1_000_000)}@example.com`],
  ])("%s", (_name, text) => {
    expect(parseAddress(text)).toBeNull();
  });
});

describe("parseAddress", () => {
  test("returns ASCII within bounds that it accepts again unchanged, whatever it is fed", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const parsed = parseAddress(text);
        if (parsed !== null) {
          expect(parsed.address.length).toBeLessThanOrEqual(ADDRESS_BYTES_MAX);
          expect(parsed.address).toMatch(/^[!-~]+$/);
          expect(parsed.address).toBe(parsed.address.toLowerCase());
          expect(parseAddress(parsed.address)).toEqual(parsed);
          expect(domainOf(parsed.address)).toBe(parsed.domain);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("accepts every ordinary address", () => {
    fc.assert(
      fc.property(fc.emailAddress(), (text) => {
        const [local = "", domain = ""] = text.split("@");
        fc.pre(local.length <= LOCAL_BYTES_MAX && text.length <= ADDRESS_BYTES_MAX);
        fc.pre(!domain.split(".").some((label) => label.slice(2, 4) === "--"));
        expect(parseAddress(text)?.address).toBe(text.toLowerCase());
      }),
    );
  });
});

describe("domain patterns", () => {
  test("stand for a domain in its normal form", () => {
    expect(parseDomainPattern(" @Example.COM ")).toBe("@example.com");
    expect(parseDomainPattern("@münchen.de")).toBe("@xn--mnchen-3ya.de");
    expect(isDomainPattern("@example.com")).toBe(true);
  });

  test.each(["example.com", "a@example.com", "@@example.com", "@com", "@", "", "@127.0.0.1"])(
    "are not %p",
    (text) => {
      expect(isDomainPattern(text)).toBe(false);
    },
  );
});

describe("domainOf", () => {
  test("is empty for text without an at sign", () => {
    expect(domainOf("example.com")).toBe("");
  });
});

function anyText(): fc.Arbitrary<string> {
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.constantFrom("ada", "example", ".com", "@", ".", "-", "xn--", "ü", "。", "\r\n", "ß", "ﬁ"),
  );
  const shaped = fc
    .tuple(fc.constantFrom("ada", "a.b", "x+y"), fc.array(piece, { maxLength: 5 }))
    .map(([local, domain]) => `${local}@${domain.join("")}.com`);
  return fc.oneof(
    fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
    shaped,
  );
}

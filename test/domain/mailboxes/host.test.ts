/** Guarantees of `domain/mailboxes/host.ts`: one stored form for one host, and nothing that is none. */

import { describe, expect, test } from "bun:test";
import { canonicalHost } from "#domain/mailboxes/host.ts";

describe("canonicalHost", () => {
  test.each([
    ["smtp.example.com", "smtp.example.com"],
    ["  SMTP.Example.COM ", "smtp.example.com"],
    ["localhost", "localhost"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["mail_1.example.com", "mail_1.example.com"],
    ["127.0.0.1", "127.0.0.1"],
    ["127.1", "127.0.0.1"],
    ["2130706433", "127.0.0.1"],
    ["0x7f.0.0.1", "127.0.0.1"],
    ["::1", "::1"],
    ["[2001:DB8::1]", "2001:db8::1"],
    ["::ffff:127.0.0.1", "::ffff:7f00:1"],
  ])("%p is %p", (text, host) => {
    expect(canonicalHost(text)).toBe(host);
  });

  test.each([
    "",
    " ",
    "a b",
    "smtp.example.com\r\nRCPT TO:<x@example.com>",
    "smtp.example.com\0",
    "smtp.example.com:25",
    "user@example.com",
    "http://example.com",
    "example.com/path",
    "example.com?x",
    "example.com#x",
    "example.com\\x",
    "a..b",
    "example.com.",
    "-a.example.com",
    "a-.example.com",
    "256.1.1.1",
    "fe80::1%eth0",
    ":::",
    "[::1",
    `${"a".repeat(64)}.example.com`,
    `${"a.".repeat(130)}com`,
  ])("%p is none", (text) => {
    expect(canonicalHost(text)).toBeNull();
  });
});

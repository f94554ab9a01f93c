/** Guarantees of `domain/mailboxes/account.ts`: what is filled in where a server's settings are left out. */

import { describe, expect, test } from "bun:test";
import { fillConnection, presetServer, probeAt } from "#domain/mailboxes/account.ts";
import { MINUTE_MS, unixMs } from "#domain/time.ts";

describe("fillConnection", () => {
  test.each([
    ["smtp", {}, { port: 587, security: "starttls" }],
    ["smtp", { port: 465 }, { port: 465, security: "tls" }],
    ["smtp", { port: 2525 }, { port: 2525, security: "starttls" }],
    ["smtp", { security: "tls" }, { port: 465, security: "tls" }],
    ["smtp", { security: "none" }, { port: 25, security: "none" }],
    ["smtp", { port: 25, security: "tls" }, { port: 25, security: "tls" }],
    ["imap", {}, { port: 993, security: "tls" }],
    ["imap", { port: 993 }, { port: 993, security: "tls" }],
    ["imap", { port: 143 }, { port: 143, security: "starttls" }],
    ["imap", { security: "starttls" }, { port: 143, security: "starttls" }],
  ] as const)("%s %p", (protocol, given, expected) => {
    expect(fillConnection(protocol, given)).toEqual(expected);
  });
});

test("only google and microsoft have servers that we know", () => {
  const hosts = (["google", "microsoft", "smtp", "sandbox"] as const).map((provider) => [
    presetServer(provider, "smtp", "a@x.example")?.host,
    presetServer(provider, "imap", "a@x.example")?.host,
  ]);
  expect(hosts).toEqual([
    ["smtp.gmail.com", "imap.gmail.com"],
    ["smtp.office365.com", "outlook.office365.com"],
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

test("probes come at 1, 5, 15 and then every 60 minutes", () => {
  const waits = [0, 1, 2, 3, 4, 100].map((probes) => probeAt(probes, unixMs(0)) / MINUTE_MS);
  expect(waits).toEqual([1, 5, 15, 60, 60, 60]);
});

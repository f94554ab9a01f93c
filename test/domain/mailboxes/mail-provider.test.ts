/** Whose servers a mailbox is behind. */

import { describe, expect, test } from "bun:test";
import {
  imapServerOf,
  providerOfDomain,
  providerOfExchanges,
  providerOfServer,
} from "#domain/mailboxes/mail-provider.ts";

describe("a provider by its exchanges", () => {
  test.each([
    ["aspmx.l.google.com", "google"],
    ["ASPMX2.GOOGLEMAIL.COM.", "google"],
    ["smtp.google.com", "google"],
    ["acme-com.mail.protection.outlook.com", "microsoft"],
    ["hotmail-com.olc.protection.outlook.com", "microsoft"],
    ["acme-com.a-v1.mx.microsoft", "microsoft"],
    ["mta5.am0.yahoodns.net", "yahoo"],
    ["mx01.mail.icloud.com", "icloud"],
    ["mx2.zoho.eu", "zoho"],
    ["mx.acme.test", "custom"],
    ["notgoogle.com", "custom"],
    ["google.com.evil.test", "custom"],
  ] as const)("%s is %s", (host, provider) => {
    expect(providerOfExchanges([host])).toBe(provider);
  });

  test("the best exchange decides; a domain without any is a custom one", () => {
    expect(providerOfExchanges(["mx.filter.test", "aspmx.l.google.com"])).toBe("custom");
    expect(providerOfExchanges([])).toBe("custom");
  });
});

test.each([
  ["smtp.gmail.com", "google"],
  ["smtp-relay.google.com", "google"],
  ["smtp.office365.com", "microsoft"],
  ["SMTP-mail.outlook.com", "microsoft"],
  ["smtp.mail.yahoo.com", "yahoo"],
  ["smtp.mail.me.com", "icloud"],
  ["smtppro.zoho.eu", "zoho"],
  ["mail.acme.test", "custom"],
  ["mail.notgmail.com", "custom"],
  ["127.0.0.1", "custom"],
] as const)("the server %s is one of %s's", (host, provider) => {
  expect(providerOfServer(host)).toBe(provider);
});

test("free mailboxes are known by their domain, others have to be asked for", () => {
  expect(providerOfDomain("gmail.com")).toBe("google");
  expect(providerOfDomain("acme.test")).toBeNull();
  expect(imapServerOf("yahoo", "a@yahoo.com")).toMatchObject({
    host: "imap.mail.yahoo.com",
    port: 993,
    security: "tls",
    username: "a@yahoo.com",
  });
  expect(imapServerOf("custom", "a@acme.test")).toBeNull();
});

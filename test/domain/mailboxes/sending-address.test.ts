/** Where an email left from, by what its receiver wrote and nobody else. */

import { describe, expect, test } from "bun:test";
import type { MailProvider } from "#domain/mailboxes/mail-provider.ts";
import { sendingAddressOf } from "#domain/mailboxes/sending-address.ts";

const fields = (...lines: readonly string[]) =>
  lines.map((line) => {
    const colon = line.indexOf(":");
    return { name: line.slice(0, colon), value: line.slice(colon + 1).trim() };
  });
const FORGED = "Received: from mx.evil.test (mx.evil.test [203.0.113.66]) by mail.a.test";

describe("sendingAddressOf", () => {
  test.each<[string, MailProvider, string[]]>([
    [
      "Gmail",
      "google",
      [
        "Received: by 2002:a05:7022:1 with SMTP id x; Mon, 2 Mar 2026",
        "Received: from mail.a.test (mail.a.test. [198.51.100.7]) by mx.google.com with ESMTPS",
        "Received-SPF: pass (google.com: domain of ann@a.test designates 198.51.100.7 as permitted sender)",
        "Authentication-Results: mx.google.com; spf=pass (google.com: domain of ann@a.test designates 198.51.100.7 as permitted sender) smtp.mailfrom=ann@a.test",
      ],
    ],
    [
      "Outlook.com, which hands on between public addresses",
      "microsoft",
      [
        "Received: from AM0.outlook.com (2603:10a6:208::1) by AM1.outlook.com (2603:10a6::2)",
        "Authentication-Results: spf=pass (sender IP is 198.51.100.7) smtp.mailfrom=a.test",
      ],
    ],
    [
      "a server of one's own, which hands on inside",
      "custom",
      [
        "Received: from mx.seed.test by mx.seed.test with LMTP",
        "Received: from localhost (localhost [127.0.0.1]) by mx.seed.test",
        "Received: from [203.0.113.1] (mail.a.test [198.51.100.7]) by mx.seed.test with ESMTPS",
      ],
    ],
  ])("%s", (_name, provider, lines) => {
    const forged = [
      FORGED,
      "Authentication-Results: mx.google.com; spf=pass (sender IP is 203.0.113.66)",
    ];
    expect(sendingAddressOf(fields(...lines, ...forged), provider)).toBe("198.51.100.7");
  });

  test("IPv6 is read as it is written", () => {
    const line = "Received: from a.test (a.test [IPv6:2001:DB8::7]) by mx.seed.test";
    expect(sendingAddressOf(fields(line), "custom")).toBe("2001:db8::7");
  });

  test("behind a relay without a public address, what stands below isn't believed", () => {
    const relay = "Received: from gateway (gateway [10.0.0.1]) by mx.seed.test with ESMTP";
    expect(sendingAddressOf(fields(relay, FORGED), "custom")).toBe("10.0.0.1");
  });

  test("a large provider that names no address, and an email without fields, say nothing", () => {
    expect(
      sendingAddressOf(fields("Authentication-Results: mx; spf=pass", FORGED), "yahoo"),
    ).toBeNull();
    expect(sendingAddressOf([], "custom")).toBeNull();
    expect(
      sendingAddressOf(fields("Received: by mx", "Received: from x [999.1.1.1] by y"), "custom"),
    ).toBeNull();
  });
});

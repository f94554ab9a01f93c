/**
 * Whether a domain takes email, asked of NLnet Labs' unbound with a zone of all cases. What it comes to was
 * compared with email-validator 2.4.0 (Python, by dnspython 2.9) on the same zone: `deliverable`.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { takesNoEmail } from "#domain/mailboxes/mail-provider.ts";
import { createDns } from "#mail/dns/dns.ts";
import { systemClock } from "#platform/clock.ts";
import { lookUpDomain } from "#usecases/mailboxes/mail-domains.ts";
import { createLive, type LiveApp } from "../../engine/support.ts";
import { skipsUnbound, startUnbound, type Unbound } from "../../support/unbound.ts";

const RECORDS = [
  "mx.example.org. 300 MX 10 host.example.org.",
  "host.example.org. 300 A 192.0.2.1",
  "null.example.org. 300 MX 0 .",
  "both.example.org. 300 MX 0 .",
  "both.example.org. 300 A 93.184.216.34",
  "four.example.org. 300 A 93.184.216.34",
  "six.example.org. 300 AAAA 2606:2800:220:1::1",
  'text.example.org. 300 TXT "v=spf1 -all"',
];
const ZONES = [
  ...["mx", "null", "both", "four", "six", "text", "host"].map(
    (name) => [`${name}.example.org.`, "static"] as const,
  ),
  ["gone.example.org.", "always_nxdomain"],
] as const;

/** `deliverable`: as email-validator says; null: it can't tell. */
const CASES = [
  ["mx.example.org", "found", true],
  ["null.example.org", "null_mx", false],
  ["both.example.org", "null_mx", false],
  ["four.example.org", "none", true],
  ["six.example.org", "none", true],
  ["text.example.org", "no_host", false],
  ["gone.example.org", "no_domain", false],
  ["sub.gone.example.org", "no_domain", false],
  ["broken.example.org", "unknown", null],
] as const;

describe.skipIf(skipsUnbound())("with unbound", () => {
  let server: Unbound;
  let live: LiveApp;
  beforeAll(async () => {
    server = await startUnbound({ records: RECORDS, zones: ZONES });
    live = await createLive({
      dns: createDns({ clock: systemClock, servers: [server], answerMs: 2_000 }),
    });
  });
  afterAll(async () => {
    await live.app.close();
    await server[Symbol.asyncDispose]();
  });

  test.each(CASES)("%s: %s", async (domain, mx, deliverable) => {
    const found = await lookUpDomain(live.env, domain, live.app.team.id);
    expect(found).toMatchObject({ domain, mx });
    expect(takesNoEmail(found.mx)).toBe(deliverable === false);
  });
});

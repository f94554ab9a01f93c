/** What is known of a recipient's domain: whose it is, whether it takes email, and when it is asked for again. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { domainOf } from "#domain/email-address.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus } from "#domain/time.ts";
import { DnsFailure } from "#platform/ports/dns.ts";
import {
  forgetDomains,
  freshDomain,
  learnDomain,
  lookUpDomain,
} from "#usecases/mailboxes/mail-domains.ts";
import { createLive, type LiveApp } from "../../engine/support.ts";
import { tableDns } from "../../support/dns.ts";

const MX = {
  "own.example": [{ exchange: "mx.own.example", priority: 10 }],
  "at-microsoft.example": [
    { exchange: "at-microsoft-example.mail.protection.outlook.com", priority: 0 },
  ],
  "nomail.example": [{ exchange: "", priority: 0 }],
};

let live: LiveApp;
let isSilent = false;
beforeEach(async () => {
  isSilent = false;
  const table = tableDns({ "address.example": ["192.0.2.1"] }, MX);
  const mx = async (domain: string, team: string | null) => {
    if (isSilent) {
      throw new DnsFailure("no name server answers");
    }
    return await table.mx(domain, team);
  };
  live = await createLive({ dns: { ...table, mx } });
});
afterEach(() => live.app.close());

async function learn(domain: string) {
  const found = await lookUpDomain(live.env, domain, live.app.team.id);
  await live.env.commit(() => learnDomain(live.env, found));
  return found;
}

const known = (domain: string, afterMs: number) =>
  freshDomain(live.env, domain, plus(live.env.clock.now(), afterMs));

test.each([
  ["own.example", "custom", "found"],
  ["at-microsoft.example", "microsoft", "found"],
  ["nomail.example", "custom", "null_mx"],
  ["address.example", "custom", "none"],
  ["nothing.invalid", "custom", "no_domain"],
] as const)("%s: %s, %s; for a week", async (domain, provider, mx) => {
  expect(known(domain, 0)).toBeUndefined();
  expect(await learn(domain)).toMatchObject({ domain, provider, mx });
  expect(known(domain, 7 * DAY_MS - MINUTE_MS)).toMatchObject({ provider, mx });
  expect(known(domain, 7 * DAY_MS)).toBeUndefined();
});

test("a name server that doesn't answer says nothing of the provider, and is asked again in an hour", async () => {
  isSilent = true;
  expect(await learn("own.example")).toMatchObject({ provider: "custom", mx: "unknown" });
  expect(known("own.example", HOUR_MS - MINUTE_MS)).toMatchObject({ mx: "unknown" });
  expect(known("own.example", HOUR_MS)).toBeUndefined();
  isSilent = false;
  await learn("at-microsoft.example");
  isSilent = true;
  const again = await learn("at-microsoft.example");
  expect(again).toMatchObject({ provider: "microsoft", mx: "unknown" });
});

test("free mailboxes are known without asking", () => {
  isSilent = true;
  expect(known(domainOf("ann@gmail.com"), 0)).toMatchObject({ provider: "google", mx: "found" });
});

test("what nobody has looked up for 90 days is forgotten", async () => {
  await learn("own.example");
  const count = () =>
    live.env.db.raw.query<{ n: number }, []>("select count(*) as n from mail_domains").get()?.n;
  const forgetAt = (ms: number) =>
    live.env.commit(() => forgetDomains(live.env, plus(live.env.clock.now(), ms)));
  await forgetAt(90 * DAY_MS);
  expect(count()).toBe(1);
  await forgetAt(90 * DAY_MS + 1);
  expect(count()).toBe(0);
});

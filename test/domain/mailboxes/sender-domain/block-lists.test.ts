/** What is said of block lists, by what they answer. */

import { describe, expect, test } from "bun:test";
import { examineDomain } from "#domain/mailboxes/sender-domain/examine.ts";
import type { DomainSubject } from "#domain/mailboxes/sender-domain/finding.ts";
import { answeredFrom, type Zone } from "./support.ts";

const GOOGLE: DomainSubject = {
  ...{ domain: "a.test", address: "ann@a.test", provider: "google", isProviderDomain: false },
  ...{ smtpHost: "smtp.gmail.com", dkim: null, selectors: [], linkHost: null },
  ...{ sentFrom: [], blockLists: ["one.test", "two.test"], isPublic: () => true },
};
const OWN: DomainSubject = { ...GOOGLE, provider: "smtp", smtpHost: "mail.a.test" };

function check(subject: DomainSubject, zone: Zone) {
  const { result, asked } = answeredFrom(zone, examineDomain(subject));
  const found = result.checks.find((entry) => entry.check === "block_lists");
  return { found, asked: asked.filter((one) => one.endsWith(".one.test")) };
}

describe("block lists", () => {
  const at = (subject: DomainSubject, zone: Zone) =>
    check(subject, { "address mail.a.test": ["192.0.2.25"], ...zone }).found;

  test.each<[string, Zone, string, RegExp]>([
    ["on none", {}, "ok", /^no block list that responded has/],
    [
      "on one",
      { "address 25.2.0.192.two.test": ["127.0.0.4"] },
      "warning",
      /^192.0.2.25 is listed by two.test$/,
    ],
    [
      "on one for several reasons",
      { "address 25.2.0.192.one.test": ["127.0.0.2", "127.0.0.11"] },
      "warning",
      /listed by one/,
    ],
    [
      "on one, the other silent",
      { "address 25.2.0.192.one.test": null, "address 25.2.0.192.two.test": ["127.0.0.2"] },
      "warning",
      /listed by two/,
    ],
    [
      "no list answers",
      { "address 25.2.0.192.one.test": null, "address 25.2.0.192.two.test": null },
      "unknown",
      /^no block list responded$/,
    ],
    [
      "a resolver that isn't served",
      {
        "address 25.2.0.192.one.test": ["127.255.255.254"],
        "address 25.2.0.192.two.test": ["127.255.255.255"],
      },
      "unknown",
      /no block list responded/,
    ],
    [
      "a provider that answers every name",
      {
        "address 25.2.0.192.one.test": ["198.51.100.1"],
        "address 25.2.0.192.two.test": ["127.0.0.1"],
      },
      "unknown",
      /no block list responded/,
    ],
  ])("%s", (_what, zone, verdict, message) => {
    expect(at(OWN, zone)).toMatchObject({ verdict, message: expect.stringMatching(message) });
  });

  test("an IPv6 address is asked for by its digits, an address that email left from first", () => {
    const subject = { ...OWN, sentFrom: ["2001:db8::1"] };
    const name = `1${".0".repeat(23)}.8.b.d.0.1.0.0.2.one.test`;
    const found = at(subject, { [`address ${name}`]: ["127.0.0.2"] });
    expect(found).toMatchObject({
      verdict: "warning",
      message: "2001:db8::1 is listed by one.test",
    });
    expect(found?.found[0]).toBe("2001:db8::1: listed by one.test");
    expect(found?.found).toContain("192.0.2.25: not listed by two.test");
  });

  test("of a provider's server only what receivers saw is asked about, and nothing private", () => {
    const subject = { ...GOOGLE, sentFrom: ["203.0.113.7", "10.0.0.1"] };
    const { asked } = check({ ...subject, isPublic: (ip) => !ip.startsWith("10.") }, {});
    expect(asked).toEqual(["address 7.113.0.203.one.test"]);
    expect(check(GOOGLE, {}).found).toMatchObject({
      verdict: "unknown",
      remedy: "Start a placement run.",
    });
  });

  test("with no list set, there is no such check", () => {
    expect(at({ ...OWN, blockLists: [] }, {})).toBeUndefined();
  });
});

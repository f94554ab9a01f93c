/** Guarantees of `mail/dns/dns.ts` against a real name server: what stands on the wire is what is read. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOUR_MS } from "#domain/time.ts";
import { signingWorker } from "#engine/workers.ts";
import { createDns, type DnsOptions } from "#mail/dns/dns.ts";
import { systemClock } from "#platform/clock.ts";
import { type Dns, DnsFailure } from "#platform/ports/dns.ts";
import { createTestApp } from "../../support/app.ts";
import { runDue } from "../../support/run-due.ts";
import { skipsUnbound, startUnbound, type Unbound } from "../../support/unbound.ts";

const TEAM = "team-1";
const SPF = `v=spf1 ${Array.from({ length: 20 }, (_, n) => `ip4:192.0.2.${n}`).join(" ")} -all`;

/** As a zone file has a text: strings of 255 characters at most. */
function strings(text: string): string {
  return (text.match(/.{1,255}/g) ?? []).map((part) => `"${part}"`).join(" ");
}

const RECORDS = [
  'one.example. 300 TXT "v=spf1 -all"',
  `two.example. 300 TXT ${strings(SPF)}`,
  'three.example. 300 TXT "a" "" "b" "c"',
  'both.example. 300 TXT "first" " record"',
  'both.example. 300 TXT "second"',
  ...Array.from({ length: 12 }, (_, n) => `large.example. 300 TXT "${n} ${"x".repeat(240)}"`),
  "mail.example. 300 A 192.0.2.1",
  "mail.example. 300 A 192.0.2.2",
  "mail.example. 300 AAAA 2001:db8::1",
  "six.example. 300 AAAA 2001:db8::6",
  "xn--bcher-kva.example. 300 A 192.0.2.3",
  "short.corp.example. 300 A 192.0.2.4",
  "a.chain.example. 300 CNAME b.chain.example.",
  "b.chain.example. 300 CNAME c.chain.example.",
  "c.chain.example. 300 CNAME mail.example.",
  "d.chain.example. 300 CNAME six.example.",
  "gone.chain.example. 300 CNAME nobody.example.",
  "round.chain.example. 300 CNAME about.chain.example.",
  "about.chain.example. 300 CNAME round.chain.example.",
  "mx.example. 300 MX 20 Second.example.",
  "mx.example. 300 MX 10 first.example.",
  "nomail.example. 300 MX 0 .",
  "1.2.0.192.in-addr.arpa. 300 PTR Mail.example.",
  `6${".0".repeat(23)}.8.b.d.0.1.0.0.2.ip6.arpa. 300 PTR six.example.`,
];

if (skipsUnbound()) {
  test.skipIf(true)("DNS over a real server (skipped: needs Debian's unbound)", () => undefined);
} else {
  describe("a real name server", () => {
    let server: Unbound;
    let dns: Dns;
    const by = (change: Partial<DnsOptions> = {}) =>
      createDns({ clock: systemClock, servers: [server], ...change });

    beforeAll(async () => {
      server = await startUnbound({
        records: RECORDS,
        zones: [
          ["example.", "static"],
          ["chain.example.", "transparent"],
          ["refused.example.", "refuse"],
          ["silent.example.", "deny"],
          ["10.in-addr.arpa.", "static"],
          ["short.", "static"],
          ["nothing.", "static"],
        ],
      });
      dns = by();
    });
    afterAll(() => server[Symbol.asyncDispose]());

    test.each([
      ["one string", "one.example", ["v=spf1 -all"]],
      ["two strings", "two.example", [SPF]],
      ["three strings and an empty one", "three.example", ["abc"]],
      ["two records", "both.example", ["first record", "second"]],
      ["none", "mail.example", []],
      ["no such name", "nobody.example", []],
    ])("a TXT record of %s is one text", async (_name, name, texts) => {
      expect((await dns.txt(name, TEAM)).toSorted()).toEqual(texts);
    });

    test("what UDP has no room for comes over TCP", async () => {
      expect(await dns.txt("large.example", TEAM)).toHaveLength(12);
    });

    test.each([
      ["both kinds, IPv4 first", "mail.example", ["192.0.2.1", "192.0.2.2", "2001:db8::1"]],
      ["IPv6 alone", "six.example", ["2001:db8::6"]],
      ["other letters and a dot", "MAIL.Example.", ["192.0.2.1", "192.0.2.2", "2001:db8::1"]],
      ["umlauts", "Bücher.example", ["192.0.2.3"]],
      ["aliases of aliases", "a.chain.example", ["192.0.2.1", "192.0.2.2", "2001:db8::1"]],
      ["an alias without IPv4", "d.chain.example", ["2001:db8::6"]],
      ["an alias of nobody", "gone.chain.example", []],
      ["no such name", "nobody.example", []],
      ["a name with other records", "one.example", []],
    ])("addresses: %s", async (_name, name, addresses) => {
      const [ipv6 = [], ipv4 = []] = [
        (await dns.lookup(name, TEAM)).filter((ip) => ip.includes(":")),
        (await dns.lookup(name, TEAM)).filter((ip) => !ip.includes(":")),
      ];
      expect(await dns.lookup(name, TEAM)).toEqual([...ipv4, ...ipv6]);
      expect([...ipv4.toSorted(), ...ipv6]).toEqual(addresses);
    });

    test("mail exchanges, best first; none where the domain says so", async () => {
      expect(await dns.mx("mx.example", TEAM)).toEqual([
        { exchange: "first.example", priority: 10 },
        { exchange: "second.example", priority: 20 },
      ]);
      expect(await dns.mx("nomail.example", TEAM)).toEqual([{ exchange: "", priority: 0 }]);
    });

    test("names of addresses", async () => {
      expect(await dns.ptr("192.0.2.1", TEAM)).toEqual(["mail.example"]);
      expect(await dns.ptr("2001:db8::6", TEAM)).toEqual(["six.example"]);
      expect(await dns.ptr("10.0.0.1", TEAM)).toEqual([]);
    });

    test.each([
      ["that cannot tell", "elsewhere.net"],
      ["that refuses", "x.refused.example"],
      ["whose aliases go round", "round.chain.example"],
      ["that is silent", "x.silent.example"],
    ])("a server %s gives a failure, not an empty answer", async (_name, name) => {
      const [outcome] = await Promise.allSettled([by({ answerMs: 1_000 }).lookup(name, TEAM)]);
      const reason = outcome.status === "rejected" ? outcome.reason : outcome.value;
      expect(reason).toBeInstanceOf(DnsFailure);
      expect(String(reason)).toContain(name);
    });

    test("over IPv6 the same, and after a server that is not there", async () => {
      const six = by({ servers: [{ address: "::1", port: server.port }] });
      expect(await six.txt("two.example", TEAM)).toEqual([SPF]);
      expect(await six.txt("large.example", TEAM)).toHaveLength(12);
      const second = by({ servers: [{ address: "127.0.0.1", port: 1 }, server] });
      expect(await second.txt("two.example", TEAM)).toEqual([SPF]);
    });

    test("a short name is looked for in the system's domains, a full one and a dotted one are not", async () => {
      const dir = mkdtempSync(join(tmpdir(), "outrider-dns-"));
      try {
        const settings = join(dir, "resolv.conf");
        writeFileSync(settings, "search nothing.example corp.example\n");
        const files = { hosts: join(dir, "hosts"), settings };
        const local = by({ files });
        expect(await local.lookup("short", TEAM)).toEqual(["192.0.2.4"]);
        expect(await local.lookup("short.", TEAM)).toEqual([]);
        expect(await local.lookup("short.nothing", TEAM)).toEqual([]);
      } finally {
        rmSync(dir, { recursive: true, force: true });
      }
    });
  });

  test("our DKIM key of 2,048 bits is seen where it is published, and signs from then on", async () => {
    await using before = await startUnbound({ zones: [["own.example.", "static"]] });
    let current = createDns({ clock: systemClock, servers: [before] });
    const dns: Dns = {
      lookup: (host, team) => current.lookup(host, team),
      mx: (domain, team) => current.mx(domain, team),
      isAbsent: (domain, team) => current.isAbsent(domain, team),
      txt: (name, team) => current.txt(name, team),
      ptr: (ip, team) => current.ptr(ip, team),
    };
    const app = await createTestApp({ dns });
    const look = () => runDue(signingWorker(app.environments.live), app.wall.now());
    const account = { email: "ann@own.example", provider: "smtp" };
    const { id } = (await app.live("POST", "/accounts", account)).body;
    const made = await app.live("POST", `/accounts/${id}/dkim`, { selector: "out1" });
    const { name, value } = made.body.record;
    expect(value.length).toBeGreaterThan(255);
    await look();
    expect((await app.live("GET", `/accounts/${id}/dkim`)).body.active).toBe(false);

    await using after = await startUnbound({
      zones: [["own.example.", "static"]],
      records: [
        `${name}. 300 TXT ${strings(value)}`,
        `own.example. 300 TXT ${strings(SPF)}`,
        "own.example. 300 MX 10 mail.own.example.",
        '_dmarc.own.example. 300 TXT "v=DMARC1; p=none; " "rua=mailto:dmarc@own.example"',
      ],
    });
    current = createDns({ clock: systemClock, servers: [after] });
    app.wall.move(HOUR_MS);
    await look();
    expect((await app.live("GET", `/accounts/${id}/dkim`)).body.active).toBe(true);
    const { body } = await app.live("GET", `/accounts/${id}/dns`);
    const verdicts = body.checks.map(({ check, verdict }: { check: string; verdict: string }) => [
      check,
      verdict,
    ]);
    expect(Object.fromEntries(verdicts)).toMatchObject({ spf: "ok", dkim: "ok", dmarc: "ok" });
    await app.close();
  });
}

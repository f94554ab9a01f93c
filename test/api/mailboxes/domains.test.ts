/** The contract of `/domains`: what is watched, what is told when it breaks, and who sends as a domain. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { DnsFailure } from "#platform/ports/dns.ts";
import type { Links } from "#platform/ports/links.ts";
import { createLive, type LiveApp } from "../../engine/support.ts";
import { BEGIN, dmarcXml, type Row, reportMail } from "../../mail/reports/support.ts";
import { tableDns } from "../../support/dns.ts";

const OWN = "ann@sender.example";
const KEY = `v=DKIM1; k=rsa; p=${"MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA"}${"x".repeat(341)}QIDAQAB`;
const GOOD: Readonly<Record<string, string[]>> = {
  "sender.example": ["v=spf1 ip4:93.184.215.0/24 -all"],
  "mail._domainkey.sender.example": [KEY],
  "_dmarc.sender.example": ["v=DMARC1; p=none; rua=mailto:ann@sender.example"],
};

let texts: Record<string, string[]>;
let isSilent: boolean;
let listed: boolean;
let live: LiveApp;
beforeEach(async () => {
  texts = { ...GOOD };
  isSilent = false;
  listed = false;
  const table = tableDns(
    {
      ...{ "mail.sender.example": ["93.184.215.25"], "go.sender.example": ["192.0.2.1"] },
      ...{ "a.mtasv.net": ["203.0.113.5"], "forged.google.com": ["198.51.100.77"] },
    },
    { "sender.example": [{ exchange: "mx.sender.example", priority: 10 }] },
    {
      names: {
        ...{ "93.184.215.25": ["mail.sender.example"], "203.0.113.5": ["a.mtasv.net"] },
        "203.0.113.99": ["forged.google.com"],
      },
    },
  );
  const answer = <Value>(value: Value): Promise<Value> =>
    isSilent ? Promise.reject(new DnsFailure("silent")) : Promise.resolve(value);
  const links: Links = {
    look: async () => ({ kind: "failed", reason: "dns" }),
    read: async () => ({ kind: "failed", reason: "dns" }),
  };
  live = await createLive({
    ...{ publicUrl: "https://go.sender.example", blockLists: ["list.test"], links },
    dns: {
      lookup: async (host, team) =>
        answer(
          host.endsWith(".list.test")
            ? listed
              ? ["127.0.0.2"]
              : []
            : await table.lookup(host, team),
        ),
      mx: async (domain, team) => answer(await table.mx(domain, team)),
      txt: async (name) => answer(texts[name] ?? []),
      isAbsent: async (domain, team) => answer(await table.isAbsent(domain, team)),
      ptr: async (ip, team) => answer(await table.ptr(ip, team)),
    },
  });
  await live.addAccount(OWN);
  await live.run(MINUTE_MS);
});
afterEach(() => live.app.close());

const call = async (method: string, path: string) => (await live.call(method, path)).body;
const idOf = async () => (await call("GET", "/accounts")).data[0].id;
const domain = () => call("GET", "/domains/sender.example");
const verdicts = async () =>
  Object.fromEntries(
    (await domain()).checks.map((one: { check: string; verdict: string }) => [
      one.check,
      one.verdict,
    ]),
  );
const events = async () => {
  const { data } = await call("GET", "/events?limit=100");
  return data.filter((one: { type: string }) => one.type.startsWith("domain."));
};

describe("a domain that is watched", () => {
  test("is looked at once it has a mailbox, and a day later again", async () => {
    const first = await domain();
    expect(first).toMatchObject({
      domain: "sender.example",
      broken: [],
      mailboxes: 1,
      changes: [],
    });
    expect(await verdicts()).toMatchObject({
      mx: "ok",
      spf: "ok",
      dkim: "ok",
      dmarc: "ok",
      sending_host: "ok",
    });
    expect(first.accounts[0].email).toBe(OWN);
    expect(await call("GET", "/domains")).toMatchObject({
      total: 1,
      data: [{ domain: "sender.example", mailboxes: 1 }],
    });
    await live.run(DAY_MS);
    expect(Date.parse((await domain()).checked_at)).toBeGreaterThan(Date.parse(first.checked_at));
  });

  test("what breaks is told once, with what to publish; then that it works again", async () => {
    texts = { ...GOOD, "sender.example": [] };
    await live.run(2 * DAY_MS);
    const { broken, changes, checks, state } = await domain();
    expect(state).toBe("fault");
    expect(broken).toMatchObject([
      { check: "spf", message: expect.stringContaining("no SPF record") },
    ]);
    expect(changes).toMatchObject([
      {
        check: "spf",
        was: { verdict: "ok", found: GOOD["sender.example"] },
        is: { verdict: "fault" },
      },
    ]);
    expect(checks.find((one: { check: string }) => one.check === "spf").publish).toEqual([
      { name: "sender.example", type: "TXT", value: "v=spf1 ip4:93.184.215.25 ~all" },
    ]);
    const [told, ...more] = await events();
    expect(more).toEqual([]);
    expect(told).toMatchObject({
      type: "domain.error",
      data: { domain: "sender.example", check: "spf" },
    });
    expect((await call("GET", "/attention")).domains).toMatchObject([{ domain: "sender.example" }]);

    texts = { ...GOOD };
    await live.run(DAY_MS);
    expect((await events()).map(({ type }: { type: string }) => type)).toEqual([
      "domain.error",
      "domain.recovered",
    ]);
    expect((await call("GET", "/attention")).domains).toEqual([]);
  });

  test("a key that is removed, and a listing with its first day", async () => {
    texts = { ...GOOD, "mail._domainkey.sender.example": [] };
    listed = true;
    await live.run(DAY_MS);
    const { listings } = await domain();
    expect(listings).toMatchObject([{ ip: "93.184.215.25", list: "list.test" }]);
    expect((await events()).map((one: { data: { check: string } }) => one.data.check)).toEqual([
      "dkim",
      "block_lists",
    ]);
    await live.run(2 * DAY_MS);
    expect((await domain()).listings).toEqual(listings);
  });

  test("that DNS doesn't respond is no news", async () => {
    isSilent = true;
    await live.run(2 * DAY_MS);
    expect(await domain()).toMatchObject({ state: "unknown", broken: [], changes: [] });
    isSilent = false;
    await live.run(2 * DAY_MS);
    expect(await domain()).toMatchObject({ broken: [], changes: [] });
    expect(await events()).toEqual([]);
  });

  test("POST /check looks now, without a wait", async () => {
    texts = { ...GOOD, "_dmarc.sender.example": [] };
    const asked = await call("POST", "/domains/SENDER.example/check");
    expect(asked.changes).toEqual([]);
    await live.run(MINUTE_MS);
    expect((await domain()).changes).toMatchObject([{ check: "dmarc" }]);
  });

  test("404 for another team, whose mailboxes are elsewhere", async () => {
    const { keys } = await live.app.addTeam("Other");
    for (const path of ["/domains/sender.example", "/domains/sender.example/senders"]) {
      const asked = await live.app.call("GET", path, undefined, { key: keys.live });
      expect([path, asked.status]).toEqual([path, 404]);
    }
  });

  test("404 for a domain without a mailbox of the team", async () => {
    const { status, body } = await live.app.live("GET", "/domains/other.example");
    expect({ status, type: body.error?.type ?? body.type }).toEqual({
      status: 404,
      type: "not_found",
    });
    expect((await live.app.live("POST", "/domains/other.example/check")).status).toBe(404);
    await call("DELETE", `/accounts/${await idOf()}`);
    expect((await live.app.live("GET", "/domains/sender.example")).status).toBe(404);
    expect((await call("GET", "/domains")).data).toEqual([]);
  });
});

describe("who sends as a domain", () => {
  const PROVEN = [
    "Authentication-Results: mx.sender.example; dkim=pass header.d=google.com; dmarc=pass header.from=google.com",
  ];
  const begin = () => Math.floor(live.app.wall.now() / 1_000) - 86_400;
  const senders = () => call("GET", "/domains/sender.example/senders");
  const report = (rows: Row[], change: { id?: string; domain?: string; reporter?: string } = {}) =>
    dmarcXml({ begin: begin(), rows, ...change });
  const deliver = (xml: string, headers: string[] = PROVEN) =>
    live.deliver(OWN, reportMail(xml, { headers }));
  const read = async () => {
    await live.run(HOUR_MS);
    await call("POST", "/domains/sender.example/check");
    await live.run(MINUTE_MS);
  };

  test("by server, with what passed and what to do; and nothing of it in the inbox", async () => {
    deliver(
      report([
        { ip: "93.184.215.25", count: 40 },
        { ip: "203.0.113.5", count: 10, spf: "fail", dkim: "fail" },
        { ip: "203.0.113.99", count: 3, spf: "fail", dkim: "fail" },
        { ip: "198.51.100.1", count: 2, spf: "fail" },
      ]),
    );
    await read();
    const found = await senders();
    expect(found).toMatchObject({ verified: true, reports: 1, reporters: ["google.com"] });
    const shown = found.senders.map((one: Record<string, unknown>) => [
      ...[one["name"], one["messages"], one["failed"], one["ours"]],
      String(one["advice"]).slice(0, 45),
    ]);
    expect(shown).toEqual([
      ["sender.example", 40, 0, true, "null"],
      ["Postmark", 10, 10, false, "If you send through Postmark, add include:spf"],
      // Its name says Google, and Google doesn't know of it.
      ["203.0.113.99", 3, 3, false, "An unknown server sends as you. If it's yours"],
      ["198.51.100.1", 2, 0, false, "null"],
    ]);
    expect((await call("GET", "/inbox/threads")).total).toBe(0);
  });

  test("the same report counts once, however often it comes", async () => {
    const xml = report([{ ip: "93.184.215.25", count: 40 }]);
    deliver(xml);
    deliver(xml, [...PROVEN, "X-Copy: 2"]);
    await read();
    deliver(xml);
    await read();
    expect(await senders()).toMatchObject({ reports: 1, senders: [{ messages: 40 }] });
  });

  test("a stranger's forged report gives way to one that is proven", async () => {
    deliver(report([{ ip: "192.0.2.66", count: 1_000_000 }], { reporter: "liar.example" }), []);
    await read();
    expect(await senders()).toMatchObject({ verified: false, reporters: ["liar.example"] });
    deliver(report([{ ip: "93.184.215.25", count: 4 }]));
    await read();
    expect(await senders()).toMatchObject({
      ...{ verified: true, reporters: ["google.com"] },
      senders: [{ messages: 4, addresses: ["93.184.215.25"] }],
    });
  });

  test("a report about somebody else's domain is nobody's", async () => {
    deliver(report([{ ip: "192.0.2.1", count: 4 }], { domain: "other.example" }));
    await read();
    expect(await senders()).toMatchObject({ reports: 0, senders: [] });
  });

  test("a report of long ago or of the future is not counted", async () => {
    for (const at of [BEGIN - 400 * 86_400, BEGIN + 400 * 86_400]) {
      deliver(dmarcXml({ begin: at, id: String(at), rows: [{ ip: "192.0.2.1", count: 4 }] }));
    }
    await read();
    expect(await senders()).toMatchObject({ reports: 0, senders: [] });
  });

  test("figures are forgotten after 90 days", async () => {
    deliver(report([{ ip: "93.184.215.25", count: 40 }]));
    await read();
    live.app.wall.move(92 * DAY_MS);
    await live.run(HOUR_MS);
    const { raw } = live.app.environments.live.db;
    const left = raw.query<{ left: number }, []>(
      "select (select count(*) from domain_reports) + (select count(*) from domain_sources) as left",
    );
    expect(left.get()).toEqual({ left: 0 });
  });

  test("TLS reports: failures by type", async () => {
    const day = new Date(begin() * 1_000).toISOString().slice(0, 10);
    const json = {
      "organization-name": "google.com",
      "date-range": { "start-datetime": `${day}T00:00:00Z`, "end-datetime": `${day}T23:59:59Z` },
      "report-id": "tls-1",
      policies: [
        {
          policy: { "policy-type": "sts", "policy-domain": "sender.example" },
          summary: { "total-successful-session-count": 90, "total-failure-session-count": 3 },
          "failure-details": [
            {
              "result-type": "certificate-expired",
              "receiving-mx-hostname": "mx.sender.example",
              "failed-session-count": 3,
            },
          ],
        },
      ],
    };
    live.deliver(
      OWN,
      reportMail(JSON.stringify(json), {
        type: "application/tlsrpt+json",
        name: "r.json",
        headers: PROVEN,
      }),
    );
    await read();
    expect((await senders()).tls).toEqual({
      ...{ passed: 90, failed: 3 },
      failures: [{ type: "certificate-expired", host: "mx.sender.example", sessions: 3 }],
    });
  });
});

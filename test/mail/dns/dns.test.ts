/**
 * Guarantees of `mail/dns/dns.ts` against a name server that does what it is told: what counts as a response,
 * what is remembered, and that nobody waits for another team. `dns-unbound.test.ts` asks a real one.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Answer } from "dns-packet";
import fc from "fast-check";
import { plus, unixMs } from "#domain/time.ts";
import {
  createDns,
  DNS_NEGATIVE_TTL_MS,
  DNS_QUESTIONS_MAX,
  DNS_RECORDS_MAX,
  DNS_TTL_MS,
  type DnsOptions,
} from "#mail/dns/dns.ts";
import { readHosts, readResolverSettings } from "#mail/dns/dns-settings.ts";
import { DnsFailure, TXT_CHARS_MAX } from "#platform/ports/dns.ts";
import {
  type Asked,
  response,
  type ScriptedServer,
  scriptedServer,
} from "../../support/name-server.ts";

const TEAM = "team-1";
const ANSWER_MS = 400;

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "outrider-dns-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function dnsBy(servers: DnsOptions["servers"], change: Partial<DnsOptions> = {}) {
  const state = { now: unixMs(1_000_000) };
  const clock = { now: () => state.now };
  const files = { hosts: join(dir, "hosts"), settings: join(dir, "resolv.conf") };
  return {
    state,
    dns: createDns({ clock, files, servers: servers ?? [], answerMs: ANSWER_MS, ...change }),
  };
}

const record = (name: string, data: string, ttl = 300): Answer => ({ name, type: "A", ttl, data });

/** Says that every name has this address, and none of the other kind. */
const all =
  (data = "192.0.2.1", ttl = 300) =>
  (asked: Asked) => [response(asked, asked.type === "A" ? [record(asked.name, data, ttl)] : [])];

const questionsOf = ({ asked }: ScriptedServer, type = "A") =>
  asked.filter((one) => one.type === type).length;

describe("what is remembered", () => {
  test("a hundred who ask together cause one question", async () => {
    using server = await scriptedServer(all());
    const { dns } = dnsBy([server]);
    const names = Array.from({ length: 100 }, () => dns.lookup("Mail.Example.", TEAM));
    expect((await Promise.all(names)).every(([first]) => first === "192.0.2.1")).toBe(true);
    expect(questionsOf(server)).toBe(1);
    expect(server.asked[0]?.name).toBe("mail.example");
  });

  test.each([
    ["an answer, as long as we like", 3_600, 0, DNS_TTL_MS],
    ["an answer, as long as its owner likes", 7, 0, 7_000],
    ["no such name", 300, 3, DNS_NEGATIVE_TTL_MS],
    ["a failure", 300, 2, DNS_NEGATIVE_TTL_MS],
  ])("%s", async (_name, ttl, code, ms) => {
    using server = await scriptedServer((asked) => [
      response(asked, code === 0 ? [record(asked.name, "192.0.2.1", ttl)] : [], { code }),
    ]);
    const { state, dns } = dnsBy([server]);
    const ask = () => Promise.allSettled([dns.lookup("a.example", TEAM)]);
    await ask();
    const once = questionsOf(server);
    state.now = plus(state.now, ms - 1);
    await ask();
    expect(questionsOf(server)).toBe(once);
    state.now = plus(state.now, 1);
    await ask();
    expect(questionsOf(server)).toBe(2 * once);
  });

  test("an answer has a bound", async () => {
    using server = await scriptedServer((asked) => [
      response(
        asked,
        Array.from({ length: 40 }, (_, n) => record(asked.name, `192.0.2.${n}`)),
      ),
    ]);
    const { dns } = dnsBy([server]);
    expect(await dns.lookup("a.example", TEAM)).toHaveLength(DNS_RECORDS_MAX);
  });
});

describe("what counts as a response", () => {
  test.each<[string, (asked: Asked) => Buffer]>([
    [
      "another id",
      (asked) => response(asked, [EVIL], { id: ((asked.packet.id ?? 0) + 1) % 65_536 }),
    ],
    ["another name", (asked) => response(asked, [EVIL], { name: "evil.example" })],
    ["the question itself", (asked) => asked.raw],
    ["bytes too few for a packet", (asked) => asked.raw.subarray(0, 5)],
    ["no question but an answer", (asked) => withoutQuestion(response(asked, [EVIL]))],
  ])("%s is passed over", async (_name, forge) => {
    using server = await scriptedServer((asked) => [forge(asked), ...all()(asked)]);
    expect(await dnsBy([server]).dns.lookup("a.example", TEAM)).toEqual(["192.0.2.1"]);
  });

  test("what comes from another address is passed over", async () => {
    // The kernel tells it that nobody is there for what it sends.
    const other = await Bun.udpSocket({
      hostname: "127.0.0.1",
      socket: { error: () => undefined },
    });
    using server = await scriptedServer((asked) => {
      const forged = response(asked, [record(asked.name, "198.51.100.66")]);
      other.send(forged, server.from.at(-1) ?? 0, "127.0.0.1");
      return all()(asked);
    });
    const { dns } = dnsBy([server]);
    expect(await dns.lookup("a.example", TEAM).finally(() => other.close())).toEqual(["192.0.2.1"]);
  });

  test("ids and ports differ from question to question", async () => {
    using server = await scriptedServer(all());
    const { dns } = dnsBy([server]);
    for (let count = 0; count < 50; count += 1) {
      await dns.lookup(`${count}.example`, TEAM);
    }
    expect(new Set(server.from).size).toBeGreaterThan(80);
    expect(new Set(server.asked.map(({ packet }) => packet.id)).size).toBeGreaterThan(80);
  });

  test("records of other names in the same packet are not the name's", async () => {
    using server = await scriptedServer((asked) => [
      response(asked, [EVIL, record(asked.name, "192.0.2.1")]),
    ]);
    expect(await dnsBy([server]).dns.lookup("a.example", TEAM)).toEqual(["192.0.2.1"]);
  });

  test("an answer in other letters is the answer", async () => {
    using server = await scriptedServer((asked) => {
      const name = asked.name.toUpperCase();
      return [response(asked, asked.type === "A" ? [record(name, "192.0.2.1")] : [], { name })];
    });
    expect(await dnsBy([server]).dns.lookup("a.example", TEAM)).toEqual(["192.0.2.1"]);
  });

  const LOOP = Buffer.from([0xc0, 0x1b, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, 1, 2, 3, 4]);
  test.each<[string, (bytes: Buffer) => Buffer]>([
    ["a name that points at itself", (bytes) => Buffer.concat([counting(bytes, 1), LOOP])],
    ["fewer records than it says", (bytes) => counting(bytes, 9)],
    ["an end in the middle of an address", (bytes) => bytes.subarray(0, -2)],
  ])("%s is a failure", async (_name, spoil) => {
    using server = await scriptedServer((asked) => [
      spoil(response(asked, [record(asked.name, "192.0.2.1")])),
    ]);
    expect(dnsBy([server]).dns.lookup("a.example", TEAM)).rejects.toThrow(DnsFailure);
    await Promise.allSettled([dnsBy([server]).dns.lookup("a.example", TEAM)]);
  });

  test("no bytes behind a question of ours do harm", async () => {
    let tail = new Uint8Array();
    using server = await scriptedServer((asked) => {
      const head = response(asked, []);
      head.writeUInt16BE(1, 6);
      head.writeUInt16BE(1, 8);
      return [Buffer.concat([head, tail])];
    });
    let serial = 0;
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 120 }), async (bytes) => {
        tail = bytes;
        serial += 1;
        const { dns } = dnsBy([server]);
        const name = `${serial}.example`;
        const results = await Promise.allSettled([dns.txt(name, TEAM), dns.mx(name, TEAM)]);
        for (const result of results) {
          expect(result.status === "fulfilled" || result.reason instanceof DnsFailure).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("a server that cannot read EDNS is asked without", async () => {
    using server = await scriptedServer((asked) =>
      asked.packet.additionals?.length === 0 ? all()(asked) : [response(asked, [], { code: 1 })],
    );
    expect(await dnsBy([server]).dns.lookup("a.example", TEAM)).toEqual(["192.0.2.1"]);
  });

  test("one that was cut short, and cannot be had over TCP, is a failure", async () => {
    using server = await scriptedServer((asked) => [response(asked, [], { flags: 0x0200 })]);
    const tcp = createServer((socket) => socket.end("xx")).listen(server.port, "127.0.0.1");
    try {
      await Promise.allSettled([dnsBy([server]).dns.txt("a.example", TEAM)]);
      expect(dnsBy([server]).dns.txt("a.example", TEAM)).rejects.toThrow(DnsFailure);
      await Promise.allSettled([dnsBy([server]).dns.txt("a.example", TEAM)]);
    } finally {
      tcp.close();
    }
  });
});

describe("several servers", () => {
  test("after one that is silent, or broken, the next is asked; who responded is asked first", async () => {
    using silent = await scriptedServer(() => []);
    using broken = await scriptedServer((asked) => [response(asked, [], { code: 2 })]);
    using good = await scriptedServer(all());
    const { dns } = dnsBy([silent, broken, good], { answerMs: 3_000 });
    expect(await dns.lookup("a.example", TEAM)).toEqual(["192.0.2.1"]);
    expect([questionsOf(silent), questionsOf(broken), questionsOf(good)]).toEqual([1, 1, 1]);
    await dns.lookup("b.example", TEAM);
    expect([questionsOf(silent), questionsOf(broken), questionsOf(good)]).toEqual([1, 1, 2]);
  });

  test("where none responds, each was asked twice, and it is a failure", async () => {
    using one = await scriptedServer(() => []);
    using two = await scriptedServer(() => []);
    // Four tries of half a second: a busy machine still begins the last before the time is over.
    const { dns } = dnsBy([one, two], { answerMs: 2_000 });
    const [outcome] = await Promise.allSettled([dns.mx("a.example", TEAM)]);
    expect(outcome).toMatchObject({ status: "rejected", reason: { name: "DnsFailure" } });
    expect([questionsOf(one, "MX"), questionsOf(two, "MX")]).toEqual([2, 2]);
  });

  test("an IPv6 address is no less one where the IPv4 question fails, and the other way around", async () => {
    using server = await scriptedServer((asked) => [
      asked.type === "A"
        ? response(asked, [], { code: 2 })
        : response(asked, [{ name: asked.name, type: "AAAA", ttl: 9, data: "2001:db8::1" }]),
    ]);
    expect(await dnsBy([server]).dns.lookup("a.example", TEAM)).toEqual(["2001:db8::1"]);
  });
});

describe("teams", () => {
  test("one whose look-ups all hang takes nobody else's place, and has its own again", async () => {
    using server = await scriptedServer((asked) =>
      asked.name.endsWith("silent.example") ? [] : all()(asked),
    );
    const { dns } = dnsBy([server], { answerMs: 1_000 });
    const ask = (name: string, team: string) => dns.mx(name, team).catch(() => "failed");
    let isOver = false;
    const hanging = Array.from({ length: DNS_QUESTIONS_MAX * 2 }, (_, n) =>
      ask(`${n}.silent.example`, "hanging"),
    );
    const ended = Promise.all(hanging).then(() => {
      isOver = true;
    });
    expect(await ask("good.example", "other")).toEqual([]);
    expect(await dns.lookup("mail.example", null)).toEqual(["192.0.2.1"]);
    expect(isOver).toBe(false);
    expect(
      new Set(
        server.asked
          .filter(({ type, name }) => type === "MX" && name !== "good.example")
          .map(({ name }) => name),
      ).size,
    ).toBe(DNS_QUESTIONS_MAX);
    await ended;
    expect(await ask("late.example", "hanging")).toEqual([]);
    expect(new Set(server.asked.map(({ name }) => name)).size).toBe(DNS_QUESTIONS_MAX * 2 + 3);
  });
});

describe("names", () => {
  test("mx: best first, without the dot, and none where the domain takes no mail", async () => {
    const mx = (exchange: string, preference: number): Answer => {
      return { name: "a.example", type: "MX", ttl: 9, data: { exchange, preference } };
    };
    using server = await scriptedServer((asked) => [
      response(asked, [mx("B.example.", 20), mx("a.example", 10), mx(".", 0)]),
    ]);
    expect(await dnsBy([server]).dns.mx("a.example", TEAM)).toEqual([
      { exchange: "a.example", priority: 10 },
      { exchange: "b.example", priority: 20 },
    ]);
  });

  test("txt: the strings of a record are one text, whatever its bytes; a long one is cut", async () => {
    const texts: Record<string, Buffer[]> = {
      "spf.example": [Buffer.from("v=spf1 "), Buffer.from("-all")],
      "split.example": [Buffer.from([0xc3]), Buffer.from([0xa9])],
      "long.example": Array.from({ length: 20 }, () => Buffer.alloc(255, "x")),
    };
    using server = await scriptedServer((asked) => [
      response(asked, [{ name: asked.name, type: "TXT", ttl: 9, data: texts[asked.name] ?? [] }]),
    ]);
    const { dns } = dnsBy([server]);
    expect(await dns.txt("SPF.example.", TEAM)).toEqual(["v=spf1 -all"]);
    expect(await dns.txt("split.example", TEAM)).toEqual(["é"]);
    expect((await dns.txt("long.example", TEAM))[0]).toHaveLength(TXT_CHARS_MAX);
  });

  test("what is no name, or is an address already, is asked of nobody", async () => {
    using server = await scriptedServer(all());
    const { dns } = dnsBy([server]);
    for (const name of [
      "",
      ".",
      "a..example",
      "a b.example",
      `${"x".repeat(64)}.example`,
      "x.".repeat(200),
    ]) {
      expect(await dns.lookup(name, TEAM)).toEqual([]);
      expect(await dns.txt(name, TEAM)).toEqual([]);
    }
    expect(await dns.lookup("192.0.2.7", TEAM)).toEqual(["192.0.2.7"]);
    expect(await dns.lookup("2001:db8::7", TEAM)).toEqual(["2001:db8::7"]);
    expect(await dns.lookup("localhost", TEAM)).toEqual(["127.0.0.1", "::1"]);
    expect(await dns.ptr("nonsense", TEAM)).toEqual([]);
    expect(server.asked).toEqual([]);
  });

  test("the hosts file goes first, and its changes are seen", async () => {
    using server = await scriptedServer(all());
    const { dns } = dnsBy([server]);
    const hosts = join(dir, "hosts");
    writeFileSync(
      hosts,
      "# ours\n::7 Mail.example\n10.0.0.7  mail.example mx.example # both\nx y\n",
    );
    expect(await dns.lookup("MAIL.example", TEAM)).toEqual(["10.0.0.7", "::7"]);
    writeFileSync(hosts, "10.0.0.8 mail.example and.more\n");
    expect(await dns.lookup("mail.example", TEAM)).toEqual(["10.0.0.8"]);
    expect(server.asked).toEqual([]);
  });
});

describe("settings of the system", () => {
  test("a resolv.conf as systems write it", () => {
    const text = `# made by hand
domain first.example
nameserver 10.0.0.53
nameserver fd00::53 ; the other
nameserver nonsense
search corp.example. Lab.example
options edns0 timeout:2 attempts:9 ndots:x`;
    expect(readResolverSettings(text)).toEqual({
      servers: [
        { address: "10.0.0.53", port: 53 },
        { address: "fd00::53", port: 53 },
      ],
      timeoutMs: 2_000,
      attempts: 5,
      search: ["corp.example", "lab.example"],
      dots: 1,
    });
    const many = Array.from({ length: 9 }, (_, n) => `nameserver 10.0.0.${n}`).join("\n");
    expect(readResolverSettings(many).servers).toHaveLength(3);
  });

  test("none at all: this machine is asked", () => {
    expect(readResolverSettings("")).toEqual({
      servers: [{ address: "127.0.0.1", port: 53 }],
      timeoutMs: 5_000,
      attempts: 2,
      search: [],
      dots: 1,
    });
    expect(readHosts("").size).toBe(0);
  });
});

const EVIL = record("evil.example", "198.51.100.66");

function counting(bytes: Buffer, answers: number): Buffer {
  const changed = Buffer.from(bytes.subarray(0, answers === 1 ? bytes.length - 16 : undefined));
  changed.writeUInt16BE(answers, 6);
  return changed;
}

function withoutQuestion(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt16BE(0, 4);
  return changed;
}

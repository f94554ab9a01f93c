/** Guarantees of `mail/dns.ts`: one question at a time, short memory, bounded. */

import { describe, expect, test } from "bun:test";
import { plus, unixMs } from "#domain/time.ts";
import {
  createDns,
  DNS_ENTRIES_MAX,
  DNS_NEGATIVE_TTL_MS,
  DNS_RECORDS_MAX,
  DNS_TTL_MS,
  type Resolver,
  systemResolver,
} from "#mail/dns.ts";
import { DnsFailure, TXT_CHARS_MAX, TXT_RECORDS_MAX } from "#runtime/ports/dns.ts";

const SILENT: Resolver = {
  lookup: async () => [],
  mx: async () => [],
  txt: async () => [],
  ptr: async () => [],
};

function counting(answer: (host: string) => Promise<readonly string[]>) {
  const state = { now: unixMs(1_000_000), asked: 0 };
  const clock = { now: () => state.now };
  const lookup = (host: string) => {
    state.asked += 1;
    return answer(host);
  };
  return { state, dns: createDns(clock, { ...SILENT, lookup }) };
}

const coded = (code: string) => Object.assign(new Error(code), { code });

describe("lookup", () => {
  test("a hundred who ask together cause one question", async () => {
    const { state, dns } = counting(async () => ["192.0.2.1"]);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => dns.lookup("Mail.Example.")),
    );
    expect(answers.every((answer) => answer[0] === "192.0.2.1")).toBe(true);
    expect(state.asked).toBe(1);
  });

  test.each([
    ["an answer", async () => ["192.0.2.1"], DNS_TTL_MS],
    ["no address", async () => [], DNS_NEGATIVE_TTL_MS],
    ["no such name", () => Promise.reject(coded("ENOTFOUND")), DNS_NEGATIVE_TTL_MS],
  ])("%s is remembered until its time is over", async (_name, answer, ttlMs) => {
    const { state, dns } = counting(answer);
    await dns.lookup("a.example");
    state.now = plus(state.now, ttlMs - 1);
    await dns.lookup("a.example");
    expect(state.asked).toBe(1);
    state.now = plus(state.now, 1);
    await dns.lookup("a.example");
    expect(state.asked).toBe(2);
  });

  test("no such name is an empty answer; a broken resolver is a failure that passes", async () => {
    let code = "ENOTFOUND";
    const { state, dns } = counting(() => Promise.reject(coded(code)));
    expect(await dns.lookup("a.example")).toEqual([]);
    code = "ESERVFAIL";
    state.now = plus(state.now, DNS_NEGATIVE_TTL_MS);
    expect(dns.lookup("a.example")).rejects.toThrow(DnsFailure);
    await Promise.allSettled([dns.lookup("a.example")]);
    expect(state.asked).toBe(2);
  });

  test("the memory has a bound, and so has an answer", async () => {
    const many = new Array<string>(DNS_RECORDS_MAX + 1).fill("192.0.2.1");
    const { state, dns } = counting(async () => many);
    expect(await dns.lookup("0.example")).toHaveLength(DNS_RECORDS_MAX);
    for (let index = 1; index <= DNS_ENTRIES_MAX; index += 1) {
      await dns.lookup(`${index}.example`);
    }
    await dns.lookup(`${DNS_ENTRIES_MAX}.example`);
    expect(state.asked).toBe(DNS_ENTRIES_MAX + 1);
    await dns.lookup("0.example");
    expect(state.asked).toBe(DNS_ENTRIES_MAX + 2);
  });

  test("the operating system knows this machine", async () => {
    const dns = createDns({ now: () => unixMs(0) }, systemResolver);
    expect(await dns.lookup("localhost")).toContain("127.0.0.1");
  });
});

test("mx: best first, without the dot, and none where the domain takes no mail", async () => {
  const records = [
    { exchange: "B.example.", priority: 20 },
    { exchange: "a.example", priority: 10 },
    { exchange: ".", priority: 0 },
  ];
  const dns = createDns({ now: () => unixMs(0) }, { ...SILENT, mx: async () => records });
  expect(await dns.mx("example")).toEqual([
    { exchange: "a.example", priority: 10 },
    { exchange: "b.example", priority: 20 },
  ]);
});

test("txt: the strings of a record are one text; thousands of records, and endless ones, are cut", async () => {
  const records: Record<string, string[][]> = {
    "a.example": [["v=spf1 ", "-all"], ["other"]],
    "many.example": Array.from({ length: 3_000 }, (_, n) => [`record ${n}`]),
    "long.example": [["x".repeat(60_000)]],
  };
  const dns = createDns(
    { now: () => unixMs(0) },
    { ...SILENT, txt: async (name) => records[name] ?? [] },
  );
  expect(await dns.txt("A.example.")).toEqual(["v=spf1 -all", "other"]);
  expect(await dns.txt("many.example")).toHaveLength(TXT_RECORDS_MAX);
  expect((await dns.txt("long.example"))[0]).toHaveLength(TXT_CHARS_MAX);
});

test("ptr: names without the dot, in lower case; none where the address has none", async () => {
  const ptr = async (ip: string) => {
    if (ip === "192.0.2.1") {
      return ["Mail.Example."];
    }
    throw coded("ENOTFOUND");
  };
  const dns = createDns({ now: () => unixMs(0) }, { ...SILENT, ptr });
  expect(await dns.ptr("192.0.2.1")).toEqual(["mail.example"]);
  expect(await dns.ptr("192.0.2.2")).toEqual([]);
});

/** SPF as receivers read it: syntax, includes, the limits on look-ups. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { addressBytes, isWithin } from "#domain/mailboxes/sender-domain/ip.ts";
import { examineSpf } from "#domain/mailboxes/sender-domain/spf.ts";
import { parseSpf, withTerm } from "#domain/mailboxes/sender-domain/spf-record.ts";
import { answeredFrom, type Zone } from "./support.ts";

const spf = (zone: Zone) => answeredFrom(zone, examineSpf("a.test")).result;
const chain = (length: number): Zone =>
  Object.fromEntries(
    Array.from({ length: length + 1 }, (_, n) => [
      n === 0 ? "txt a.test" : `txt i${n}.test`,
      [n === length ? "v=spf1 ip4:192.0.2.1 -all" : `v=spf1 include:i${n + 1}.test -all`],
    ]),
  );

describe("a record", () => {
  test("is followed into what it includes", () => {
    const report = spf({
      "txt a.test": ["other", "v=spf1 include:_spf.google.com a mx/30 ip6:2001:db8::/32 ~all"],
      "txt _spf.google.com": ["v=spf1 include:_netblocks.google.com ~all"],
      "txt _netblocks.google.com": ["v=spf1 ip4:198.51.100.0/24 -ip4:203.0.113.9 ~all"],
      "address a.test": ["192.0.2.7"],
      "mx a.test": ["mx.a.test"],
      "address mx.a.test": ["192.0.2.25"],
    });
    expect(report).toMatchObject({
      ...{ records: 1, lookups: 4, voids: 0, all: "~", errors: [], silent: [] },
      includes: ["_spf.google.com", "_netblocks.google.com"],
      networks: ["198.51.100.0/24", "192.0.2.7", "192.0.2.25/30", "2001:db8::/32"],
    });
  });

  test("is checked by its own end, not by that of what it includes", () => {
    const zone = { "txt a.test": ["v=spf1 include:b.test ?all"], "txt b.test": ["v=spf1 -all"] };
    expect(spf(zone)).toMatchObject({ all: "?", errors: [] });
  });

  test("takes over the end of what it redirects to, unless it has one", () => {
    const target = { "txt b.test": ["v=spf1 -all"] };
    const to = (record: string) => spf({ ...target, "txt a.test": [record] });
    expect(to("v=spf1 redirect=b.test")).toMatchObject({ all: "-", lookups: 1, errors: [] });
    expect(to("v=spf1 ~all redirect=b.test")).toMatchObject({ all: "~", lookups: 0 });
    expect(to("v=spf1 redirect=c.test").errors).toEqual([
      "redirect=c.test: c.test has no SPF record",
    ]);
  });

  test.each([
    ["none", [], 0, []],
    ["another one's", ["v=spf10 -all", "spf1"], 0, []],
    ["in other letters", ["V=SPF1 -ALL"], 1, []],
    ["nothing but its version", ["v=spf1"], 1, []],
    ["two", ["v=spf1 -all", "v=spf1 ~all"], 2, ["there are 2 SPF records; publish only one"]],
  ])("%s", (_name, records, count, errors) => {
    expect(spf({ "txt a.test": records })).toMatchObject({ records: count, errors });
  });

  test("one among three thousand others is found", () => {
    const others = Array.from({ length: 3_000 }, (_, n) => `verification=${n}`);
    expect(spf({ "txt a.test": [...others, "v=spf1 -all"] })).toMatchObject({ records: 1 });
  });
});

describe("look-ups", () => {
  test.each([
    [10, []],
    [11, ["it needs 11 DNS lookups; receivers stop at 10"]],
    [60, ["it needs at least 40 DNS lookups; receivers stop at 10"]],
  ])("%d includes in a row", (length, errors) => {
    expect(spf(chain(length)).errors).toEqual(errors);
  });

  test("each include, a, mx, ptr, exists and redirect is one", () => {
    const record =
      "v=spf1 a mx ptr exists:%{i}.b.test include:%{d}.c.test ip4:192.0.2.1 redirect=d.test";
    const zone = {
      "txt a.test": [record],
      "address a.test": ["192.0.2.1"],
      "mx a.test": ["a.test"],
      "txt d.test": ["v=spf1 -all"],
    };
    expect(spf(zone)).toMatchObject({ lookups: 6, errors: [], all: "-" });
  });

  test("that find nothing are counted, and two are let pass", () => {
    const of = (record: string) => spf({ "txt a.test": [record] });
    expect(of("v=spf1 a:x.test a:y.test -all")).toMatchObject({ voids: 2, errors: [] });
    expect(of("v=spf1 a:x.test a:y.test mx:z.test -all").errors).toEqual([
      "3 of its lookups find nothing; receivers stop at 2",
    ]);
  });

  test("a loop ends, and is named", () => {
    const zone = {
      "txt a.test": ["v=spf1 include:b.test -all"],
      "txt b.test": ["v=spf1 include:A.test -all"],
    };
    expect(spf(zone).errors).toEqual(["include:A.test loops back to a record already read"]);
  });

  test("a record that includes two of its kind each time stays within bounds", () => {
    const zone = new Proxy<Zone>(
      {},
      {
        get: (_, key) => [
          `v=spf1 include:x.${String(key).slice(4)} include:y.${String(key).slice(4)} -all`,
        ],
      },
    );
    const { result, asked } = answeredFrom(zone, examineSpf("a.test"));
    expect(result.errors.join()).toContain("at least 40");
    expect(asked.length).toBeLessThan(60);
  });

  test("what DNS does not answer is named, and is no error", () => {
    const zone = {
      "txt a.test": ["v=spf1 include:b.test a:c.test -all"],
      "txt b.test": null,
      "address c.test": null,
    };
    expect(spf(zone)).toMatchObject({ silent: ["b.test", "c.test"], errors: [], voids: 0 });
    expect(spf({ "txt a.test": null })).toMatchObject({ silent: ["a.test"], records: 0 });
  });

  test("an mx of more than ten exchanges is an error", () => {
    const zone = {
      "txt a.test": ["v=spf1 mx -all"],
      "mx a.test": Array.from({ length: 11 }, (_, n) => `mx${n}.test`),
    };
    expect(spf(zone).errors).toEqual(["mx: a.test has more than 10 mail exchanges"]);
  });
});

test.each([
  ["v=spf1 ip4:192.0.2.256 -all", '"ip4:192.0.2.256" is not a valid network'],
  ["v=spf1 ip4:192.0.2.0/33 -all", '"ip4:192.0.2.0/33" is not a valid network'],
  ["v=spf1 ip6:192.0.2.0 -all", '"ip6:192.0.2.0" is not a valid network'],
  ["v=spf1 ip4 -all", '"ip4" is missing its value'],
  ["v=spf1 include: -all", '"include:" is missing its value'],
  ["v=spf1 all:x", `"all:x" doesn't take a value`],
  ["v=spf1 a/999 -all", '"a/999" has an invalid prefix length'],
  ["v=spf1 include=b.test -all", null],
  ["v=spf1 inlcude:b.test -all", '"inlcude:b.test" is not an SPF term'],
  ["v=spf1 +a:b.test/24//64 ~all exp=why.test", null],
  ["v=spf1 redirect=a.test redirect=b.test", "redirect= is set twice, or is empty"],
])("syntax: %s", (record, error) => {
  expect(parseSpf(record).errors).toEqual(error === null ? [] : [error]);
});

test.each([
  [null, "v=spf1 include:b.test ~all"],
  ["v=spf1 -all", "v=spf1 include:b.test -all"],
  ["v=spf1  mx   redirect=c.test", "v=spf1 mx include:b.test redirect=c.test"],
  ["v=spf1 mx", "v=spf1 mx include:b.test"],
])("a term is put before the end of %p", (record, expected) => {
  expect(withTerm(record, "include:b.test")).toBe(expected);
});

test("any text is read without an exception, and without an endless walk", () => {
  const word = fc.oneof(
    fc.constantFrom("a", "mx", "ptr", "-all", "include:b.test", "redirect=b.test", "ip4:1.2.3.4/8"),
    fc.string({ maxLength: 20 }),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), fc.array(word, { maxLength: 30 }), (a, b) => {
      const zone = {
        "txt a.test": [`v=spf1 ${a.join(" ")}`],
        "txt b.test": [`v=spf1 ${b.join(" ")}`],
      };
      const { asked } = answeredFrom(zone, examineSpf("a.test"));
      expect(asked.length).toBeLessThan(500);
    }),
  );
});

test.each([
  ["192.0.2.7", "192.0.2.0/24", true],
  ["192.0.3.7", "192.0.2.0/24", false],
  ["192.0.2.7", "192.0.2.7", true],
  ["192.0.2.7", "0.0.0.0/0", true],
  ["2001:db8::1", "2001:db8::/32", true],
  ["2001:db9::1", "2001:db8::/32", false],
  ["2001:db8::1", "0.0.0.0/0", false],
  ["::ffff:192.0.2.1", "::ffff:192.0.2.0/120", true],
  ["x", "192.0.2.0/24", false],
])("%s within %s: %p", (ip, network, expected) => {
  expect(isWithin(ip, network)).toBe(expected);
});

test.each([
  "1.2.3",
  "1.2.3.4.5",
  "01.2.3.4",
  "1::2::3",
  "1:2:3:4:5:6:7",
  "1:2:3:4:5:6:7:8::",
  "g::",
  ":",
])("%p is no address", (text) => {
  expect(addressBytes(text)).toBeNull();
});

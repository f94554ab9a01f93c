/**
 * The chain of the audit log: the bytes that are hashed are RFC 8785's, and whatever is done to an export is found, by
 * the command's reader and by the verifier in Python that the docs print.
 */

import { describe, expect, test } from "bun:test";
import { type ChainEnd, canonicalJson, chained } from "#domain/events/audit-chain.ts";
import { auditFileReader } from "#domain/events/audit-file.ts";
import { unixMs } from "#domain/time.ts";
import { verifiedByPython } from "../../support/audit-python.ts";

describe("canonicalJson", () => {
  test("writes the examples of RFC 8785, §3.2.2 and §3.2.3", () => {
    const sample = JSON.parse(
      String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],
        "string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
    );
    expect(canonicalJson(sample)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"EURO$\u000f\nA'B\"\\\\\"/"}`.replace(
        "EURO",
        "\u20ac",
      ),
    );
    const keys = JSON.parse(
      String.raw`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One",
        "\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`,
    );
    expect(Object.values(JSON.parse(canonicalJson(keys))).toSorted()).toEqual(
      Object.values(keys).map(String).toSorted(),
    );
    const order = [..."\r1\u0080öé€"].filter((letter) => letter !== "é");
    const places = [...order, "\ud83d\ude00", "\ufb33"].map((key) =>
      canonicalJson(keys).indexOf(`${JSON.stringify(key)}:`),
    );
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
  });

  test("writes what can't be written in UTF-8 as a replacement", () => {
    expect(canonicalJson({ a: "\ud800", b: undefined, c: -0 })).toBe(
      '{"a":"\ufffd","b":null,"c":0}',
    );
  });
});

const hashText = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");

/** A generator of numbers below `most` that starts anew with its seed. */
function dice(seed: number) {
  let state = seed;
  return (most: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

const VALUES = [
  1e21,
  1e-7,
  0.1,
  -0,
  "é\u2028\ud83d\ude00\u007f",
  "",
  null,
  true,
  [1, [2.5]],
  { "\ufb33": 1, "\ud83d\ude00": 2 },
];

/** Lines of an export whose first entry is `from`. */
function exported(entries: number, from = 1) {
  const anchor = from === 1 ? null : { position: from - 1, hash: hashText("before") };
  let head: ChainEnd | null = anchor;
  const lines = Array.from({ length: entries }, (_, at) => {
    const entry = chained(
      {
        teamId: "01952c6a-4000-7000-8000-000000000001",
        actor: "engine",
        action: "campaign.patch",
        target: `campaign:${at}`,
        at: unixMs(1_772_000_000_000 + at),
        before: at % 3 === 0 ? null : { name: VALUES[at % VALUES.length] },
        after: { name: VALUES[(at + 1) % VALUES.length], weight: at / 7 },
        requestId: at % 2 === 0 ? null : `req-${at}`,
      },
      head,
    );
    const hash = hashText(canonicalJson(entry));
    head = { position: from + at, hash };
    return JSON.stringify({ ...entry, hash });
  });
  const trailer = { chain: { entries, unchained: 0, anchor, head } };
  return { lines: [...lines, JSON.stringify(trailer)], head: head as ChainEnd | null };
}

function judged(lines: readonly string[], head: ChainEnd | null = null) {
  const reader = auditFileReader(hashText, { head, anchor: null, hasTrailer: true });
  for (const line of lines) {
    reader.read(JSON.parse(line));
  }
  return reader.end();
}

/** Every way to tamper with `lines` that leaves them valid JSON and the last line as it is. */
function tampered(lines: readonly string[], roll: (most: number) => number): [string, string[]] {
  const [entries, trailer = ""] = [lines.slice(0, -1), lines.at(-1)];
  const at = roll(entries.length);
  const entry = JSON.parse(entries[at] ?? "");
  const changed = (fields: object) => entries.with(at, JSON.stringify({ ...entry, ...fields }));
  const names = Object.keys(entry);
  const name = names[roll(names.length)] ?? "";
  const other = (at + 1 + roll(entries.length - 1)) % entries.length;
  const forged = { ...entry, target: "campaign:other" };
  const { hash: _, ...content } = forged;
  const ways: [string, string[]][] = [
    ["delete", entries.toSpliced(at, 1)],
    ["swap", entries.with(at, entries[other] ?? "").with(other, entries[at] ?? "")],
    [
      "change a field",
      changed({ [name]: typeof entry[name] === "number" ? entry[name] + 1 : "x" }),
    ],
    ["change a value inside", changed({ after: { ...entry.after, weight: 1.5e300 } })],
    ["change it and its hash", changed({ ...forged, hash: hashText(canonicalJson(content)) })],
    ["insert", entries.toSpliced(at, 0, entries[other] ?? "")],
    ["insert another", entries.toSpliced(at, 0, JSON.stringify(forged))],
    ["cut from the middle", entries.toSpliced(at, 1 + roll(entries.length - at))],
    ["take out a hash", changed({ hash: null, position: null })],
  ];
  const [way, made] = ways[roll(ways.length)] ?? ["", []];
  return [way, [...made, trailer]];
}

describe("an export", () => {
  test("is intact for both, with every kind of value, whole or trimmed", async () => {
    const cases = [exported(40), exported(12, 900), exported(0), exported(0, 7)];
    for (const { lines, head } of cases) {
      expect(judged(lines, head)).toMatchObject({ fault: null, head });
    }
    const none = { position: 0, hash: null };
    expect(await verifiedByPython(cases)).toEqual(cases.map(({ head }) => head ?? none));
  });

  test("1,000 tamperings are all found, by both", async () => {
    const roll = dice(7);
    const cases = Array.from({ length: 1_000 }, (_, at) => {
      const { lines, head } = exported(2 + roll(30), at % 4 === 0 ? 50 : 1);
      const [way, made] = tampered(lines, roll);
      return { way, lines: made, head };
    });
    const missed = cases.filter(({ lines }) => judged(lines).fault === null);
    expect(missed).toEqual([]);
    expect(new Set(cases.map(({ way }) => way)).size).toBe(9);
    const said = await verifiedByPython(cases.map(({ lines }) => ({ lines })));
    expect(said.filter((one) => typeof one !== "string")).toEqual([]);
  });

  test("a changed entry is named", () => {
    const { lines } = exported(9);
    const entry = JSON.parse(lines[4] ?? "");
    const made = lines.with(4, JSON.stringify({ ...entry, actor: "operator" }));
    expect(judged(made).fault).toEqual({ kind: "changed", line: 5, position: 5 });
    expect(judged(lines.toSpliced(3, 1)).fault).toEqual({ kind: "missing", line: 4, position: 5 });
  });

  test("one whose end was cut off, last line and all, is found by a head that was noted", async () => {
    const { lines, head } = exported(20);
    const short = exported(15).lines;
    expect(judged(short).fault).toBeNull();
    expect(judged(short, head).fault).toMatchObject({ kind: "cut_off", position: 20 });
    expect(judged(lines.slice(0, 15)).fault).toMatchObject({ kind: "cut_off" });
    const forged = { position: 20, hash: hashText("another") };
    expect(judged(lines, forged).fault).toMatchObject({ kind: "not_pinned", position: 20 });
    expect(await verifiedByPython([{ lines: short, head }])).toEqual([
      "the head that was noted is missing",
    ]);
  });
});

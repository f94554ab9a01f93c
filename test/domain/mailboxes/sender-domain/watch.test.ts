/** What a look at a domain means beside the looks before it. */

import { expect, test } from "bun:test";
import type { DomainReport } from "#domain/mailboxes/sender-domain/examine.ts";
import {
  type DomainCheck,
  type DomainVerdict,
  finding,
} from "#domain/mailboxes/sender-domain/finding.ts";
import {
  CHANGES_MAX,
  NOTHING_WATCHED,
  type Watched,
  watchOn,
} from "#domain/mailboxes/sender-domain/watch.ts";
import { unixMs } from "#domain/time.ts";

type Look = [check: DomainCheck, verdict: DomainVerdict, found?: string[]];

function report(looks: Look[], change: Partial<DomainReport> = {}): DomainReport {
  return {
    ...{ domain: "a.test", ok: true, spf: null, selectors: [], dmarcPolicy: null },
    ...{ partial: [], listings: [], networks: [] },
    checks: looks.map(([check, verdict, found = []]) =>
      finding(check, verdict, `${check} is ${verdict}`, { found }),
    ),
    ...change,
  };
}

/** One look after the other, at the instants 1, 2, 3 …, and what each of them told. */
function watch(...reports: DomainReport[]) {
  let state: Watched = NOTHING_WATCHED;
  const news = reports.map((one, nth) => {
    const { after, broke, recovered } = watchOn(state, one, unixMs(nth + 1));
    state = after;
    return [broke.map(({ check }) => check), recovered.map(({ check }) => check)];
  });
  return { state, news };
}

test("a first look is no news, however bad", () => {
  const { state, news } = watch(report([["spf", "fault"]]));
  expect(news).toEqual([[[], []]]);
  expect(state).toMatchObject({ changes: [], broken: [] });
});

test("what was right and breaks is told once, and again when it works", () => {
  const good = report([["spf", "ok", ["v=spf1 -all"]]]);
  const gone = report([["spf", "fault"]]);
  const { state, news } = watch(good, gone, gone, good);
  expect(news).toEqual([
    [[], []],
    [["spf"], []],
    [[], []],
    [[], ["spf"]],
  ]);
  expect(state.broken).toEqual([]);
  expect(state.changes.map(({ at, was, is }) => [at, was.verdict, is.verdict])).toEqual([
    [unixMs(4), "fault", "ok"],
    [unixMs(2), "ok", "fault"],
  ]);
});

test("silence of DNS changes nothing, and what broke behind it is told", () => {
  const good = report([["dkim", "ok", ["k: v=DKIM1"]]]);
  const silent = report([["dkim", "unknown"]]);
  expect(watch(good, silent, silent, good).news.flat(2)).toEqual([]);
  expect(watch(good, silent, report([["dkim", "fault"]])).news.at(-1)).toEqual([["dkim"], []]);
});

test("records of which some had no response are compared the next time", () => {
  const both = report([["dkim", "ok", ["a", "b"]]]);
  const half = report([["dkim", "ok", ["a"]]], { partial: ["dkim"] });
  expect(watch(both, half, both).state.changes).toEqual([]);
  expect(watch(both, half, report([["dkim", "ok", ["a"]]])).state.changes).toHaveLength(1);
});

test("a record that is rewritten is a change; the order of records and rotating addresses aren't", () => {
  const changes = (check: DomainCheck, was: string[], is: string[]) =>
    watch(report([[check, "ok", was]]), report([[check, "ok", is]])).state.changes.length;
  expect(changes("spf", ["v=spf1 -all"], ["v=spf1 ~all"])).toBe(1);
  expect(changes("mx", ["a", "b"], ["b", "a"])).toBe(0);
  expect(changes("sending_host", ["192.0.2.1: a"], ["192.0.2.2: b"])).toBe(0);
});

test("a key that isn't published yet is no harm while the others stand", () => {
  const good = report([["dkim", "ok", ["google: v=DKIM1"]]]);
  const pending = report([["dkim", "fault", ["google: v=DKIM1"]]]);
  expect(watch(good, pending).news.at(-1)).toEqual([[], []]);
  expect(watch(good, report([["dkim", "fault"]])).news.at(-1)).toEqual([["dkim"], []]);
});

test("a listing is news, has its first day, and outlasts a list that doesn't respond", () => {
  const [ip, zone] = ["192.0.2.25", "list.test"];
  const at = (listed: boolean | null) =>
    report([["block_lists", listed === null ? "unknown" : listed ? "warning" : "ok"]], {
      listings: [{ ip, zone, listed }],
    });
  const { state, news } = watch(at(false), at(true), at(null), at(true));
  expect(news.flat(2)).toEqual(["block_lists"]);
  expect(state.listings).toEqual([{ ip, zone, since: unixMs(2) }]);
  expect(watch(at(true), at(false)).state.listings).toEqual([]);
});

test.each<[DomainCheck, DomainVerdict, DomainVerdict]>([
  ["mta_sts", "ok", "advice"],
  ["dmarc", "ok", "warning"],
  ["tracking_host", "ok", "warning"],
])("%s from %s to %s is a change, and nothing that broke", (check, was, is) => {
  const { state, news } = watch(report([[check, was]]), report([[check, is]]));
  expect(news.flat(2)).toEqual([]);
  expect(state.changes).toHaveLength(1);
});

test("no more than the last changes are kept", () => {
  const looks = Array.from({ length: CHANGES_MAX + 20 }, (_, nth) =>
    report([["spf", "ok", [`v=spf1 ip4:192.0.2.${nth} -all`]]]),
  );
  const { changes } = watch(...looks).state;
  expect(changes).toHaveLength(CHANGES_MAX);
  expect(changes[0]?.is.found).toEqual([`v=spf1 ip4:192.0.2.${CHANGES_MAX + 19} -all`]);
});

/**
 * How often an authority is asked, whatever fails, with the program started anew before each look. The
 * authority here is a script; `test/cli/certificates.test.ts` has a real one.
 */

import { describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import { certificatesWorker, renewAt } from "#engine/certificates.ts";
import { certificateFiles, newKey } from "#platform/acme/certificate-files.ts";
import { silentLog } from "#platform/log.ts";
import { selfSigned } from "../support/certificate.ts";
import { temporaryDirectory } from "../support/executable.ts";
import { at } from "../support/zones.ts";

const START = at("2026-11-02T09:00Z");
const CA = "https://ca.example";

interface Scripted {
  hosts: string[];
  /** What the authority does with an order; undefined: nobody is there. */
  order?: () => Response;
}

/** Steps a new worker every `everyMs` for `forMs`; returns when orders were tried, and of which host. */
async function ordersOf({ hosts, order }: Scripted, forMs: number, everyMs: number) {
  using directory = temporaryDirectory();
  const tried: { at: UnixMs; host: string }[] = [];
  let now = START;
  const answers: Record<string, () => Response> = {
    "/dir": () =>
      Response.json({ newNonce: `${CA}/n`, newAccount: `${CA}/a`, newOrder: `${CA}/o` }),
    "/n": () => new Response(null, { headers: { "Replay-Nonce": "one" } }),
    "/a": () => new Response("{}", { headers: { Location: `${CA}/a/1`, "Replay-Nonce": "two" } }),
  };
  const fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { pathname } = new URL(url);
    if (pathname === "/dir" && order === undefined) {
      tried.push({ at: now, host: "" });
      throw new Error("connection refused");
    }
    if (pathname === "/o" && order !== undefined) {
      const { payload } = JSON.parse(String(init.body)) as { payload: string };
      const wanted = Buffer.from(payload, "base64url").toString();
      const { identifiers } = JSON.parse(wanted) as { identifiers: { value: string }[] };
      tried.push({ at: now, host: identifiers[0]?.value ?? "" });
      return await Promise.resolve(order());
    }
    return await Promise.resolve(answers[pathname]?.() ?? new Response(null, { status: 404 }));
  };
  const { signal } = new AbortController();
  for (; now < plus(START, forMs); now = plus(now, everyMs)) {
    const worker = certificatesWorker({
      files: certificateFiles(directory.path),
      authority: { directory: `${CA}/dir`, email: null, fetch, signal },
      hosts: () => hosts,
      publish: () => undefined,
      serve: () => undefined,
      log: silentLog,
    });
    while ((await worker.step(now)) === now) {
      // As many as it would place at once.
    }
  }
  return tried;
}

function refusal(type: string, headers: Record<string, string> = {}): () => Response {
  const body = JSON.stringify({ type: `urn:ietf:params:acme:error:${type}`, detail: type });
  return () => new Response(body, { status: 403, headers: { "Replay-Nonce": "next", ...headers } });
}

/** The most that lie within `ms` of each other. */
function most(instants: readonly UnixMs[], ms: number): number {
  const within = instants.map(
    (from) => instants.filter((to) => to >= from && to - from < ms).length,
  );
  return Math.max(0, ...within);
}

describe("an authority is not asked too often", () => {
  test("that is down: about twice a day in the end, for all hosts together", async () => {
    const tried = await ordersOf({ hosts: ["a.example", "b.example"] }, 7 * DAY_MS, 5 * MINUTE_MS);
    const times = tried.map((one) => one.at);
    expect(most(times, HOUR_MS)).toBeLessThanOrEqual(2);
    expect(tried.length).toBeWithin(14, 20);
  });

  test("that refuses a host: fewer than five times an hour, and other hosts have their turn", async () => {
    const order = refusal("rejectedIdentifier");
    const tried = await ordersOf(
      { hosts: ["a.example", "b.example"], order },
      2 * DAY_MS,
      MINUTE_MS,
    );
    for (const host of ["a.example", "b.example"]) {
      const times = tried.filter((one) => one.host === host).map((one) => one.at);
      expect(most(times, HOUR_MS)).toBeLessThan(5);
      expect(times.length).toBeWithin(6, 10);
    }
  });

  test("that names a time is asked no sooner", async () => {
    const order = refusal("rateLimited", { "Retry-After": String(30 * 60 * 60) });
    const [first, second] = await ordersOf({ hosts: ["a.example"], order }, 3 * DAY_MS, HOUR_MS);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBe(30 * HOUR_MS);
  });

  test("whose hosts change all the time: 200 orders in three hours", async () => {
    const hosts: string[] = [];
    const order = () => {
      hosts.push(`h${hosts.length + 1}.example`);
      return refusal("rejectedIdentifier")();
    };
    hosts.push("h0.example");
    const tried = await ordersOf({ hosts, order }, 4 * HOUR_MS, MINUTE_MS);
    expect(
      most(
        tried.map((one) => one.at),
        3 * HOUR_MS,
      ),
    ).toBe(200);
  });
});

test("certificates are renewed at two thirds of their life, not all at once", () => {
  const [from, until] = [START, plus(START, 90 * DAY_MS)];
  const days = Array.from({ length: 40 }, (_, n) => {
    const one = { host: `h${n}.example`, key: "", chain: "", from, until };
    expect(renewAt(one)).toBe(renewAt(one));
    return (renewAt(one) - from) / DAY_MS;
  });
  expect(Math.max(...days)).toBeLessThanOrEqual(60);
  expect(Math.min(...days)).toBeGreaterThanOrEqual(55);
  expect(new Set(days.map(Math.floor)).size).toBeGreaterThan(3);
});

test("a certificate that is for another host or another key is not taken", () => {
  using directory = temporaryDirectory();
  const files = certificateFiles(directory.path);
  const { cert } = selfSigned("a.example");
  expect(() => files.store("b.example", newKey(), cert)).toThrow("not the one that was ordered");
  expect(() => files.store("a.example", newKey(), cert)).toThrow("not the one that was ordered");
  expect(files.all()).toEqual([]);
});

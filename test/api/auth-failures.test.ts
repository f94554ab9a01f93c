/** Wrong keys: how many an address may try, whom that holds up, and whose address it is. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { MINUTE_MS } from "#domain/time.ts";
import { clientAddress, networkOf } from "#platform/http/client-address.ts";
import { parseCidrs } from "#platform/http/guard.ts";
import { createTestApp } from "../support/app.ts";

describe("wrong keys", () => {
  test("are 401 until there are too many, then 429; a right key is never held up", async () => {
    const app = await createTestApp({ authFailures: 3 });
    const tries = [null, "nonsense", app.keys.test.replace("_test_", "_live_"), null, "x"];
    const statuses: number[] = [];
    for (const key of tries) {
      statuses.push((await app.call("GET", "/campaigns", undefined, { key })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    const { body, headers } = await app.call("GET", "/campaigns", undefined, { key: "y" });
    expect(body).toMatchObject({ type: "rate_limit_exceeded", status: 429 });
    expect(headers.get("retry-after")).toBe("20");
    expect((await app.call("GET", "/campaigns")).status).toBe(200);
    app.wall.move(MINUTE_MS);
    expect((await app.call("GET", "/campaigns", undefined, { key: null })).status).toBe(401);
    await app.close();
  });

  test("that are expired or revoked count too, and are answered alike", async () => {
    const app = await createTestApp({ authFailures: 1 });
    const made = (await app.call("POST", "/keys", { name: "x" })).body;
    await app.call("DELETE", `/keys/${made.id}`);
    const get = () => app.call("GET", "/campaigns", undefined, { key: made.key });
    expect([(await get()).status, (await get()).status]).toEqual([401, 429]);
    await app.close();
  });

  test("do not hold up what needs no key", async () => {
    const app = await createTestApp({ authFailures: 1 });
    await app.call("GET", "/campaigns", undefined, { key: null });
    await app.call("GET", "/campaigns", undefined, { key: null });
    expect((await app.fetch(new Request("http://localhost/healthz"))).status).toBe(200);
    await app.close();
  });
});

describe("whose request it is", () => {
  const trusted = parseCidrs("10.0.0.0/8, ::1");
  test.each([
    [
      "nobody's header is believed without a trusted proxy",
      "192.0.2.7",
      "203.0.113.9",
      "192.0.2.7",
    ],
    ["a trusted proxy says who asked", "10.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["what the client wrote itself stands further left", "10.0.0.1", "1.1.1.1, 2.2.2.2", "2.2.2.2"],
    ["trusted proxies in a row are passed", "::1", "203.0.113.9, 10.9.9.9", "203.0.113.9"],
    ["what is no address ends it", "10.0.0.1", "203.0.113.9, unknown", "10.0.0.1"],
    ["no header", "10.0.0.1", null, "10.0.0.1"],
    ["an empty header", "10.0.0.1", "", "10.0.0.1"],
    ["no connection", null, "203.0.113.9", "unknown"],
    ["IPv6", "::1", "2001:db8::5", "2001:db8::5"],
  ])("%s", (_name, peer, forwarded, expected) => {
    expect(clientAddress(peer, forwarded, trusted)).toBe(expected);
  });

  test("is never what a client wrote, if its proxy adds what it saw", () => {
    fc.assert(
      fc.property(fc.string(), (written) => {
        const header = `${written}, 203.0.113.9`;
        expect(clientAddress("10.0.0.1", header, trusted)).toBe("203.0.113.9");
      }),
    );
  });

  test("counts an IPv6 customer once, and an IPv4 address in IPv6 clothes as itself", () => {
    expect(networkOf("2001:db8:1:2::5")).toBe(networkOf("2001:db8:1:2:ffff::9"));
    expect(networkOf("2001:db8:1:2::5")).not.toBe(networkOf("2001:db8:1:3::5"));
    expect(networkOf("::ffff:192.0.2.7")).toBe(networkOf("192.0.2.7"));
    expect(networkOf("192.0.2.7")).not.toBe(networkOf("192.0.2.8"));
    expect(networkOf("unknown")).toBe("unknown");
  });
});

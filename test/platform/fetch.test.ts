/** Guarantees of `platform/http/fetch.ts`: our DNS finds the address, TLS and `Host` are of the name. */

import { afterAll, expect, test } from "bun:test";
import { createFetch } from "#platform/http/fetch.ts";
import { selfSigned } from "../support/certificate.ts";
import { tableDns } from "../support/dns.ts";

const asked: string[] = [];
const plain = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: ({ headers, url }) =>
    new URL(url).pathname === "/away"
      ? new Response(null, { status: 302, headers: { location: "http://10.0.0.1/" } })
      : new Response(headers.get("host")),
});
const { cert, key } = selfSigned("shop.example");
const secure = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  tls: { cert, key },
  fetch: () => new Response("hello"),
});
afterAll(() => Promise.all([plain.stop(true), secure.stop(true)]));

const table = tableDns({ "shop.example": ["127.0.0.1"], "other.example": ["127.0.0.1"] });
const fetchBy = createFetch({
  lookup: (host, team) => {
    asked.push(`${host} ${team}`);
    return table.lookup(host, team);
  },
});

test("goes to the address that our DNS has, in the name that was asked for", async () => {
  const answer = await fetchBy(`http://shop.example:${plain.port}/x`, { method: "POST" });
  expect(await answer.text()).toBe(`shop.example:${plain.port}`);
  expect(asked).toEqual(["shop.example null"]);
});

test("an address is asked of nobody, and a redirect is not followed", async () => {
  const before = asked.length;
  const answer = await fetchBy(new URL(`http://127.0.0.1:${plain.port}/away`));
  expect([answer.status, asked.length]).toEqual([302, before]);
});

test("a name that is not the certificate's is refused, and one that nobody vouches for", async () => {
  for (const name of ["other.example", "shop.example"]) {
    const answer = fetchBy(`https://${name}:${secure.port}/`);
    expect(answer).rejects.toThrow(/CERT|certificate/i);
    await Promise.allSettled([answer]);
  }
});

test("a name without an address, or without an answer, is an error", async () => {
  expect(fetchBy("http://none.example/")).rejects.toThrow("none.example has no address");
  const aborted = fetchBy(`http://shop.example:${plain.port}/`, { signal: AbortSignal.abort() });
  expect(aborted).rejects.toThrow();
  await Promise.allSettled([aborted]);
});

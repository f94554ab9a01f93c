/**
 * Journey 22: behind a proxy that ends TLS. Its word on scheme and address counts where it is trusted,
 * and nobody's else; events pass it as they happen.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Started, startProgram } from "../support/console.ts";
import { ANN } from "../support/people.ts";
import { startProxy, type TlsProxy } from "../support/proxy.ts";

const TEST_MS_MAX = 180_000;

const ask = (origin: string, path: string, init: RequestInit = {}) =>
  fetch(origin + path, {
    ...init,
    headers: { "Content-Type": "application/json", Origin: origin, ...init.headers },
    tls: { rejectUnauthorized: false },
  });

describe("behind a trusted proxy (journey 22)", () => {
  let program: Started;
  let proxy: TlsProxy;
  let origin: string;
  let cookie: string;
  beforeAll(async () => {
    program = await startProgram({ args: ["--trusted-proxies", "127.0.0.1"] });
    proxy = startProxy(program.url);
    origin = proxy.origin;
    const token = program.link?.split("#")[1];
    const body = JSON.stringify({ token, ...ANN });
    const welcome = await ask(origin, "/console/welcome", { method: "POST", body });
    cookie = welcome.headers.get("set-cookie") ?? "";
  }, TEST_MS_MAX);
  afterAll(async () => {
    await proxy[Symbol.asyncDispose]();
    await program[Symbol.asyncDispose]();
  }, TEST_MS_MAX);

  test("the cookie is bound to TLS and to the host", () => {
    expect(cookie).toMatch(/^__Host-outrider-[0-9a-f]{8}=[\w-]{43}; Path=\/;.*; Secure$/);
  });

  test("events come as they happen, not when somebody's buffer is full", async () => {
    const headers = { Cookie: cookie.split(";")[0] ?? "" };
    const stream = await ask(origin, "/test/api/v1/events/stream", { headers });
    expect(stream.headers.get("content-type")).toStartWith("text/event-stream");
    expect(stream.headers.get("x-accel-buffering")).toBe("no");
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toContain("retry:");
    await reader.cancel();
  });

  test("the page and its scripts come through it", async () => {
    const page = await (await ask(origin, "/live")).text();
    const script = /src="(\/ui\/[^"]+)"/.exec(page)?.[1] ?? "";
    expect((await ask(origin, script)).status).toBe(200);
  });
});

describe("without a trusted proxy (journey 22)", () => {
  test(
    "a forged scheme makes no cookie that the browser would not send back",
    async () => {
      await using program = await startProgram();
      const token = program.link?.split("#")[1];
      const welcome = await ask(program.url, "/console/welcome", {
        method: "POST",
        body: JSON.stringify({ token, ...ANN }),
        headers: { "X-Forwarded-Proto": "https", "X-Forwarded-For": "198.51.100.7" },
      });
      expect(welcome.headers.get("set-cookie")).toMatch(
        /^outrider-[0-9a-f]{8}=[^;]+; Path=\/;.*SameSite=Strict$/,
      );
    },
    TEST_MS_MAX,
  );
});

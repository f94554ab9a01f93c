/** Guarantees of `platform/http/links.ts`: a link is asked once, nothing private is reached, no answer holds it up. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
import { parseCidrs } from "#platform/http/guard.ts";
import { createLinks } from "#platform/http/links.ts";
import { DnsFailure } from "#platform/ports/dns.ts";

const NAMES: Readonly<Record<string, readonly string[]>> = {
  "shop.example": ["127.0.0.1"],
  "mixed.example": ["1.1.1.1", "127.0.0.1"],
};
const dns = {
  lookup: async (host: string) => {
    if (host === "broken.example") {
      throw new DnsFailure("no answer");
    }
    return NAMES[host] ?? [];
  },
};
const open = createLinks({ dns, allowCidrs: parseCidrs("127.0.0.0/8"), linkMs: 500 });
const strict = createLinks({ dns, allowCidrs: [], linkMs: 500 });

const servers: Server[] = [];
const asked: string[] = [];

async function answering(answer: string | null): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      asked.push(data.toString());
      if (answer !== null) {
        socket.write(answer);
      }
    });
  });
  servers.push(server);
  server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
  return await promise;
}

let ports: Record<"fine" | "gone" | "moved" | "silent" | "garbage", number>;
beforeAll(async () => {
  ports = {
    // Of a body without end nothing is read.
    fine: await answering("HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\nx"),
    gone: await answering("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"),
    moved: await answering("HTTP/1.1 301 Moved\r\nLocation: https://b.example/\r\n\r\n"),
    silent: await answering(null),
    garbage: await answering("nonsense\r\n\r\n"),
  };
});
afterAll(() => {
  for (const server of servers) {
    server.close();
  }
});

describe("a link", () => {
  test("that answers says how; a body is not read, a redirect not followed", async () => {
    const at = (port: number) => open.look(`http://shop.example:${port}/a?b=1#c`, "team");

    expect(await at(ports.fine)).toMatchObject({ kind: "answered", status: 200, location: null });
    expect(await at(ports.gone)).toMatchObject({ kind: "answered", status: 404, location: null });
    expect(await at(ports.moved)).toMatchObject({
      kind: "answered",
      status: 301,
      location: "https://b.example/",
    });
    expect(asked[0]).toStartWith("GET /a?b=1 HTTP/1.1\r\n");
    expect(asked[0]?.toLowerCase()).not.toContain("cookie");
  });

  test.each([
    ["a silent server", () => `http://shop.example:${ports.silent}/`, "timeout"],
    ["nonsense", () => `http://shop.example:${ports.garbage}/`, "closed"],
    ["no TLS where there should be", () => `https://shop.example:${ports.garbage}/`, "closed"],
    ["a name without an address", () => "https://nowhere.example/", "dns"],
    ["a resolver that is broken", () => "https://broken.example/", "dns"],
    ["no link at all", () => "ftp://shop.example/", "not_a_link"],
    ["a user and a password", () => "https://ann:x@shop.example/", "not_a_link"],
  ])("%s fails, and says why", async (_what, url, reason) => {
    const outcome = await open.look(url(), "team");
    expect(outcome.kind).toBe("failed");
    expect(outcome).toMatchObject(reason === "closed" ? {} : { reason });
  });

  test.each([
    "http://127.0.0.1:1/",
    "http://[::1]/",
    "http://169.254.169.254/latest/meta-data",
    "http://10.0.0.1/",
    "http://2130706433/",
    "https://mixed.example/",
  ])("never reaches a private address: %s", async (url) => {
    expect(await strict.look(url, "team")).toEqual({
      kind: "failed",
      reason: "address_not_allowed",
    });
  });
});

/**
 * Guarantees of `platform/http/http.ts`: which URLs are taken, that no private address is ever connected to
 * however it is named, and that nothing which an endpoint does takes longer or more memory than it may.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { parseCidrs } from "#platform/http/guard.ts";
import { createHttp, type HttpOptions } from "#platform/http/http.ts";
import { DnsFailure } from "#platform/ports/dns.ts";
import type { Http, HttpFailure } from "#platform/ports/http.ts";
import { REFUSED_URLS, TAKEN_URLS } from "../support/addresses.ts";
import { type Certificate, selfSigned } from "../support/certificate.ts";

const LOCAL = parseCidrs("127.0.0.0/8");
const NAMES: Readonly<Record<string, readonly string[]>> = {
  "hook.example": ["127.0.0.1"],
  "other.example": ["127.0.0.1"],
  "mixed.example": ["1.1.1.1", "127.0.0.1"],
  "inner.example": ["10.0.0.9"],
  "mapped.example": ["::ffff:169.254.169.254"],
};
const dns = { lookup: async (host: string) => NAMES[host] ?? [] };

function http(options: Partial<HttpOptions> = {}): Http {
  return createHttp({ dns, allowCidrs: LOCAL, ...options });
}

describe("check", () => {
  const strict = http({ allowCidrs: [] });

  test.each([...TAKEN_URLS])("takes %s", (url) => {
    expect(strict.check(url)).toBeNull();
  });

  test.each([...REFUSED_URLS])("refuses %s", (_name, url) => {
    expect(strict.check(url)).toBeString();
  });

  test("what an operator has opened may be named, http too", () => {
    const open = http();
    expect(open.check("http://127.0.0.1:8080/x")).toBeNull();
    expect(open.check("http://localhost:8080/x")).toBeNull();
    expect(open.check("https://127.0.0.1/x")).toBeNull();
    expect(open.check("http://10.0.0.1/x")).toBeString();
    expect(open.check("http://ann@127.0.0.1/x")).toBeString();
  });
});

interface Endpoints {
  plain: number;
  tls: number;
  raw: Record<"garbage" | "headers" | "silent" | "closing", number>;
  hits: string[];
  certificate: Certificate;
  stop: () => void;
}

const CHUNK = new Uint8Array(32 * 1024);

/** What an endpoint may do, by path. */
function answer(request: Request, hits: string[]): Response | Promise<Response> {
  const { pathname } = new URL(request.url);
  hits.push(`${request.headers.get("host")}${pathname}`);
  switch (pathname) {
    case "/redirect":
      return new Response(null, { status: 302, headers: { Location: "http://10.0.0.9/" } });
    case "/gzip":
      return new Response(gzipSync(Buffer.alloc(20_000_000)), {
        headers: { "Content-Encoding": "gzip" },
      });
    case "/endless":
      return new Response(new ReadableStream({ pull: (out) => out.enqueue(CHUNK) }));
    case "/trickle":
      return new Response(
        new ReadableStream({
          pull: async (out) => {
            await Bun.sleep(20);
            out.enqueue(new Uint8Array(1));
          },
        }),
      );
    case "/never":
      return new Promise(() => undefined);
    case "/echo":
      return request.text().then((text) => new Response(text));
    case "/controls":
      return new Response("a\u0000b\u001b[31mc\u202ed\r\ne");
    case "/busy":
      return new Response("later", { status: 503, headers: { "Retry-After": "120" } });
    default:
      return new Response("fine");
  }
}

async function startEndpoints(): Promise<Endpoints> {
  const hits: string[] = [];
  const certificate = selfSigned("hook.example");
  const common = { hostname: "127.0.0.1", port: 0, idleTimeout: 60 } as const;
  const fetch = (request: Request) => answer(request, hits);
  const plain = Bun.serve({ ...common, fetch });
  const tls = Bun.serve({ ...common, fetch, tls: certificate });
  const sockets = new Set<Socket>();
  const servers: Server[] = [];
  const listen = async (talk: (socket: Socket) => void) => {
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.once("data", () => talk(socket));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    return typeof address === "object" ? (address?.port ?? 0) : 0;
  };
  const raw = {
    garbage: await listen((socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n\r\n")),
    headers: await listen((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const write = () => {
        if (!socket.destroyed) {
          socket.write(`X-More: ${"x".repeat(4096)}\r\n`, () => setImmediate(write));
        }
      };
      write();
    }),
    silent: await listen(() => undefined),
    closing: await listen((socket) => socket.destroy()),
  };
  return {
    plain: plain.port ?? 0,
    tls: tls.port ?? 0,
    raw,
    hits,
    certificate,
    stop: () => {
      plain.stop(true);
      tls.stop(true);
      for (const socket of sockets) {
        socket.destroy();
      }
      for (const server of servers) {
        server.close();
      }
    },
  };
}

describe("post", () => {
  let at: Endpoints;
  beforeAll(async () => {
    at = await startEndpoints();
  });
  afterAll(() => at.stop());

  const request = (url: string, body = "{}") => ({
    teamId: "team-1",
    url,
    headers: { "X-Own": "1" },
    body,
  });
  const failed = (reason: HttpFailure) => ({ kind: "failed" as const, reason });

  test("sends the body to the name's address, under the name", async () => {
    const outcome = await http().post(request(`http://hook.example:${at.plain}/echo`, "grüße 🎉"));
    expect(outcome).toEqual({
      kind: "answered",
      status: 200,
      retryAfter: null,
      excerpt: "grüße 🎉",
    });
    expect(at.hits.at(-1)).toBe(`hook.example:${at.plain}/echo`);
  });

  test("over TLS the certificate is held against the name", async () => {
    const { cert } = at.certificate;
    const trusting = http({ ca: cert });
    const good = await trusting.post(request(`https://hook.example:${at.tls}/`));
    expect(good).toMatchObject({ kind: "answered", status: 200 });
    const wrongName = await trusting.post(request(`https://other.example:${at.tls}/`));
    expect(wrongName).toEqual(failed("tls"));
    const byAddress = await trusting.post(request(`https://127.0.0.1:${at.tls}/`));
    expect(byAddress).toEqual(failed("tls"));
    const unknown = await http().post(request(`https://hook.example:${at.tls}/`));
    expect(unknown).toEqual(failed("tls"));
    const noTls = await trusting.post(request(`https://hook.example:${at.plain}/`));
    expect(noTls).toEqual(failed("tls"));
  });

  test("a redirect is an answer, and nobody goes there", async () => {
    const outcome = await http().post(request(`http://hook.example:${at.plain}/redirect`));
    expect(outcome).toMatchObject({ kind: "answered", status: 302 });
  });

  test("a compressed body is not unpacked", async () => {
    const outcome = await http().post(request(`http://hook.example:${at.plain}/gzip`));
    expect(outcome).toMatchObject({ kind: "answered", status: 200, excerpt: "" });
  });

  test("what is kept of a body can be shown anywhere", async () => {
    const outcome = await http().post(request(`http://hook.example:${at.plain}/controls`));
    expect(outcome).toMatchObject({ excerpt: "a b [31mc d  e" });
  });

  test("Retry-After comes along", async () => {
    const outcome = await http().post(request(`http://hook.example:${at.plain}/busy`));
    expect(outcome).toMatchObject({ status: 503, retryAfter: "120" });
  });

  test.each(["/never", "/trickle"])("%s ends in time", async (path) => {
    const impatient = http({ postMs: 150 });
    const outcome = await impatient.post(request(`http://hook.example:${at.plain}${path}`));
    expect(outcome).toEqual(failed("timeout"));
  });

  test("a body without end is cut off", async () => {
    const outcome = await http().post(request(`http://hook.example:${at.plain}/endless`));
    expect(outcome).toEqual(failed("too_large"));
  });

  test.each([
    ["garbage", "protocol"],
    ["headers", "protocol"],
    ["closing", "closed"],
  ] as const)("%s from the other side is %s", async (kind, reason) => {
    const outcome = await http().post(request(`http://hook.example:${at.raw[kind]}/`));
    expect(outcome).toEqual(failed(reason));
  });

  test("a server that never shakes hands costs the time of connecting only", async () => {
    const impatient = http({ connectMs: 100, postMs: 60_000 });
    const outcome = await impatient.post(request(`https://hook.example:${at.raw.silent}/`));
    expect(outcome).toEqual(failed("timeout"));
  });

  test("nobody listens", async () => {
    const port = at.raw.silent;
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const address = closed.address();
    await new Promise((resolve) => closed.close(resolve));
    expect(port).not.toBe(0);
    const free = typeof address === "object" ? address?.port : 0;
    const outcome = await http().post(request(`http://hook.example:${free}/`));
    expect(outcome).toEqual(failed("refused"));
  });

  test.each([
    ["a private address", "http://10.0.0.9/"],
    ["a name of one", "http://inner.example/"],
    ["a name of one, over TLS", "https://inner.example/"],
    ["a name with a private address beside a public one", "http://mixed.example/"],
    ["a name of a mapped address", "http://mapped.example/"],
    ["the metadata service", "http://169.254.169.254/"],
    ["plain http to the open network", "http://1.1.1.1/"],
  ])("%s is refused before anything is sent", async (_name, url) => {
    expect(await http().post(request(url))).toEqual(failed("address_not_allowed"));
  });

  test("without leave of the operator this machine is not reached", async () => {
    const before = at.hits.length;
    for (const url of [`https://hook.example:${at.tls}/`, `https://127.0.0.1:${at.tls}/`]) {
      const outcome = await http({ allowCidrs: [] }).post(request(url));
      expect(outcome).toEqual(failed("address_not_allowed"));
    }
    expect(at.hits.length).toBe(before);
  });

  test("no address, and no answer from DNS", async () => {
    expect(await http().post(request("https://gone.example/"))).toEqual(failed("dns"));
    const broken = { lookup: () => Promise.reject(new DnsFailure("x")) };
    expect(await http({ dns: broken }).post(request("https://a.example/"))).toEqual(failed("dns"));
    const hanging = { lookup: () => new Promise<string[]>(() => undefined) };
    const impatient = http({ dns: hanging, postMs: 50 });
    expect(await impatient.post(request("https://a.example/"))).toEqual(failed("timeout"));
  });

  test("a name that changes its mind is asked once, and what it said first is where it goes", async () => {
    const asked: string[] = [];
    const answers = [["127.0.0.1"], ["10.0.0.9"], ["127.0.0.1"], ["169.254.169.254"]];
    const rebinding = {
      lookup: async (host: string) => {
        asked.push(host);
        return answers[asked.length - 1] ?? [];
      },
    };
    const client = http({ dns: rebinding });
    const url = `http://rebind.example:${at.plain}/`;
    const outcomes = [];
    for (let n = 0; n < 4; n += 1) {
      outcomes.push((await client.post(request(url))).kind);
    }
    expect(outcomes).toEqual(["answered", "failed", "answered", "failed"]);
    expect(asked).toHaveLength(4);
  });

  test("proxies of the environment are not used", async () => {
    const names = ["HTTP_PROXY", "http_proxy", "ALL_PROXY"];
    const before = names.map((name) => process.env[name]);
    try {
      for (const name of names) {
        process.env[name] = "http://127.0.0.1:1";
      }
      const outcome = await http().post(request(`http://hook.example:${at.plain}/`));
      expect(outcome).toMatchObject({ kind: "answered", status: 200 });
    } finally {
      for (const [index, name] of names.entries()) {
        if (before[index] === undefined) {
          delete process.env[name];
        } else {
          process.env[name] = before[index];
        }
      }
    }
  });

  test("hundreds at once leave nothing behind", async () => {
    const url = `http://hook.example:${at.plain}/echo`;
    const outcomes = await Promise.all(
      Array.from({ length: 300 }, (_, n) => http().post(request(url, String(n)))),
    );
    expect(outcomes.every(({ kind }) => kind === "answered")).toBe(true);
  });
});

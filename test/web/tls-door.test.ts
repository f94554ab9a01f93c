/** Guarantees of the installation's own doors: what a browser and a program get by http, and by https. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect, type SecureVersion } from "node:tls";
import { SERVE } from "#api/server.ts";
import { silentLog } from "#platform/log.ts";
import { createTlsDoor, type TlsDoor } from "#web/tls-door.ts";
import { type Certificate, selfSigned } from "../support/certificate.ts";
import { freePort } from "../support/unbound.ts";

const PUBLIC = "mail.example";
const OWN = "go.customer.example";

let ports: { http: number; https: number };
let door: TlsDoor;
const certificates = new Map<string, Certificate>();

beforeAll(async () => {
  ports = { http: await freePort(), https: await freePort() };
  const { maxRequestBodySize, idleTimeout } = SERVE;
  door = createTlsDoor({
    serve: ({ url }) =>
      url.endsWith("/away") ? Response.redirect("/live", 302) : new Response(url),
    limits: { maxRequestBodySize, idleTimeout },
    publicHost: PUBLIC,
    httpPort: ports.http,
    httpsPort: ports.https,
    log: silentLog,
  });
  for (const host of [PUBLIC, OWN]) {
    certificates.set(host, selfSigned(host));
  }
  const hosts = [...certificates];
  const until = Number.MAX_SAFE_INTEGER;
  door.serve(hosts.map(([host, { cert: chain, key }]) => ({ host, chain, key, until }) as never));
});
afterAll(() => door.stop(true));

const plainly = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${ports.http}${path}`, {
    headers: { Host: PUBLIC, ...headers },
    redirect: "manual",
  });

const securely = (host: string, path: string) =>
  fetch(`https://127.0.0.1:${ports.https}${path}`, {
    headers: { Host: host },
    redirect: "manual",
    keepalive: false,
    tls: { ca: certificates.get(host)?.cert ?? "", serverName: host },
  });

describe("by http", () => {
  test.each(["/live", "/u/abc?x=1", "/apiary"])("%s leads to https", async (path) => {
    const { status, headers } = await plainly(path);
    expect([status, headers.get("location")]).toEqual([
      308,
      `https://${PUBLIC}:${ports.https}${path}`,
    ]);
  });

  test.each(["/api/v1/campaigns", "/api", "/mcp", "/metrics", "/hooks/stripe", "/sdk/"])(
    "%s leads nowhere: a program would go on sending its key in clear",
    async (path) => {
      const { status, headers } = await plainly(path);
      expect([status, headers.get("location")]).toEqual([403, null]);
    },
  );

  test("a key leads nowhere, whatever it's sent to", async () => {
    expect((await plainly("/live", { Authorization: "Bearer x" })).status).toBe(403);
  });
});

describe("by https", () => {
  test.each(["/live", "/away", "/api/v1/campaigns"])(
    "%s of the public address is asked for by https alone, for a year",
    async (path) => {
      const { headers } = await securely(PUBLIC, path);
      expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
    },
  );

  test("a team's host, which others may serve one day, binds nobody", async () => {
    const response = await securely(OWN, "/u/abc");
    expect(response.status).toBe(200);
    expect(response.headers.get("strict-transport-security")).toBeNull();
  });

  test.each([
    ["TLSv1", null],
    ["TLSv1.1", null],
    ["TLSv1.2", "TLSv1.2"],
    ["TLSv1.3", "TLSv1.3"],
  ] as [SecureVersion, string | null][])("%s: %p", async (version, expected) => {
    expect(await protocolOf(version)).toBe(expected);
  });

  test.each([
    ["ECDHE-ECDSA-AES128-GCM-SHA256", "TLSv1.2"],
    ["ECDHE-ECDSA-CHACHA20-POLY1305", "TLSv1.2"],
    ["ECDHE-ECDSA-AES128-SHA", null],
    ["ECDHE-ECDSA-AES256-SHA", null],
  ])("%s: %p", async (ciphers, expected) => {
    expect(await protocolOf("TLSv1.2", ciphers)).toBe(expected);
  });
});

/** What a client gets that speaks `version` alone, with `ciphers` of TLS 1.2; null: it's refused. */
function protocolOf(version: SecureVersion, ciphers?: string): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const socket = connect({
    ...{ host: "127.0.0.1", port: ports.https, servername: PUBLIC, rejectUnauthorized: false },
    ...{ minVersion: version, maxVersion: version },
    ...(ciphers !== undefined && { ciphers }),
  });
  socket.on("secureConnect", () => {
    resolve(socket.getProtocol());
    socket.destroy();
  });
  socket.on("error", () => resolve(null));
  socket.on("close", () => resolve(null));
  return promise;
}

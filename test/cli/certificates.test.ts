/**
 * The program gets its own certificates, as judged by Let's Encrypt's Pebble and by TLS clients that trust
 * nothing but Pebble's root: for the public address and a team's host, renewed, kept over a restart, and
 * without them whenever the authority says no or is not there.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { caller, done, until } from "../journeys/support.ts";
import { outrider, type Server, startServer, temporaryDirectory } from "../support/executable.ts";
import { type Pebble, skipsPebble, startPebble } from "../support/pebble.ts";
import { freePort, skipsUnbound, startUnbound, type Unbound } from "../support/unbound.ts";

const TEST_MS_MAX = 240_000;
const WAIT_MS_MAX = 90_000;
/** Renewed after 8 of them. */
const VALID_SECONDS = 12;
const PUBLIC = "mail.example";
const OWN = "go.customer.example";
const NOWHERE = "nowhere.example";

const directory = temporaryDirectory();
const data = join(directory.path, "data");
let dns: Unbound;
let pebble: Pebble;
let server: Server;
let ports: { http: number; https: number };
let settings: string[];
let key: string;

const start = () =>
  startServer({ data, args: settings, env: { NODE_EXTRA_CA_CERTS: pebble.trust } });

/** As a client that trusts Pebble and nobody else. */
async function visit(host: string, path: string, init: RequestInit = {}): Promise<Response> {
  const tls = { ca: await pebble.root(), serverName: host };
  const url = `https://127.0.0.1:${ports.https}${path}`;
  return await fetch(url, {
    redirect: "manual",
    ...init,
    keepalive: false,
    headers: { Host: host },
    tls,
  });
}

/** The same, whose name may lead elsewhere. */
const plainly = (host: string, path: string) =>
  fetch(`http://127.0.0.1:${ports.http}${path}`, { headers: { Host: host }, redirect: "manual" });

/** Serial number of what is served to `host`, whoever signed it. */
function serialOf(host: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const options = { host: "127.0.0.1", port: ports.https, servername: host };
  const socket = connect({ ...options, rejectUnauthorized: false }, () => {
    resolve(socket.getPeerCertificate().serialNumber);
    socket.end();
  });
  socket.on("error", () => resolve(undefined));
  return promise;
}

const checks = async () => {
  const { checks: all } = await done(caller(server, key)("GET", "/system"));
  return all as { check: string; verdict: string; detail: string }[];
};

describe.skipIf(skipsPebble() || skipsUnbound())("certificates of our own", () => {
  beforeAll(async () => {
    dns = await startUnbound({
      records: [PUBLIC, OWN].map((host) => `${host}. 1 A 127.0.0.1`),
      zones: [[`${NOWHERE}.`, "always_nxdomain"]],
    });
    ports = { http: await freePort(), https: await freePort() };
    pebble = await startPebble({
      httpPort: ports.http,
      dnsServer: `127.0.0.1:${dns.port}`,
      validSeconds: VALID_SECONDS,
    });
    settings = [
      ...["--acme", "agree", "--acme-directory", pebble.directory],
      ...["--acme-email", "ops@mail.example", "--public-url", `https://${PUBLIC}`],
      ...["--http-port", String(ports.http), "--https-port", String(ports.https)],
    ];
    server = await start();
    const made = await outrider([
      "keys",
      "create",
      "--data",
      data,
      "--name",
      "t",
      "--env",
      "live",
      "--operator",
      "--json",
    ]);
    key = (JSON.parse(made.out) as { key: string }).key;
  }, TEST_MS_MAX);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await pebble?.[Symbol.asyncDispose]();
    await dns?.[Symbol.asyncDispose]();
    directory[Symbol.dispose]();
  });

  test(
    "the public address gets one, and everything is served there",
    async () => {
      const answer = await until(WAIT_MS_MAX, server.log, async () => {
        return (await visit(PUBLIC, "/healthz").catch(() => undefined)) ?? undefined;
      });
      expect(await answer.json()).toEqual({ status: "ok" });
      const team = await until(WAIT_MS_MAX, server.log, () =>
        visit(PUBLIC, "/api/v1/team").catch(() => undefined),
      );
      expect(team.status).toBe(401);
    },
    TEST_MS_MAX,
  );

  test(
    "a team's host gets one without a restart; what emails link to is all that it serves",
    async () => {
      await done(caller(server, key)("PATCH", "/team", { tracking_host: OWN }));
      const at = (path: string) =>
        until(WAIT_MS_MAX, server.log, () => visit(OWN, path).catch(() => undefined));

      expect(await (await at("/u/unknown")).text()).toContain("<!doctype html>");
      expect((await at("/assets/page.css")).status).toBe(200);
      for (const path of ["/t/o/l123", "/t/c/l0.123"]) {
        expect((await at(path)).headers.get("referrer-policy")).toBe("no-referrer");
      }
      for (const path of [
        "/",
        "/live/",
        "/api/v1/team",
        "/console/login",
        "/healthz",
        "/metrics",
      ]) {
        const answer = await at(path);
        expect([path, answer.status, await answer.text()]).toEqual([path, 404, "Not found\n"]);
      }
    },
    TEST_MS_MAX,
  );

  test("HTTP leads to HTTPS under hosts that have a certificate, and nowhere else", async () => {
    const led = await plainly(PUBLIC, "/u/abc?x=1");
    expect(led.status).toBe(308);
    expect(led.headers.get("location")).toBe(`https://${PUBLIC}:${ports.https}/u/abc?x=1`);
    expect((await plainly("elsewhere.example", "/u/abc")).status).toBe(404);
    expect((await plainly(PUBLIC, "/.well-known/acme-challenge/unknown")).status).toBe(308);
  });

  test("keys are for their owner alone", () => {
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
    const folder = join(data, "tls");
    expect(mode(folder)).toBe("700");
    const names = readdirSync(folder);
    expect(names).toContain("account.key");
    expect(names).toContain(`${PUBLIC}.pem`);
    expect(names.map((name) => mode(join(folder, name)))).toEqual(names.map(() => "600"));
  });

  test(
    "one that ends soon is replaced while the program runs",
    async () => {
      const first = await serialOf(PUBLIC);
      await until(WAIT_MS_MAX, server.log, async () => {
        const now = await serialOf(PUBLIC);
        return now === undefined || now === first ? undefined : now;
      });
      const metrics = await (await server.fetch("/metrics", { key })).text();
      expect(metrics).toMatch(/^outrider_certificate_expiry_timestamp_seconds \d+/m);
    },
    TEST_MS_MAX,
  );

  test.each([
    [NOWHERE, "could not resolve"],
    ["blocked.example", "blocklist|policy|forbidden|blocked"],
  ])(
    "%s gets none: everything else goes on, and the operator is told why",
    async (host, cause) => {
      await done(caller(server, key)("PATCH", "/team", { tracking_host: host }));
      const told = await until(WAIT_MS_MAX, server.log, async () => {
        const found = (await checks()).find(({ check }) => check === `certificate of ${host}`);
        return found?.verdict === "fault" && !found.detail.includes("ended before")
          ? found
          : undefined;
      });
      expect(told.detail).toMatch(new RegExp(cause, "i"));
      const ready = await (await server.fetch("/readyz")).json();
      expect(ready).toMatchObject({ status: "ready", hosts_without_certificate: 1 });
      const doctor = await outrider(["doctor", "--data", data, ...settings, "--port", "0"]);
      expect(doctor.exit).toBe(1);
      expect(doctor.out).toContain(`certificate of ${host}: none yet; the last order failed:`);
    },
    TEST_MS_MAX,
  );

  test(
    "without the authority it starts, serves what it has, and says what is missing",
    async () => {
      await done(caller(server, key)("PATCH", "/team", { tracking_host: null }));
      await pebble.stop();
      await server.stop();
      const kept = readFileSync(join(data, "tls", `${PUBLIC}.pem`), "utf8");
      server = await start();
      expect(await until(WAIT_MS_MAX, server.log, () => serialOf(PUBLIC))).toBeDefined();
      const told = await until(WAIT_MS_MAX, server.log, async () =>
        (await checks()).find(({ detail }) => detail.includes("can't be reached")),
      );
      expect(told.check).toBe(`certificate of ${PUBLIC}`);
      expect(readFileSync(join(data, "tls", `${PUBLIC}.pem`), "utf8")).toBe(kept);
      expect((await server.fetch("/readyz")).status).toBe(200);
    },
    TEST_MS_MAX,
  );
});

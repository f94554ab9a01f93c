/**
 * Caddy and nginx with what `outrider install` writes, word for word but for ports and files of certificates, and the
 * server with the settings that go with it: under the domain everything, as it happens and whatever its size, and
 * the client is who the proxy saw; under a tracking host only what emails link to. The manual shows the same files.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { operationsPage } from "../../.ci/installation.ts";
import { run } from "../cli/support.ts";
import { until } from "../journeys/support.ts";
import { selfSigned } from "../support/certificate.ts";
import { type Started, startProgram } from "../support/console.ts";
import { temporaryDirectory } from "../support/executable.ts";
import { freePort } from "../support/unbound.ts";
import { read } from "./pages.ts";

const PUBLIC = "mail.example.com";
const OWN = "go.customer.example";
const WAIT_MS_MAX = 60_000;
/** An event has come by itself, and not with the end of a buffer or of the connection. */
const EVENT_MS_MAX = 5_000;
const BODY_BYTES_MAX = 8 * 1024 * 1024;
const { CI, OUTRIDER_TEST_TIER: tier } = process.env;
const isFull = tier === "full" || (CI === "true" && tier !== "quick");

/** What is written for a proxy, by file name. */
async function written(front: string): Promise<Record<string, string>> {
  const hosts = ["--domain", PUBLIC, "--tracking", OWN];
  const { exit, out } = await run(["install", "--with", front, ...hosts, "--json"]);
  expect(exit).toBe(0);
  return JSON.parse(out).files;
}

interface Ports {
  http: number;
  https: number;
  server: string;
}

/** Writes a program's configuration into `dir`; returns the arguments that run it. */
type Setup = (dir: string, text: string, ports: Ports) => string[];

const caddy: Setup = (dir, given, { http, https, server }) => {
  const options = [
    "admin off",
    "local_certs",
    "skip_install_trust",
    `http_port ${http}`,
    `https_port ${https}`,
    `storage file_system ${dir}`,
  ];
  const text = `{\n\t${options.join("\n\t")}\n}\n${given}`;
  const path = join(dir, "Caddyfile");
  writeFileSync(path, text.replaceAll("127.0.0.1:8480", server));
  return ["run", "--adapter", "caddyfile", "--config", path];
};

const nginx: Setup = (dir, given, { http, https, server }) => {
  const { cert, key } = selfSigned(PUBLIC, OWN);
  for (const host of [PUBLIC, OWN]) {
    mkdirSync(join(dir, host));
    writeFileSync(join(dir, host, "fullchain.pem"), cert);
    writeFileSync(join(dir, host, "privkey.pem"), key);
  }
  const servers = given
    .replaceAll("127.0.0.1:8480", server)
    .replaceAll("/etc/letsencrypt/live", dir)
    .replaceAll("listen 443", `listen 127.0.0.1:${https}`)
    .replaceAll("listen 80", `listen 127.0.0.1:${http}`);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${dir}/${name};`,
  );
  const all = ["access_log off;", ...temporary, servers].join("\n");
  const main = `pid ${dir}/pid;\nerror_log stderr;\ndaemon off;\nevents {}\nhttp {\n${all}}\n`;
  writeFileSync(join(dir, "nginx.conf"), main);
  return ["-p", dir, "-c", join(dir, "nginx.conf"), "-e", "stderr"];
};

const PROXIES = [
  { front: "caddy", program: "/usr/bin/caddy", file: "Caddyfile", setup: caddy },
  { front: "nginx", program: "/usr/sbin/nginx", file: "nginx.conf", setup: nginx },
];

for (const proxy of PROXIES) {
  describe(`${proxy.front} as it is installed`, () => tried(proxy));
}

function tried({ front, program, file, setup }: (typeof PROXIES)[number]): void {
  const skips = !isFull && (tier === "quick" || !existsSync(program));
  const directory = temporaryDirectory();
  let outrider: Started;
  let proxy: Bun.Subprocess;
  let ports: Ports;
  let key: string;

  const once = (host: string, path: string, init: RequestInit = {}) =>
    fetch(`https://127.0.0.1:${ports.https}${path}`, {
      ...init,
      headers: { Host: host, ...(init.headers as Record<string, string>) },
      redirect: "manual",
      tls: { rejectUnauthorized: false, serverName: host },
    });
  const visit = (host: string, path: string) =>
    until(WAIT_MS_MAX, `${host}${path}`, () => once(host, path).catch(() => undefined));
  const withKey = (path: string, init: RequestInit = {}) =>
    once(PUBLIC, `/api/v1${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    });

  beforeAll(async () => {
    if (skips) {
      return;
    }
    const files = await written(front);
    const settings = join(directory.path, "outrider.toml");
    writeFileSync(settings, files["outrider.toml"] ?? "");
    outrider = await startProgram({
      args: ["--config", settings],
      env: { OUTRIDER_AUTH_FAILURES: "5" },
    });
    const [http, https] = [await freePort(), await freePort()];
    ports = { http, https, server: new URL(outrider.url).host };
    const args = setup(directory.path, files[file] ?? "", ports);
    proxy = Bun.spawn([program, ...args], {
      env: { HOME: directory.path, PATH: process.env["PATH"] ?? "" },
      stdout: "ignore",
      stderr: "ignore",
    });
    const made = ["keys", "create", "--data", outrider.data, "--env", "test", "--name", "a"];
    const { out } = await run([...made, "--json"]);
    ({ key } = JSON.parse(out));
    await visit(PUBLIC, "/healthz");
  });
  afterAll(async () => {
    // At once: Caddy would wait for connections that are still open.
    proxy?.kill("SIGKILL");
    await proxy?.exited;
    await outrider?.[Symbol.asyncDispose]();
    directory[Symbol.dispose]();
  });

  test.skipIf(skips)("everything under the domain, by https alone", async () => {
    const health = await visit(PUBLIC, "/healthz");
    expect(await health.json()).toEqual({ status: "ok" });
    expect(health.headers.get("strict-transport-security")).toBe("max-age=31536000");
    expect((await visit(PUBLIC, "/api/v1/team")).status).toBe(401);
    expect(await (await visit(PUBLIC, "/live/")).text()).toContain("<script");
    const plain = await fetch(`http://127.0.0.1:${ports.http}/u/x?y=1`, {
      headers: { Host: PUBLIC },
      redirect: "manual",
    });
    expect(plain.status).toBe(308);
    expect(plain.headers.get("location")).toStartWith(`https://${PUBLIC}`);
    const asked = await once(PUBLIC, "/console/session", {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: `https://${PUBLIC}` },
      body: JSON.stringify({ email: "nobody@example.org", password: "not the password" }),
    });
    expect(asked.status).toBe(401);
  });

  test.skipIf(skips)("events come as they happen", async () => {
    const stream = await withKey("/events/stream");
    expect(stream.headers.get("content-type")).toStartWith("text/event-stream");
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    let heard = "";
    for (const [nth, email] of ["ann@example.org", "bo@example.org", "cy@example.org"].entries()) {
      const event = `id: ${nth + 1}\nevent: suppression.created`;
      const body = JSON.stringify({ email });
      expect((await withKey("/suppressions", { method: "POST", body })).status).toBeLessThan(300);
      const late = AbortSignal.timeout(EVENT_MS_MAX);
      late.addEventListener("abort", () => void reader.cancel());
      while (!heard.includes(event) && !late.aborted) {
        const { value = "", done } = await reader.read();
        heard += value;
        if (done) {
          break;
        }
      }
      expect(heard).toContain(event);
    }
    await reader.cancel();
  });

  test.skipIf(skips)(
    "a body may be as large as the server lets it, which says what is too large",
    async () => {
      const ask = (bytes: number) => {
        const text = JSON.stringify({ email: "di@example.org" });
        const body = `${text}${" ".repeat(bytes - text.length)}`;
        return withKey("/suppressions", { method: "POST", body });
      };
      expect((await ask(BODY_BYTES_MAX)).status).toBeLessThan(300);
      const refused = await ask(BODY_BYTES_MAX + 1);
      expect(refused.status).toBe(413);
      expect(await refused.json()).toMatchObject({ type: "payload_too_large" });
    },
  );

  test.skipIf(skips)(
    "who fails too often is the client, whatever it writes of itself",
    async () => {
      const from = (address: string, nth: number) => {
        const { stdout } = Bun.spawnSync([
          ...["curl", "-sk", "-o", "/dev/null", "-w", "%{http_code}", "--interface", address],
          ...["-H", `Host: ${PUBLIC}`, "-H", "Authorization: Bearer outrider_live_wrong"],
          ...["-H", `X-Forwarded-For: 203.0.113.${nth}`, "-H", `X-Real-IP: 203.0.113.${nth}`],
          ...["--resolve", `${PUBLIC}:${ports.https}:127.0.0.1`],
          `https://${PUBLIC}:${ports.https}/api/v1/team`,
        ]);
        return Number(String(stdout));
      };
      const statuses = Array.from({ length: 8 }, (_, nth) => from("127.0.0.2", nth));
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
      expect(from("127.0.0.3", 1)).toBe(401);
    },
  );

  test.skipIf(skips)("links alone under a tracking host", async () => {
    expect(await (await visit(OWN, "/u/unknown")).text()).toContain("<!doctype html>");
    expect((await visit(OWN, "/t/c/l0.unknown")).headers.get("referrer-policy")).toBe(
      "no-referrer",
    );
    expect((await visit(OWN, "/assets/page.css")).status).toBe(200);
    for (const path of ["/", "/live/", "/api/v1/team", "/console/login", "/healthz", "/metrics"]) {
      const answer = await visit(OWN, path);
      expect([path, answer.status, (await answer.text()).includes("Outrider")]).toEqual([
        path,
        404,
        false,
      ]);
    }
  });
}

test("the manual shows these files", () => {
  // When this fails: bun .ci/installation.ts
  expect(read("docs/operations.md") === operationsPage()).toBe(true);
});

/**
 * The configuration of Caddy and of nginx in docs/operations.md, word for word but for ports and files of
 * certificates: under the public address everything, under a tracking host only what emails link to.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { until } from "../journeys/support.ts";
import { selfSigned } from "../support/certificate.ts";
import { type Started, startProgram } from "../support/console.ts";
import { temporaryDirectory } from "../support/executable.ts";
import { freePort } from "../support/unbound.ts";

const MANUAL = readFileSync(resolve(import.meta.dir, "../../docs/operations.md"), "utf8");
const PUBLIC = "mail.example.com";
const OWN = "go.customer.example";
const WAIT_MS_MAX = 60_000;
const { CI, OUTRIDER_TEST_TIER: tier } = process.env;
const isFull = tier === "full" || (CI === "true" && tier !== "quick");

const shown = (language: string) =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(MANUAL)?.[1] ?? "";

interface Ports {
  http: number;
  https: number;
  server: string;
}

/** Writes a program's configuration into `dir`; returns the command that runs it. */
type Setup = (dir: string, ports: Ports) => string[];

const caddy: Setup = (dir, { http, https, server }) => {
  const options = [
    "admin off",
    "local_certs",
    "skip_install_trust",
    `http_port ${http}`,
    `https_port ${https}`,
    `storage file_system ${dir}`,
  ];
  const text = `{\n\t${options.join("\n\t")}\n}\n${shown("caddy")}`;
  const path = join(dir, "Caddyfile");
  writeFileSync(path, text.replaceAll("127.0.0.1:8480", server));
  return ["caddy", "run", "--adapter", "caddyfile", "--config", path];
};

const nginx: Setup = (dir, { https, server }) => {
  const { cert, key } = selfSigned(PUBLIC, OWN);
  for (const host of [PUBLIC, OWN]) {
    mkdirSync(join(dir, host));
    writeFileSync(join(dir, host, "fullchain.pem"), cert);
    writeFileSync(join(dir, host, "privkey.pem"), key);
  }
  const servers = shown("nginx")
    .replaceAll("127.0.0.1:8480", server)
    .replaceAll("/etc/letsencrypt/live", dir)
    .replaceAll("listen 443", `listen 127.0.0.1:${https}`);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${dir}/${name};`,
  );
  const http = ["access_log off;", ...temporary, servers].join("\n");
  const main = `pid ${dir}/pid;\nerror_log stderr;\ndaemon off;\nevents {}\nhttp {\n${http}}\n`;
  writeFileSync(join(dir, "nginx.conf"), main);
  return ["nginx", "-p", dir, "-c", join(dir, "nginx.conf"), "-e", "stderr"];
};

const PROXIES = { "/usr/bin/caddy": caddy, "/usr/sbin/nginx": nginx };

for (const [program, setup] of Object.entries(PROXIES)) {
  describe(`${program} as the manual shows it`, () => tried(program, setup));
}

function tried(program: string, setup: Setup): void {
  const skips = !isFull && (tier === "quick" || !existsSync(program));
  const directory = temporaryDirectory();
  let outrider: Started;
  let proxy: Bun.Subprocess;
  let https: number;

  const visit = (host: string, path: string) =>
    until(WAIT_MS_MAX, `${host}${path}`, () =>
      fetch(`https://127.0.0.1:${https}${path}`, {
        headers: { Host: host },
        redirect: "manual",
        tls: { rejectUnauthorized: false, serverName: host },
      }).catch(() => undefined),
    );

  beforeAll(async () => {
    if (skips) {
      return;
    }
    outrider = await startProgram({
      args: ["--trusted-proxies", "127.0.0.1", "--public-url", `https://${PUBLIC}`],
    });
    https = await freePort();
    const ports = { http: await freePort(), https, server: new URL(outrider.url).host };
    const [, ...args] = setup(directory.path, ports);
    proxy = Bun.spawn([program, ...args], {
      env: { HOME: directory.path, PATH: process.env["PATH"] ?? "" },
      stdout: "ignore",
      stderr: "ignore",
    });
  });
  afterAll(async () => {
    proxy?.kill();
    await proxy?.exited;
    await outrider?.[Symbol.asyncDispose]();
    directory[Symbol.dispose]();
  });

  test.skipIf(skips)("everything under the public address", async () => {
    expect(await (await visit(PUBLIC, "/healthz")).json()).toEqual({ status: "ok" });
    expect((await visit(PUBLIC, "/api/v1/team")).status).toBe(401);
  });

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

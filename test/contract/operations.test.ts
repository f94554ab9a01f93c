/**
 * What operators' own tools say of us: promtool of the metrics, systemd of the unit, hadolint of the
 * image's recipe. And what we tell them fits together: the dashboard shows metrics that there are, and
 * what the image and its example set are settings that there are.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { EXIT } from "#cli/exit.ts";
import { FRONTS } from "#cli/install/files.ts";
import { SETTING_NAMES, variableOf } from "#config/config.ts";
import { alertRules } from "#web/monitoring/alerts.ts";
import { dashboard } from "#web/monitoring/dashboard.ts";
import { run } from "../cli/support.ts";
import { blocks } from "../docs/pages.ts";
import { type Started, startProgram } from "../support/console.ts";

const ROOT = resolve(import.meta.dir, "../..");
const TOKEN = "a-token-for-metrics-alone-01";
const dir = mkdtempSync(join(tmpdir(), "outrider-operations-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Nothing has happened yet. */
const EVENTS = "outrider_events_total";
const isFull = process.env["OUTRIDER_TEST_TIER"] === "full";

/** Where a tool is; null where it is not, unless nothing may be skipped. */
function find(name: string): string | null {
  const ours = ["bin", "venv/bin"].map((folder) => join(ROOT, ".toolchain", folder, name));
  return ours.find((path) => existsSync(path)) ?? Bun.which(name) ?? (isFull ? name : null);
}

function ask(command: readonly string[], input = ""): { exit: number; said: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { stdin: Buffer.from(input) });
  return { exit: exitCode, said: `${stdout}${stderr}` };
}

describe("/metrics", () => {
  let server: Started;
  let text: string;

  beforeAll(async () => {
    server = await startProgram({
      data: join(dir, "data"),
      env: { OUTRIDER_METRICS_TOKEN: TOKEN },
    });
    const headers = { Authorization: `Bearer ${TOKEN}` };
    // Once more, so that there is a request that was served.
    await fetch(`${server.url}/metrics`, { headers });
    text = await (await fetch(`${server.url}/metrics`, { headers })).text();
  });
  afterAll(async () => {
    await server.stop();
  });

  const promtool = find("promtool");
  test.skipIf(promtool === null)("promtool has no complaint", () => {
    expect(text).toContain("outrider_disk_free_bytes");
    expect(ask([promtool ?? "", "check", "metrics"], text)).toEqual({ exit: 0, said: "" });
  });

  test("has a value of every metric and label that the rules, the dashboard, and the manual name", () => {
    const manual = readFileSync(join(ROOT, "docs/operations.md"), "utf8");
    const told = [
      alertRules("https://a.example"),
      dashboard().replaceAll('\\"', '"'),
      manual,
    ].join();
    const names = [...told.matchAll(/\b(?:outrider|process)_[a-z0-9_]+\b/g)].map(([name]) => name);
    expect(new Set(names).size).toBeGreaterThan(20);
    const values = new Set([...text.matchAll(/^([a-z_]+)[{ ]/gm)].map(([, name]) => name));
    const hasSome = (name: string) => values.has(name) || values.has(`${name}_count`);
    expect([...new Set(names)].filter((name) => !hasSome(name))).toEqual([EVENTS]);

    const labeled = [...told.matchAll(/\b(outrider_[a-z_]+)\{([^}]+)\}/g)].map(
      ([, name = "", list = ""]) => [name, ...list.matchAll(/\w+="[^"]+"/g)].map(String),
    );
    const isThere = ([name = "", ...labels]: string[]) =>
      text
        .split("\n")
        .some((line) => line.startsWith(name) && labels.every((label) => line.includes(label)));
    expect(labeled.length).toBeGreaterThan(8);
    expect(labeled.filter((one) => one[0] !== EVENTS && !isThere(one))).toEqual([]);
  });
});

const installed = async (...args: string[]): Promise<Record<string, string>> => {
  const { exit, out } = await run(["install", ...args, "--json"]);
  expect(exit).toBe(0);
  return JSON.parse(out).files;
};
const DOMAIN = ["--domain", "mail.example.com"];

describe.each(["--print", "--with caddy", "--with acme"])("The systemd unit of %s", (way) => {
  const analyze = find("systemd-analyze");
  const file = join(dir, "outrider.service");

  beforeAll(async () => {
    const args = [...way.split(" "), "--executable", "/usr/bin/env"];
    const { exit, out } = await run([
      "install",
      ...args,
      ...(args[0] === "--print" ? [] : DOMAIN),
      "--json",
    ]);
    expect(exit).toBe(0);
    const { unit, files } = JSON.parse(out);
    writeFileSync(file, unit ?? files["outrider.service"]);
  });

  test.skipIf(analyze === null)("verifies", () => {
    expect(ask([analyze ?? "", "verify", file])).toEqual({ exit: 0, said: "" });
  });

  test.skipIf(analyze === null)("is exposed to little", () => {
    // In tenths: 2.0 of 10, where a unit without any of it has 9.6.
    const command = ["security", "--offline=true", "--threshold=20", "--no-pager", file];
    const { exit, said } = ask([analyze ?? "", ...command]);
    expect({ exit, said: exit === 0 ? "" : said }).toEqual({ exit: 0, said: "" });
  });

  test("doesn't start again what stays wrong until somebody looks", () => {
    const { usage, config } = EXIT;
    const line = `RestartPreventExitStatus=${usage} ${config}\n`;
    expect(readFileSync(file, "utf8")).toContain(line);
  });
});

describe("Files of an installation", () => {
  test("are asked for with a domain, and hold nothing that is no host and no path", async () => {
    for (const args of [
      [],
      ["--with", "caddy"],
      ["--with", "apache", ...DOMAIN],
      ["--with", "caddy", "--domain", "a.example;}"],
      ["--with", "caddy", ...DOMAIN, "--tracking", "b.example,"],
      ["--with", "caddy", ...DOMAIN, "--litestream", "relative"],
      ["--print", "--executable", "out rider"],
      ["--print", "--with", "caddy", ...DOMAIN],
    ]) {
      expect([args, (await run(["install", ...args])).exit]).toEqual([args, 64]);
    }
  });

  test("are written as they are printed, and not over others", async () => {
    const out = join(dir, "files");
    const [command = ""] = blocks("docs/operations.md", "sh install");
    const [, ...args] = command.trim().replace("./files", out).split(" ");
    const { exit } = await run(args);
    expect(exit).toBe(0);
    const files = await installed(...args.slice(1, -2));
    expect(Object.keys(files)).toEqual([
      ...["outrider.service", "outrider.toml", "Caddyfile"],
      ...["prometheus.yml", "outrider-rules.yml", "grafana.json"],
    ]);
    for (const [name, text] of Object.entries(files)) {
      expect(readFileSync(join(out, name), "utf8")).toBe(text);
    }
    expect((await run(args)).exit).toBe(0);
    writeFileSync(join(out, "Caddyfile"), "mine");
    const again = await run(args);
    expect(again.exit).toBe(73);
    expect(again.err).toContain("Caddyfile");
    expect(readFileSync(join(out, "Caddyfile"), "utf8")).toBe("mine");
  });

  test.each(FRONTS)("of %s have settings that there are", async (front) => {
    const files = await installed("--with", front, ...DOMAIN, "--litestream", "/mnt/other");
    const settings = join(dir, "outrider.toml");
    writeFileSync(settings, files["outrider.toml"] ?? "");
    const { exit, out } = await run(["config", "--config", settings, "--json"]);
    expect(exit).toBe(0);
    expect(out).toContain("https://mail.example.com");
    const replicated = Bun.YAML.parse(files["litestream.yml"] ?? "") as { dbs: { path: string }[] };
    const data = front === "compose" ? "/data" : "/var/lib/outrider";
    expect(replicated.dbs.map(({ path }) => path)).toEqual([`${data}/live.db`, `${data}/test.db`]);
  });

  const promtool = find("promtool");
  test.skipIf(promtool === null)("let Prometheus in", async () => {
    const files = await installed("--with", "nginx", ...DOMAIN);
    for (const name of ["prometheus.yml", "outrider-rules.yml"]) {
      writeFileSync(join(dir, name), files[name] ?? "");
    }
    const path = join(dir, "prometheus.yml");
    const { exit, said } = ask([promtool ?? "", "check", "config", "--syntax-only", path]);
    expect({ exit, said: exit === 0 ? "" : said }).toEqual({ exit: 0, said: "" });
  });

  test("of containers fit together", async () => {
    const files = await installed("--with", "compose", ...DOMAIN, "--litestream", "/mnt/other");
    const { services, networks, volumes, secrets } = Bun.YAML.parse(
      files["compose.yaml"] ?? "",
    ) as {
      services: Record<string, { ports?: string[]; volumes: string[]; secrets?: string[] }>;
      networks: { default: { ipam: { config: { subnet: string }[] } } };
      volumes: object;
      secrets: object;
    };
    expect(Object.keys(services)).toEqual(["outrider", "caddy", "litestream"]);
    expect(Object.values(services).map(({ ports }) => ports !== undefined)).toEqual([
      false,
      true,
      false,
    ]);
    const [{ subnet } = { subnet: "" }] = networks.default.ipam.config;
    expect(files["outrider.toml"]).toContain(`trusted_proxies = "${subnet}"`);
    const mounted = Object.values(services).flatMap((service) => service.volumes);
    const sources = mounted.map((one) => one.split(":")[0] ?? "");
    const named = sources.filter((source) => /^\w+$/.test(source));
    expect([...new Set(named)].sort()).toEqual(Object.keys(volumes).sort());
    const own = sources
      .filter((source) => source.startsWith("./"))
      .map((source) => source.slice(2));
    expect(own.filter((name) => !(name in files))).toEqual([]);
    expect(services["outrider"]?.secrets).toEqual(Object.keys(secrets));
  });
});

describe("The image", () => {
  const hadolint = find("hadolint");
  test.skipIf(hadolint === null)("hadolint has no complaint of its recipe", () => {
    const { exit, said } = ask([hadolint ?? "", join(ROOT, "Dockerfile")]);
    expect({ exit, said }).toEqual({ exit: 0, said: "" });
  });

  test("and its example set what there is to set, and run as nobody", () => {
    const recipe = readFileSync(join(ROOT, "Dockerfile"), "utf8");
    const example = readFileSync(join(ROOT, "compose.yaml"), "utf8");
    const known = SETTING_NAMES.flatMap((name) => [variableOf(name), `${variableOf(name)}_FILE`]);
    const named = [...`${recipe}${example}`.matchAll(/OUTRIDER_\w+/g)].map(([name]) => name);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
    expect(recipe).toMatch(/^USER 65532:65532$/m);
    const { services } = Bun.YAML.parse(example) as {
      services: { outrider: { ports: string[]; read_only: boolean } };
    };
    expect(services.outrider).toMatchObject({ ports: ["127.0.0.1:8480:8480"], read_only: true });
  });
});

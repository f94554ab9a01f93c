/**
 * What operators' own tools say of us: promtool of the metrics, systemd of the unit, hadolint of the
 * image's recipe. And what we tell them fits together: the dashboard shows metrics that there are, and
 * what the image and its example set are settings that there are.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { SETTING_NAMES, variableOf } from "#config/config.ts";
import { run } from "../cli/support.ts";
import { type Started, startProgram } from "../support/console.ts";

const ROOT = resolve(import.meta.dir, "../..");
const TOKEN = "a-token-for-metrics-alone-01";
const dir = mkdtempSync(join(tmpdir(), "outrider-operations-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

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

  test("has every metric that the dashboard and the manual name", () => {
    const there = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    const told = ["docs/grafana.json", "docs/operations.md"].flatMap((path) =>
      [...readFileSync(join(ROOT, path), "utf8").matchAll(/\boutrider_[a-z0-9_]+/g)].map(([name]) =>
        name.replace(/_(bucket|count|sum)$/, ""),
      ),
    );
    expect(new Set(told).size).toBeGreaterThan(5);
    expect([...new Set(told)].filter((name) => !there.has(name))).toEqual([]);
  });
});

describe("The systemd unit", () => {
  const analyze = find("systemd-analyze");
  const file = join(dir, "outrider.service");

  beforeAll(async () => {
    const { exit, out } = await run(["install", "--print", "--executable", "/usr/bin/env"]);
    expect(exit).toBe(0);
    writeFileSync(file, out);
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

  test("says where it may be installed from, and refuses what is no path", async () => {
    expect((await run(["install"])).exit).toBe(64);
    expect((await run(["install", "--print", "--executable", "out rider"])).exit).toBe(64);
    const { out } = await run(["install", "--print", "--json"]);
    expect(JSON.parse(out).unit).toContain("ExecStart=/usr/local/bin/outrider serve");
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

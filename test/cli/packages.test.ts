/** Ways to install: the script, from a directory and over HTTP, and Debian's package, each up to a ready server. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { SETTINGS } from "#config/config.ts";
import { packAll } from "../../.ci/packages/npm.ts";
import { EXECUTABLE, startServer, temporaryDirectory } from "../support/executable.ts";
import { layRelease, RELEASE_FILE, releaseKey } from "../support/releases.ts";

const ROOT = resolve(import.meta.dir, "../..");
const SCRIPT = join(ROOT, ".ci/packages/install.sh");
const DEB = join(ROOT, ".ci/packages/deb.sh");
const IS_FULL = process.env["OUTRIDER_TEST_TIER"] === "full";
const hasMinisign = Bun.which("minisign") !== null;
const TEST_MS_MAX = 300_000;

const key = releaseKey();
const place = temporaryDirectory();
const folder = join(place.path, "release");
beforeAll(() => {
  layRelease(folder, { version: "1.0.0", commit: "0", key, executable: { path: EXECUTABLE } });
});
afterAll(() => place[Symbol.dispose]());

async function install(from: string, options: { prefix: string; key?: string }) {
  const child = Bun.spawn(["sh", SCRIPT, from], {
    env: {
      PATH: process.env["PATH"] ?? "",
      PREFIX: options.prefix,
      OUTRIDER_UPDATE_KEY: options.key ?? key.public,
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { exit: await child.exited, out, err };
}

/** Also that it ends by itself when it is told to. */
async function isReady(executable: string): Promise<boolean> {
  const server = await startServer({ executable });
  const { ok } = await fetch(`${server.url}/readyz`);
  expect(await server.stop("SIGTERM")).toBe(0);
  return ok;
}

const isHere = existsSync(EXECUTABLE) && process.platform === "linux";
const hasShell = Bun.which("sh") !== null;

describe.skipIf(!(isHere && (hasShell || IS_FULL)))("the install script, where there is sh", () => {
  test("from a directory, and what it put there becomes ready", async () => {
    using at = temporaryDirectory();
    const { exit, out, err } = await install(folder, { prefix: at.path });
    expect([exit, err.includes("isn't checked")]).toEqual([0, !hasMinisign]);
    expect(out).toContain(`${at.path}/bin/outrider serve --data ./outrider-data`);
    expect(readdirSync(join(at.path, "bin"))).toEqual(["outrider"]);
    expect(await isReady(join(at.path, "bin/outrider"))).toBe(true);
  });

  test("over HTTP", async () => {
    using at = temporaryDirectory();
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: ({ url }) => {
        const file = Bun.file(join(folder, new URL(url).pathname));
        return file.size > 0 ? new Response(file) : new Response("no", { status: 404 });
      },
    });
    const { exit, err } = await install(`http://127.0.0.1:${server.port}`, { prefix: at.path });
    expect([exit, err.includes("install.sh:")]).toEqual([0, false]);
    expect(existsSync(join(at.path, "bin/outrider"))).toBe(true);
  });

  test.each([
    ["a flipped byte", "damaged on the way", (file: Buffer) => file.fill(1, 1_000, 1_001)],
    ["a download that was cut", "damaged on the way", (file: Buffer) => file.subarray(0, 5_000)],
  ])("%s: %s, and nothing is installed", async (_, says, damage) => {
    using at = temporaryDirectory();
    const bad = join(at.path, "release");
    mkdirSync(bad);
    for (const name of readdirSync(folder)) {
      const bytes = readFileSync(join(folder, name));
      writeFileSync(join(bad, name), name === RELEASE_FILE ? damage(bytes) : bytes);
    }
    const { exit, err } = await install(bad, { prefix: join(at.path, "to") });
    expect([exit, err]).toEqual([1, expect.stringContaining(says)]);
    expect(readdirSync(join(at.path, "to/bin"))).toEqual([]);
  });

  test.skipIf(!(hasMinisign || IS_FULL))(
    "a release signed with another key is refused",
    async () => {
      using at = temporaryDirectory();
      const { exit, err } = await install(folder, { prefix: at.path, key: releaseKey().public });
      expect([exit, err]).toEqual([1, expect.stringContaining("isn't signed with the key")]);
      expect(readdirSync(join(at.path, "bin"))).toEqual([]);
    },
  );

  test.each([
    ["", "name the place"],
    ["ftp://releases.example.com", "must be an https URL"],
    ["/nowhere/at/all", "is no directory"],
  ])("%j: %s", async (from, says) => {
    using at = temporaryDirectory();
    const { exit, err } = await install(from, { prefix: at.path });
    expect([exit, err]).toEqual([1, expect.stringContaining(says)]);
  });

  test("it checks with the key that updates are checked with", () => {
    expect(readFileSync(SCRIPT, "utf8")).toContain(`:-${SETTINGS.update_key.fallback}}`);
  });
});

const hasNpm = Bun.which("npm") !== null;

describe.skipIf(!(isHere && (hasNpm || IS_FULL)))("npm's packages, where there is npm", () => {
  test(
    "the platform's comes along, its server becomes ready and ends as it is told, and so do its exit codes",
    async () => {
      using at = temporaryDirectory();
      const files = packAll(folder, "1.0.0-rc.1");
      expect(files).toHaveLength(2);
      writeFileSync(join(at.path, "package.json"), '{"private": true}');
      run("npm", "install", "--prefix", at.path, "--offline", "--no-audit", "--no-fund", ...files);
      const bin = join(at.path, "node_modules/.bin/outrider");
      expect(run(bin, "version")).toBe(run(EXECUTABLE, "version"));
      expect(Bun.spawnSync([bin, "serve", "--nonsense"]).exitCode).toBe(64);
      expect(await isReady(bin)).toBe(true);
    },
    TEST_MS_MAX,
  );
});

const mayInstall = process.getuid?.() === 0 && Bun.which("dpkg") !== null;

function run(...command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command);
  expect([command.join(" "), exitCode, exitCode === 0 ? "" : stderr.toString()]).toEqual([
    ...[command.join(" "), 0, ""],
  ]);
  return stdout.toString();
}

describe.skipIf(!isHere || !(IS_FULL || (mayInstall && process.env["CI"] === "true")))(
  "Debian's package",
  () => {
    test(
      "is the same each time, is installed, becomes ready, and goes without its data",
      async () => {
        using at = temporaryDirectory();
        const unit = join(at.path, "unit");
        writeFileSync(
          unit,
          run(EXECUTABLE, "install", "--print", "--executable", "/usr/bin/outrider"),
        );
        const architecture = run("dpkg", "--print-architecture").trim();
        const [one, two] = ["one.deb", "two.deb"].map((name) => join(at.path, name));
        for (const file of [one, two]) {
          run(DEB, EXECUTABLE, architecture, "1.0.0-rc.1", unit, file ?? "");
        }
        expect(readFileSync(one ?? "").equals(readFileSync(two ?? ""))).toBe(true);
        run("dpkg", "--compare-versions", "1.0.0~rc.1", "lt", "1.0.0");
        run("dpkg", "--install", one ?? "");
        try {
          expect(run("dpkg-query", "--show", "outrider")).toBe("outrider\t1.0.0~rc.1\n");
          expect(run("cat", "/usr/lib/systemd/system/outrider.service")).toContain(
            "/usr/bin/outrider",
          );
          run("systemd-analyze", "verify", "/usr/lib/systemd/system/outrider.service");
          expect(await isReady("/usr/bin/outrider")).toBe(true);
          expect(run("dpkg", "--verify", "outrider")).toBe("");
        } finally {
          run("dpkg", "--purge", "outrider");
        }
        expect(existsSync("/usr/bin/outrider")).toBe(false);
      },
      TEST_MS_MAX,
    );
  },
);

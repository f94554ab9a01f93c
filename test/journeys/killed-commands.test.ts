/**
 * What an operator runs is killed (SIGKILL) at moments from its first to its last: the start that migrates old data, a
 * restore, a new master key. Run again, it ends as one that nobody disturbed.
 */

import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import kept from "../fixtures/kept-directory/kept.json" with { type: "json" };
import { EXECUTABLE, outrider, startServer, temporaryDirectory } from "../support/executable.ts";
import { tried } from "../support/promises.ts";
import { layOut } from "../support/schema-fixture.ts";
import { caller, done } from "./support.ts";

const KILLS = 14;
const TEST_MS_MAX = 300_000;
const FIXTURE = resolve(import.meta.dir, "../fixtures/kept-directory");
const ENV = { OUTRIDER_LOG_LEVEL: "error", OUTRIDER_RATE_LIMIT: "0" };

/** Milliseconds that the command takes to its first line, or to its end. */
async function timeOf(args: readonly string[], until: "ready" | "end"): Promise<number> {
  const from = performance.now();
  const child = spawn(args);
  if (until === "ready") {
    await child.stdout.getReader().read();
    child.kill("SIGKILL");
  }
  await child.exited;
  return performance.now() - from;
}

async function killedAfter(args: readonly string[], ms: number): Promise<void> {
  const child = spawn(args);
  await Bun.sleep(ms);
  child.kill("SIGKILL");
  await child.exited;
}

function spawn(args: readonly string[]) {
  const { PATH = "", HOME = "" } = process.env;
  const env = { PATH, HOME, ...ENV };
  return Bun.spawn([EXECUTABLE, ...args], { env, stdout: "pipe", stderr: "ignore" });
}

/** From the first moment to the last of a command that takes `ms`. */
const moments = (ms: number, kills = KILLS) =>
  Array.from({ length: kills }, (_, n) => (ms * (n + 0.5)) / kills);

/** Data of the first schema, in the middle of sending. */
function layOld(data: string): void {
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const key = Buffer.alloc(32, 7).toString("base64");
  writeFileSync(join(data, "master.key"), `${key}\n`, { mode: 0o600 });
  for (const envName of ["live", "test"]) {
    const bytes = readFileSync(join(FIXTURE, `${envName}.db.zst`));
    layOut(Bun.zstdDecompressSync(bytes), join(data, `${envName}.db`));
  }
}

test(
  "a start that migrates old data",
  async () => {
    using directory = temporaryDirectory();
    const data = join(directory.path, "data");
    const serve = ["serve", "--data", data, "--port", "0", "--json"];
    layOld(data);
    const whole = await timeOf(serve, "ready");
    for (const at of moments(whole)) {
      layOld(data);
      await killedAfter(serve, at);
      const server = await startServer({ data, env: ENV });
      const call = caller(server, kept.key);
      const { sent, replied, enrolled } = kept.stats;
      const stats = await done(call("GET", `/campaigns/${kept.campaign}/stats`));
      expect(stats).toMatchObject({ enrolled });
      expect(stats.sent).toBeGreaterThanOrEqual(sent);
      expect(stats.replied).toBeGreaterThanOrEqual(replied);
      expect(await server.stop()).toBe(0);
      const { exit } = await outrider(["doctor", "--data", data, "--port", "0"], { env: ENV });
      expect(exit).toBe(0);
      tried("kills", 1);
    }
  },
  TEST_MS_MAX,
);

/** An installation with a team, and a webhook whose secret is sealed. */
async function furnish(data: string): Promise<void> {
  const server = await startServer({ data, env: ENV });
  const { key } = await server.createKey("live");
  const webhook = { url: "https://hooks.example.com/in", events: ["*"] };
  await done(caller(server, key)("POST", "/webhooks", webhook));
  expect(await server.stop()).toBe(0);
}

const teams = async (data: string) =>
  JSON.parse((await outrider(["teams", "list", "--data", data, "--json"])).out);

test(
  "a restore",
  async () => {
    using directory = temporaryDirectory();
    const [source, data] = [join(directory.path, "source"), join(directory.path, "data")];
    const file = join(directory.path, "kept.tar.zst");
    await furnish(source);
    expect(await outrider(["backup", file, "--with-key", "--data", source])).toMatchObject({
      exit: 0,
    });
    const before = await teams(source);
    const restore = ["restore", file, "--data", data];
    const whole = await timeOf(restore, "end");
    for (const at of moments(whole)) {
      rmSync(data, { recursive: true, force: true });
      await killedAfter(restore, at);
      const { exit, err } = await outrider(restore);
      // One that had ended before is not done again.
      expect([exit, exit === 0 || err.includes("is not empty")]).toEqual([
        exit === 0 ? 0 : 65,
        true,
      ]);
      expect(await teams(data)).toEqual(before);
      const doctor = await outrider(["doctor", "--data", data, "--port", "0"], { env: ENV });
      expect(doctor.exit).toBe(0);
      tried("kills", 1);
    }
  },
  TEST_MS_MAX,
);

test(
  "a new master key",
  async () => {
    using directory = temporaryDirectory();
    const data = join(directory.path, "data");
    await furnish(data);
    // A file of keys has sixteen at most, and each moment may add two.
    const kills = 7;
    const rotate = ["master-key", "rotate", "--data", data, "--json"];
    const whole = await timeOf(rotate, "end");
    for (const at of moments(whole, kills)) {
      await killedAfter(rotate, at);
      const { exit, out, err } = await outrider(rotate);
      expect({ at, exit, err }).toEqual({ at, exit: 0, err: "" });
      expect(JSON.parse(out)).toMatchObject({ unreadable: 0 });
      tried("kills", 1);
    }
    const doctor = await outrider(["doctor", "--data", data, "--port", "0"], { env: ENV });
    expect(doctor.exit).toBe(0);
  },
  TEST_MS_MAX,
);

/**
 * The power goes. What the kernel was given and did not yet write is lost, unlike after a kill: a process
 * runs under `support/last-synced.c`, is killed, and the next one finds each file as it was last
 * synchronised.
 *
 * The same with less waiting for the disk shows that the model has teeth, and what the waiting buys.
 */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { hash01 } from "#domain/random.ts";
import { type Server, startServer, temporaryDirectory } from "../support/executable.ts";
import { tried } from "../support/promises.ts";
import { type Call, caller, done } from "./support.ts";

const SEED = process.env["OUTRIDER_TEST_SEED"] ?? "1";
const CUTS = 6;
const LIFE_MS_MAX = 1_200;
const WRITERS = 6;
/** Rows before a kill, which comes at another place between two checkpoints each time. */
const ROWS_MIN = 300;
const ROWS_A_ROUND = 7;
const ROUNDS = 5;
const FOLDED_BYTES = 200_000;
const TEST_MS_MAX = 240_000;
const ENV = { OUTRIDER_RATE_LIMIT: "0", OUTRIDER_LOG_LEVEL: "error" };
const WRITER = resolve(import.meta.dir, "../support/power-writer.ts");

const compiler = Bun.which("cc");
const isPossible = process.platform === "linux" && compiler !== null;
if (!isPossible && process.env["OUTRIDER_TEST_TIER"] === "full") {
  throw new Error("a model of power loss needs Linux and a C compiler (Debian: gcc)");
}

const why = isPossible ? "" : " (skipped: needs Linux and a C compiler)";

describe.skipIf(!isPossible)(`After a power cut${why}`, () => {
  const directory = temporaryDirectory();
  const data = join(directory.path, "data");
  const synced = join(directory.path, "synced");
  const library = join(directory.path, "last-synced.so");
  const preloaded = { LD_PRELOAD: library, LAST_SYNCED_FROM: data, LAST_SYNCED_TO: synced };

  beforeAll(() => {
    const source = resolve(import.meta.dir, "../support/last-synced.c");
    const made = Bun.spawnSync([compiler ?? "", "-shared", "-fPIC", "-O1", "-o", library, source]);
    expect(made.stderr.toString()).toBe("");
  });
  let server: Server | undefined;
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    directory[Symbol.dispose]();
  });

  const begin = () => {
    for (const path of [data, synced]) {
      rmSync(path, { recursive: true, force: true });
      mkdirSync(path, { mode: 0o700 });
    }
  };
  /** What was not synchronised is gone. */
  const cut = () => {
    rmSync(data, { recursive: true });
    cpSync(synced, data, { recursive: true });
  };

  test(
    "what was answered is there",
    async () => {
      begin();
      server = await startServer({ data, env: { ...ENV, ...preloaded } });
      const { key } = await server.createKey("live");
      const answered: string[] = [];
      for (let round = 0; round < CUTS; round += 1) {
        const call = caller(server, key);
        const writing = Array.from({ length: WRITERS }, (_, n) =>
          write(call, `${round}-${n}`, answered),
        );
        await Bun.sleep(hash01(SEED, "life", round) * LIFE_MS_MAX);
        await server.stop("SIGKILL");
        await Promise.all(writing);
        cut();
        server = await startServer({ data, env: { ...ENV, ...preloaded } });
        expect(await missing(server, key, answered)).toEqual([]);
      }
      expect(answered.length).toBeGreaterThan(CUTS);
      tried("power", answered.length);
      await server.stop("SIGKILL");
    },
    TEST_MS_MAX,
  );

  test.each([
    ["FULL", "nothing that was committed is lost", []],
    ["FULL", "and a thread that folds the log, nothing is lost", [FOLDED_BYTES]],
    ["NORMAL", "the last commits are lost, and the file is whole", []],
  ] as const)(
    "with synchronous=%s %s",
    async (mode, _what, more) => {
      let lost = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        begin();
        const rows = (more.length + 1) * ROWS_MIN + round * ROWS_A_ROUND;
        const given = [join(data, "x.db"), mode, ...more];
        const committed = await writeUntilKilled(given, rows, preloaded);
        cut();
        const db = new Database(join(data, "x.db"));
        const found = db.query<{ n: number; last: number }, []>(
          "SELECT count(*) AS n, max(n) AS last FROM written",
        );
        const { n = 0, last = 0 } = found.get() ?? {};
        const whole = db.query("PRAGMA integrity_check").get();
        db.close();
        expect(whole).toEqual({ integrity_check: "ok" });
        expect(n).toBe(last);
        lost = Math.max(lost, committed - last);
      }
      expect(lost > 0).toBe(mode === "NORMAL");
    },
    TEST_MS_MAX,
  );
});

/** Returns the last row that it told to be committed. */
async function writeUntilKilled(
  given: readonly (string | number)[],
  rows: number,
  env: Record<string, string>,
): Promise<number> {
  const child = Bun.spawn([process.execPath, WRITER, ...given.map(String)], {
    env: { ...process.env, ...env },
    stdout: "pipe",
    stderr: "inherit",
  });
  let last = 0;
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of child.stdout) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    last = Number(lines.at(-1) ?? last);
    if (last >= rows) {
      child.kill("SIGKILL");
    }
  }
  await child.exited;
  return last;
}

async function write(call: Call, mark: string, answered: string[]): Promise<void> {
  for (let n = 0; ; n += 1) {
    const email = `c${mark}-${n}@x.test`;
    try {
      const { status } = await call("POST", "/suppressions", { email, reason: "manual" });
      if (status === 201) {
        answered.push(email);
      }
    } catch {
      return;
    }
  }
}

async function missing(server: Server, key: string, answered: readonly string[]) {
  const call = caller(server, key);
  const gone: string[] = [];
  for (const email of answered) {
    const { suppressed } = await done(call("GET", `/suppressions/check?email=${email}`));
    if (!suppressed) {
      gone.push(email);
    }
  }
  return gone;
}

/**
 * Another program holds the write lock of the live database for a minute, as a backup or somebody's shell does: the
 * executable goes on reading, says that it is ready, refuses writes after their five seconds, and writes again
 * right after.
 */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { startServer, temporaryDirectory } from "../support/executable.ts";
import { tried } from "../support/promises.ts";
import { caller, createCampaign, done } from "./support.ts";

const HELD_MS = 60_000;
/** A read may take as long on a busy machine; a wait for a lock is five seconds at least. */
const READ_MS_MAX = 1_500;
const WRITE_MS = { least: 4_000, most: 9_000 };
const TEST_MS_MAX = 180_000;
const ENV = { OUTRIDER_RATE_LIMIT: "0", OUTRIDER_LOG_LEVEL: "error" };

const HOLD = `
  import { Database } from "bun:sqlite";
  const raw = new Database(process.argv[1]);
  raw.run("PRAGMA busy_timeout = 10000");
  raw.run("BEGIN IMMEDIATE");
  console.log("held");
  await Bun.sleep(${HELD_MS});
  raw.run("ROLLBACK");
`;

async function timed<Result>(act: () => Promise<Result>): Promise<{ result: Result; ms: number }> {
  const from = performance.now();
  const result = await act();
  return { result, ms: performance.now() - from };
}

test(
  "a foreign write lock of a minute: reads and /readyz as ever, writes 503 and then as ever",
  async () => {
    using directory = temporaryDirectory();
    await using server = await startServer({ data: join(directory.path, "data"), env: ENV });
    const { key } = await server.createKey("live");
    const call = caller(server, key);
    await createCampaign(call, { name: "Before" });

    const holder = Bun.spawn([process.execPath, "-e", HOLD, join(server.data, "live.db")], {
      stdout: "pipe",
    });
    const reader = holder.stdout.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toContain("held");
    let isHeld = true;
    const released = holder.exited.then(() => {
      isHeld = false;
    });

    const writes: { status: number; ms: number }[] = [];
    const writing = (async () => {
      while (isHeld) {
        const { result, ms } = await timed(() => call("POST", "/campaigns", { name: "Meanwhile" }));
        writes.push({ status: result.status, ms });
      }
    })();
    const reads: number[] = [];
    while (isHeld) {
      for (const path of ["/readyz", "/healthz"]) {
        const { result, ms } = await timed(() => server.fetch(path));
        expect([path, result.status]).toEqual([path, 200]);
        reads.push(ms);
      }
      const { result, ms } = await timed(() => call("GET", "/campaigns"));
      expect(result.status).toBe(200);
      reads.push(ms);
      await Bun.sleep(50);
    }
    await Promise.all([released, writing]);

    const refused = writes.filter(({ status }) => status === 503);
    console.info(
      `${reads.length} reads, the longest in ${Math.round(Math.max(...reads))} ms; ${refused.length} writes refused`,
    );
    expect(Math.max(...reads)).toBeLessThan(READ_MS_MAX);
    expect(refused.length).toBeGreaterThan(5);
    for (const { ms } of refused) {
      expect(ms).toBeGreaterThan(WRITE_MS.least);
      expect(ms).toBeLessThan(WRITE_MS.most);
    }
    await done(call("POST", "/campaigns", { name: "After" }));
    tried("damage", 1);
  },
  TEST_MS_MAX,
);

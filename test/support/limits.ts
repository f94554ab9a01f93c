/**
 * What the kernel may refuse a process: a file may not grow (RLIMIT_FSIZE), files may not be opened
 * (RLIMIT_NOFILE), memory is not to be had (a control group). Set while it runs.
 */

import { Database } from "bun:sqlite";
import { mkdirSync, readdirSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Server } from "./executable.ts";

/** A full disk sends no signal; the kernel's limit on a file would. */
export const NO_SIGNAL = ["sh", "-c", 'trap "" XFSZ; exec "$@"', "sh"];
export const canLimit = process.platform === "linux" && Bun.which("prlimit") !== null;
const PAGE_BYTES = 4096;
const SPARE_BYTES = 24 * 1024 * 1024;
/** Until the kernel's place is taken by us, where it keeps no account of memory. */
const LIFE_MS = 300;

export function limit(pid: number, what: "fsize" | "nofile", most: number | "unlimited"): void {
  // The soft limit alone, so that it can be lifted again by whoever is not root.
  const { exitCode, stderr } = Bun.spawnSync(["prlimit", `--pid=${pid}`, `--${what}=${most}:`]);
  if (exitCode !== 0) {
    throw new Error(stderr.toString());
  }
}

/**
 * From here on a process may have so much more memory and is ended by the kernel when it wants more;
 * where control groups cannot be made, by us after a while, as the kernel would.
 */
export function confine(pid: number): Disposable {
  for (const [root, most] of [
    ["/sys/fs/cgroup/memory", "memory.limit_in_bytes"],
    ["/sys/fs/cgroup", "memory.max"],
  ] as const) {
    const group = join(root, `outrider-test-${pid}`);
    try {
      mkdirSync(group);
    } catch {
      continue;
    }
    try {
      writeFileSync(join(group, "cgroup.procs"), "", { flag: "r+" });
      writeFileSync(join(group, most), String(SPARE_BYTES));
      writeFileSync(join(group, "cgroup.procs"), String(pid));
      return { [Symbol.dispose]: () => rmdirSync(group) };
    } catch {
      rmdirSync(group);
    }
  }
  const timer = setTimeout(() => process.kill(pid, "SIGKILL"), LIFE_MS);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}

/** No file of the data directory may grow. */
export function fill(server: Server): void {
  const sizes = readdirSync(server.data).map((name) => statSync(join(server.data, name)).size);
  // Not a whole page more than there is: a log that is begun anew may be written over.
  limit(
    server.pid,
    "fsize",
    Math.min(...sizes.filter((size) => size > 2 * PAGE_BYTES)) - PAGE_BYTES,
  );
}

/** What SQLite says of the live database: `ok`. */
export function integrityOf(data: string): unknown {
  const db = new Database(join(data, "live.db"));
  const row = db.query<{ integrity_check: string }, []>("PRAGMA integrity_check").get();
  db.close();
  return row?.integrity_check;
}

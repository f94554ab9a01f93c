/** Guarantees of `store/sqlite/lock.ts`: one server a directory, and no lock outlives its process. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  addressOf,
  DirectoryLocked,
  isDirectoryHeld,
  lockDirectory,
  serverOf,
} from "#store/sqlite/lock.ts";

const TOP = resolve(import.meta.dir, "../../..");
const BUILD = { url: "http://127.0.0.1:1025", version: "1.0.0", commit: "abc" };

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "outrider-lock-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** A process of its own that holds the lock until it is killed, though it forgets it; it says when. */
async function holder() {
  const code = `
    import { lockDirectory } from "#store/sqlite/lock.ts";
    lockDirectory(process.argv[1], process.pid);
    Bun.gc(true);
    process.stdout.write("held\\n");
    setInterval(() => undefined, 1000);
  `;
  const child = Bun.spawn([process.execPath, "-e", code, directory], {
    cwd: TOP,
    stdout: "pipe",
    stderr: "inherit",
  });
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  expect(new TextDecoder().decode(value)).toBe("held\n");
  return child;
}

describe("lockDirectory", () => {
  test("says where its server can be found, until it is released", () => {
    const lock = lockDirectory(directory, 4711);
    expect(addressOf(directory)).toBeNull();
    lock.announce("https://out.example", BUILD);
    expect(addressOf(directory)).toBe("https://out.example");
    expect(readFileSync(join(directory, "outrider.pid"), "utf8")).toBe("4711\n");
    lock.release();
    expect(addressOf(directory)).toBeNull();
  });

  test("says which version runs, to programs of this machine", () => {
    const lock = lockDirectory(directory, process.pid);
    expect(serverOf(directory)).toBeNull();
    expect(isDirectoryHeld(directory)).toBe(true);
    lock.announce("https://out.example", BUILD);
    expect(serverOf(directory)).toEqual({ pid: process.pid, url: BUILD.url, build: BUILD });
    rmSync(join(directory, "outrider.server"));
    const { pid } = process;
    expect(serverOf(directory)).toEqual({ pid, url: "https://out.example", build: null });
    lock.release();
    expect(serverOf(directory)).toBeNull();
    expect(isDirectoryHeld(directory)).toBe(false);
  });

  test("writes down who holds it", () => {
    const lock = lockDirectory(directory, 4711);
    expect(readFileSync(join(directory, "outrider.pid"), "utf8")).toBe("4711\n");
    lock.release();
  });

  test("refuses a second one, naming the process of the first and the directory", () => {
    const lock = lockDirectory(directory, 4711);
    expect(() => lockDirectory(directory, 4712)).toThrow(DirectoryLocked);
    expect(() => lockDirectory(directory, 4712)).toThrow("process 4711");
    expect(() => lockDirectory(directory, 4712)).toThrow(directory);
    expect(readFileSync(join(directory, "outrider.pid"), "utf8")).toBe("4711\n");
    lock.release();
  });

  test("is free after a release, and another directory is another lock", () => {
    lockDirectory(directory, 1).release();
    const lock = lockDirectory(directory, 2);
    const other = mkdtempSync(join(tmpdir(), "outrider-lock-"));
    lockDirectory(other, 3).release();
    rmSync(other, { recursive: true });
    lock.release();
  });

  test("another process's is refused, and free as soon as kill -9 has ended it", async () => {
    const child = await holder();
    try {
      expect(() => lockDirectory(directory, process.pid)).toThrow(`process ${child.pid}`);
    } finally {
      child.kill(9);
      await child.exited;
    }
    expect(child.signalCode).toBe("SIGKILL");
    lockDirectory(directory, process.pid).release();
  }, 30_000);
});

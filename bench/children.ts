/**
 * Processes of a run: started, read, and ended by their ids, all of them, also when the run is broken
 * off.
 */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const FIRST_LINE_MS_MAX = 60_000;
export const RESULT_MS_MAX = 300_000;
const END_MS_MAX = 30_000;
/** Linux counts processor time in hundredths of a second for every program that asks. */
const TICK_MS = 10;

const running = new Set<{ pid: number; kill: (signal: "SIGKILL") => void }>();
const directories = new Set<string>();

/** Nothing outlives the run. */
export function endAll(): void {
  for (const child of running) {
    const behind = treeOf(child.pid).filter(({ pid }) => pid !== child.pid);
    child.kill("SIGKILL");
    for (const { pid } of behind) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended with the one before it.
      }
    }
  }
  for (const path of directories) {
    rmSync(path, { recursive: true, force: true });
  }
  directories.clear();
}

/** A directory of the run, removed at its end at the latest. */
export function temporaryDirectory(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), "outrider-bench-"));
  directories.add(path);
  return {
    path,
    [Symbol.dispose]: () => {
      directories.delete(path);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** The command that runs `bench/programs/<name>.ts` with `input` as its argument. */
export function program(name: string, input: object = {}): string[] {
  const path = resolve(import.meta.dir, "programs", `${name}.ts`);
  return [process.execPath, path, JSON.stringify(input)];
}

export interface Server extends AsyncDisposable {
  readonly pid: number;
  /** What it printed when it was ready, parsed. */
  readonly ready: { url: string; port: number };
  /** Processor time so far, with that of all processes behind it; undefined where the system does not tell. */
  cpuMs(): number | undefined;
  /** Resident memory; undefined where the system does not tell. */
  residentMib(): number | undefined;
}

/** Starts a server that prints one line of JSON with its `url` or `port` once it is ready. */
export async function startServer(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const child = spawn(command, env, "ignore");
  const line = await firstLine(child);
  return {
    pid: child.pid,
    ready: JSON.parse(line) as { url: string; port: number },
    cpuMs: () => cpuMs(child.pid),
    residentMib: () => residentMib(child.pid),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      const late = setTimeout(() => child.kill("SIGKILL"), END_MS_MAX);
      await child.exited;
      clearTimeout(late);
      running.delete(child);
    },
  };
}

/** Runs a program to its end, of at most `msMax`, and parses what it prints. */
export async function resultOf<Result>(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
  msMax = RESULT_MS_MAX,
): Promise<Result> {
  const child = spawn(command, env, "inherit");
  const late = setTimeout(() => child.kill("SIGKILL"), msMax);
  const text = await new Response(child.stdout).text();
  const exit = await child.exited;
  clearTimeout(late);
  running.delete(child);
  if (exit !== 0) {
    throw new Error(`${command.slice(0, 2).join(" ")} ended with ${exit}`);
  }
  return JSON.parse(text) as Result;
}

function spawn(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  stderr: "ignore" | "inherit",
) {
  const { PATH = "", HOME = "", TMPDIR } = process.env;
  const child = Bun.spawn([...command], {
    cwd: tmpdir(),
    env: { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }), ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr,
  });
  running.add(child);
  return child;
}

async function firstLine(child: ReturnType<typeof spawn>): Promise<string> {
  const late = setTimeout(() => child.kill("SIGKILL"), FIRST_LINE_MS_MAX);
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (!text.includes("\n")) {
    const { done, value } = await reader.read();
    if (done) {
      throw new Error(`a process ended with ${await child.exited} before it was ready`);
    }
    text += decoder.decode(value, { stream: true });
  }
  clearTimeout(late);
  reader.releaseLock();
  return text.slice(0, text.indexOf("\n"));
}

/** Of a process, those that it has started, and those of them that have ended. */
function cpuMs(pid: number): number | undefined {
  const times = treeOf(pid).flatMap(({ fields }) =>
    TIMES.map((place) => Number(fields[place] ?? 0) * TICK_MS),
  );
  return times.length === 0 ? undefined : times.reduce((sum, ms) => sum + ms, 0);
}

/** A process and all that it has started, directly or not; empty where the system does not tell. */
function treeOf(pid: number): { pid: number; fields: string[] }[] {
  if (readProc(pid, "stat") === undefined) {
    return [];
  }
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const stats = all.map((name) => ({ pid: Number(name), fields: statOf(Number(name)) }));
  const tree = new Set([pid]);
  for (let size = 0; size < tree.size; ) {
    size = tree.size;
    for (const { pid: child, fields } of stats) {
      if (tree.has(Number(fields[PARENT]))) {
        tree.add(child);
      }
    }
  }
  return stats.filter((one) => tree.has(one.pid));
}

/** Of {@link statOf}: the parent, and the times of the process and of its children that have ended. */
const PARENT = 1;
const TIMES = [11, 12, 13, 14] as const;

/** Source: proc_pid_stat(5), from field 3 on; the name in field 2 may hold anything but its end. */
function statOf(pid: number): string[] {
  const stat = readProc(pid, "stat") ?? "";
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Source: proc_pid_status(5). */
function residentMib(pid: number): number | undefined {
  const kib = /^VmRSS:\s*(\d+) kB$/m.exec(readProc(pid, "status") ?? "")?.[1];
  return kib === undefined ? undefined : Number(kib) / 1024;
}

/** What a process has given the disk to write; undefined where the system does not tell. Source: proc_pid_io(5). */
export function bytesWritten(pid: number | "self"): number | undefined {
  const bytes = /^write_bytes: (\d+)$/m.exec(readProc(pid, "io") ?? "")?.[1];
  return bytes === undefined ? undefined : Number(bytes);
}

function readProc(pid: number | "self", name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return undefined;
  }
}

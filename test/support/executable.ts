/**
 * The compiled executable, as a user has it: run once, or as a server on a free port in a directory of
 * its own, which goes with it.
 */

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** Where it lies. */
export const EXECUTABLE =
  process.env["OUTRIDER_EXECUTABLE"] ?? resolve(import.meta.dir, "../../dist/outrider");

const START_MS_MAX = 60_000;
const STOP_MS_MAX = 60_000;

export interface Around {
  env?: Record<string, string>;
  cwd?: string;
  /** Another build of it. */
  executable?: string;
  /** Words before the executable's own: a program that sets limits and then becomes it. */
  under?: readonly string[];
}

export interface Ran {
  /** Exit code, or 128 and the signal's number. */
  exit: number;
  out: string;
  err: string;
}

/** A directory that is removed with `await using` or `using`. */
export function temporaryDirectory(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), "outrider-test-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Runs `outrider ...args` to its end. */
export async function outrider(args: readonly string[], around: Around = {}): Promise<Ran> {
  const child = spawn(args, around);
  const [out, err, exit] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exit, out, err };
}

/** What `keys create --json` prints, as far as tests use it. */
export interface CreatedKey {
  key: string;
  id: string;
  name: string;
  env: "live" | "test";
  created_at: string;
}

export interface Server extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly data: string;
  readonly pid: number;
  createKey(env: "live" | "test"): Promise<CreatedKey>;
  /** A request; `key` becomes its bearer token. */
  fetch(path: string, init?: RequestInit & { key?: string }): Promise<Response>;
  /** Sends SIGTERM, or `signal`, and waits; resolves to the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number>;
  /** What it has written to stderr so far. */
  log(): string;
}

export interface StartOptions extends Around {
  data?: string;
  args?: readonly string[];
  /** Any free one where it is left out. */
  port?: number;
  /** Called with the process id at once, long before the server answers. */
  spawned?: (pid: number) => void;
}

/** Starts `outrider serve`. Rejects with its stderr when it ends instead of answering. */
export async function startServer(options: StartOptions = {}): Promise<Server> {
  const own = options.data === undefined ? temporaryDirectory() : undefined;
  const data = options.data ?? join(own?.path ?? "", "data");
  const port = String(options.port ?? 0);
  const args = ["serve", "--data", data, "--port", port, "--json", ...(options.args ?? [])];
  const child = spawn(args, options);
  options.spawned?.(child.pid);
  let log = "";
  const reading = collect(child.stderr, (text) => {
    log += text;
  });
  const first = await firstLine(child.stdout, () => child.kill("SIGKILL"));
  if (first === undefined) {
    await reading;
    own?.[Symbol.dispose]();
    throw new Error(`outrider ${args.join(" ")} ended with ${await child.exited}:\n${log}`);
  }
  const { url } = JSON.parse(first) as { url: string };
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal);
    const late = AbortSignal.timeout(STOP_MS_MAX);
    late.addEventListener("abort", () => child.kill("SIGKILL"));
    const exit = await child.exited;
    await reading;
    return exit;
  };
  return {
    url,
    data,
    pid: child.pid,
    log: () => log,
    stop,
    createKey: async (env) => {
      const made = ["keys", "create", "--data", data, "--name", "test", "--env", env, "--json"];
      const { exit, out, err } = await outrider(made, options);
      if (exit !== 0) {
        throw new Error(`keys create ended with ${exit}: ${err}`);
      }
      return JSON.parse(out) as CreatedKey;
    },
    fetch: (path, { key, ...init } = {}) => {
      const headers = new Headers(init.headers);
      if (key !== undefined) {
        headers.set("Authorization", `Bearer ${key}`);
      }
      return fetch(url + path, { ...init, headers });
    },
    [Symbol.asyncDispose]: async () => {
      await stop("SIGKILL");
      own?.[Symbol.dispose]();
    },
  };
}

function spawn(args: readonly string[], around: Around) {
  const executable = around.executable ?? EXECUTABLE;
  if (!existsSync(executable)) {
    throw new Error(`${executable} is not there: run ./build.sh first`);
  }
  const { PATH = "", HOME = "", TMPDIR } = process.env;
  return Bun.spawn([...(around.under ?? []), executable, ...args], {
    cwd: around.cwd ?? tmpdir(),
    env: { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }), ...around.env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}

async function collect(
  stream: ReadableStream<Uint8Array>,
  take: (text: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    take(decoder.decode(chunk, { stream: true }));
  }
}

/** The first line of `stream`, or undefined when it ends or says nothing in time; then `end` is called. */
async function firstLine(
  stream: ReadableStream<Uint8Array>,
  end: () => void,
): Promise<string | undefined> {
  const late = AbortSignal.timeout(START_MS_MAX);
  const reader = stream.getReader();
  const giveUp = () => {
    end();
    void reader.cancel();
  };
  late.addEventListener("abort", giveUp);
  const decoder = new TextDecoder();
  let text = "";
  while (!text.includes("\n")) {
    const { done, value } = await reader.read();
    if (done) {
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
  late.removeEventListener("abort", giveUp);
  reader.releaseLock();
  return text.slice(0, text.indexOf("\n"));
}

/**
 * The console in a real browser, before a server of its own: the compiled executable where
 * `OUTRIDER_EXECUTABLE` names one, else the program from source. Somebody is signed in.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Answer } from "./app.ts";
import { type OpenPage, openPage, type Scheme } from "./browser.ts";

const ROOT = resolve(import.meta.dir, "../..");
const EXECUTABLE = process.env["OUTRIDER_EXECUTABLE"];
const PROGRAM = EXECUTABLE === undefined ? [process.execPath, "src/main.ts"] : [EXECUTABLE];
const START_MS_MAX = 150_000;
const STOP_MS_MAX = 30_000;

export const PERSON = {
  name: "Ann Example",
  email: "ann@example.com",
  password: "a long password",
} as const;

export interface Started extends AsyncDisposable {
  url: string;
  data: string;
  pid: number;
  /** The link that lets somebody in, as the program printed it; null where it printed none. */
  link: string | null;
  /** What it has written so far, on both streams. */
  log(): string;
  /** Sends SIGTERM, or `signal`, and waits; resolves to the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number>;
}

export interface Console extends Started {
  /** A call below `/api/v1` of `env` as the person who is signed in. */
  api(env: "live" | "test", method: string, path: string, body?: unknown): Promise<Answer>;
  /** The console, signed in, at `path`. */
  open(scheme?: Scheme, path?: string): Promise<OpenPage>;
  /** `name=value` of the session's cookie. */
  cookie: string;
}

export interface StartConsole {
  /** The demo instead of an empty installation: `outrider demo` with these arguments. */
  demo?: boolean | readonly string[];
  args?: readonly string[];
  env?: Record<string, string>;
  /** A directory to start on again; a new one, removed at the end, if left out. */
  data?: string;
}

/** Starts the program and waits until it answers. */
export async function startProgram(options: StartConsole = {}): Promise<Started> {
  const own = options.data === undefined ? mkdtempSync(join(tmpdir(), "outrider-console-")) : null;
  const data = options.data ?? join(own ?? "", "data");
  const { demo = false, args = [] } = options;
  const port = args.includes("--port") ? [] : ["--port", "0"];
  const words = demo
    ? ["demo", "--no-open", "--stay", ...(demo === true ? [] : demo), ...args]
    : ["serve", "--data", data, ...port, "--json", ...args];
  const { PATH = "", HOME = "" } = process.env;
  const child = Bun.spawn([...PROGRAM, ...words], {
    cwd: EXECUTABLE === undefined ? ROOT : tmpdir(),
    env: { PATH, HOME, ...options.env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let log = "";
  const heard = Promise.withResolvers<void>();
  const late = AbortSignal.timeout(START_MS_MAX);
  late.addEventListener("abort", () => heard.reject(new Error(`no answer:\n${log}`)));
  const listen = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      log += decoder.decode(chunk, { stream: true });
      if (urlIn(log) !== undefined && (!demo || linkIn(log) !== null)) {
        heard.resolve();
      }
    }
  };
  const reading = Promise.all([listen(child.stdout), listen(child.stderr)]);
  void reading.then(() => heard.reject(new Error(`it ended:\n${log}`)));
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal);
    const patience = AbortSignal.timeout(STOP_MS_MAX);
    patience.addEventListener("abort", () => child.kill("SIGKILL"));
    const code = await child.exited;
    await reading;
    return code;
  };
  const dispose = async () => {
    await stop("SIGKILL");
    if (own !== null) {
      rmSync(own, { recursive: true, force: true });
    }
  };
  try {
    await heard.promise;
  } catch (error) {
    await dispose();
    throw error;
  }
  const link = linkIn(log);
  const started = { url: urlIn(log) ?? "", link, data, pid: child.pid, log: () => log, stop };
  return { ...started, [Symbol.asyncDispose]: dispose };
}

/** What a command prints that ends by itself: `admin link --data …`. Throws where it fails. */
export async function runProgram(...words: readonly string[]): Promise<string> {
  const { PATH = "", HOME = "" } = process.env;
  const child = Bun.spawn([...PROGRAM, ...words], {
    cwd: EXECUTABLE === undefined ? ROOT : tmpdir(),
    env: { PATH, HOME },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, said] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) {
    throw new Error(`${words.join(" ")}:
${said}`);
  }
  return out.trim();
}

function urlIn(log: string): string | undefined {
  return /https?:\/\/[^\s",/]+(?=["\s])/.exec(log)?.[0];
}

function linkIn(log: string): string | null {
  return /https?:\/\/[^\s"]+\/(?:welcome|enter)#[^\s"]+/.exec(log)?.[0] ?? null;
}

/** The program with somebody signed in: {@link PERSON}, or the demo's own. */
export async function startConsole(options: StartConsole = {}): Promise<Console> {
  const started = await startProgram(options);
  try {
    const cookie = await signIn(started);
    return { ...started, ...callers(started.url, cookie), cookie };
  } catch (error) {
    await started[Symbol.asyncDispose]();
    throw error;
  }
}

const EVENING_HOUR = 20;

/** Moves the sandbox to an evening, so that what is started there waits for the day whenever a test runs. */
export async function moveToEvening({ api }: Pick<Console, "api">): Promise<void> {
  const { body } = await api("test", "GET", "/sandbox/clock");
  const hours = (EVENING_HOUR - new Date(body.now).getUTCHours() + 24) % 24 || 24;
  await api("test", "POST", "/sandbox/clock", { advance: `${hours}h` });
}

async function signIn({ url, link }: Started): Promise<string> {
  const [path = "", token = ""] = link === null ? [] : partsOf(link);
  const given = path === "welcome" ? PERSON : {};
  const response =
    link === null
      ? await consoleRequest(url, "session", { email: PERSON.email, password: PERSON.password })
      : await consoleRequest(url, path, { token, ...given });
  const cookie = /^[^;]+/.exec(response.headers.get("set-cookie") ?? "")?.[0];
  if (cookie === undefined) {
    throw new Error(`not signed in: ${response.status} ${await response.text()}`);
  }
  return cookie;
}

/** The door that a link leads to, and the word that opens it. */
function partsOf(link: string): [path: string, token: string] {
  const { pathname, hash } = new URL(link);
  return [pathname.slice(1), hash.slice(1).split("&")[0] ?? ""];
}

function consoleRequest(url: string, path: string, body: object): Promise<Response> {
  return fetch(`${url}/console/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: url },
    body: JSON.stringify(body),
  });
}

function callers(url: string, cookie: string): Pick<Console, "api" | "open"> {
  return {
    api: async (env, method, path, body) => {
      const response = await fetch(`${url}/${env}/api/v1${path}`, {
        method,
        headers: {
          Cookie: cookie,
          Origin: url,
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.startsWith("application/json");
      return {
        status: response.status,
        body: isJson && text !== "" ? JSON.parse(text) : null,
        headers: response.headers,
        text,
      };
    },
    open: async (scheme = "light", path = "/live/") => {
      const opened = await openPage(url, scheme);
      const [name = "", value = ""] = cookie.split("=");
      await opened.page.context().addCookies([{ name, value, url, sameSite: "Strict" }]);
      await opened.page.goto(url + path);
      return opened;
    },
  };
}

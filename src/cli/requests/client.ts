/**
 * A running server, from the command line: its API with a key. Refusals keep the API's words and get the
 * exit codes of `exit.ts`.
 */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createParser } from "eventsource-parser";
import type { Call, Option } from "#cli/command.ts";
import { CommandError, EXIT } from "#cli/exit.ts";
import { PROBLEM_STATUS, Problem, type ProblemType } from "#domain/problem.ts";
import { messageOf } from "#domain/thrown.ts";

const DEFAULT_URL = "http://127.0.0.1:8480";
const ANSWER_MS_MAX = 30_000;

/** Of every command that asks a server. The key is a secret, so it has no flag. */
export const CLIENT_OPTIONS = {
  server: { type: "string", value: "URL", about: `Server URL (OUTRIDER_URL, ${DEFAULT_URL})` },
} as const satisfies Record<string, Option>;

export const CLIENT_DETAILS =
  "Uses the API key in OUTRIDER_KEY, or in the file named by OUTRIDER_KEY_FILE.";

/** One event of the stream. */
export interface StreamedEvent {
  /** Where to go on from. */
  id: string;
  /** The event as the server wrote it. */
  data: string;
}

export interface Client {
  readonly url: string;
  /** The key is one of the live environment, where email is real. */
  readonly isLive: boolean;
  /** The answer's body. Throws a {@link Problem} in the API's words. */
  call<Body>(method: string, path: string, body?: unknown): Promise<Body>;
  /** Any request below `/api/v1`, however long its answer takes. Throws as `call`. */
  ask(path: string, init: RequestInit): Promise<Response>;
  /** As `ask`; what the API refuses is a response, too. */
  fetch(path: string, init: RequestInit): Promise<Response>;
  /** POSTs a body that is no JSON, however long it takes. The answer's body; throws as `call`. */
  send<Body>(path: string, body: Blob, type: string): Promise<Body>;
  /** A body that is no JSON, as it comes, until `signal` is aborted. Throws as `call`. */
  stream(path: string, signal?: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  /**
   * Events one after another until the server ends the stream or `signal` is aborted. Throws as `call`
   * where it cannot be opened.
   */
  events(query: Record<string, string>, signal: AbortSignal): AsyncGenerator<StreamedEvent>;
}

type ClientCall = Pick<Call, "env" | "workingDir"> & { values: { server?: string | undefined } };

export function clientOf({ values, env, workingDir }: ClientCall): Client {
  const url = readUrl({ values, env });
  const key = readKey(env, workingDir);
  const headers = { Authorization: `Bearer ${key}` };
  const send = (path: string, init: RequestInit) => {
    const all = { ...init, headers: { ...headers, ...init.headers }, timeout: false };
    return reach(url, path, all as RequestInit);
  };
  return {
    url,
    isLive: key.startsWith("outrider_live_"),
    call: async (method, path, body) => {
      const response = await reach(url, path, {
        method,
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
        headers: {
          ...headers,
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      await refuse(response);
      return (response.status === 204 ? undefined : await response.json()) as never;
    },
    fetch: send,
    ask: async (path, init) => {
      const response = await send(path, init);
      await refuse(response);
      return response;
    },
    send: async (path, body, type) => {
      const init = { method: "POST", headers: { ...headers, "Content-Type": type }, body };
      const response = await reach(url, path, { ...init, timeout: false } as RequestInit);
      await refuse(response);
      return (await response.json()) as never;
    },
    stream: async (path, signal) => {
      const init = { headers, timeout: false, ...(signal === undefined ? {} : { signal }) };
      const response = await reach(url, path, init as RequestInit);
      await refuse(response);
      return response.body ?? new Blob([]).stream();
    },
    events: async function* (query, signal) {
      const path = `/events/stream?${new URLSearchParams(query)}`;
      const response = await reach(url, path, { headers, signal });
      await refuse(response);
      yield* readEvents(response, signal);
    },
  };
}

async function reach(url: string, path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(`${url}/api/v1${path}`, { ...init, redirect: "error" });
  } catch (error) {
    const cause = messageOf(error);
    throw new CommandError(EXIT.unavailable, `can't reach a server at ${url}: ${cause}`);
  }
}

async function refuse(response: Response): Promise<void> {
  if (response.ok) {
    return;
  }
  const body = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  const type = Object.keys(PROBLEM_STATUS).find((name) => name === body?.["type"]);
  if (type === undefined) {
    throw new CommandError(EXIT.failed, `the server returned status ${response.status}`);
  }
  const field = typeof body?.["field"] === "string" ? body["field"] : null;
  throw new ApiRefusal(type as ProblemType, saidIn(body ?? {}), field, {
    ...body,
    status: response.status,
    request_id: response.headers.get("x-request-id"),
  });
}

/** What the API refused, in its own words. */
export class ApiRefusal extends Problem {
  /** The body of the response, with its status and the request's id. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(
    type: ProblemType,
    message: string,
    field: string | null,
    body: Readonly<Record<string, unknown>>,
  ) {
    super(type, message, field);
    this.body = body;
  }
}

interface Said {
  field?: unknown;
  message?: unknown;
  did_you_mean?: unknown;
}

/** Everything that is wrong, a line each. */
function saidIn(body: Said & { errors?: unknown }): string {
  const faults: readonly Said[] = Array.isArray(body.errors) ? body.errors : [body];
  return faults
    .map(({ field, message, did_you_mean: meant }) => {
      const said = typeof field === "string" ? `${field}: ${String(message)}` : String(message);
      return typeof meant === "string" ? `${said} (did you mean ${meant}?)` : said;
    })
    .join("\n");
}

async function* readEvents(response: Response, signal: AbortSignal): AsyncGenerator<StreamedEvent> {
  const waiting: StreamedEvent[] = [];
  const parser = createParser({
    onEvent: ({ id, data, event }) => {
      if (id !== undefined && event !== "bye") {
        waiting.push({ id, data });
      }
    },
  });
  const decoder = new TextDecoder();
  try {
    for await (const bytes of response.body ?? []) {
      parser.feed(decoder.decode(bytes, { stream: true }));
      yield* waiting.splice(0);
    }
  } catch (error) {
    if (!signal.aborted && !(error instanceof Error)) {
      throw error;
    }
  }
}

/** The server's address: by the option, the environment, or here. */
export function readUrl({ values, env }: Pick<ClientCall, "values" | "env">): string {
  const text = values.server ?? orUndefined(env["OUTRIDER_URL"]) ?? DEFAULT_URL;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== "/") {
    throw new CommandError(
      EXIT.usage,
      `"${text}" is not a server URL; use one like ${DEFAULT_URL}`,
    );
  }
  return url.origin;
}

function readKey(env: Call["env"], workingDir: string): string {
  const file = orUndefined(env["OUTRIDER_KEY_FILE"]);
  const key = orUndefined(env["OUTRIDER_KEY"]) ?? (file && readFile(resolve(workingDir, file)));
  if (key === undefined) {
    throw new CommandError(
      EXIT.usage,
      "no API key: set OUTRIDER_KEY (`outrider keys create` makes a key)",
    );
  }
  return key;
}

function readFile(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    throw new CommandError(EXIT.usage, `can't read ${path}`);
  }
}

function orUndefined(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

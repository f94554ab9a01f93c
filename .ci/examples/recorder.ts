/**
 * A client whose calls are kept as examples: the first body of each type that an operation takes, and its
 * first response of each status and type. What is long is cut.
 */

import type { Examples } from "#api/document/examples.ts";
import { type Outrider, outrider } from "#client.ts";
import { steady } from "./steady.ts";

type Call = (args?: unknown) => Promise<unknown>;

const LIST_MAX = 2;
const WORDS_MAX = 7;
/** Beyond this, a text is cut between words. */
const TEXT_MAX = 240;
/** A table's heading and two rows. */
const LINES_MAX: Readonly<Record<string, number>> = { "text/csv": 3, "application/x-ndjson": 2 };
const BINARY = "application/octet-stream";

export function recorder(send: (request: Request) => Promise<Response>) {
  const examples: Examples = {};
  let asked = 0;
  const fetch = async (url: string, init: RequestInit, shownId: string | null) => {
    // Requests would have an id by chance.
    asked += 1;
    const request = new Request(url, init);
    request.headers.set("X-Request-Id", `req_${asked.toString(16).padStart(32, "0")}`);
    const response = await send(request);
    if (!response.ok) {
      throw new Error(`${init.method} ${url}: ${await response.text()}`);
    }
    if (shownId !== null) {
      await keep(examples, shownId, init, response.clone());
    }
    return response;
  };
  const clientOf = (key: string, isShown: boolean): Outrider => {
    let shownId: string | null = null;
    const options = { key, url: "http://localhost", tries: 1, timeoutMs: 0 };
    const client = outrider({ ...options, fetch: (url, init) => fetch(url, init, shownId) });
    return new Proxy(client, {
      get: (_client, id: string) => async (args: unknown) => {
        shownId = isShown ? id : null;
        return await (Reflect.get(client, id) as Call)(args);
      },
    });
  };
  return {
    examples,
    /** Calls with this key are shown, one at a time. */
    shows: (key: string) => clientOf(key, true),
    /** Calls with this key are only made. */
    asks: (key: string) => clientOf(key, false),
  };
}

async function keep(
  examples: Examples,
  id: string,
  { headers, body }: RequestInit,
  response: Response,
): Promise<void> {
  examples[id] ??= { responses: {} };
  const example = examples[id];
  const taken = typeOf(new Headers(headers));
  if (typeof body === "string" && taken !== "" && taken !== BINARY) {
    example.body ??= {};
    example.body[taken] ??= shown(taken, body, false);
  }
  const given = typeOf(response.headers);
  const text = await response.text();
  example.responses[response.status] ??= text === "" ? null : {};
  const byType = example.responses[response.status];
  if (byType && !(given in byType)) {
    byType[given] = shown(given, text, true);
  }
}

/** Without its parameters. */
function typeOf(headers: Headers): string {
  return headers.get("Content-Type")?.split(";")[0]?.trim() ?? "";
}

function shown(type: string, text: string, isCut: boolean): unknown {
  if (type === "application/json") {
    const value: unknown = steady(JSON.parse(text));
    return isCut ? short(value) : value;
  }
  const lines = steady(text).split(/(?<=\n)/);
  return lines.slice(0, LINES_MAX[type]).join("");
}

function short(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isWords = value.every((item) => typeof item !== "object");
    return value.slice(0, isWords ? WORDS_MAX : LIST_MAX).map(short);
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, short(item)]));
  }
  return typeof value === "string" && value.length > TEXT_MAX
    ? `${value.slice(0, TEXT_MAX).replace(/\s+\S*$/, "")} …`
    : value;
}

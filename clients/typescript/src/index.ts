/**
 * The Outrider API from TypeScript: a function for each operation, typed by the API's own document, and
 * what every client needs around it: retries that repeat nothing, pages, refusals, webhook signatures.
 */

import { type ErrorBody, type Event, type Operations, PLACES } from "./api.ts";

export type * from "./api.ts";

const DEFAULT_URL = "http://127.0.0.1:8480";
const RESPONSE_MS_MAX = 60_000;
const TRIES_MAX = 4;
const PAUSE_MS = 500;
const PAUSE_MS_MAX = 30_000;
/** Of the oldest webhook that is believed, by Standard Webhooks. */
const AGE_SECONDS_MAX = 300;

export interface Options {
  /** `outrider_live_…` or `outrider_test_…`. Left out where requests bring a session, as in a browser. */
  key?: string;
  /** The server, without `/api/v1`; a browser's own where it begins with a slash. */
  url?: string;
  /** How often a request is tried in all, where trying again may help. */
  tries?: number;
  /** Until a response has come, or a file has begun to; 0: no limit. */
  timeoutMs?: number;
  /** Instead of the platform's own. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** Of one request. */
export interface RequestOptions {
  signal?: AbortSignal;
  /** Instead of the client's own. */
  timeoutMs?: number;
  /** Of a POST; a new one is made if left out and the request may be tried again. */
  idempotencyKey?: string;
  /** The ETag that the record must still have: {@link etagOf}. */
  ifMatch?: string | undefined;
}

type Arguments<Id extends keyof Operations> = Operations[Id]["args"];
type Given<Id extends keyof Operations> =
  Record<never, never> extends Arguments<Id>
    ? [args?: Arguments<Id>, options?: RequestOptions]
    : [args: Arguments<Id>, options?: RequestOptions];

/** A function for each operation, by its id: `outrider.createCampaign({ body: { name: "Spring" } })`. */
export type Outrider = {
  readonly [Id in keyof Operations]: (...given: Given<Id>) => Promise<Operations[Id]["answer"]>;
};

/** What the server refused, in its own words. */
export class OutriderError extends Error {
  readonly type: ErrorBody["type"] | "unknown";
  readonly status: number;
  /** Dotted path into the body or the query: `send_window.timezone`. */
  readonly field: string | null;
  readonly requestId: string | null;
  /** Everything that is wrong, each field once; empty where the response was not the server's own. */
  readonly errors: ErrorBody["errors"];
  /** Where the server explains this type of error. */
  readonly docsUrl: string | null;

  constructor(body: Partial<ErrorBody>, status: number, requestId: string | null) {
    super(body.message ?? `The server responded with status ${status}.`);
    this.name = "OutriderError";
    this.type = body.type ?? "unknown";
    this.status = status;
    this.field = body.field ?? null;
    this.requestId = requestId;
    this.errors = body.errors ?? [];
    this.docsUrl = body.docs_url ?? null;
  }
}

/** No response at all: the server is away, or the network, or it took too long; `cause` has the rest. */
export class OutriderUnreachable extends Error {
  constructor(cause?: unknown) {
    super("The server is not responding.", { cause });
    this.name = "OutriderUnreachable";
  }
}

const etags = new WeakMap<object, string>();

/** The version of a record as an operation returned it, for `ifMatch`; undefined where it has none. */
export function etagOf(record: object): string | undefined {
  return etags.get(record);
}

type Named = Readonly<Record<string, unknown>>;

/** A client of one server with one key. */
export function outrider(options: Options): Outrider {
  const entries = Object.entries(PLACES).map(([id, place]) => [
    id,
    (args: Named = {}, request: RequestOptions = {}) => ask(options, place, args, request),
  ]);
  return Object.fromEntries(entries) as Outrider;
}

async function ask(
  options: Options,
  place: string,
  args: Named,
  request: RequestOptions,
): Promise<unknown> {
  const settings = { tries: TRIES_MAX, timeoutMs: RESPONSE_MS_MAX, ...options, ...request };
  const [method = "", path = "", isFile] = place.split(" ");
  const call: Call = {
    settings,
    url: urlOf(options.url ?? DEFAULT_URL, path, args),
    init: initOf(settings, method, args),
    isFile: isFile !== undefined,
  };
  const { response, text } = await tryAgain(call);
  if (text === undefined) {
    return response;
  }
  const value = jsonOf(text);
  const { status, headers } = response;
  if (!response.ok || (value === undefined && text !== "")) {
    throw new OutriderError(value ?? {}, status, headers.get("X-Request-Id"));
  }
  const etag = headers.get("ETag");
  if (value !== undefined && etag !== null) {
    etags.set(value, etag);
  }
  return value;
}

/** Undefined for nothing, and for what is no JSON: a page of a proxy. */
function jsonOf(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

type Settings = Options & RequestOptions & { tries: number; timeoutMs: number };

interface Call {
  settings: Settings;
  url: string;
  init: RequestInit & { method: string };
  /** Its response is not read here. */
  isFile: boolean;
}

function urlOf(base: string, path: string, args: Named): string {
  const query: Record<string, unknown> = { ...args, body: undefined, contentType: undefined };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = query[name];
    delete query[name];
    if (typeof value !== "string" || value === "") {
      throw new TypeError(`${name} is required`);
    }
    return encodeURIComponent(value);
  });
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return `${base.replace(/\/+$/, "")}/api/v1${filled}${search.size === 0 ? "" : `?${search}`}`;
}

function initOf(settings: Settings, method: string, args: Named): Call["init"] {
  const { body, contentType } = args;
  const { key, tries, ifMatch, idempotencyKey = tries > 1 ? newKey() : undefined } = settings;
  const headers: Record<string, string> = {};
  if (key !== undefined) {
    headers["Authorization"] = `Bearer ${key}`;
  }
  if (method === "POST" && idempotencyKey !== undefined) {
    headers["Idempotency-Key"] = idempotencyKey;
  }
  if (ifMatch !== undefined) {
    headers["If-Match"] = ifMatch;
  }
  if (typeof contentType === "string") {
    headers["Content-Type"] = contentType;
    return { method, headers, body: body as Blob | string };
  }
  if (body === undefined && method !== "PATCH") {
    return { method, headers };
  }
  headers["Content-Type"] = "application/json";
  return { method, headers, body: JSON.stringify(body ?? {}) };
}

/** Not `randomUUID`, which browsers have over TLS only. */
function newKey(): string {
  return crypto.getRandomValues(new BigUint64Array(2)).join("-");
}

/** `text` of a file is left to be read. */
interface Received {
  response: Response;
  text: string | undefined;
}

/**
 * The first response that trying again would not better. What was refused with 429 or 503 was not done; a
 * connection that broke may have done it, so only what can be repeated is sent again: a POST has a key.
 */
async function tryAgain(call: Call): Promise<Received> {
  const { tries, signal } = call.settings;
  for (let tried = 1; ; tried += 1) {
    const isLast = tried >= tries;
    let wantedMs = 0;
    try {
      const received = await sendOnce(call);
      if (isLast || !isBusy(received.response)) {
        return received;
      }
      wantedMs = waitOf(received.response.headers.get("Retry-After") ?? "");
    } catch (error) {
      if (signal?.aborted === true) {
        throw error;
      }
      if (isLast || call.init.method === "DELETE" || call.init.method === "PUT") {
        throw new OutriderUnreachable(error);
      }
    }
    const pauseMs = Math.max(PAUSE_MS * 2 ** (tried - 1), wantedMs);
    await pause(Math.min(pauseMs, PAUSE_MS_MAX), signal);
  }
}

/** A file may come for as long as it takes; anything else has come within the limit, or not at all. */
async function sendOnce({ settings, url, init, isFile }: Call): Promise<Received> {
  const { timeoutMs, fetch: send = fetch } = settings;
  const ended = new AbortController();
  const isLate = () => ended.abort(new DOMException("it took too long", "TimeoutError"));
  const timer = timeoutMs === 0 ? undefined : setTimeout(isLate, timeoutMs);
  const { signal: given } = settings;
  const signal = given === undefined ? ended.signal : AbortSignal.any([ended.signal, given]);
  try {
    const response = await send(url, { ...init, signal });
    return { response, text: isFile && response.ok ? undefined : await response.text() };
  } finally {
    clearTimeout(timer);
  }
}

function isBusy({ status }: Response): boolean {
  return status === 429 || status === 503;
}

/** Milliseconds of a Retry-After, in seconds or as a date; 0 for neither. */
function waitOf(header: string): number {
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? 0 : ms;
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

interface Page<Item> {
  data: Item[];
  hasMore?: boolean;
  next_cursor?: string | null;
}

/**
 * Every record of a list, page after page:
 * `for await (const lead of pages(api.listLeads, { limit: 100 }))`. A list that does not say whether there is
 * more has more while its pages are full.
 */
export async function* pages<Item, Query extends { limit?: number | undefined }>(
  list: (query: Query) => Promise<Page<Item> | Item[]>,
  query: Query,
): AsyncGenerator<Item> {
  let at: object = {};
  let seen = 0;
  for (;;) {
    const page = await list({ ...query, ...at });
    const {
      data,
      hasMore,
      next_cursor: next,
    }: Page<Item> = Array.isArray(page) ? { data: page } : page;
    yield* data;
    seen += data.length;
    const isLast = !(hasMore ?? (data.length > 0 && data.length === query.limit));
    if (isLast || next === null) {
      return;
    }
    at = next === undefined ? { offset: seen } : { after: next };
  }
}

/**
 * The event of a webhook's request, or an error where it was not signed with a secret (`whsec_…`; two while
 * one takes the place of the other) within the last five minutes. `body` is the text as it came, not read and
 * written again.
 */
export async function verifyWebhook(
  body: string,
  headers: Headers | Readonly<Record<string, string | undefined>>,
  secrets: string | readonly string[],
  nowSeconds: number = Date.now() / 1_000,
): Promise<Event> {
  const header = (name: string) =>
    (headers instanceof Headers ? headers.get(name) : headers[name]) ?? "";
  const id = header("webhook-id");
  const sentAt = header("webhook-timestamp");
  if (!(/^\d+$/.test(sentAt) && Math.abs(nowSeconds - Number(sentAt)) <= AGE_SECONDS_MAX)) {
    throw new Error("the webhook is too old, or from the future");
  }
  const signed = new TextEncoder().encode(`${id}.${sentAt}.${body}`);
  const signatures = header("webhook-signature").split(" ");
  for (const secret of [secrets].flat()) {
    if (await isSigned(signed, signatures, secret)) {
      return JSON.parse(body) as Event;
    }
  }
  throw new Error("the webhook is not signed with this secret");
}

async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly string[],
  secret: string,
): Promise<boolean> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ""));
  if (bytes === undefined || bytes.length === 0) {
    throw new TypeError("a secret is whsec_ and standard base64");
  }
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
  for (const signature of signatures) {
    const [version, value = ""] = signature.split(",");
    const given = bytesOf(value);
    if (version === "v1" && given && (await crypto.subtle.verify("HMAC", key, given, signed))) {
      return true;
    }
  }
  return false;
}

/** Undefined for what is no base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/**
 * The Outrider API from TypeScript: a function for each operation, typed by the API's own document, and
 * what every client needs around it: retries that repeat nothing, pages, refusals, webhook signatures.
 */

import { type ErrorBody, type Operations, PLACES, type Place } from "./api.ts";

export type * from "./api.ts";

const DEFAULT_URL = "http://127.0.0.1:8480";
const ANSWER_MS_MAX = 60_000;
const TRIES_MAX = 4;
const PAUSE_MS = 500;
const PAUSE_MS_MAX = 30_000;
/** Of the oldest webhook that is believed, by Standard Webhooks. */
const AGE_SECONDS_MAX = 300;

export interface Options {
  /** `outrider_live_…` or `outrider_test_…`. */
  key: string;
  /** The server, without `/api/v1`. */
  url?: string;
  /** How often a request is tried in all, where it failed in a way that trying again may mend. */
  tries?: number;
  /** Instead of the platform's own. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** Of one request. */
export interface RequestOptions {
  signal?: AbortSignal;
  /** Of a POST; a new one is made if left out. */
  idempotencyKey?: string;
  /** The ETag that the record must still have. */
  ifMatch?: string;
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

  constructor(body: Partial<ErrorBody>, status: number, requestId: string | null) {
    super(body.message ?? `the server answered ${status}`);
    this.name = "OutriderError";
    this.type = body.type ?? "unknown";
    this.status = status;
    this.field = body.field ?? null;
    this.requestId = requestId;
  }
}

/** A client of one server with one key. */
export function outrider(options: Options): Outrider {
  const entries = Object.entries(PLACES).map(([id, place]) => [
    id,
    (args: Record<string, unknown> = {}, request: RequestOptions = {}) =>
      ask(options, place, args, request),
  ]);
  return Object.fromEntries(entries) as Outrider;
}

async function ask(
  options: Options,
  place: Place,
  args: Readonly<Record<string, unknown>>,
  request: RequestOptions,
): Promise<unknown> {
  const url = urlOf(options.url ?? DEFAULT_URL, place, args);
  const init = initOf(options.key, place, args, request);
  const response = await tryAgain(options, place, url, init, request.signal);
  if (!response.ok) {
    const body = (await response.json().catch(() => ({}))) as Partial<ErrorBody>;
    throw new OutriderError(body, response.status, response.headers.get("X-Request-Id"));
  }
  if (place.answers === "json" && response.status !== 204) {
    return await response.json();
  }
  return place.answers === "file" ? response : undefined;
}

function urlOf(base: string, place: Place, args: Readonly<Record<string, unknown>>): string {
  const path = place.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = args[name];
    if (typeof value !== "string" || value === "") {
      throw new TypeError(`${name} is required`);
    }
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const name of place.query) {
    const value = args[name];
    if (value !== undefined) {
      query.set(name, String(value));
    }
  }
  const search = query.size === 0 ? "" : `?${query}`;
  return `${base.replace(/\/+$/, "")}/api/v1${path}${search}`;
}

function initOf(
  key: string,
  place: Place,
  args: Readonly<Record<string, unknown>>,
  request: RequestOptions,
): RequestInit {
  const { body, contentType } = args;
  const headers: Record<string, string> = { Authorization: `Bearer ${key}` };
  if (place.repeats) {
    headers["Idempotency-Key"] = request.idempotencyKey ?? crypto.randomUUID();
  }
  if (request.ifMatch !== undefined) {
    headers["If-Match"] = request.ifMatch;
  }
  if (typeof contentType === "string") {
    headers["Content-Type"] = contentType;
    return { method: place.method, headers, body: body as Blob | string };
  }
  if (body === undefined && place.method !== "PATCH") {
    return { method: place.method, headers };
  }
  headers["Content-Type"] = "application/json";
  return { method: place.method, headers, body: JSON.stringify(body ?? {}) };
}

/**
 * The first answer that trying again would not better. What was refused with 429 or 503 was not done; a
 * connection that broke may have done it, so only what can be repeated is sent again.
 */
async function tryAgain(
  options: Options,
  place: Place,
  url: string,
  init: RequestInit,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const tries = options.tries ?? TRIES_MAX;
  const isSafe = place.repeats || place.method === "GET" || place.method === "PATCH";
  for (let tried = 1; ; tried += 1) {
    const isLast = tried >= tries;
    const answer = await sendOnce(options.fetch ?? fetch, url, init, signal);
    if (answer instanceof Response && (isLast || !isBusy(answer))) {
      return answer;
    }
    if (!(answer instanceof Response) && (isLast || !isSafe || signal?.aborted === true)) {
      throw answer.error;
    }
    const wantedMs = answer instanceof Response ? await retryAfterMs(answer) : 0;
    const pauseMs = Math.max(PAUSE_MS * 2 ** (tried - 1), wantedMs);
    await pause(Math.min(pauseMs, PAUSE_MS_MAX), signal);
  }
}

async function sendOnce(
  send: NonNullable<Options["fetch"]>,
  url: string,
  init: RequestInit,
  signal: AbortSignal | undefined,
): Promise<Response | { error: unknown }> {
  const late = AbortSignal.timeout(ANSWER_MS_MAX);
  try {
    const ended = signal === undefined ? late : AbortSignal.any([late, signal]);
    return await send(url, { ...init, signal: ended });
  } catch (error) {
    return { error };
  }
}

function isBusy({ status }: Response): boolean {
  return status === 429 || status === 503;
}

async function retryAfterMs(response: Response): Promise<number> {
  await response.body?.cancel();
  return Number(response.headers.get("Retry-After") ?? 0) * 1_000;
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
 * `for await (const lead of pages(api.listLeads, { limit: 100 }))`.
 */
export async function* pages<Item, Query extends object>(
  list: (query: Query) => Promise<Page<Item>>,
  query: Query,
): AsyncGenerator<Item> {
  let at: object = {};
  let seen = 0;
  for (;;) {
    const { data, hasMore = false, next_cursor: next } = await list({ ...query, ...at });
    yield* data;
    seen += data.length;
    if (typeof next === "string") {
      at = { after: next };
    } else if (hasMore && next === undefined) {
      at = { offset: seen };
    } else {
      return;
    }
  }
}

/** An event as a webhook brings it. */
export interface WebhookEvent {
  id: string;
  type: string;
  created_at: string;
  data: Record<string, unknown>;
}

/**
 * The event of a webhook's request, or an error where it was not signed with `secret` (`whsec_…`) within
 * the last five minutes. `body` is the text as it came, not read and written again.
 */
export async function verifyWebhook(
  body: string,
  headers: Headers | Readonly<Record<string, string | undefined>>,
  secret: string,
  nowSeconds: number = Date.now() / 1_000,
): Promise<WebhookEvent> {
  const header = (name: string) =>
    (headers instanceof Headers ? headers.get(name) : headers[name]) ?? "";
  const id = header("webhook-id");
  const sentAt = header("webhook-timestamp");
  if (!(Math.abs(nowSeconds - Number(sentAt)) <= AGE_SECONDS_MAX) || sentAt === "") {
    throw new Error("the webhook is too old, or from the future");
  }
  const key = await crypto.subtle.importKey(
    "raw",
    bytesOf(secret.replace(/^whsec_/, "")),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["verify"],
  );
  const signed = new TextEncoder().encode(`${id}.${sentAt}.${body}`);
  for (const signature of header("webhook-signature").split(" ")) {
    const [version, value = ""] = signature.split(",");
    if (version === "v1" && (await crypto.subtle.verify("HMAC", key, bytesOf(value), signed))) {
      return JSON.parse(body) as WebhookEvent;
    }
  }
  throw new Error("the webhook is not signed with this secret");
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}

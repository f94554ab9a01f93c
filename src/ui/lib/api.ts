/**
 * The public API, typed from the server's own routes. The console has no other source: what is on
 * screen can be had with a key and `curl`.
 */

import { type Answer, createClient } from "./client.ts";
import { type Env, env } from "./route.ts";

const createFor = (of: Env) => createClient(`${location.origin}/${of}`);
const clients = { live: createFor("live"), test: createFor("test") };

/** The API of the environment on show. */
export function api() {
  return clients[env.value].api.v1;
}

/** A refusal, as the API words it. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  /** Dotted path of the field at fault. */
  readonly field: string | null;
  readonly requestId: string | null;

  constructor(status: number, body: unknown, requestId: string | null) {
    const said = isRefusal(body) ? body : undefined;
    super(said?.message ?? `The server answered ${status}.`);
    this.status = status;
    this.type = said?.type ?? "internal_error";
    this.field = said?.field ?? null;
    this.requestId = requestId;
  }
}

/** No answer at all: the server is away, or the network. */
export class Unreachable extends Error {
  constructor() {
    super("The server does not answer.");
  }
}

/** What a call answers. Throws {@link ApiError} or {@link Unreachable}. */
export async function ask<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  return (await askTagged(call)).data;
}

/** Like {@link ask}, with the record's ETag: a change that sends it as `If-Match` meets no other version. */
export async function askTagged<Data>(
  call: Promise<Answer<Data>>,
): Promise<{ data: Data; etag: string }> {
  const { data, error, response } = await call.catch(() => {
    throw new Unreachable();
  });
  if (error !== null) {
    throw new ApiError(response.status, error.value, response.headers.get("x-request-id"));
  }
  return { data: data as Data, etag: response.headers.get("etag") ?? "" };
}

interface Refusal {
  type: string;
  message: string;
  field: string | null;
}

function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && "message" in value && "type" in value;
}

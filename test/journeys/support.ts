/** The product as a program sees it that has its address and a key: calls, and waiting for an effect. */

import type { Server } from "../support/executable.ts";

/** Between two looks, so that the one who waits does not take the processor from the one who works. */
const LOOK_EVERY_MS = 50;
const PAGE = 100;

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
  headers: Headers;
  text: string;
}

export interface CallOptions {
  headers?: Record<string, string>;
}

/** A call below `/api/v1`; `body` is sent as it is where it is text, else as JSON. */
export type Call = (
  method: string,
  path: string,
  body?: unknown,
  options?: CallOptions,
) => Promise<Reply>;

export function caller(server: Pick<Server, "fetch">, key?: string): Call {
  return async (method, path, body, { headers = {} } = {}) => {
    const response = await server.fetch(`/api/v1${path}`, {
      method,
      ...(key === undefined ? {} : { key }),
      headers: {
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    const parsed: unknown = isJson && text !== "" ? JSON.parse(text) : text;
    return { status: response.status, body: parsed, headers: response.headers, text };
  };
}

/** The body of a call that has to succeed. */
export async function done(reply: Promise<Reply>): Promise<Reply["body"]> {
  const { status, body, text } = await reply;
  if (status >= 300) {
    throw new Error(`answered ${status}: ${text}`);
  }
  return body;
}

/** Returns the id of a new draft. */
export async function createCampaign(
  call: Call,
  fields: { name: string } & Record<string, unknown>,
): Promise<string> {
  return (await done(call("POST", "/campaigns", fields))).id;
}

/** Every lead of a campaign, page after page. */
export async function campaignLeads(call: Call, campaignId: string): Promise<Reply["body"][]> {
  const all: Reply["body"][] = [];
  let after = "";
  do {
    const path = `/campaigns/${campaignId}/leads?limit=${PAGE}${after}`;
    const page = await done(call("GET", path));
    all.push(...page.data);
    after = page.next_cursor === null ? "" : `&after=${encodeURIComponent(page.next_cursor)}`;
  } while (after !== "");
  return all;
}

/** Asks until there is an answer, at most `ms`; then throws with what was waited for, and what stood there. */
export async function until<Result>(
  ms: number,
  what: string | (() => string),
  ask: () => Promise<Result | undefined>,
): Promise<Result> {
  const late = AbortSignal.timeout(ms);
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) {
      return answer;
    }
    if (late.aborted) {
      throw new Error(`not within ${ms} ms: ${typeof what === "string" ? what : what()}`);
    }
    await Bun.sleep(LOOK_EVERY_MS);
  }
}

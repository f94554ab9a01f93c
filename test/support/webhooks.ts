/** Endpoints for tests: a port that answers as it is told, and a real server that keeps what it was sent. */

import { webhooksWorker } from "#engine/webhooks.ts";
import type { Environment } from "#environment.ts";
import type { Http, HttpOutcome, PostRequest } from "#platform/ports/http.ts";
import { runDue } from "./run-due.ts";

export interface Sent extends PostRequest {
  /** Its body, read. */
  event: { id: string; seq: number; type: string; data: Record<string, unknown> };
}

export interface ScriptedHttp extends Http {
  /** Every request, in order. */
  sent: Sent[];
  /** How many are under way now, and how many ever were at once. */
  underWay: number;
  underWayMax: number;
  /** Answers; 200 to everything at first. */
  answer: (request: Sent) => HttpOutcome | Promise<HttpOutcome>;
}

export const OK: HttpOutcome = { kind: "answered", status: 200, retryAfter: null, excerpt: "ok" };

export function answered(status: number, retryAfter: string | null = null): HttpOutcome {
  return { kind: "answered", status, retryAfter, excerpt: "" };
}

/** Takes every URL. */
export function scriptedHttp(): ScriptedHttp {
  const http: ScriptedHttp = {
    sent: [],
    underWay: 0,
    underWayMax: 0,
    answer: () => OK,
    check: () => null,
    post: async (request) => {
      const sent = { ...request, event: JSON.parse(request.body) as Sent["event"] };
      http.sent.push(sent);
      http.underWay += 1;
      http.underWayMax = Math.max(http.underWayMax, http.underWay);
      try {
        return await http.answer(sent);
      } finally {
        http.underWay -= 1;
      }
    },
  };
  return http;
}

/** Everything that is due now goes out, once. */
export async function deliverDue(env: Environment): Promise<void> {
  await runDue(webhooksWorker(env), env.wall.now());
}

export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface Receiver {
  url: string;
  port: number;
  received: Received[];
  stop(): Promise<void>;
}

/** A server on 127.0.0.1; answers 200 unless told otherwise. */
export function startReceiver(
  answer: (received: Received) => Response | Promise<Response> = () => new Response("ok"),
): Receiver {
  const received: Received[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const headers: Record<string, string> = {};
      request.headers.forEach((value, name) => {
        headers[name] = value;
      });
      const one = { path: new URL(request.url).pathname, headers, body: await request.text() };
      received.push(one);
      return await answer(one);
    },
  });
  const port = server.port ?? 0;
  return { url: `http://127.0.0.1:${port}`, port, received, stop: () => server.stop(true) };
}

/**
 * HTTP load from a process of its own: so many connections, each sending its next request when the last
 * one is answered. It speaks just enough HTTP/1.1 over bare sockets, because a client that costs more
 * than the server would measure itself.
 */

import type { Socket } from "bun";

export interface LoadInput {
  port: number;
  method: "GET" | "POST";
  /** Taken in turn. */
  paths: readonly string[];
  headers: Readonly<Record<string, string>>;
  body?: string;
  connections: number;
  /** Each connection waits so long after an answer; 0 if left out. */
  pauseMs?: number;
  warmMs: number;
  runMs: number;
  /** So many parts of `runMs` are told one by one; none if left out. */
  parts?: number;
}

export interface Latencies {
  requests: number;
  p50Ms: number;
  p99Ms: number;
}

export interface LoadResult extends Latencies {
  /** Answered in all, what warmed up and what came late too. */
  total: number;
  seconds: number;
  parts: Latencies[];
}

interface Line {
  sentAt: number;
  head: Buffer;
  /** Bytes of the body that are still to come; −1: the head is not complete. */
  left: number;
}

const HEAD_END = Buffer.from("\r\n\r\n");
const HEAD_BYTES_MAX = 16_384;

const input = JSON.parse(process.argv[2] ?? "{}") as LoadInput;
const requests = input.paths.map(requestText);
const latencies: number[] = [];
let sent = 0;
let total = 0;
let failure: string | undefined;
let counting = false;
let stopping = false;

function requestText(path: string): Buffer {
  const headers = { Host: `127.0.0.1:${input.port}`, ...input.headers };
  const body = input.body ?? "";
  const lines = [
    `${input.method} ${path} HTTP/1.1`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(input.body === undefined
      ? []
      : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`);
}

function send(socket: Socket<Line>): void {
  if (stopping) {
    socket.end();
    return;
  }
  const request = requests[sent % requests.length] ?? Buffer.alloc(0);
  sent += 1;
  socket.data.sentAt = performance.now();
  socket.data.left = -1;
  if (socket.write(request) < request.length) {
    fail("a request did not fit into the socket");
  }
}

function answered(socket: Socket<Line>): void {
  total += 1;
  if (counting) {
    latencies.push(performance.now() - socket.data.sentAt);
  }
  if (input.pauseMs === undefined || stopping) {
    send(socket);
  } else {
    setTimeout(() => send(socket), input.pauseMs);
  }
}

function quantilesOf(times: readonly number[]): Latencies {
  const sorted = Float64Array.from(times).sort();
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  return { requests: times.length, p50Ms: at(0.5), p99Ms: at(0.99) };
}

function fail(why: string): void {
  failure ??= why;
  stopping = true;
}

function take(socket: Socket<Line>, chunk: Buffer): void {
  const line = socket.data;
  if (line.left >= 0) {
    line.left -= chunk.length;
    if (line.left <= 0) {
      answered(socket);
    }
    return;
  }
  const bytes = line.head.length === 0 ? chunk : Buffer.concat([line.head, chunk]);
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) {
    line.head = Buffer.from(bytes);
    if (bytes.length > HEAD_BYTES_MAX) {
      fail("a head without an end");
    }
    return;
  }
  line.head = Buffer.alloc(0);
  const head = bytes.toString("latin1", 0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (!head.startsWith("HTTP/1.1 2") || length === undefined) {
    fail(bytes.toString("latin1", 0, 500));
    return;
  }
  line.left = Number(length) - (bytes.length - end - HEAD_END.length);
  if (line.left <= 0) {
    answered(socket);
  }
}

const sockets = await Promise.all(
  Array.from({ length: input.connections }, () =>
    Bun.connect<Line>({
      hostname: "127.0.0.1",
      port: input.port,
      data: { sentAt: 0, head: Buffer.alloc(0), left: -1 },
      socket: {
        data: take,
        close: () => {
          if (!stopping) {
            fail("the server closed a connection");
          }
        },
        error: (_socket, error) => fail(error.message),
      },
    }),
  ),
);
for (const socket of sockets) {
  send(socket);
}
await Bun.sleep(input.warmMs);
counting = true;
const from = performance.now();
const parts: Latencies[] = [];
const { parts: partsWanted = 1 } = input;
for (let part = 0; part < partsWanted; part += 1) {
  const before = latencies.length;
  await Bun.sleep(input.runMs / partsWanted);
  parts.push(quantilesOf(latencies.slice(before)));
}
counting = false;
const seconds = (performance.now() - from) / 1000;
stopping = true;
// Answers that are on their way still cost the server, and are in `total`.
await Bun.sleep(100);
if (failure !== undefined) {
  console.error(failure);
  process.exit(1);
}
const result: LoadResult = { ...quantilesOf(latencies), total, seconds, parts };
console.log(JSON.stringify(result));
process.exit(0);

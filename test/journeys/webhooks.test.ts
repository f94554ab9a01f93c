/**
 * Webhooks of the compiled executable. It is killed (SIGKILL) twenty times while it delivers ten thousand
 * events to a receiver that fails three times in ten, after a number of requests drawn from a seed: before
 * the answer, so that what was delivered is not recorded. Every event must reach every endpoint.
 *
 * And the addresses that nobody may name, against the executable itself.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Webhook as Standard } from "standardwebhooks";
import { Webhook as Svix } from "svix";
import { hash01 } from "#domain/random.ts";
import {
  ALLOWED_ADDRESSES,
  REFUSED_ADDRESSES,
  REFUSED_URLS,
  TAKEN_URLS,
} from "../support/addresses.ts";
import { type Server, startServer, temporaryDirectory } from "../support/executable.ts";
import { type Received, type Receiver, startReceiver } from "../support/webhooks.ts";
import { type Call, caller, done, until } from "./support.ts";

const SEED = process.env["OUTRIDER_TEST_SEED"] ?? "1";
const KILLS = 20;
const ENDPOINTS = 4;
const EVENTS = 2_500;
const FAILING = 0.3;
const REQUESTS_A_LIFE = 600;
const WRITERS = 16;
const TEST_MS_MAX = 300_000;
const FINISH_MS_MAX = 120_000;

const ENV = {
  OUTRIDER_ALLOW_CIDRS: "127.0.0.0/8",
  OUTRIDER_RATE_LIMIT: "0",
  OUTRIDER_LOG_LEVEL: "error",
};

interface Event {
  id: string;
  seq: number;
  type: string;
}

describe("Killed while it delivers", () => {
  const directory = temporaryDirectory();
  const data = join(directory.path, "data");
  let receiver: Receiver;
  let server: Server | undefined;
  let pid = 0;
  /** Requests until the end, and what happens then. */
  let left = Number.POSITIVE_INFINITY;
  let sprung = Promise.withResolvers<void>();
  let isFailing = true;

  const answer = (received: Received): Response | Promise<Response> => {
    left -= 1;
    if (left === 0) {
      process.kill(pid, "SIGKILL");
      sprung.resolve();
      return new Promise(() => undefined);
    }
    const n = receiver.received.length;
    const fails = isFailing && hash01(SEED, "fails", received.path, n) < FAILING;
    return new Response(fails ? "not now" : "ok", { status: fails ? 503 : 200 });
  };

  const start = async () => {
    server = await startServer({
      data,
      env: ENV,
      spawned: (id) => {
        pid = id;
      },
    });
    return server;
  };

  beforeAll(() => {
    receiver = startReceiver(answer);
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await receiver.stop();
    directory[Symbol.dispose]();
  });

  test(
    "every event reaches every endpoint, signed, and none is missing",
    async () => {
      let running = await start();
      const { key } = await running.createKey("test");
      let call = caller(running, key);
      const endpoints: { id: string; secret: string; path: string }[] = [];
      for (let n = 0; n < ENDPOINTS; n += 1) {
        const path = `/in/${n}`;
        const made = await done(call("POST", "/webhooks", { url: receiver.url + path }));
        endpoints.push({ id: made.id, secret: made.secret, path });
      }

      // Events are made all the while; whoever is cut off does it again.
      let next = 0;
      const write = async () => {
        while (next < EVENTS) {
          const n = next;
          next += 1;
          await until(FINISH_MS_MAX, `event ${n}`, () => suppressOnce(call, n));
        }
      };
      const writing = Promise.all(Array.from({ length: WRITERS }, write));
      let kills = 0;
      while (kills < KILLS) {
        sprung = Promise.withResolvers();
        left = 1 + Math.floor(REQUESTS_A_LIFE * hash01(SEED, "kill", kills));
        const quiet = AbortSignal.timeout(FINISH_MS_MAX);
        const silence = new Promise<void>((resolve) => {
          quiet.addEventListener("abort", () => resolve(), { once: true });
        });
        await Promise.race([sprung.promise, silence]);
        expect(left).toBeLessThanOrEqual(0);
        left = Number.POSITIVE_INFINITY;
        await running.stop("SIGKILL");
        kills += 1;
        running = await start();
        call = caller(running, key);
      }
      await writing;

      isFailing = false;
      const events = await allEvents(call);
      expect(events.length).toBe(EVENTS);
      for (const { id } of endpoints) {
        await replayAll(call, id);
        await until(FINISH_MS_MAX, "the last delivery", () => isDelivered(call, id));
      }

      const repeats: number[] = [];
      for (const { secret, path } of endpoints) {
        const received = receiver.received.filter((one) => one.path === path);
        const first = firstsOf(received);
        expect([...first.keys()].toSorted()).toEqual(events.map(({ id }) => id).toSorted());
        expect(bodiesOf(received)).toBe(EVENTS);
        repeats.push(received.length - EVENTS);
        verifyAll(secret, received.slice(-200));
      }
      console.log(
        `killed ${kills} times: ${receiver.received.length} requests for ${ENDPOINTS * EVENTS} ` +
          `deliveries (${repeats.join(", ")} more than needed), ` +
          `${outOfOrder(receiver.received)} of the first ones after a later event`,
      );
    },
    TEST_MS_MAX,
  );
});

/** Done, or undefined where nobody answers. The address says which it is, so twice is once. */
async function suppressOnce(call: Call, n: number): Promise<true | undefined> {
  try {
    const { status } = await call("POST", "/suppressions", { email: `lead${n}@example.com` });
    return status < 300 ? true : undefined;
  } catch {
    return undefined;
  }
}

async function allEvents(call: Call): Promise<Event[]> {
  const all: Event[] = [];
  for (let after = "0", more = true; more; ) {
    const page = await done(call("GET", `/events?limit=100&after=${after}`));
    all.push(...page.data);
    after = page.next_cursor;
    more = page.hasMore;
  }
  return all;
}

/** What waits for its next try is tried now. */
async function replayAll(call: Call, id: string): Promise<void> {
  for (let after = 0, more = true; more; ) {
    const page = await done(call("POST", `/webhooks/${id}/replay`, { after }));
    after = page.last_seq;
    more = page.hasMore;
  }
}

async function isDelivered(call: Call, id: string): Promise<true | undefined> {
  const { total } = await done(call("GET", `/webhooks/${id}/deliveries?status=succeeded&limit=1`));
  return total === EVENTS ? true : undefined;
}

/** The first request of each event, by its id. */
function firstsOf(received: readonly Received[]): Map<string, Received> {
  const first = new Map<string, Received>();
  for (const one of received) {
    const id = one.headers["webhook-id"] ?? "";
    first.set(id, first.get(id) ?? one);
  }
  return first;
}

/** How many different bodies there are: one for each event, however often it was sent. */
function bodiesOf(received: readonly Received[]): number {
  return new Set(received.map(({ body }) => body)).size;
}

function verifyAll(secret: string, received: readonly Received[]): void {
  for (const { body, headers } of received) {
    new Standard(secret).verify(body, headers);
    new Svix(secret).verify(body, headers);
  }
}

/** First requests to one endpoint that came after one of a later event. */
function outOfOrder(received: readonly Received[]): number {
  let count = 0;
  for (const own of Map.groupBy(received, ({ path }) => path).values()) {
    let latest = 0;
    for (const { body } of firstsOf(own).values()) {
      const { seq } = JSON.parse(body) as Event;
      count += seq < latest ? 1 : 0;
      latest = Math.max(latest, seq);
    }
  }
  return count;
}

describe("Addresses", () => {
  let server: Server;
  let call: Call;
  beforeAll(async () => {
    server = await startServer({ env: { OUTRIDER_RATE_LIMIT: "0" } });
    const { key } = await server.createKey("test");
    call = caller(server, key);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const statusOf = async (url: string) => {
    const { status, body } = await call("POST", "/webhooks", { url });
    if (status === 201) {
      await done(call("DELETE", `/webhooks/${body.id}`));
    }
    return status === 422 ? `422 ${body.field}` : String(status);
  };
  const inUrl = (ip: string) => `https://${ip.includes(":") ? `[${ip}]` : ip}/`;

  test("that lead inside are refused", async () => {
    const urls = [
      ...REFUSED_URLS.map(([, url]) => url),
      ...REFUSED_ADDRESSES.flatMap(([, first, second]) => [first, second]).map(inUrl),
    ];
    const wrong = [];
    for (const url of urls) {
      const status = await statusOf(url);
      if (status !== "422 url") {
        wrong.push(`${status} ${url}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("that lead outside are taken", async () => {
    const wrong = [];
    for (const url of [...TAKEN_URLS, ...ALLOWED_ADDRESSES.map(inUrl)]) {
      const status = await statusOf(url);
      if (status !== "201") {
        wrong.push(`${status} ${url}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

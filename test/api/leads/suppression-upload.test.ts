/**
 * A list of opt-outs as another product hands it over: 50,000 in one upload over a socket, broken off in the
 * middle, sent again, sent twice, and taken back. What it costs is reported beside as many leads, and not checked.
 */

import { expect, test } from "bun:test";
import { startTestServer, type TestServer } from "../../support/running-app.ts";

const ROWS = process.env["OUTRIDER_TEST_TIER"] === "full" ? 50_000 : 10_000;
const TEST_MS_MAX = 300_000;

const rowsOf = (who: string) => {
  const rows = Array.from({ length: ROWS }, (_, n) => `${who}-${n}@customer-${n % 997}.example`);
  return `email\n${rows.join("\n")}\n`;
};

test(
  `${ROWS} suppressions come in one upload, broken off, repeated and undone`,
  async () => {
    const server = await startTestServer();
    try {
      const key = await server.keyOf("test");
      const call = callerOf(server, key);
      const total = async () => (await call("GET", "/suppressions?limit=1")).total;
      const file = rowsOf("opt-out");

      const connection = await sendHalf(server, key, file);
      await until(total, (stored) => stored > 0);
      connection.end();
      const [broken] = await until(
        async () => (await call("GET", "/imports?status=interrupted")).data,
        (found) => found.length > 0,
      );
      expect(broken.imported).toBe(await total());
      expect(broken.imported).toBeGreaterThan(0);
      expect(broken.imported).toBeLessThan(ROWS);

      const whole = await call("POST", "/suppressions/import", file);
      const { imported, outcomes, status } = whole;
      expect([status, imported + broken.imported]).toEqual(["done", ROWS]);
      expect(outcomes).toMatchObject({ duplicate: broken.imported, invalid: 0 });
      const again = await call("POST", "/suppressions/import", file);
      expect(again.outcomes).toMatchObject({ new: 0, duplicate: ROWS });
      expect(await total()).toBe(ROWS);

      for (const { id } of [again, whole, broken]) {
        await call("POST", `/imports/${id}/undo`);
        await until(
          () => call("GET", `/imports/${id}`),
          (one) => one.status === "undone",
        );
      }
      expect(await total()).toBe(0);

      const campaign = await call("POST", "/campaigns", '{"name":"Spring"}', "application/json");
      const suppressions = await costOf(() => call("POST", "/suppressions/import", file));
      const path = `/campaigns/${campaign.id}/leads/import`;
      const leads = await costOf(() => call("POST", path, rowsOf("lead")));
      const each = `${(suppressions / ROWS).toFixed(1)} µs each`;
      process.stderr.write(
        `suppressions: ${each}, ${(suppressions / leads).toFixed(2)} of a lead\n`,
      );
    } finally {
      await server.stop();
    }
  },
  TEST_MS_MAX,
);

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations
type Body = any;

function callerOf({ url }: TestServer, key: string) {
  return async (method: string, path: string, body?: string, type = "text/csv"): Promise<Body> => {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": type };
    const given = body === undefined ? {} : { body };
    const response = await fetch(`${url}/api/v1${path}`, { method, headers, ...given });
    const text = await response.text();
    expect([method, path, response.ok ? "" : text]).toEqual([method, path, ""]);
    return JSON.parse(text);
  };
}

/** Announces the whole file, and sends half of it. */
async function sendHalf({ url }: TestServer, key: string, file: string): Promise<Bun.Socket> {
  const { hostname, port } = new URL(url);
  const head = [
    "POST /api/v1/suppressions/import HTTP/1.1",
    ...[`Host: ${hostname}`, `Authorization: Bearer ${key}`, "Content-Type: text/csv"],
    `Content-Length: ${file.length}`,
  ];
  const half = file.slice(0, Math.floor(file.length / 2));
  let rest = Buffer.from(`${head.join("\r\n")}\r\n\r\n${half}`);
  const { promise, resolve } = Promise.withResolvers<void>();
  const send = (socket: Bun.Socket) => {
    rest = rest.subarray(socket.write(rest));
    if (rest.length === 0) {
      resolve();
    }
  };
  const quiet = () => undefined;
  const connection = await Bun.connect({
    ...{ hostname, port: Number(port) },
    socket: { open: send, drain: send, data: quiet, error: quiet },
  });
  await promise;
  return connection;
}

async function until<Answer>(
  ask: () => Promise<Answer>,
  isSo: (answer: Answer) => boolean,
): Promise<Answer> {
  for (let tries = 0; tries < 3_000; tries += 1) {
    const answer = await ask();
    if (isSo(answer)) {
      return answer;
    }
    await Bun.sleep(10);
  }
  throw new Error("it never came to that");
}

/** Processor time of this process, in microseconds. */
async function costOf(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

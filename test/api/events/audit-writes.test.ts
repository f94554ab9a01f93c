/**
 * Every operation that writes leaves an entry under its request's id, and the entries of a whole day are
 * the golden file's. `OUTRIDER_GOLDEN=write bun test` writes the file anew.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { apiRoutes } from "#api/resources.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { tried } from "../../support/promises.ts";
import { type Written, writeEverything } from "../../support/writes.ts";

/** They ask, though by POST: nothing is changed. */
const READS = [
  "POST /campaigns/:id/preview",
  "POST /campaigns/:id/steps/:stepId/check",
  "POST /imports/preview",
];

/**
 * The payment provider's page: there is none in the test environment, and nothing of ours is changed. A licence
 * takes a signer who is trusted (`billing.test.ts`), and the demo a sandbox in which nothing is
 * (`sandbox/sandbox.test.ts`).
 */
const ELSEWHERE = ["POST /billing/portal", "POST /billing/licence", "POST /sandbox/demo"];

/** The installation's own: they need a data directory (`backups.test.ts`). */
const isSharedClient = (operation: string) => operation.includes(" /backups");

const GOLDEN = join(import.meta.dir, "../../golden/audit-day.json");

interface Entry {
  seq: number;
  position: number;
  hash: string;
  actor: string;
  action: string;
  target: string;
  created_at: string;
  request_id: string | null;
  before: object | null;
  after: object | null;
}

let app: TestApp;
let written: Written[];
let entries: Entry[];
beforeAll(async () => {
  app = await createTestApp({ publicUrl: "https://mail.example.com" });
  written = await writeEverything(app);
  entries = await readAll();
});
afterAll(() => app.close());

async function readAll(): Promise<Entry[]> {
  const all: Entry[] = [];
  let after = "";
  do {
    const query = after === "" ? "" : `&after=${after}`;
    const { body } = await app.call("GET", `/audit?limit=100${query}`);
    all.push(...body.data);
    after = body.next_cursor ?? "";
  } while (after !== "");
  return all.toReversed();
}

describe("every operation that writes", () => {
  test("is called with success in the day that is written here", () => {
    const routed = apiRoutes(undefined as never, undefined as never)
      .routes.filter(({ method }) => method !== "GET")
      .map(({ method, path }) => `${method} ${path.replace("/api/v1", "")}`)
      .filter((operation) => !ELSEWHERE.includes(operation) && !isSharedClient(operation));
    expect([...new Set(written.map(({ operation }) => operation))].sort()).toEqual(routed.sort());
    const refused = written
      .filter(({ answer }) => answer.status >= 300)
      .map(({ operation, answer }) => `${operation}: ${answer.text}`);
    expect(refused).toEqual([]);
  });

  test("leaves an entry by the key that asked, under the request's id", async () => {
    const key = (await app.call("GET", "/keys")).body.data[0].id;
    const silent = written
      .filter(({ operation }) => !READS.includes(operation))
      .filter(({ answer }) => {
        const id = answer.headers.get("x-request-id");
        return !entries.some((one) => one.request_id === id && one.actor === `key:${key}`);
      });
    expect(silent.map(({ operation }) => operation)).toEqual([]);
    tried("audit", written.length);
    const asked = written.filter(({ operation }) => READS.includes(operation));
    const ids = asked.map(({ answer }) => answer.headers.get("x-request-id"));
    expect(entries.filter(({ request_id }) => ids.includes(request_id))).toEqual([]);
  });
});

describe("the log of a day", () => {
  test("is the golden file's", async () => {
    const labels = new Map<string, string>();
    const text = JSON.stringify(entries.map(shown), null, 2).replace(
      /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g,
      (id) => {
        labels.set(id, labels.get(id) ?? `id-${labels.size + 1}`);
        return labels.get(id) ?? "";
      },
    );
    if (process.env["OUTRIDER_GOLDEN"] === "write") {
      await Bun.write(GOLDEN, `${text}\n`);
    }
    expect(JSON.parse(text)).toEqual(await Bun.file(GOLDEN).json());
  });

  test("holds no secret and names no recipient", () => {
    const text = JSON.stringify(entries);
    expect(text).not.toMatch(/canary|whsec_[A-Za-z0-9+/]|outrider_(live|test)_/);
    expect(text).not.toMatch(/@client\.example|@x\.example/);
  });
});

/** Times and numbers of the run itself are left out, and request ids that the server made up. */
function shown(all: Entry): object {
  const { seq: _seq, created_at: _at, position: _position, hash: _hash, ...entry } = all;
  const request_id = entry.request_id?.replace(/^req_.*/, "made up") ?? null;
  return { ...entry, request_id };
}

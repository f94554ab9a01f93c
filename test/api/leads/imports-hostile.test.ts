/**
 * Files that nobody means well with, and a disk that is full: bounded memory, a clear answer, counts that
 * add up, nothing half-written.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { makeCampaign } from "../../support/campaigns.ts";
import { importFile, pieces, sendFile } from "../../support/imports.ts";

const MIB = 1024 * 1024;
const PIECE = 64 * 1024;

let app: TestApp;
let campaign: string;
beforeEach(async () => {
  app = await createTestApp();
  campaign = (await makeCampaign(app)).id;
});
afterEach(() => app.close());

/** `start`, then `piece` until so many bytes have been asked for. */
function flood(start: string, piece: Uint8Array, bytesMax: number) {
  const sent = { bytes: 0 };
  const source = function* () {
    if (start !== "") {
      yield start;
    }
    for (; sent.bytes < bytesMax; sent.bytes += piece.byteLength) {
      yield piece;
    }
  };
  return { sent, body: pieces(source()) };
}

describe("a file that does not end is refused early, in bounded memory", () => {
  test.each([
    ["10 GB of zeros", "", new Uint8Array(PIECE), 10_000 * MIB, 400, "zero bytes"],
    [
      "a line of 2 GB",
      "email,name\na@example.com,",
      new Uint8Array(PIECE).fill(0x78),
      2_000 * MIB,
      413,
      "longer than",
    ],
    [
      "a quote that is never closed",
      'email,name\na@example.com,"',
      new TextEncoder().encode("line, of text\n".repeat(5_000)),
      2_000 * MIB,
      413,
      "never closed",
    ],
    [
      "a first line of 2 GB",
      "email,",
      new Uint8Array(PIECE).fill(0x78),
      2_000 * MIB,
      422,
      "first line",
    ],
  ])("%s", async (_name, start, piece, bytesMax, status, words) => {
    const { sent, body } = flood(start, piece, bytesMax);
    const before = process.memoryUsage.rss();

    const answer = await importFile(app, campaign, body);

    expect(answer.status).toBe(status);
    expect(answer.body.message).toContain(words);
    expect(sent.bytes).toBeLessThan(4 * MIB);
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * MIB);
    const [row] = (await app.call("GET", "/imports")).body.data;
    expect(row.status).toBe("failed");
    expect(row.imported).toBe((await app.call("GET", "/leads")).body.total);
  });

  test("a line of NDJSON that does not end", async () => {
    const { sent, body } = flood('{"email":"', new Uint8Array(PIECE).fill(0x78), 2_000 * MIB);
    const answer = await importFile(app, campaign, body, { type: "application/x-ndjson" });
    expect(answer.status).toBe(413);
    expect(sent.bytes).toBeLessThan(4 * MIB);
  });
});

test("a million columns are counted, not kept", async () => {
  const answer = await importFile(app, campaign, `email${",".repeat(60_000)}\na@example.com\n`);
  expect([answer.status, answer.body.message]).toEqual([
    422,
    "the file has 60001 columns; at most 500",
  ]);
  const wide = `email,name\na@example.com${",x".repeat(100_000)}\nb@example.com,B\n`;
  expect((await importFile(app, campaign, wide)).body).toMatchObject({
    imported: 1,
    reasons: { too_many_columns: 1 },
  });
});

test("a disk that fills half way: what was counted is stored, and the rest can be sent", async () => {
  let file = "email,first_name,city\n";
  for (let n = 0; n < 9_000; n += 1) {
    file += `person${n}@example.com,Name ${n},Town of ${n}\n`;
  }
  const { raw } = app.environments.test.db;
  const pages = raw.query<{ page_count: number }, []>("PRAGMA page_count").get()?.page_count ?? 0;
  raw.run(`PRAGMA max_page_count = ${pages + 400}`);

  const full = await importFile(app, campaign, file);

  expect(full.status).toBe(503);
  raw.run("PRAGMA max_page_count = 1073741823");
  await app.advance(2 * 3_600_000);
  const [row] = (await app.call("GET", "/imports")).body.data;
  expect(row.status).toBe("interrupted");
  expect(row.imported).toBe((await app.call("GET", "/leads")).body.total);
  expect(row.imported).toBeLessThan(9_000);

  const query = { offset: String(row.offset) };
  const rest = await sendFile(app, `/imports/${row.id}/resume`, file.slice(row.offset), { query });
  expect(rest.body).toMatchObject({ status: "done", outcomes: { new: 9_000, duplicate: 0 } });
});

test("a heading in another encoding moves no row", async () => {
  const mark = Buffer.from([0xef, 0xbb, 0xbf]);
  const broken = Buffer.concat([mark, Buffer.of(0xb6), Buffer.from(`email,name\na@b.example,A\n`)]);
  const { body } = await importFile(app, campaign, pieces([broken]));
  expect([body.status, body.field]).toEqual([400, "charset"]);
  const marked = Buffer.concat([mark, mark, Buffer.from(`email,name\na@b.example,A\n`)]);
  expect((await importFile(app, campaign, pieces([marked]))).body.imported).toBe(1);
});

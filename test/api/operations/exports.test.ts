/** Exports: everything of the team and nothing of another's, page by page, and no formula runs. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { csvLine } from "#api/csv.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { makeCampaign } from "../../support/campaigns.ts";
import { importFile } from "../../support/imports.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

test("leads of several pages, each once, in CSV and NDJSON, and of a campaign with their status", async () => {
  const { id } = await makeCampaign(app);
  let file = "email,first_name,City\n";
  for (let n = 0; n < 1_203; n += 1) {
    file += `p${n}@example.com,=SUM(${n}),"A, ""B"""\n`;
  }
  await importFile(app, id, file);

  const csv = await app.call("GET", "/exports/leads");
  const lines = csv.text.split("\r\n");
  expect(lines).toHaveLength(1_205);
  expect(lines[1]).toContain(",'=SUM(");
  expect(new Set(lines.slice(1, -1).map((line) => line.split(",")[1])).size).toBe(1_203);
  const ndjson = await app.call("GET", "/exports/leads?format=ndjson");
  const first = JSON.parse(ndjson.text.split("\n")[0] ?? "");
  expect(first).toMatchObject({ variables: { city: 'A, "B"' } });
  expect(first.first_name.startsWith("=SUM(")).toBe(true);
  const mine = await app.call("GET", `/exports/leads?campaign_id=${id}`);
  expect(mine.text.split("\r\n")[1]).toContain(",pending,");
  expect((await app.call("GET", "/exports/results")).text).toContain(id);
  expect((await app.call("GET", "/exports/events?format=ndjson")).text).toContain("lead.enrolled");
  expect((await app.call("GET", "/exports/messages")).text.split("\r\n")).toHaveLength(2);
});

test("a client that takes all that comes leaves others a turn after each page", async () => {
  const { id } = await makeCampaign(app);
  const rows = Array.from({ length: 5_000 }, (_, n) => `p${n}@example.com\n`);
  await importFile(app, id, `email\n${rows.join("")}`);
  for (const [path, pages] of [
    ["/exports/leads", 10],
    [`/exports/leads?campaign_id=${id}&format=ndjson`, 10],
    ["/exports/events", 1],
    ["/exports/messages", 1],
    ["/exports/results", 1],
  ] as const) {
    let turns = 0;
    let isOver = false;
    const others = async () => {
      while (!isOver) {
        await new Promise((resolve) => setImmediate(resolve));
        turns += 1;
      }
    };
    const counted = others();
    await app.call("GET", path);
    isOver = true;
    await counted;
    expect(turns, path).toBeGreaterThan(pages);
  }
});

test("another team's export is empty, its campaign is none, and a key needs the scope", async () => {
  const { id } = await makeCampaign(app);
  await importFile(app, id, "email\na@example.com\n");
  const { keys } = await app.addTeam("Other");
  const key = keys.test;
  expect((await app.call("GET", "/exports/leads", undefined, { key })).text).not.toContain("@");
  const theirs = await app.call("GET", `/exports/leads?campaign_id=${id}`, undefined, { key });
  expect(theirs.status).toBe(404);
  const narrow = await app.call("POST", "/keys", { name: "n", scopes: ["campaigns:read"] });
  const call = { key: narrow.body.key };
  expect((await app.call("GET", "/exports/leads", undefined, call)).status).toBe(403);
  expect((await app.call("GET", "/exports/results", undefined, call)).status).toBe(200);
});

test("a cell that begins as a formula does not", () => {
  const cells = ["=1", "+1", "-1", "@a", "\t=1", "＝1", " =1", "a=1", 'say "x"', null, -1];
  expect(csvLine(cells)).toBe(`'=1,'+1,'-1,'@a,"'\t=1",'＝1,' =1,a=1,"say ""x""",,-1\r\n`);
});

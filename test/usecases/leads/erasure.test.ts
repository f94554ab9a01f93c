/**
 * An erased person, looked for in every byte of the data directory: with what reads files and knows nothing
 * of ours.
 */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { freeze } from "#store/sqlite/frozen.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, makeCampaign } from "../../support/campaigns.ts";
import { importFile } from "../../support/imports.ts";

const EMAIL = "wilhelmine.quastenflosser@reply.sandbox.test";
/** Of the address, the name, the company, the phone number and what was written to and fro. */
const TRACES = ["quastenflosser", "wilhelmine", "zwirbelbart", "0170555123", "murmelbahnen"];

let dir: string;
let app: TestApp;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "outrider-erasure-"));
  app = await createTestApp({ paths: { live: join(dir, "live.db"), test: join(dir, "test.db") } });
});
afterEach(async () => {
  await app.close();
  rmSync(dir, { recursive: true, force: true });
});

/** How often each trace stands in the files, as `grep -i` counts it. */
function traces(): Record<string, number> {
  const found: Record<string, number> = {};
  for (const name of readdirSync(dir)) {
    const bytes = readFileSync(join(dir, name)).toString("latin1").toLowerCase();
    for (const trace of TRACES) {
      const times = bytes.split(trace).length - 1;
      if (times > 0) {
        found[`${name}: ${trace}`] = times;
      }
    }
  }
  return found;
}

/** Others, so that pages are shared, split and given back. */
const others = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => `p${from + n}@quiet.example,Pat${from + n},Other,1\n`);

test("stands in no file any more, after a whole life", async () => {
  await addAccount(app);
  const { id } = await makeCampaign(app, [
    { type: "email", subject: "Hello {{first_name}}", body: "For {{company}}: knopfleisten." },
    { type: "email", body: "Again, {{first_name}}", wait_days: 1 },
  ]);
  const person = `${EMAIL},Wilhelmine,Zwirbelbart GmbH,0170555123\n`;
  const head = "email,first_name,company,phone\n";
  await importFile(
    app,
    id,
    `${head}${others(0, 2).join("")}${person}${person}${others(2, 200).join("")}`,
  );
  await importFile(app, id, `${head}${person}${others(600, 100).join("")}`);
  const found = await app.call("GET", `/leads?email=${encodeURIComponent(EMAIL)}`);
  const lead = found.body.data[0].id as string;
  await app.call("PATCH", `/campaigns/${id}`, { max_leads_per_day: 10_000 });
  await app.call("PATCH", `/leads/${lead}`, { last_name: "Quastenflosser", variables: { a: "b" } });
  expect((await app.call("POST", `/campaigns/${id}/start`)).status).toBe(200);
  const path = `/campaigns/${id}/leads?email=${encodeURIComponent(EMAIL)}`;
  const enrollment = (await app.call("GET", path)).body.data[0].id as string;
  await app.advance(DAY_MS);
  const reply = { kind: "reply", enrollment_id: enrollment, text: "Tell me of murmelbahnen." };
  expect((await app.call("POST", "/sandbox/inject", reply)).status).toBeLessThan(300);
  await app.advance(HOUR_MS);
  const call = { headers: { "Idempotency-Key": "once" } };
  const suppressed = await app.call("POST", "/suppressions", { email: EMAIL }, call);
  expect(suppressed.status).toBe(201);
  expect((await app.call("GET", "/inbox/threads?search=murmelbahnen")).body.data).toHaveLength(1);
  expect((await app.call("GET", "/exports/leads")).text).toContain(EMAIL);
  expect((await app.call("GET", "/audit")).status).toBe(200);
  expect(Object.keys(traces()).length).toBeGreaterThan(3);

  expect((await app.call("DELETE", `/leads/${lead}`)).status).toBe(204);
  await app.advance(HOUR_MS);

  expect(traces()).toEqual({});
});

test("nor does one who is erased after another, in an index that was cleaned before", async () => {
  const { id } = await makeCampaign(app);
  await importFile(
    app,
    id,
    `email,first_name\n${others(0, 50).join("").replaceAll(",Other,1", "")}`,
  );
  for (const name of ["quastenflosser", "zwirbelbart", "murmelbahnen"]) {
    const lead = { email: `${name}@quiet.example`, first_name: name };
    await app.call("POST", `/campaigns/${id}/leads`, { leads: [lead] });
    await app.advance(MINUTE_MS);
    expect(Object.keys(traces())).not.toEqual([]);
    const [found] = (await app.call("GET", `/leads?search=${name}`)).body.data;
    expect((await app.call("DELETE", `/leads/${found.id}`)).status).toBe(204);
    await app.advance(MINUTE_MS);
    expect(traces()).toEqual({});
  }
});

test("a reader of the log holds the cleaning up, and no longer than it reads", async () => {
  const { id } = await makeCampaign(app);
  const leads = [{ email: EMAIL }];
  await app.call("POST", `/campaigns/${id}/leads`, { leads });
  await app.advance(MINUTE_MS);
  const frozen = freeze(app.environments.test.db.raw.filename);
  const [found] = (await app.call("GET", "/leads")).body.data;
  expect((await app.call("DELETE", `/leads/${found.id}`)).status).toBe(204);
  await app.advance(10 * MINUTE_MS);
  expect(Object.keys(traces())).not.toEqual([]);
  frozen.release();
  await app.advance(2 * MINUTE_MS);
  expect(traces()).toEqual({});
});

/** Guarantees of results by country and by custom value: whose leads they are, and what bad input is told. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import {
  type MadeExperiment,
  makeExperiment,
  personOf,
  setPeople,
} from "../../support/experiments.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp({ seed: 5 });
  await setPeople(app, { reply: 0.3 });
});
afterEach(() => app.close());

/** As many emailed leads as there are people, each with what is told of it. */
async function emailed(
  people: readonly { email?: string; timezone?: string; variables?: object }[],
  fields: object = {},
): Promise<MadeExperiment> {
  const made = await makeExperiment(app, { leads: 0, perDay: 1000, starts: false, fields });
  const leads = people.map((one, nth) => ({ email: personOf("spring", nth), ...one }));
  const added = await app.call("POST", `/campaigns/${made.campaignId}/leads`, { leads });
  expect(added.status).toBeLessThan(300);
  await app.call("POST", `/campaigns/${made.campaignId}/start`);
  await app.advance(3 * DAY_MS);
  return made;
}

async function segmentsOf({ id }: MadeExperiment, by: string) {
  const path = `/experiments/${id}/results?segment_by=${encodeURIComponent(by)}`;
  return await app.call("GET", path);
}

async function namesOf(made: MadeExperiment, by: string) {
  const { status, body, text } = await segmentsOf(made, by);
  expect([status, text.slice(0, 200)]).toEqual([200, expect.any(String)]);
  expect(body.segments.by).toBe(by);
  return Object.fromEntries(
    body.segments.segments.map((one: { segment: string; leads: number }) => [
      one.segment,
      one.leads,
    ]),
  );
}

/** As many more emailed leads as `count`, copied from the one that is there, each with a value of its own. */
function copies(count: number): void {
  const { db } = app.environments.test;
  /** The row of a table with other values in each copy. */
  const copy = (table: string, count: number, change: (nth: number, id: Uint8Array) => object) => {
    const row = db.raw.query<object, []>(`select * from ${table} limit 1`).get() ?? {};
    const names = Object.keys(row);
    const add = db.raw.query(
      `insert or ignore into ${table} (${names}) values (${names.map(() => "?")})`,
    );
    for (let nth = 1; nth <= count; nth += 1) {
      const id = Buffer.from(nth.toString(16).padStart(32, "0"), "hex");
      add.run(...(Object.values({ ...row, ...change(nth, id) }) as string[]));
    }
  };
  db.raw.transaction(() => {
    copy("leads", count, (nth, id) => ({
      ...{ id, email: `copy${nth}@example.com`, variables: JSON.stringify({ id: nth }) },
    }));
    copy("exposures", count, (_nth, id) => ({
      ...{ id, lead_id: id, message_id: id, enrollment_id: id },
    }));
  })();
}

describe("GET /experiments/{id}/results by segment", () => {
  test("200: by country, of the time zone, else of the address", async () => {
    const made = await emailed([
      { email: "a@one.de" },
      { email: "b@two.de" },
      { email: "c@three.co.uk" },
      { email: "d@four.com" },
      { email: "e@five.de", timezone: "Europe/Vienna" },
    ]);
    expect(await namesOf(made, "country")).toEqual({ DE: 2, GB: 1, AT: 1, none: 1 });
  });

  test("200: by a custom value, whatever it is, and all leads are in one", async () => {
    const values = [
      ...["Retail", " Retail", "retail", "<script>alert(1)</script>", "none", "", 7, true],
      ...["é".repeat(10_000), "x".repeat(10_000), undefined],
    ];
    const made = await emailed(
      values.map((value) => (value === undefined ? {} : { variables: { 'the "field"': value } })),
    );
    expect(await namesOf(made, 'custom:the "field"')).toEqual({
      ...{ Retail: 2, retail: 1, "<script>alert(1)</script>": 1, '"none"': 1, 7: 1, true: 1 },
      ...{ [`${"é".repeat(99)}…`]: 1, [`${"x".repeat(99)}…`]: 1, none: 2 },
    });
  });

  test("200: the counts of all segments are those of the variants", async () => {
    const made = await emailed(
      Array.from({ length: 60 }, (_, nth) => ({ variables: { size: nth % 3 } })),
    );
    const { body } = await segmentsOf(made, "custom:size");
    const [a, b] = body.variants;
    const replies = (of: "rate_a" | "rate_b") =>
      body.segments.segments.map((one: { lifts: Record<string, number>[] }) => one.lifts[0]?.[of]);
    expect(a.replies + b.replies).toBeGreaterThan(5);
    expect(body.segments.segments.map(({ leads }: { leads: number }) => leads)).toEqual([
      20, 20, 20,
    ]);
    expect(body.segments.interactions).toHaveLength(1);
    // Rates lie around the whole's.
    for (const [of, { reply_rate }] of [
      ["rate_a", a],
      ["rate_b", b],
    ] as const) {
      expect(Math.min(...replies(of))).toBeLessThanOrEqual(reply_rate);
      expect(Math.max(...replies(of))).toBeGreaterThanOrEqual(reply_rate);
    }
  });

  test("200: a value that has changed since the email counts as it is now", async () => {
    const made = await emailed([
      { variables: { size: "small" } },
      { variables: { size: "small" } },
    ]);
    const { body } = await app.call("GET", `/leads?email=${personOf("spring", 0)}`);
    const patched = await app.call("PATCH", `/leads/${body.data[0].id}`, {
      variables: { size: "large" },
    });
    expect(patched.status).toBe(200);
    expect(await namesOf(made, "custom:size")).toEqual({ small: 1, large: 1 });
  });

  test("200: without emailed leads there are none", async () => {
    const made = await makeExperiment(app, { leads: 3, starts: false });
    expect(await namesOf(made, "custom:size")).toEqual({});
    expect(await namesOf(made, "country")).toEqual({});
  });

  test("200: null for Thompson sampling", async () => {
    const made = await emailed([{}], { optimization_mode: "thompson_sampling" });
    expect((await segmentsOf(made, "custom:size")).body.segments).toBeNull();
  });

  test("200: ten of 10,000 values, and one more than that is refused", async () => {
    const made = await emailed([{ variables: { id: "first" } }]);
    copies(9_999);
    const named = await namesOf(made, "custom:id");
    expect([Object.keys(named).length, named["other"]]).toEqual([11, 9_990]);
    copies(10_000);
    const refused = await segmentsOf(made, "custom:id");
    expect([refused.status, refused.body.field]).toEqual([422, "segment_by"]);
    expect(refused.body.message).toContain("10,000");
  });

  test.each([
    "custom:sise",
    "custom:",
    "custom",
    "timezone",
    "Country",
    `custom:${"x".repeat(500)}`,
  ])("422: %s", async (by) => {
    const made = await emailed([{ variables: { size: 1 } }]);
    const { status, body } = await segmentsOf(made, by);
    expect([status, body.field]).toEqual([422, "segment_by"]);
  });

  test("404: an experiment of another team", async () => {
    const other = { id: "019caf10-3180-7076-a1a7-684c93a1f7a4" } as MadeExperiment;
    expect((await segmentsOf(other, "custom:size")).status).toBe(404);
  });

  test("200: of thousands, the second thread says the same while others have their turns", async () => {
    await app.close();
    const dir = mkdtempSync(join(tmpdir(), "outrider-segments-"));
    const paths = { live: join(dir, "live.db"), test: join(dir, "test.db") };
    app = await createTestApp({ paths, seed: 5 });
    await setPeople(app, {});
    const made = await emailed([{ timezone: "Europe/Vienna", variables: { id: "first" } }]);
    copies(3_000);
    let turns = 0;
    let isOver = false;
    const asked = Promise.all([namesOf(made, "custom:id"), namesOf(made, "country")]).finally(
      () => {
        isOver = true;
      },
    );
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
    const [byValue, byCountry] = await asked;
    expect([Object.keys(byValue).length, byValue["other"], byCountry]).toEqual([
      ...[11, 2_991],
      { AT: 3_001 },
    ]);
    expect(turns).toBeGreaterThan(20);
    rmSync(dir, { recursive: true, force: true });
  });
});

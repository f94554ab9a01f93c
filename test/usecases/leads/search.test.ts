/** What is indexed for the search comes in slices whose cost is bounded, and all of it comes. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Environment, engineCaller } from "#environment.ts";
import { searchFaults } from "#store/leads/search.ts";
import { importLeads } from "#usecases/leads/import/import.ts";
import { indexChanges } from "#usecases/leads/search.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { makeCampaign } from "../../support/campaigns.ts";

let app: TestApp;
let env: Environment;
beforeEach(async () => {
  app = await createTestApp();
  env = app.environments.test;
});
afterEach(() => app.close());

const OPTIONS = { existing: "merge", skipIfInOtherCampaign: false, dryRun: false } as const;

async function addLeads(emails: readonly string[], words: string): Promise<void> {
  const { id } = await makeCampaign(app);
  const items = emails.map((email) => ({ email, variables: { words } }));
  await importLeads(env, engineCaller(app.team.id), id, items, OPTIONS);
}

const numbered = (count: number, prefix = "p") =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}@x.example`);

const count = (query: string) => env.db.raw.query<{ n: number }, []>(query).get()?.n ?? 0;
const due = () => count("select count(*) as n from search_due");
const found = (word: string) =>
  count(`select count(*) as n from search_text where search_text match '${word}'`);

/** Slices until nothing is left. */
async function indexAll(): Promise<number> {
  let slices = 1;
  while (await env.commit(() => indexChanges(env))) {
    slices += 1;
  }
  return slices;
}

test("a slice ends once its words are many", async () => {
  const text = "many words ".repeat(900);
  await addLeads(numbered(12), text);
  expect(due()).toBe(12);
  expect(await env.commit(() => indexChanges(env))).toBe(true);
  // 9,900 characters each, and 50,000 in a slice.
  expect(due()).toBe(6);
  expect(await indexAll()).toBe(1);
  expect([due(), found("many")]).toEqual([0, 12]);
  expect(searchFaults(env.db, app.team.id)).toEqual({ stray: 0, missing: 0 });
});

test("a lead that is due twice is found by what it holds now, once", async () => {
  await addLeads(numbered(3), "before");
  await addLeads(numbered(3), "after");
  expect(due()).toBe(6);
  await indexAll();
  expect([found("before"), found("after"), found("x")]).toEqual([0, 3, 3]);
  await addLeads(numbered(3), "later");
  await indexAll();
  expect([found("after"), found("later")]).toEqual([0, 3]);
  expect(searchFaults(env.db, app.team.id)).toEqual({ stray: 0, missing: 0 });
});

test("many small slices leave few parts to be searched", async () => {
  for (let slice = 0; slice < 70; slice += 1) {
    await addLeads(numbered(2, `s${slice}-`), "word");
    await indexAll();
  }
  expect(found("word")).toBe(140);
  // Eight of one level are merged into one of the next.
  expect(count("select count(distinct segid) as n from search_text_idx")).toBeLessThan(16);
});

test("what a lead that is gone was found by is never indexed", async () => {
  await addLeads(numbered(2), "word");
  await env.commit(() => {
    env.db.raw.run("delete from enrollments");
    env.db.raw.run("delete from leads where email = 'p0@x.example'");
  });
  await indexAll();
  expect([due(), found("p0"), found("p1")]).toEqual([0, 0, 1]);
});

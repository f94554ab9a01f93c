/** Guarantees of looking for duplicates: what it costs grows with the leads, and not with who asks or with their pairs. */

import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { createTestApp, type TestApp } from "../../support/app.ts";

const LEADS = 100;
/** Each of a lead's names and its company is normalized for the keys, and for those of its namesakes. */
const NORMALIZED_MAX = 15 * LEADS;

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
  const leads = Array.from({ length: LEADS }, (_, at) => ({
    email: `p${at}@acme.example`,
    first_name: at % 2 === 0 ? "Émile" : "Zoé",
    last_name: `Müller${at}`,
    company: "Acme",
  }));
  await app.call("POST", "/leads", { leads });
});
afterEach(() => app.close());

/** How often a text was normalized meanwhile. */
async function normalized(act: () => Promise<unknown>): Promise<number> {
  const spy = spyOn(String.prototype, "normalize");
  try {
    await act();
    return spy.mock.calls.length;
  } finally {
    spy.mockRestore();
  }
}

const ask = (query = "") => app.call("GET", `/leads/duplicates${query}`);

test("a name is made plain once for a lead, and not for each of its namesakes", async () => {
  const times = await normalized(ask);
  expect(times).toBeGreaterThan(LEADS);
  expect(times).toBeLessThan(NORMALIZED_MAX);
});

test("whoever asks while a team's leads are compared shares what is found", async () => {
  const times = await normalized(async () => {
    const [first, second] = await Promise.all([ask("?limit=1"), ask("?limit=2")]);
    expect([first.body.scanned, second.body.scanned]).toEqual([LEADS, LEADS]);
    expect(second.body.data.slice(0, 1)).toEqual(first.body.data);
    expect([first.body.data.length, second.body.data.length]).toEqual([1, 2]);
  });
  expect(times).toBeLessThan(NORMALIZED_MAX);
});

test("who asks later is told of leads that are new", async () => {
  await ask();
  await app.call("POST", "/leads", { leads: [{ email: "p1+x@acme.example" }] });
  expect((await ask()).body.scanned).toBe(LEADS + 1);
});

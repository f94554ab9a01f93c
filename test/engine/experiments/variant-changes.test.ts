/** Variants that are switched off, switched on again, and added, while leads are assigned. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS } from "#domain/time.ts";
import { wrongTallies } from "#store/sending/exposures.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { makeExperiment, resultsOf, setPeople } from "../../support/experiments.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp({ seed: 31 });
  await setPeople(app, { reply: 0.1 });
});
afterEach(async () => {
  const wrong = wrongTallies(app.environments.test.db, app.team.id);
  await app.close();
  expect(wrong).toBe(0);
});

interface Variant {
  id: string;
  name: string;
  emails_sent: number;
  successes: number;
  failures: number;
}

const THREE = [
  { name: "A", weight: 2 },
  { name: "B", config: { subject: "Second" } },
  { name: "C", config: { subject: "Third" } },
];
const BANDIT = { optimization_mode: "thompson_sampling" };

const read = async (id: string) => (await app.call("GET", `/experiments/${id}`)).body;
const sharesOf = async (id: string) =>
  Object.values((await read(id)).allocation).map((share) => Number(Number(share).toFixed(4)));

async function patchVariants(id: string, change: (variants: Variant[]) => object[]) {
  const { variants } = await read(id);
  return app.call("PATCH", `/experiments/${id}`, { variants: change(variants) });
}

const turn = (id: string, name: string, is_active: boolean) =>
  patchVariants(id, (all) => all.map((one) => (one.name === name ? { ...one, is_active } : one)));

/** How many variants each lead was sent. */
async function assignments(campaignId: string): Promise<number[]> {
  const found: number[] = [];
  for (let offset = 0, more = true; more; offset += 100) {
    const path = `/campaigns/${campaignId}/leads?limit=100&offset=${offset}`;
    const { body } = await app.call("GET", path);
    found.push(...body.data.map((one: { assignments: object[] }) => one.assignments.length));
    more = body.hasMore;
  }
  return found;
}

describe("a variant that is switched off", () => {
  test("gets no more leads, is still measured, and the others share the rest by weight", async () => {
    const made = await makeExperiment(app, { leads: 600, perDay: 60, variants: THREE });
    await app.advance(3 * DAY_MS);
    const off = await turn(made.id, "C", false);
    expect(off.status).toBe(200);
    expect(off.body.variants[2]).toMatchObject({ is_active: false, out_reason: "switched_off" });
    expect(await sharesOf(made.id)).toEqual([0.6667, 0.3333, 0]);
    const sent = off.body.variants[2].emails_sent;

    await app.advance(12 * DAY_MS);
    const results = await resultsOf(app, made.id);
    const [a, b, c] = results.variants;
    expect(c).toMatchObject({ emails_sent: sent });
    expect(c.successes + c.failures).toBe(sent);
    expect(a.emails_sent + b.emails_sent + c.emails_sent).toBe(600);
    expect(results.quality).toMatchObject({ srm_detected: false });
    expect(results.quality.leader_id).not.toBe(c.id);
    const { allocations } = (await app.call("GET", `/experiments/${made.id}/history`)).body;
    expect(allocations).toHaveLength(2);
    expect(new Set(await assignments(made.campaignId))).toEqual(new Set([1]));
  });

  test("can be switched on again, and is then compared over the days in which both were sent", async () => {
    const made = await makeExperiment(app, { leads: 600, perDay: 60, variants: THREE });
    await app.advance(2 * DAY_MS);
    const { variants: before } = await read(made.id);
    await turn(made.id, "B", false);
    await app.advance(3 * DAY_MS);
    expect((await read(made.id)).variants[1].emails_sent).toBe(before[1].emails_sent);
    const on = await turn(made.id, "B", true);
    expect(on.body.variants[1]).toMatchObject({ is_active: true, out_reason: null });
    expect(await sharesOf(made.id)).toEqual([0.5, 0.25, 0.25]);
    await app.advance(14 * DAY_MS);
    const results = await resultsOf(app, made.id);
    expect(results.quality.srm_detected).toBe(false);
    expect(results.variants[1].emails_sent).toBeGreaterThan(before[1].emails_sent);
    expect(new Set(await assignments(made.campaignId))).toEqual(new Set([1]));
  });

  test("the last one can't be, nor can one be switched on that was taken out", async () => {
    const made = await makeExperiment(app, { leads: 40, perDay: 40 });
    await app.advance(DAY_MS);
    const none = await patchVariants(made.id, (all) =>
      all.map((one) => ({ ...one, is_active: false })),
    );
    expect([none.status, none.body.field]).toEqual([409, "variants"]);
    await turn(made.id, "B", false);
    expect(await resultsOf(app, made.id)).toMatchObject({
      recommendation_code: "one_left",
      winner: null,
    });

    await setPeople(app, { soft_bounce: 0.4 });
    const other = await makeExperiment(app, {
      ...{ leads: 400, perDay: 200, name: "bounces" },
      variants: [{ name: "A" }, { name: "B" }, { name: "C" }],
    });
    await app.advance(3 * DAY_MS);
    const { variants } = await read(other.id);
    const place = variants.findIndex((one: { out_reason: string }) => one.out_reason !== null);
    expect(variants[place].out_reason).toBe("guardrail");
    const refused = await turn(other.id, variants[place].name, true);
    expect([refused.status, refused.body.field]).toEqual([409, `variants.${place}.is_active`]);
  });

  test("before the first email, too", async () => {
    const made = await makeExperiment(app, { leads: 30, variants: THREE, starts: false });
    await turn(made.id, "A", false);
    expect(await sharesOf(made.id)).toEqual([0, 0.5, 0.5]);
    await app.call("POST", `/campaigns/${made.campaignId}/start`);
    await app.advance(5 * DAY_MS);
    const { variants } = await read(made.id);
    expect([variants[0].emails_sent, variants[0].out_reason]).toEqual([0, "switched_off"]);
  });
});

describe("a new variant", () => {
  const NEW = { name: "New", config: { subject: "Newest", body: "The newest way" } };

  test("joins a running bandit in a new epoch, and is compared from then on", async () => {
    await setPeople(app, { reply: 0.03 }, [{ contains: "newest", rates: { reply: 0.4 } }]);
    const made = await makeExperiment(app, { leads: 900, perDay: 90, fields: BANDIT });
    await app.advance(4 * DAY_MS);
    const joined = await patchVariants(made.id, (all) => [...all, NEW]);
    expect([joined.status, joined.body.variants.length]).toEqual([200, 3]);
    expect(await sharesOf(made.id)).toEqual([0.3333, 0.3333, 0.3333]);
    await app.advance(9 * DAY_MS);
    const results = await resultsOf(app, made.id);
    expect(results.quality.srm_detected).toBe(false);
    expect((await read(made.id)).allocation[joined.body.variants[2].id]).toBeGreaterThan(0.6);
    await app.advance(10 * DAY_MS);
    const done = await resultsOf(app, made.id);
    expect(done.experiment.status).toBe("completed");
    expect(done.winner).toBe("New");
    expect(new Set(await assignments(made.campaignId))).toEqual(new Set([1]));
  });

  test("is refused by a fixed split, in the middle of the list, and after the end", async () => {
    const fixed = await makeExperiment(app, { leads: 40, perDay: 40 });
    const bandit = await makeExperiment(app, {
      ...{ leads: 40, perDay: 40, name: "other" },
      fields: { ...BANDIT, duration_days: 2 },
    });
    await app.advance(DAY_MS);
    const refused = await patchVariants(fixed.id, (all) => [...all, NEW]);
    expect([refused.status, refused.body.field]).toEqual([409, "variants"]);
    expect(refused.body.message).toContain("only thompson_sampling takes new variants");
    const moved = await patchVariants(bandit.id, (all) => [NEW, ...all]);
    expect([moved.status, moved.body.field]).toEqual([409, "variants"]);
    const gone = await patchVariants(bandit.id, ([first]) => [first as Variant, NEW]);
    expect([gone.status, gone.body.field]).toEqual([409, "variants"]);
    await app.advance(2 * DAY_MS);
    const late = await patchVariants(bandit.id, (all) => [...all, NEW]);
    expect([late.status, late.body.field]).toEqual([409, "variants"]);
    expect(late.body.message).toContain("evaluating");
  });
});

/** A test-and-roll: a few leads are split evenly, the rest waits, and then gets the better variant. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS } from "#domain/time.ts";
import { wrongTallies } from "#store/sending/exposures.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { makeExperiment, resultsOf, setPeople } from "../../support/experiments.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp({ seed: 21 });
});
afterEach(async () => {
  const wrong = wrongTallies(app.environments.test.db, app.team.id);
  await app.close();
  expect(wrong).toBe(0);
});

const BETTER = "The second way to say it";
const SOON = { reply: { min_seconds: 600, max_seconds: 86_400 } };
const FIELDS = { optimization_mode: "test_and_roll", attribution_window_days: 2 };

const read = async (id: string) => (await app.call("GET", `/experiments/${id}`)).body;

/** Subject by recipient, and how many emails there were. */
async function captured() {
  const subjects = new Map<string, string>();
  let emails = 0;
  for (let after: string | null = ""; after !== null; ) {
    const path: string = `/sandbox/messages?limit=100${after === "" ? "" : `&after=${after}`}`;
    const { body } = await app.call("GET", path);
    for (const { recipient, subject } of body.data) {
      subjects.set(recipient, subject);
      emails += 1;
    }
    after = body.next_cursor;
  }
  return { subjects, emails };
}

const sentIn = (variants: readonly { emails_sent: number }[]) =>
  variants.reduce((sum, { emails_sent }) => sum + emails_sent, 0);

describe("a test-and-roll", () => {
  test("tests on as many leads as its plan advises, the rest waits, and gets the better one", async () => {
    await setPeople(app, { reply: 0.05 }, [{ contains: BETTER, rates: { reply: 0.12 } }], SOON);
    const made = await makeExperiment(app, { leads: 600, perDay: 600, fields: FIELDS });
    const plan = (await app.call("GET", "/experiments/plan?leads=600&baseline=0.04&variants=2"))
      .body;
    const { leads_per_variant } = plan.test_and_roll;
    expect((await read(made.id)).test_leads).toBeNull();

    await app.advance(DAY_MS);
    const testing = await read(made.id);
    expect(testing).toMatchObject({ status: "evaluating", test_leads: 2 * leads_per_variant });
    expect(sentIn(testing.variants)).toBe(2 * leads_per_variant);
    const during = await resultsOf(app, made.id);
    expect(during).toMatchObject({ recommendation_code: "testing", winner: null });
    expect(during.recommendation).toContain(`Tested on ${2 * leads_per_variant} leads`);
    const campaign = (await app.call("GET", `/campaigns/${made.campaignId}`)).body;
    expect(campaign.sending_status).toBe("waiting_for_experiment");
    expect((await captured()).emails).toBe(2 * leads_per_variant);

    await app.advance(4 * DAY_MS);
    const done = await resultsOf(app, made.id);
    expect(done.experiment.status).toBe("completed");
    expect(done.winner).toBe("B");
    const { subjects, emails } = await captured();
    expect([subjects.size, emails]).toEqual([600, 600]);
    const others = [...subjects.values()].filter((subject) => subject === "A word").length;
    expect(others).toBe(done.variants[0].emails_sent);
    expect(sentIn(done.variants)).toBe(2 * leads_per_variant);
  });

  test("says that the one it took is picked without a significant difference", async () => {
    await setPeople(app, { reply: 0.2 }, [], SOON);
    const made = await makeExperiment(app, { leads: 120, perDay: 120, fields: FIELDS });
    await app.advance(5 * DAY_MS);
    const done = await resultsOf(app, made.id);
    expect(done).toMatchObject({ recommendation_code: "leader_picked" });
    const leader = done.variants.find(({ id }: { id: string }) => id === done.quality.leader_id);
    expect(done.winner).toBe(leader.name);
    expect(done.recommendation).toMatch(
      new RegExp(
        `^${leader.name} was picked without a significant difference: .* Every new lead gets it\\.$`,
      ),
    );
    expect(done.significance[0].significant).toBe(false);
    expect((await read(made.id)).winner_applied_at).not.toBeNull();
  });

  test("a pause makes the rest wait, too, and cancelling it lets everyone go on", async () => {
    await setPeople(app, { reply: 0.1 }, [], SOON);
    const made = await makeExperiment(app, { leads: 300, perDay: 20, fields: FIELDS });
    await app.advance(DAY_MS);
    await app.call("POST", `/experiments/${made.id}/pause`);
    const { emails } = await captured();
    await app.advance(3 * DAY_MS);
    expect((await captured()).emails).toBe(emails);
    await app.call("POST", `/experiments/${made.id}/resume`);
    await app.advance(DAY_MS);
    expect((await captured()).emails).toBeGreaterThan(emails);
    await app.call("POST", `/experiments/${made.id}/cancel`);
    await app.advance(20 * DAY_MS);
    const all = await captured();
    expect([all.subjects.size, all.emails]).toEqual([300, 300]);
  });

  test("one that is paused and has lost its step holds nobody up", async () => {
    await setPeople(app, { reply: 0.1 }, [], SOON);
    const made = await makeExperiment(app, { leads: 300, perDay: 20, fields: FIELDS });
    await app.advance(DAY_MS);
    expect((await app.call("POST", `/experiments/${made.id}/pause`)).status).toBe(200);
    const { emails } = await captured();
    const steps = `/campaigns/${made.campaignId}/steps`;
    const [first] = (await app.call("GET", steps)).body.data;
    const other = { type: "email", subject: "Another beginning", body: "Hello" };
    expect((await app.call("POST", steps, other)).status).toBe(201);
    expect((await app.call("DELETE", `${steps}/${first.id}`)).status).toBe(204);
    await app.advance(20 * DAY_MS);
    const all = await captured();
    expect(all.subjects.size).toBe(300);
    expect(all.emails).toBeGreaterThan(emails);
  });

  test("of a handful of leads tests on a few, and writes to everyone once", async () => {
    await setPeople(app, { reply: 0.3 }, [], SOON);
    const made = await makeExperiment(app, { leads: 11, perDay: 11, fields: FIELDS });
    await app.advance(6 * DAY_MS);
    const { subjects, emails } = await captured();
    expect([subjects.size, emails]).toEqual([11, 11]);
    expect(await read(made.id)).toMatchObject({ status: "completed", test_leads: 4 });
  });
});

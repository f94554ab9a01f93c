/**
 * Simulated weeks with webhooks: endpoints fail three times in ten, processes are killed before a request,
 * between the endpoint's taking and our recording, and in the middle of a transaction. Every event reaches
 * every endpoint that wants it, and nothing is recorded as delivered that was not.
 */

import { expect, test } from "bun:test";
import { simulate } from "../support/simulate.ts";

const FIRST = Number(process.env["OUTRIDER_SIM_SEED"] ?? 1);
const SEEDS = Number(process.env["OUTRIDER_SIM_SEEDS"] ?? 12);
const TEST_MS_MAX = 300_000;

const style = { webhooks: true, leads: 25, tasks: false, holes: false };

test(
  `every event is told (${SEEDS} seeds from ${FIRST})`,
  async () => {
    let kills = 0;
    for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
      const { violations, figures } = await simulate({ seed, style, rounds: 6 });
      expect({ seed, violations }).toEqual({ seed, violations: [] });
      kills += figures.kills;
    }
    expect(kills).toBeGreaterThan(SEEDS / 3);
  },
  TEST_MS_MAX,
);

test("an event that was lost, and a delivery that was made up, are found", async () => {
  const lost = await simulate({
    seed: 1,
    style,
    rounds: 6,
    only: ["told"],
    plant: { after: (db) => db.run("delete from deliveries where rowid % 2 = 0") },
  });
  expect(lost.violations.map(({ detail }) => detail).join()).toContain("never queued");
  const madeUp = await simulate({
    seed: 1,
    style,
    rounds: 6,
    only: ["told"],
    plant: {
      before: (db) => db.run("update events set id = randomblob(16) where seq % 2 = 0"),
    },
  });
  expect(madeUp.violations.map(({ detail }) => detail).join()).toContain("is succeeded");
});

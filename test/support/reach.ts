/**
 * One of the product's four busiest paths, run in a process of its own under the coverage of `bun test`:
 * `OUTRIDER_REACH` names the path, `OUTRIDER_REACH_ACTS` whether it is walked or only prepared. What is
 * covered in the one and not in the other is what the path runs (`test/reach.test.ts`).
 */

import { expect, test } from "bun:test";
import { upkeepWorker } from "#engine/upkeep.ts";
import { stopwatch } from "#platform/clock.ts";
import { holds, LONG_TURN_MS } from "#platform/turns.ts";
import { type Answer, createTestApp, type TestApp } from "./app.ts";
import { addAccount, makeCampaign } from "./campaigns.ts";
import { TWO_VARIANTS } from "./experiments.ts";
import { comeBack, quiet, ROUND_THE_CLOCK, underway } from "./inbox.ts";

const HOUR_MS = 3_600_000;
const LEAD = { email: "bob@client.example", first_name: "Bob" };

type Act = () => Promise<Answer>;

/** Each prepares its scene and answers what is to be done in it. */
const SCENES: Record<string, (app: TestApp) => Promise<Act>> = {
  "add leads": async (app) => {
    const { id } = await makeCampaign(app);
    return () => app.call("POST", `/campaigns/${id}/leads`, { leads: [LEAD] });
  },
  "claim and send": async (app) => {
    await quiet(app);
    await addAccount(app);
    const { id } = await makeCampaign(app);
    await app.call("PATCH", `/campaigns/${id}`, { send_window: ROUND_THE_CLOCK });
    await app.call("POST", `/campaigns/${id}/leads`, { leads: [LEAD] });
    // The workers have been round once, with nothing to do; and upkeep with the file, which it leaves alone
    // where a stretch of the clock happens to be uncommitted.
    await app.advance(HOUR_MS);
    const { test: env } = app.environments;
    await upkeepWorker(env).step(env.clock.now());
    await app.call("POST", `/campaigns/${id}/start`);
    await app.call("GET", `/campaigns/${id}/stats`);
    return async () => {
      await app.advance(24 * HOUR_MS);
      const answer = await app.call("GET", `/campaigns/${id}/stats`);
      expect(answer.body.sent).toBe(1);
      return answer;
    };
  },
  "a reply that stops a lead": async (app) => {
    const { campaign, leads } = await underway(app, [LEAD.email]);
    const path = `/campaigns/${campaign}/leads/${leads[0]?.id}`;
    await app.call("GET", path);
    return async () => {
      await comeBack(app, { kind: "interested", enrollment_id: leads[0]?.id });
      const answer = await app.call("GET", path);
      expect(answer.body.status).toBe("replied");
      return answer;
    };
  },
  "make an experiment and read it": async (app) => {
    const { id } = await makeCampaign(app);
    return async () => {
      const body = { campaign_id: id, name: "Subjects", variants: TWO_VARIANTS };
      const made = await app.call("POST", "/experiments", body);
      return app.call("GET", `/experiments/${made.body.id}/results`);
    };
  },
};

test("walks", async () => {
  await takeTurns();
  const app = await createTestApp();
  const act = await SCENES[process.env["OUTRIDER_REACH"] ?? ""]?.(app);
  expect(act).toBeFunction();
  if (process.env["OUTRIDER_REACH_ACTS"] === "true") {
    expect((await act?.())?.status).toBeLessThan(300);
  }
  await app.close();
});

/** Has what tells long turns from short ones run, so that it is not the clock that decides whether a path does. */
async function takeTurns(): Promise<void> {
  for (const ms of [LONG_TURN_MS, ...Array<number>(50).fill(0)]) {
    const elapsed = stopwatch();
    holds("before");
    while (elapsed() < ms) {}
    holds("after");
    await Bun.sleep(0);
  }
}

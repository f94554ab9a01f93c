/**
 * Campaigns that their plan has stopped start again with the month, wherever the month's turn finds the
 * program: running, between two steps of the upkeep worker, or not running at all.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PLAN_LIMITS } from "#domain/sending/plan.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, SECOND_MS, unixMs } from "#domain/time.ts";
import { upkeepWorker } from "#engine/upkeep.ts";
import { putSubscription, subscriptionOf } from "#store/billing/billing.ts";
import { listAllAccounts } from "#store/mailboxes/accounts.ts";
import { pauseForPlan } from "#usecases/campaigns/plan-pause.ts";
import { claimNext } from "#usecases/delivery/claim.ts";
import { confirm } from "../../support/billing.ts";
import { createLive, type LiveApp, START } from "../support.ts";

const APRIL = unixMs(Date.UTC(2026, 3, 1));
const STEP = { type: "email", subject: "Hi", body: "Hello" };

let dir: string;
let live: LiveApp;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "plan-turn-"));
});
afterEach(async () => {
  await live.app.close();
  rmSync(dir, { recursive: true });
});

let starts = 0;
const start = async (mails: number) => {
  starts += 1;
  const plans = { ...PLAN_LIMITS, starter: { ...PLAN_LIMITS.starter, mails } };
  const paths = { live: join(dir, "live.db"), test: join(dir, "test.db") };
  live = await createLive({ paths, plans, seed: starts });
};

/** A campaign with more leads than the month has emails. */
const stopAtLimit = async () => {
  await confirm(live.app, live.call, "starter");
  await live.addAccount();
  const { id } = await live.launch([STEP], "bob@example.com", "cy@example.com");
  await live.run(HOUR_MS);
  expect(live.campaign(id)).toMatchObject({ status: "paused", statusReason: "plan_limit" });
  return id;
};

describe("A campaign that the month's limit has stopped", () => {
  test("starts again after a restart across the month's turn", async () => {
    await start(1);
    const id = await stopAtLimit();
    await live.app.close();
    await start(1);
    live.app.wall.set(plus(APRIL, MINUTE_MS));
    await live.run(HOUR_MS);
    expect(live.campaign(id).statusReason).toBe(null);
    await live.run(DAY_MS);
    expect(live.mail.taken).toHaveLength(1);
  });

  test("stays stopped after a restart within the month", async () => {
    await start(1);
    const id = await stopAtLimit();
    await live.app.close();
    await start(1);
    live.app.wall.set(plus(APRIL, -MINUTE_MS));
    await live.run(30 * SECOND_MS);
    expect(live.campaign(id)).toMatchObject({ status: "paused", statusReason: "plan_limit" });
    await live.run(MINUTE_MS);
    expect(live.campaign(id).statusReason).toBe(null);
  });

  test.each([
    ["between two steps", -10 * SECOND_MS],
    ["by a claim of the old month that is stored after the turn", SECOND_MS],
  ])("and that was stopped %s of the upkeep worker starts again within the hour", async (_, ms) => {
    await start(1);
    await confirm(live.app, live.call, "starter");
    await live.addAccount();
    await live.launch([STEP], "bob@example.com");
    const second = await live.launch([STEP], "cy@example.com");
    const { env } = live;
    const [account] = listAllAccounts(env.db);
    expect((await env.commit(() => claimNext(env, account?.id ?? "", START))).kind).toBe("send");
    const worker = upkeepWorker(env);
    const steps = [-20 * SECOND_MS, 0, 20 * SECOND_MS, HOUR_MS + MINUTE_MS];
    for (const at of [...steps, ms].sort((one, other) => one - other)) {
      live.app.wall.set(plus(APRIL, at));
      if (at === ms) {
        await env.commit(() => pauseForPlan(env, live.app.team.id, plus(APRIL, -11_000)));
        expect(live.campaign(second.id).statusReason).toBe("plan_limit");
      } else {
        await worker.step(plus(APRIL, at));
      }
    }
    expect(live.campaign(second.id)).toMatchObject({ status: "active", statusReason: null });
  });

  test("starts again once its plan has ended and the installation's own has no limit", async () => {
    await start(1);
    const id = await stopAtLimit();
    const row = subscriptionOf(live.env.db, live.app.team.id);
    const endsAt = plus(live.env.wall.now(), -14 * DAY_MS + 2 * HOUR_MS);
    await live.env.commit(() => row && putSubscription(live.env.db, { ...row, endsAt }));
    await live.run(4 * HOUR_MS);
    expect(live.campaign(id).statusReason).toBe(null);
  });
});

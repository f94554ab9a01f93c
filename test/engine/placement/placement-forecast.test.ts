/** Test emails take their part of a mailbox's day, and a forecast knows it. */

import { expect, test } from "bun:test";
import { DAY_MS } from "#domain/time.ts";
import { createTestApp } from "../../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../../support/campaigns.ts";

const EMAILS = Array.from({ length: 14 }, (_, index) => `p${index}@quiet.example`);
const SEEDS = Array.from({ length: 6 }, (_, index) => `s${index}@seeds.example`);
const REACTIONS = [
  ...["reply", "interested", "auto_reply", "hard_bounce", "soft_bounce", "complaint"],
  "unsubscribe",
];

test.each([
  ["in the window", { start_hour: 9, end_hour: 17 }, { daily_limit: 8, hourly_limit: 3 }],
  ["before it opens", { start_hour: 16, end_hour: 20 }, { daily_limit: 12, hourly_limit: 4 }],
  ["with a day too short for both", { start_hour: 9, end_hour: 24 }, { daily_limit: 5 }],
])(
  "a forecast with a placement run under way is what happens: %s",
  async (_name, hours, limits) => {
    const app = await createTestApp();
    app.environments.clock.setSpeed(0);
    const rates = Object.fromEntries(REACTIONS.map((name) => [name, 0]));
    await app.call("PATCH", "/sandbox/settings", { rates });
    for (const email of ["ann@sender.example", "bo@sender.example"]) {
      const { id } = await addAccount(app, email);
      await app.call("PATCH", `/accounts/${id}`, limits);
    }
    for (const email of SEEDS) {
      await app.call("POST", "/placement/seeds", { email });
    }
    const { id } = await makeCampaign(app, [{ type: "email", subject: "Hello", body: "Hi" }]);
    const days = ["monday", "tuesday", "wednesday", "thursday", "friday"];
    await app.call("PATCH", `/campaigns/${id}`, { send_window: { ...hours, days } });
    await addLeads(app, id, ...EMAILS);
    await app.call("POST", `/campaigns/${id}/start`);
    await app.call("POST", "/placement/runs", {});

    const told = (await app.call("GET", `/campaigns/${id}/forecast?days=7`)).body;
    await app.advance(7 * DAY_MS);
    const sentAs = (kind: string) =>
      app.environments.test.db.raw
        .query<{ at: number }, [string]>(
          "select sent_at as at from messages where kind = ? order by sent_at",
        )
        .all(kind)
        .map(({ at }) => new Date(at).toISOString());
    expect(sentAs("step")).toEqual(told.sends.map(({ at }: { at: string }) => at));
    expect(told.total).toBe(EMAILS.length);
    expect(sentAs("placement").length).toBeGreaterThan(8);
    await app.close();
  },
  30_000,
);

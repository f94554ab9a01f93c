/** The contract of what the console draws over time: an experiment by day, mailboxes by hour. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { DAY_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { makeExperiment, setPeople } from "../../support/experiments.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

interface Sums {
  variant_id: string;
  emails_sent: number;
  replies: number;
  interested: number;
  bounced: number;
}

test("GET /experiments/{id}/history: the days add up to the counters of the results", async () => {
  await setPeople(app, { reply: 0.3, interested: 0.2, hard_bounce: 0.05 });
  const { id, variants } = await makeExperiment(app, { leads: 80 });
  const path = `/experiments/${id}`;
  expect((await app.call("GET", `${path}/history`)).body.days).toEqual([]);
  await app.advance(6 * DAY_MS);

  const { status, body } = await app.call("GET", `${path}/history`);
  const results = (await app.call("GET", `${path}/results`)).body;

  expect(status).toBe(200);
  expect(body.days.length).toBeGreaterThan(1);
  const dates = body.days.map(({ date }: { date: string }) => date);
  expect(dates).toEqual(dates.toSorted());
  for (const variant of results.variants) {
    const mine: Sums[] = body.days.map((day: { variants: Sums[] }) =>
      day.variants.find(({ variant_id }) => variant_id === variant.id),
    );
    for (const name of ["emails_sent", "replies", "interested", "bounced"] as const) {
      expect(mine.reduce((sum, day) => sum + day[name], 0)).toBe(variant[name]);
    }
  }
  expect(body.allocations).toEqual([
    {
      since: expect.any(String),
      shares: Object.fromEntries(variants.map((each) => [each.id, 0.5])),
    },
  ]);
}, 30_000);

test("GET /accounts/activity: every hour of every account, and the team's emails are all in it", async () => {
  const accounts = (await app.call("GET", "/accounts")).body.data as { id: string }[];
  const { status, body } = await app.call("GET", "/accounts/activity?hours=168");

  expect(status).toBe(200);
  expect(body.data.map((entry: { account_id: string }) => entry.account_id)).toEqual(
    accounts.map(({ id }) => id),
  );
  const hours = body.data.flatMap(({ hours: each }: { hours: object[] }) => each);
  expect(hours).toHaveLength(accounts.length * 168);
  const sent = hours.reduce((sum: number, hour: { sent: number }) => sum + hour.sent, 0);
  const { total } = (await app.call("GET", "/events?type=email.sent")).body;
  expect(total).toBeGreaterThan(0);
  expect(sent).toBe(total);
});

test("422 for hours out of bounds; another team's experiment is not found", async () => {
  expect((await app.call("GET", "/accounts/activity?hours=169")).body.field).toBe("hours");
  expect((await app.call("GET", "/accounts/activity?hours=0")).status).toBe(422);
  const other = await app.addTeam("Other");
  const { id } = (await app.call("GET", "/experiments")).body[0];
  const theirs = await app.call("GET", `/experiments/${id}/history`, undefined, {
    key: other.keys.test,
  });
  expect(theirs.status).toBe(404);
});

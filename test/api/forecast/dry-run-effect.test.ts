/**
 * What a dry run foresees is what the change then does: the emails of the next week are worked out before and
 * after it is really made, and compared here.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS, MINUTE_MS, plus } from "#domain/time.ts";
import { project } from "#usecases/forecast/project.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, EMAIL_STEP, makeCampaign } from "../../support/campaigns.ts";

const PEOPLE = 150;
const STEPS = [EMAIL_STEP, { ...EMAIL_STEP, subject: null, wait_days: 2 }];

describe.each(["in memory", "in a file"] as const)("%s", (where) => {
  let dir: string;
  let app: TestApp;
  let spring: string;
  let autumn: string;
  let mailbox: string;
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), "outrider-effect-"));
    const paths = { live: join(dir, "live.db"), test: join(dir, "test.db") };
    app = await createTestApp(where === "in memory" ? {} : { paths });
    app.environments.clock.setSpeed(0);
    mailbox = (await addAccount(app, "ann@acme.example")).id;
    await addAccount(app, "bob@acme.example");
    spring = (await makeCampaign(app, STEPS)).id;
    autumn = (await makeCampaign(app, STEPS)).id;
    const people = Array.from({ length: PEOPLE }, (_, n) => ({
      email: `p${n}@quiet.example`,
      first_name: "Pat",
    }));
    await addLeads(app, spring, ...people);
    await addLeads(app, autumn, ...people.map((one) => ({ ...one, email: `x${one.email}` })));
    expect((await app.call("POST", `/campaigns/${spring}/start`)).status).toBe(200);
  });
  afterAll(async () => {
    await app.close();
    rmSync(dir, { recursive: true, force: true });
  });

  /** All emails of the next week: by whom to whom and when. */
  function week() {
    const { test: env } = app.environments;
    const from = env.clock.now();
    const steps = [...project(env, app.team.id, from, plus(from, 7 * DAY_MS))];
    const sends = steps.flatMap(({ send }) => send ?? []);
    return new Map(sends.map((one) => [`${one.enrollmentId}:${one.stepPosition}`, one]));
  }

  const CHANGES: [string, () => [method: string, path: string, body?: object]][] = [
    ["fewer new leads a day", () => ["PATCH", `/campaigns/${spring}`, { max_leads_per_day: 7 }]],
    ["a campaign's own limit", () => ["PATCH", `/campaigns/${spring}`, { daily_limit: 20 }]],
    [
      "other hours",
      () => [
        "PATCH",
        `/campaigns/${spring}`,
        { send_window: { start_hour: 13, end_hour: 15, timezone: "America/New_York" } },
      ],
    ],
    ["another campaign that starts", () => ["POST", `/campaigns/${autumn}/start`]],
    ["a mailbox that may send more", () => ["PATCH", `/accounts/${mailbox}`, { daily_limit: 90 }]],
    ["a mailbox that is paused", () => ["PATCH", `/accounts/${mailbox}`, { status: "paused" }]],
    ["a name", () => ["PATCH", `/campaigns/${spring}`, { name: "Spring again" }]],
    ["a pause", () => ["POST", `/campaigns/${spring}/pause`]],
    ["the end of a pause", () => ["POST", `/campaigns/${spring}/resume`]],
  ];

  test.each(CHANGES)("%s", async (what, change) => {
    const [method, path, body] = change();
    const before = week();
    const foreseen = await app.call(method, `${path}?dry_run=true`, body);
    expect([foreseen.status, foreseen.headers.get("dry-run")]).toEqual([200, "true"]);
    expect(week()).toEqual(before);

    const made = await app.call(method, path, body);
    expect(made.status).toBe(200);
    expect(made.body).not.toHaveProperty("forecast");
    const after = week();
    const minute = (at: number) => Math.floor(at / MINUTE_MS);
    const moved = [...before].filter(([key, one]) => {
      const other = after.get(key);
      return (
        other !== undefined &&
        (minute(one.at) !== minute(other.at) || one.accountId !== other.accountId)
      );
    });
    const removed = [...before].filter(([key]) => !after.has(key));
    const added = [...after].filter(([key]) => !before.has(key));
    const first = Math.min(...[...moved, ...removed, ...added].map(([, { at }]) => at));
    expect(foreseen.body.forecast).toMatchObject({
      ...{ moved: moved.length, removed: removed.length, added: added.length },
      first_at: Number.isFinite(first) ? new Date(first).toISOString() : null,
    });
    const { summary } = foreseen.body.forecast;
    if (what === "a name") {
      expect(summary).toBe("changes no email of the next 7 days");
    } else {
      expect(moved.length + removed.length + added.length).toBeGreaterThan(0);
      expect(summary).toMatch(/^(moves|removes|adds) \d+ emails?.*; the first on \w+day \d+ March/);
    }
  });

  test("what is refused says so, and foresees nothing", async () => {
    const { status, body } = await app.call("POST", `/campaigns/${spring}/resume?dry_run=true`);
    expect(status).toBe(409);
    expect(body).not.toHaveProperty("forecast");
  });
});

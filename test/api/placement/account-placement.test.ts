/** The HTTP contract of `/accounts/{id}/placement`: what its test emails found, and one sentence about it. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { MailProvider } from "#domain/mailboxes/mail-provider.ts";
import type { Placement, RunStatus } from "#domain/placement/placement.ts";
import { DAY_MS, type UnixMs, unixMs } from "#domain/time.ts";
import { insertRun } from "#store/placement/placement-runs.ts";
import { insertTest } from "#store/placement/placement-tests.ts";
import type { RunRow, TestRow } from "#store/tables/placement.ts";
import { createTestApp, START, type TestApp } from "../../support/app.ts";
import { addAccount } from "../../support/campaigns.ts";

const WEEK_MS = 7 * DAY_MS;

let app: TestApp;
let account: string;
beforeEach(async () => {
  app = await createTestApp();
  account = (await addAccount(app)).id;
});
afterEach(() => app.close());

const read = async (id = account) => (await app.call("GET", `/accounts/${id}/placement`)).body;

interface Made {
  at: UnixMs;
  found: Partial<Record<MailProvider, readonly Placement[]>>;
  status?: RunStatus;
  isDraft?: true;
}

/** A run as it stands in the store when everything of it is known. */
async function addRun({ at, found, status = "completed", isDraft }: Made): Promise<void> {
  const { test: env } = app.environments;
  await env.commit(() => {
    const id = env.ids.next(at);
    const content = { subject: "x", body: "x", threadSubject: null };
    const run: RunRow = {
      ...{ id, teamId: app.team.id, triggerType: "scheduled", status, scheduleId: null },
      ...{ campaignId: null, stepId: null, content: isDraft ? { ...content, isDraft } : null },
      ...{ total: 0, inbox: 0, spam: 0, promotions: 0, notDelivered: 0, pending: 0, failed: 0 },
      ...{ inboxRate: 0, startedAt: at, completedAt: at, endsAt: at, dueAt: null, createdAt: at },
    };
    insertRun(env.db, run);
    for (const [provider, placements] of Object.entries(found)) {
      for (const placement of placements) {
        insertTest(env.db, testOf(id, provider as MailProvider, placement, at));
      }
    }
  });
}

function testOf(
  runId: string,
  seedProvider: MailProvider,
  placement: Placement,
  at: UnixMs,
): TestRow {
  const { test: env } = app.environments;
  return {
    ...{ id: env.ids.next(at), teamId: app.team.id, runId, accountId: account },
    ...{ accountEmail: "ann@sender.example", seedId: runId, seedEmail: "seed@gmail.com" },
    ...{ seedProvider, status: "done", placement, folder: null, tab: null, error: null },
    ...{ dueAt: null, lookAt: null, sentAt: at, testedAt: at, latencyMs: null },
    ...{ authentication: null, oneClickSigned: null },
  };
}

const all = (length: number, placement: Placement) => Array.from({ length }, () => placement);
const week = (nth: number) => unixMs(START + nth * WEEK_MS);

describe("GET /accounts/{id}/placement", () => {
  test("200: without a run nothing is known; 404 for an account of nobody, or of another team", async () => {
    expect(await read()).toEqual({
      ...{ account_id: account, inbox: 0, total: 0, rate: 0, rate_low: 0, rate_high: 1 },
      ...{ weeks: [], verdict: "too_few", e_value: 1, providers: [] },
      message: "A drop can be seen from the second run on.",
    });
    const unknown = "/accounts/00000000-0000-7000-8000-00000000dead/placement";
    expect((await app.call("GET", unknown)).status).toBe(404);
    const other = await app.addTeam("Other");
    const path = `/accounts/${account}/placement`;
    expect((await app.call("GET", path, undefined, { key: other.keys.test })).status).toBe(404);
  });

  test("each provider has its share with Wilson's band, by week and in all, and its sentence", async () => {
    for (let nth = 0; nth < 12; nth += 1) {
      await addRun({ at: week(nth), found: { google: all(4, "inbox"), yahoo: all(1, "inbox") } });
    }
    for (let nth = 12; nth < 19; nth += 1) {
      const google: Placement[] = ["inbox", "spam", "promotions", "not_delivered"];
      await addRun({ at: week(nth), found: { google, yahoo: all(1, "inbox") } });
    }
    await app.advance(19 * WEEK_MS);
    const { providers, ...whole } = await read();
    expect(whole).toMatchObject({ inbox: 74, total: 95, verdict: "unclear" });
    expect(whole.message).toStartWith("A drop at Google; as one of 6 providers");
    const [google, yahoo] = providers;
    expect(google).toMatchObject({
      ...{ provider: "google", runs: 19, inbox: 55, total: 76, verdict: "drop" },
      ...{ since: new Date(week(12)).toISOString() },
      ...{ before: { inbox: 48, total: 48 }, after: { inbox: 7, total: 28 } },
    });
    expect(google.message).toStartWith(
      "48 of 48 in the inbox before, 7 of 28 since May 25, 2026. A drop: chance alone gets this far in at most 1 of ",
    );
    expect(google.e_value).toBeGreaterThan(20);
    expect(google.weeks).toHaveLength(19);
    // SciPy's binomtest(1, 4).proportion_ci(method="wilson").
    expect(google.weeks.at(-1)).toMatchObject({
      from: "2026-07-06",
      inbox: 1,
      total: 4,
      rate: 0.25,
    });
    expect(google.weeks.at(-1).rate_low).toBeCloseTo(0.0455872608, 9);
    expect(google.weeks.at(-1).rate_high).toBeCloseTo(0.6993581574, 9);
    expect(yahoo).toMatchObject({ provider: "yahoo", inbox: 19, total: 19, verdict: "steady" });
    expect(yahoo).toMatchObject({ since: null, before: null, after: null });
  });

  test("a week begins on Monday where the mailbox is, and half a year of them is shown", async () => {
    await app.call("PATCH", `/accounts/${account}`, { timezone: "Pacific/Auckland" });
    // Sunday afternoon in UTC is Monday there.
    const sunday = unixMs(Date.UTC(2026, 2, 8, 14));
    await addRun({ at: unixMs(sunday - DAY_MS), found: { google: all(1, "inbox") } });
    await addRun({ at: sunday, found: { google: all(1, "spam") } });
    await app.advance(WEEK_MS);
    const weeks = async () => (await read()).weeks.map(({ from }: { from: string }) => from);
    expect(await weeks()).toEqual(["2026-03-02", "2026-03-09"]);
    await app.advance(27 * WEEK_MS);
    expect(await weeks()).toEqual([]);
    expect(await read()).toMatchObject({ inbox: 1, total: 2 });
  });

  test("drafts, runs under way, and canceled runs say nothing", async () => {
    const found = { google: all(4, "spam") };
    await addRun({ at: week(0), found, isDraft: true });
    await addRun({ at: week(0), found, status: "running" });
    await addRun({ at: week(0), found, status: "cancelled" });
    expect(await read()).toMatchObject({ total: 0, providers: [] });
  });

  test("a clock that was set back doesn't reorder the runs", async () => {
    for (let nth = 0; nth < 12; nth += 1) {
      await addRun({ at: week(nth), found: { google: all(4, "inbox") } });
    }
    // A year earlier by the clock; it was found last all the same.
    for (let nth = 0; nth < 7; nth += 1) {
      await addRun({ at: unixMs(week(nth) - 365 * DAY_MS), found: { google: all(4, "spam") } });
    }
    const [google] = (await read()).providers;
    expect(google).toMatchObject({ verdict: "drop", before: { inbox: 48, total: 48 } });
  });

  test("10,000 tests of a mailbox are read in one go, and a deleted seed's stay", async () => {
    const { body: seed } = await app.call("POST", "/placement/seeds", { email: "s@gmail.com" });
    for (let nth = 0; nth < 100; nth += 1) {
      const [google, microsoft] = [all(50, nth < 80 ? "inbox" : "spam"), all(50, "inbox")];
      await addRun({ at: week(nth), found: { google, microsoft } });
    }
    expect((await app.call("DELETE", `/placement/seeds/${seed.id}`)).status).toBe(204);
    const { providers, ...whole } = await read();
    expect(whole).toMatchObject({ total: 10_000, inbox: 9_000, verdict: "drop" });
    expect(providers[0]).toMatchObject({ provider: "google", e_value: 1e9 });
    expect(providers[1]).toMatchObject({ provider: "microsoft", verdict: "steady" });
  });
});

/** `/placement/runs`: test emails to the seeds, and where they arrive. */

import type { Static } from "@sinclair/typebox";
import { PLAN_LIMITED, resource } from "#api/context.ts";
import { isFiltered, readFiltered } from "#api/filter.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { envelope } from "#api/schema.ts";
import { present, read } from "#api/wire.ts";
import { act, create } from "#api/write.ts";
import { bandsOf, type ProviderTotals, totalsByProvider } from "#domain/placement/placement.ts";
import type { Environment } from "#environment.ts";
import { RUN_LIST } from "#store/filter/lists.ts";
import { listRuns } from "#store/placement/placement-runs.ts";
import { providersOf, testsOf } from "#store/placement/placement-tests.ts";
import type { RunRow, TestRow } from "#store/tables/placement.ts";
import { cancelRun, requireRun, startRun } from "#usecases/placement/placement-runs.ts";
import { Run, RunCreate, RunDetail, RunPage, RunParams, RunQuery } from "./run-schema.ts";

export const runRoutes = resource("placement", "/placement/runs")
  .get(
    "",
    async ({ env, caller, request }): Promise<Static<typeof RunPage>> => {
      const query = readQuery(RunQuery, request);
      if (isFiltered(query) || query.after !== undefined) {
        const { rows, page } = await readFiltered(env, caller, RUN_LIST, query);
        return { data: allShown(env, rows), ...page };
      }
      const { rows, total } = listRuns(env.db, caller.teamId, query);
      return envelope(allShown(env, rows), total, query);
    },
    {
      response: { 200: RunPage },
      detail: {
        summary: "List placement runs",
        description: "Returns the placement runs, newest first.",
        ...queryOf(RunQuery),
      },
    },
  )
  .post(
    "",
    (context) =>
      create(
        context,
        () => {
          const { env, caller, body } = context;
          const row = startRun(env, caller, read(RunCreate, body));
          return detailed(row, testsOf(env.db, row.id));
        },
        ({ id }) => `/placement/runs/${id}`,
      ),
    {
      body: RunCreate,
      response: { 201: RunDetail },
      detail: {
        summary: "Start a placement run",
        description:
          "Sends an email from each account to each seed, within the accounts' limits, and looks " +
          "where the seeds' providers file it.",
        ...PLAN_LIMITED,
      },
    },
  )
  .get(
    "/:id",
    ({ env, caller, params }) => {
      const row = requireRun(env, caller, params.id);
      return detailed(row, testsOf(env.db, row.id));
    },
    {
      params: RunParams,
      response: { 200: RunDetail },
      detail: {
        summary: "Get a placement run",
        description: "Returns one placement run with the result of each test.",
      },
    },
  )
  .post(
    "/:id/cancel",
    (context) =>
      act(context, () => {
        const { env, caller, params } = context;
        const row = cancelRun(env, caller, params.id);
        return shown(row, providersOf(env.db, [row.id]).get(row.id));
      }),
    {
      params: RunParams,
      response: { 200: Run },
      detail: {
        summary: "Cancel a placement run",
        description: "Stops a placement run. The results that it has stay.",
      },
    },
  );

type Totals = Record<string, ProviderTotals>;

function allShown(env: Environment, rows: readonly RunRow[]) {
  const providers = providersOf(
    env.db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => shown(row, providers.get(row.id)));
}

const shown = (row: RunRow, totals?: Totals) => present(Run, counted(row, totals));

function detailed(row: RunRow, tests: readonly TestRow[]) {
  const results = tests.map(({ authentication, ...test }) => {
    return { spf: null, dkim: null, dmarc: null, ...authentication, ...test };
  });
  return present(RunDetail, { ...counted(row, totalsByProvider(tests)), results });
}

function counted(row: RunRow, byProvider: Totals = {}) {
  return {
    ...row,
    ...bandsOf(row),
    totalTests: row.total,
    inboxCount: row.inbox,
    spamCount: row.spam,
    promotionsCount: row.promotions,
    notDeliveredCount: row.notDelivered,
    pendingCount: row.pending,
    failedCount: row.failed,
    byProvider: Object.fromEntries(
      Object.entries(byProvider).map(([provider, of]) => [provider, wired(of)]),
    ),
  };
}

/** Keyed by provider, so nothing renames what is inside. */
function wired({
  rateLow,
  rateHigh,
  spamRate,
  spamRateLow,
  spamRateHigh,
  ...counts
}: ProviderTotals) {
  const ofSpam = { spam_rate: spamRate, spam_rate_low: spamRateLow, spam_rate_high: spamRateHigh };
  return { ...counts, rate_low: rateLow, rate_high: rateHigh, ...ofSpam };
}

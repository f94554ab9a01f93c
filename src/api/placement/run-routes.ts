/** `/placement/runs`: test emails to the seeds, and where they arrive. */

import { PLAN_LIMITED, resource } from "#api/context.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { envelope } from "#api/schema.ts";
import { present, read } from "#api/wire.ts";
import { act, create } from "#api/write.ts";
import { type ProviderTotals, totalsByProvider } from "#domain/placement/placement.ts";
import { listRuns } from "#store/placement/placement-runs.ts";
import { providersOf, testsOf } from "#store/placement/placement-tests.ts";
import type { RunRow, TestRow } from "#store/tables/placement.ts";
import { cancelRun, requireRun, startRun } from "#usecases/placement/placement-runs.ts";
import { Run, RunCreate, RunDetail, RunPage, RunParams, RunQuery } from "./run-schema.ts";

export const runRoutes = resource("placement", "/placement/runs")
  .get(
    "",
    ({ env, caller, request }) => {
      const query = readQuery(RunQuery, request);
      const { rows, total } = listRuns(env.db, caller.teamId, query);
      const providers = providersOf(
        env.db,
        rows.map(({ id }) => id),
      );
      const data = rows.map((row) => shown(row, providers.get(row.id)));
      return envelope(data, total, query);
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
    totalTests: row.total,
    inboxCount: row.inbox,
    spamCount: row.spam,
    promotionsCount: row.promotions,
    notDeliveredCount: row.notDelivered,
    pendingCount: row.pending,
    failedCount: row.failed,
    byProvider,
  };
}

/** `/placement/runs`: test mails to the seeds, and where they arrive. */

import { PLAN_LIMITED, resource } from "#api/context.ts";
import { defined } from "#api/defined.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { envelope, IdParams } from "#api/schema.ts";
import { act, create } from "#api/write.ts";
import { listRuns } from "#store/placement/placement-runs.ts";
import { providersOf, testsOf } from "#store/placement/placement-tests.ts";
import { cancelRun, ownRun, startRun } from "#usecases/placement/placement-runs.ts";
import {
  presentRun,
  presentRunDetail,
  Run,
  RunCreate,
  RunDetail,
  RunPage,
  RunQuery,
  readRun,
} from "./run-schema.ts";

export const runRoutes = resource("placement", "/placement/runs")
  .get(
    "",
    ({ world, caller, request }) => {
      const query = readQuery(RunQuery, request);
      const filter = defined({ status: query.status, triggerType: query.trigger_type });
      const range = { ...filter, limit: query.limit, offset: query.offset };
      const { rows, total } = listRuns(world.db, caller.teamId, range);
      const providers = providersOf(
        world.db,
        rows.map(({ id }) => id),
      );
      const data = rows.map((row) => presentRun(row, providers.get(row.id) ?? {}));
      return envelope(data, total, query);
    },
    {
      response: { 200: RunPage },
      detail: { summary: "List placement runs, newest first", ...queryOf(RunQuery) },
    },
  )
  .post(
    "",
    (context) =>
      create(
        context,
        () => {
          const { world, caller, body } = context;
          const row = startRun(world, caller, readRun(body));
          return presentRunDetail(row, testsOf(world.db, row.id));
        },
        ({ id }) => `/placement/runs/${id}`,
      ),
    {
      body: RunCreate,
      response: { 201: RunDetail },
      detail: { summary: "Begin a placement run", ...PLAN_LIMITED },
    },
  )
  .get(
    "/:id",
    ({ world, caller, params }) => {
      const row = ownRun(world, caller, params.id);
      return presentRunDetail(row, testsOf(world.db, row.id));
    },
    {
      params: IdParams,
      response: { 200: RunDetail },
      detail: { summary: "A placement run with the result of each test" },
    },
  )
  .post(
    "/:id/cancel",
    (context) =>
      act(context, () => {
        const { world, caller, params } = context;
        const row = cancelRun(world, caller, params.id);
        return presentRun(row, providersOf(world.db, [row.id]).get(row.id) ?? {});
      }),
    {
      params: IdParams,
      response: { 200: Run },
      detail: { summary: "Cancel a placement run; what it found stays" },
    },
  );

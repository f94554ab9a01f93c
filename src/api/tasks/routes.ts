/** `/tasks`: steps that wait until a person has done them. */

import { resource } from "#api/context.ts";
import { cursorEnvelope, rangeOf } from "#api/cursor.ts";
import { defined } from "#api/defined.ts";
import { checkMatch, tagged } from "#api/etag.ts";
import { checkIdentity, dropReadOnly } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { IdParams } from "#api/schema.ts";
import { patch } from "#api/write.ts";
import { listTasks } from "#store/leads/tasks.ts";
import { ownCampaign } from "#usecases/campaigns/campaigns.ts";
import { ownTask, patchTask } from "#usecases/leads/tasks.ts";
import {
  presentTask,
  TASK_READ_ONLY,
  TASK_SETTABLE,
  Task,
  TaskPage,
  TaskPatch,
  TaskQuery,
} from "./schema.ts";

export const taskRoutes = resource("leads", "/tasks")
  .get(
    "",
    ({ world, caller, request }) => {
      const query = readQuery(TaskQuery, request);
      const campaignId =
        query.campaign_id === undefined
          ? undefined
          : ownCampaign(world, caller, query.campaign_id).id;
      const filter = defined({ done: query.done, campaignId });
      return cursorEnvelope(
        listTasks(world.db, caller.teamId, filter, rangeOf(query)),
        query,
        presentTask,
      );
    },
    {
      response: { 200: TaskPage },
      detail: {
        summary: "List tasks, newest first",
        "x-errors": [404],
        ...queryOf(TaskQuery),
      },
    },
  )
  .get(
    "/:id",
    (context) => {
      const row = ownTask(context.world, context.caller, context.params.id);
      return tagged(context, presentTask(row), TASK_SETTABLE);
    },
    { params: IdParams, response: { 200: Task }, detail: { summary: "A task" } },
  )
  .patch(
    "/:id",
    (context) =>
      patch(
        context,
        () => {
          const { world, caller, params, body, state, request } = context;
          const before = presentTask(ownTask(world, caller, params.id));
          checkIdentity(state, before);
          checkMatch(request, before, TASK_SETTABLE);
          return presentTask(patchTask(world, caller, params.id, body));
        },
        TASK_SETTABLE,
      ),
    {
      params: IdParams,
      body: TaskPatch,
      transform: dropReadOnly(TASK_READ_ONLY),
      response: { 200: Task },
      detail: { summary: "Do a task, skip it, or note something about it" },
    },
  );

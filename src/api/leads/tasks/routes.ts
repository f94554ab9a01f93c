/** `/tasks`: steps that wait until a person has done them. */

import type { Static } from "@sinclair/typebox";
import { DRY_RUN, resource } from "#api/context.ts";
import { cursorEnvelope, rangeOf } from "#api/cursor.ts";
import { defined } from "#api/defined.ts";
import { withEtag } from "#api/etag.ts";
import { isFiltered, readFiltered } from "#api/filter.ts";
import { changes } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { present } from "#api/wire.ts";
import { patch } from "#api/write.ts";
import { TASK_LIST } from "#store/filter/lists.ts";
import { findTask, listTasks, type TaskWithLead } from "#store/leads/tasks.ts";
import { requireCampaign } from "#usecases/campaigns/campaigns.ts";
import { patchTask, requireTask } from "#usecases/leads/tasks.ts";
import { Task, TaskPage, TaskParams, TaskPatch, TaskQuery } from "./schema.ts";

export const taskRoutes = resource("leads", "/tasks")
  .get(
    "",
    async ({ env, caller, request }): Promise<Static<typeof TaskPage>> => {
      const query = readQuery(TaskQuery, request);
      if (isFiltered(query)) {
        const { rows, page } = await readFiltered(env, caller, TASK_LIST, query);
        const data = rows.flatMap(({ id }) => findTask(env.db, caller.teamId, id) ?? []).map(shown);
        return { data, ...page };
      }
      const { done, campaignId: id } = query;
      const campaignId = id === undefined ? undefined : requireCampaign(env, caller, id).id;
      const filter = defined({ done, campaignId });
      return cursorEnvelope(listTasks(env.db, caller.teamId, filter, rangeOf(query)), query, shown);
    },
    {
      response: { 200: TaskPage },
      detail: {
        summary: "List tasks",
        description: "Returns the steps of sequences that a person has to do, newest first.",
        "x-errors": [404],
        ...queryOf(TaskQuery),
      },
    },
  )
  .get(
    "/:id",
    (context) => {
      const row = requireTask(context.env, context.caller, context.params.id);
      return withEtag(context, shown(row), TaskPatch);
    },
    {
      params: TaskParams,
      response: { 200: Task },
      detail: { summary: "Get a task", description: "Returns one task." },
    },
  )
  .patch(
    "/:id",
    (context) => {
      const { env, caller, params, body } = context;
      return patch(
        context,
        TaskPatch,
        () => shown(requireTask(env, caller, params.id)),
        () => shown(patchTask(env, caller, params.id, body)),
      );
    },
    {
      ...changes(TaskPatch, Task),
      params: TaskParams,
      response: { 200: Task },
      detail: {
        ...DRY_RUN,
        summary: "Update a task",
        description:
          "Marks a task as done or skipped, after which the lead goes on to the next step, or " +
          "changes its note.",
      },
    },
  );

function shown(row: TaskWithLead) {
  return present(Task, { ...row, done: row.doneAt !== null });
}

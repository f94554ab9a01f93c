/** `/placement/schedules`: placement runs that begin by themselves every week. */

import { DRY_RUN, resource } from "#api/context.ts";
import { defined } from "#api/defined.ts";
import { withEtag } from "#api/etag.ts";
import { changes } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { envelope } from "#api/schema.ts";
import { type Inner, present, read } from "#api/wire.ts";
import { create, patch, remove } from "#api/write.ts";
import { schedulesOf } from "#store/placement/placement-schedules.ts";
import type { ScheduleRow } from "#store/tables/placement.ts";
import {
  createSchedule,
  deleteSchedule,
  patchSchedule,
  requireSchedule,
} from "#usecases/placement/placement-schedules.ts";
import {
  Schedule,
  ScheduleCreate,
  SchedulePage,
  ScheduleParams,
  SchedulePatch,
  ScheduleQuery,
} from "./schedule-schema.ts";

export const scheduleRoutes = resource("placement", "/placement/schedules")
  .get(
    "",
    ({ env, caller, request }) => {
      const query = readQuery(ScheduleQuery, request);
      const all = schedulesOf(env.db, caller.teamId);
      const rows = all.slice(query.offset, query.offset + query.limit);
      return envelope(rows.map(shown), all.length, query);
    },
    {
      response: { 200: SchedulePage },
      detail: {
        summary: "List placement schedules",
        description: "Returns the placement schedules, oldest first.",
        ...queryOf(ScheduleQuery),
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
          return shown(createSchedule(env, caller, fieldsOf(read(ScheduleCreate, body))));
        },
        ({ id }) => `/placement/schedules/${id}`,
      ),
    {
      body: ScheduleCreate,
      response: { 201: Schedule },
      detail: {
        ...DRY_RUN,
        summary: "Create a placement schedule",
        description:
          "Starts a placement run every week. Without any fields it runs on Mondays at 6:00 UTC, " +
          "with all accounts and seeds.",
      },
    },
  )
  .get(
    "/:id",
    (context) => {
      const row = requireSchedule(context.env, context.caller, context.params.id);
      return withEtag(context, shown(row), SchedulePatch);
    },
    {
      params: ScheduleParams,
      response: { 200: Schedule },
      detail: {
        summary: "Get a placement schedule",
        description: "Returns one placement schedule.",
      },
    },
  )
  .patch(
    "/:id",
    (context) => {
      const { env, caller, params, body } = context;
      return patch(
        context,
        SchedulePatch,
        () => shown(requireSchedule(env, caller, params.id)),
        () => {
          const change = fieldsOf(read(SchedulePatch, body));
          return shown(patchSchedule(env, caller, params.id, change));
        },
      );
    },
    {
      ...changes(SchedulePatch, Schedule),
      params: ScheduleParams,
      response: { 200: Schedule },
      detail: {
        ...DRY_RUN,
        summary: "Update a placement schedule",
        description: "Changes the fields that you send.",
      },
    },
  )
  .delete(
    "/:id",
    (context) =>
      remove(context, () => deleteSchedule(context.env, context.caller, context.params.id)),
    {
      params: ScheduleParams,
      detail: {
        ...DRY_RUN,
        summary: "Delete a placement schedule",
        description: "Deletes a placement schedule. Its runs stay.",
      },
    },
  );

/** The campaign that the emails are taken from, which may change, is none that the row belongs to. */
function shown(row: ScheduleRow) {
  return present(Schedule, { ...row, campaignId: row.contentCampaignId });
}

function fieldsOf({ campaignId, ...fields }: Inner<typeof SchedulePatch>) {
  return { ...fields, ...defined({ contentCampaignId: campaignId }) };
}

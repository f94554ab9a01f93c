/** `/placement/schedules`: placement runs that begin by themselves every week. */

import { resource } from "#api/context.ts";
import { defined } from "#api/defined.ts";
import { tagged } from "#api/etag.ts";
import { changes } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { envelope, IdParams } from "#api/schema.ts";
import { type Inner, present, read } from "#api/wire.ts";
import { create, patch, remove } from "#api/write.ts";
import { schedulesOf } from "#store/placement/placement-schedules.ts";
import type { ScheduleRow } from "#store/tables/placement.ts";
import {
  createSchedule,
  deleteSchedule,
  ownSchedule,
  patchSchedule,
} from "#usecases/placement/placement-schedules.ts";
import {
  Schedule,
  ScheduleCreate,
  SchedulePage,
  SchedulePatch,
  ScheduleQuery,
} from "./schedule-schema.ts";

export const scheduleRoutes = resource("placement", "/placement/schedules")
  .get(
    "",
    ({ world, caller, request }) => {
      const query = readQuery(ScheduleQuery, request);
      const all = schedulesOf(world.db, caller.teamId);
      const rows = all.slice(query.offset, query.offset + query.limit);
      return envelope(rows.map(shown), all.length, query);
    },
    {
      response: { 200: SchedulePage },
      detail: { summary: "List placement schedules, oldest first", ...queryOf(ScheduleQuery) },
    },
  )
  .post(
    "",
    (context) =>
      create(
        context,
        () => {
          const { world, caller, body } = context;
          return shown(createSchedule(world, caller, fieldsOf(read(ScheduleCreate, body))));
        },
        ({ id }) => `/placement/schedules/${id}`,
      ),
    {
      body: ScheduleCreate,
      response: { 201: Schedule },
      detail: { summary: "Begin a placement run every week" },
    },
  )
  .get(
    "/:id",
    (context) => {
      const row = ownSchedule(context.world, context.caller, context.params.id);
      return tagged(context, shown(row), SchedulePatch);
    },
    { params: IdParams, response: { 200: Schedule }, detail: { summary: "A placement schedule" } },
  )
  .patch(
    "/:id",
    (context) => {
      const { world, caller, params, body } = context;
      return patch(
        context,
        SchedulePatch,
        () => shown(ownSchedule(world, caller, params.id)),
        () => {
          const change = fieldsOf(read(SchedulePatch, body));
          return shown(patchSchedule(world, caller, params.id, change));
        },
      );
    },
    {
      ...changes(SchedulePatch, Schedule),
      params: IdParams,
      response: { 200: Schedule },
      detail: { summary: "Change a placement schedule" },
    },
  )
  .delete(
    "/:id",
    (context) =>
      remove(context, () => deleteSchedule(context.world, context.caller, context.params.id)),
    { params: IdParams, detail: { summary: "Delete a placement schedule; its runs stay" } },
  );

/** The campaign that the mails are taken from, which may change, is none that the row belongs to. */
function shown(row: ScheduleRow) {
  return present(Schedule, { ...row, campaignId: row.contentCampaignId });
}

function fieldsOf({ campaignId, ...fields }: Inner<typeof SchedulePatch>) {
  return { ...fields, ...defined({ contentCampaignId: campaignId }) };
}

/** `/placement/schedules`: placement runs that begin by themselves every week. */

import { resource } from "#api/context.ts";
import { checkMatch, tagged } from "#api/etag.ts";
import { checkIdentity, dropReadOnly } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { envelope, IdParams } from "#api/schema.ts";
import { create, patch, remove } from "#api/write.ts";
import { schedulesOf } from "#store/placement/placement-schedules.ts";
import {
  createSchedule,
  deleteSchedule,
  ownSchedule,
  patchSchedule,
} from "#usecases/placement/placement-schedules.ts";
import {
  presentSchedule,
  readSchedule,
  SCHEDULE_READ_ONLY,
  SCHEDULE_SETTABLE,
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
      return envelope(rows.map(presentSchedule), all.length, query);
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
          return presentSchedule(createSchedule(world, caller, readSchedule(body)));
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
      return tagged(context, presentSchedule(row), SCHEDULE_SETTABLE);
    },
    { params: IdParams, response: { 200: Schedule }, detail: { summary: "A placement schedule" } },
  )
  .patch(
    "/:id",
    (context) =>
      patch(
        context,
        () => {
          const { world, caller, params, body, state, request } = context;
          const before = presentSchedule(ownSchedule(world, caller, params.id));
          checkIdentity(state, before);
          checkMatch(request, before, SCHEDULE_SETTABLE);
          return presentSchedule(patchSchedule(world, caller, params.id, readSchedule(body)));
        },
        SCHEDULE_SETTABLE,
      ),
    {
      params: IdParams,
      body: SchedulePatch,
      transform: dropReadOnly(SCHEDULE_READ_ONLY, SCHEDULE_SETTABLE),
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

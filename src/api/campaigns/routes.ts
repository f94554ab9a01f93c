/** `/campaigns`. HTTP only: pick what the use case needs, call it, present what it returns. */

import type { Static } from "@sinclair/typebox";
import { PLAN_LIMITED, resource } from "#api/context.ts";
import { defined } from "#api/defined.ts";
import { tagged } from "#api/etag.ts";
import { changes } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { envelope, IdParams } from "#api/schema.ts";
import { present, read } from "#api/wire.ts";
import { act, create, patch, remove } from "#api/write.ts";
import { totalOnHold } from "#domain/campaigns/campaign.ts";
import { listCampaigns } from "#store/campaigns/campaigns.ts";
import { countInFlight } from "#store/sending/messages.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import {
  createCampaign,
  deleteCampaign,
  moveCampaign,
  ownCampaign,
  patchCampaign,
} from "#usecases/campaigns/campaigns.ts";
import { sendingStatus as sendingStatusOf } from "#usecases/forecast/forecast.ts";
import type { World } from "#world.ts";
import {
  Campaign,
  CampaignChanged,
  CampaignCreate,
  CampaignDetail,
  CampaignPage,
  CampaignPatch,
  CampaignQuery,
} from "./schema.ts";

export const campaignRoutes = resource("campaigns", "/campaigns")
  .get(
    "",
    ({ world, caller, request }) => {
      const query = readQuery(CampaignQuery, request);
      const { rows, total } = listCampaigns(world.db, caller.teamId, query);
      return envelope(rows.map(shown), total, query);
    },
    {
      response: { 200: CampaignPage },
      detail: { summary: "List campaigns, newest first", ...queryOf(CampaignQuery) },
    },
  )
  .post(
    "",
    (context) =>
      create(
        context,
        () => {
          const input = fieldsOf(read(CampaignCreate, context.body));
          return shown(createCampaign(context.world, context.caller, input));
        },
        ({ id }) => `/campaigns/${id}`,
      ),
    {
      body: CampaignCreate,
      response: { 201: Campaign },
      detail: { summary: "Create a draft campaign" },
    },
  )
  .get(
    "/:id",
    async (context) => {
      const { world, caller, params, request, state } = context;
      const row = ownCampaign(world, caller, params.id);
      state.neverIdle();
      const { status: sendingStatus, nextSendAt } = await sendingStatusOf(
        world,
        row,
        request.signal,
      );
      const detail = { ...campaignOf(row), sendingStatus, nextSendAt };
      return tagged(context, present(CampaignDetail, detail), CampaignPatch);
    },
    {
      params: IdParams,
      response: { 200: CampaignDetail },
      detail: { summary: "A campaign, whether it is sending, and how many leads are on hold" },
    },
  )
  .patch(
    "/:id",
    (context) => {
      const { world, caller, params, body } = context;
      return patch(
        context,
        CampaignPatch,
        () => shown(ownCampaign(world, caller, params.id)),
        ({ status }) => {
          const change = fieldsOf(read(CampaignPatch, body));
          const row = patchCampaign(world, caller, params.id, change);
          return row.status === status ? shown(row) : moved(world, row);
        },
      );
    },
    {
      ...changes(CampaignPatch, CampaignDetail, CampaignChanged),
      params: IdParams,
      response: { 200: CampaignChanged },
      detail: {
        summary: "Change a campaign, or start, pause or archive it by its status",
        ...PLAN_LIMITED,
      },
    },
  )
  .delete(
    "/:id",
    (context) =>
      remove(context, () => deleteCampaign(context.world, context.caller, context.params.id)),
    { params: IdParams, detail: { summary: "Delete a draft" } },
  )
  .post(
    "/:id/start",
    (context) =>
      act(context, () => {
        const { world, caller, params } = context;
        return shown(moveCampaign(world, caller, params.id, "active", "draft"));
      }),
    {
      params: IdParams,
      response: { 200: CampaignChanged },
      detail: { summary: "Start a draft", ...PLAN_LIMITED },
    },
  )
  .post(
    "/:id/pause",
    (context) =>
      act(context, () => {
        const { world, caller, params } = context;
        return moved(world, moveCampaign(world, caller, params.id, "paused", "active"));
      }),
    { params: IdParams, response: { 200: CampaignChanged }, detail: { summary: "Pause" } },
  )
  .post(
    "/:id/resume",
    (context) =>
      act(context, () => {
        const { world, caller, params } = context;
        return shown(moveCampaign(world, caller, params.id, "active", "paused"));
      }),
    {
      params: IdParams,
      response: { 200: CampaignChanged },
      detail: { summary: "Resume", ...PLAN_LIMITED },
    },
  )
  .post(
    "/:id/archive",
    (context) =>
      act(context, () => {
        const { world, caller, params } = context;
        return moved(world, moveCampaign(world, caller, params.id, "archived"));
      }),
    { params: IdParams, response: { 200: CampaignChanged }, detail: { summary: "Archive" } },
  );

function shown(row: CampaignRow) {
  return present(Campaign, campaignOf(row));
}

/** After its status was changed: with the emails that a stop came too late for. */
function moved({ db }: World, row: CampaignRow): Static<typeof CampaignChanged> {
  const { id: campaignId, teamId, status } = row;
  return status === "paused" || status === "archived"
    ? { ...shown(row), in_flight: countInFlight(db, teamId, { campaignId }) }
    : shown(row);
}

const NOBODY_ON_HOLD = {
  missing_variable: 0,
  unknown_send: 0,
  task: 0,
  account_gone: 0,
  planning_failed: 0,
};

function campaignOf(row: CampaignRow) {
  return {
    ...row,
    tracking: { opens: row.trackOpens, clicks: row.trackClicks },
    onHold: { total: totalOnHold(row.onHold), ...NOBODY_ON_HOLD, ...row.onHold },
  };
}

/** Wire to use case: only what was given. */
function fieldsOf<Given extends { tracking?: { opens?: boolean; clicks?: boolean } }>(
  given: Given,
) {
  const { tracking, ...fields } = given;
  return { ...fields, ...defined({ trackOpens: tracking?.opens, trackClicks: tracking?.clicks }) };
}

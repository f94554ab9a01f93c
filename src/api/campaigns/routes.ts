/** `/campaigns`. HTTP only: pick what the use case needs, call it, present what it returns. */

import { PLAN_LIMITED, resource } from "#api/context.ts";
import { checkMatch, tagged } from "#api/etag.ts";
import { checkIdentity, dropReadOnly } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { envelope, IdParams } from "#api/schema.ts";
import { act, create, patch, remove } from "#api/write.ts";
import { listCampaigns } from "#store/campaigns/campaigns.ts";
import {
  createCampaign,
  deleteCampaign,
  moveCampaign,
  ownCampaign,
  patchCampaign,
} from "#usecases/campaigns/campaigns.ts";
import { sendingStatus } from "#usecases/forecast/forecast.ts";
import {
  CAMPAIGN_READ_ONLY,
  CAMPAIGN_SETTABLE,
  Campaign,
  CampaignChanged,
  CampaignCreate,
  CampaignDetail,
  CampaignPage,
  CampaignPatch,
  CampaignQuery,
  presentCampaign,
  presentChanged,
  presentDetail,
  readCampaign,
} from "./schema.ts";

export const campaignRoutes = resource("campaigns", "/campaigns")
  .get(
    "",
    ({ world, caller, request }) => {
      const query = readQuery(CampaignQuery, request);
      const { rows, total } = listCampaigns(world.db, caller.teamId, query);
      return envelope(rows.map(presentCampaign), total, query);
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
          const input = { ...readCampaign(context.body), name: context.body.name };
          return presentCampaign(createCampaign(context.world, context.caller, input));
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
      const sending = await sendingStatus(world, row, request.signal);
      return tagged(context, presentDetail(row, sending), CAMPAIGN_SETTABLE);
    },
    {
      params: IdParams,
      response: { 200: CampaignDetail },
      detail: { summary: "A campaign, whether it is sending, and how many leads are on hold" },
    },
  )
  .patch(
    "/:id",
    (context) =>
      patch(
        context,
        () => {
          const { world, caller, params, body, state, request } = context;
          const before = presentCampaign(ownCampaign(world, caller, params.id));
          checkIdentity(state, before);
          checkMatch(request, before, CAMPAIGN_SETTABLE);
          const status = body.status === undefined ? {} : { status: body.status };
          const change = { ...readCampaign(body), ...status };
          const row = patchCampaign(world, caller, params.id, change);
          return presentChanged(
            world.db,
            row,
            row.status === before.status ? undefined : row.status,
          );
        },
        CAMPAIGN_SETTABLE,
      ),
    {
      params: IdParams,
      body: CampaignPatch,
      transform: dropReadOnly(CAMPAIGN_READ_ONLY),
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
        return presentCampaign(moveCampaign(world, caller, params.id, "active", "draft"));
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
        const row = moveCampaign(world, caller, params.id, "paused", "active");
        return presentChanged(world.db, row, "paused");
      }),
    { params: IdParams, response: { 200: CampaignChanged }, detail: { summary: "Pause" } },
  )
  .post(
    "/:id/resume",
    (context) =>
      act(context, () => {
        const { world, caller, params } = context;
        return presentCampaign(moveCampaign(world, caller, params.id, "active", "paused"));
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
        const row = moveCampaign(world, caller, params.id, "archived");
        return presentChanged(world.db, row, "archived");
      }),
    { params: IdParams, response: { 200: CampaignChanged }, detail: { summary: "Archive" } },
  );

/** `/campaigns`. HTTP only: pick what the use case needs, call it, present what it returns. */

import type { Static } from "@sinclair/typebox";
import { DRY_RUN, PLAN_LIMITED, resource } from "#api/context.ts";
import { defined } from "#api/defined.ts";
import { withEtag } from "#api/etag.ts";
import { isFiltered, readFiltered } from "#api/filter.ts";
import { foresee } from "#api/foresee.ts";
import { changes } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { envelope } from "#api/schema.ts";
import { present, read } from "#api/wire.ts";
import { act, actLater, create, patch, remove } from "#api/write.ts";
import { plus, totalOnHold } from "#domain/campaigns/campaign.ts";
import { HOLD_REASONS } from "#domain/campaigns/enrollment.ts";
import type { Environment } from "#environment.ts";
import { listCampaigns } from "#store/campaigns/campaigns.ts";
import { CAMPAIGN_LIST } from "#store/filter/lists.ts";
import { countInFlight } from "#store/sending/messages.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import {
  createCampaign,
  moveCampaign,
  patchCampaign,
  requireCampaign,
} from "#usecases/campaigns/campaigns.ts";
import { whileLeaving } from "#usecases/campaigns/leaving.ts";
import { sendingStatus as sendingStatusOf } from "#usecases/forecast/forecast.ts";
import {
  deleteCampaign,
  emptyDraft,
  requireDraft,
  restoreCampaign,
} from "#usecases/operations/campaign-removal.ts";
import {
  Campaign,
  CampaignChanged,
  CampaignCreate,
  CampaignDetail,
  CampaignPage,
  CampaignParams,
  CampaignPatch,
  CampaignQuery,
  CampaignStart,
} from "./schema.ts";
import { tagOf, tagTerm } from "./tags/routes.ts";

export const campaignRoutes = resource("campaigns", "/campaigns")
  .get(
    "",
    async ({ env, caller, request }): Promise<Static<typeof CampaignPage>> => {
      const { tag: given, ...query } = readQuery(CampaignQuery, request);
      const tag = tagOf(given);
      if (isFiltered(query) || query.after !== undefined) {
        const { status, filter = "", ...rest } = query;
        const all = `${status === undefined ? "" : `status:${status} `}${tagTerm(tag)}${filter}`;
        const found = await readFiltered(env, caller, CAMPAIGN_LIST, { ...rest, filter: all });
        return { data: found.rows.map(presentCampaign), ...found.page };
      }
      const filter = { ...query, ...defined({ tag }) };
      const { rows, total } = listCampaigns(env.db, caller.teamId, filter);
      return envelope(rows.map(presentCampaign), total, query);
    },
    {
      response: { 200: CampaignPage },
      detail: {
        summary: "List campaigns",
        description: "Returns the team's campaigns, newest first.",
        ...queryOf(CampaignQuery),
      },
    },
  )
  .post(
    "",
    (context) =>
      create(
        context,
        () => {
          const input = fieldsOf(read(CampaignCreate, context.body));
          return presentCampaign(createCampaign(context.env, context.caller, input));
        },
        ({ id }) => `/campaigns/${id}`,
      ),
    {
      body: CampaignCreate,
      response: { 201: Campaign },
      detail: {
        ...DRY_RUN,
        summary: "Create a campaign",
        description:
          "Creates a draft. Only `name` is required. Add steps and leads, then start it.",
      },
    },
  )
  .get(
    "/:id",
    async (context) => {
      const { env, caller, params, request, state } = context;
      const row = requireCampaign(env, caller, params.id);
      state.disableIdleTimeout();
      const { status: sendingStatus, nextSendAt } = await sendingStatusOf(env, row, request.signal);
      const detail = { ...campaignOf(row), sendingStatus, nextSendAt };
      return withEtag(context, present(CampaignDetail, detail), CampaignPatch);
    },
    {
      params: CampaignParams,
      response: { 200: CampaignDetail },
      detail: {
        summary: "Get a campaign",
        description:
          "Returns the campaign, how many of its leads are on hold, and in `sending_status` whether " +
          "it is sending now or what it is waiting for.",
      },
    },
  )
  .patch(
    "/:id",
    (context) => {
      const { env, caller, params, body } = context;
      return foresee(context, () =>
        patch(
          context,
          CampaignPatch,
          () => presentCampaign(requireCampaign(env, caller, params.id)),
          ({ status }) => {
            const change = fieldsOf(read(CampaignPatch, body));
            const row = patchCampaign(env, caller, params.id, change);
            return row.status === status ? presentCampaign(row) : moved(env, row);
          },
        ),
      );
    },
    {
      ...changes(CampaignPatch, CampaignDetail, CampaignChanged),
      params: CampaignParams,
      response: { 200: CampaignChanged },
      detail: {
        ...DRY_RUN,
        summary: "Update a campaign",
        description:
          "Changes the fields that you send. Setting `status` starts, pauses, resumes, archives or " +
          "unarchives the campaign; a transition that its current status does not allow is refused " +
          "with 409.",
        ...PLAN_LIMITED,
      },
    },
  )
  .delete(
    "/:id",
    async (context) => {
      const { env, caller, params, state } = context;
      if (state.isDryRun) {
        return await remove(context, () => requireDraft(env, caller, params.id));
      }
      return await whileLeaving(env, params.id, async () => {
        if (state.within === undefined) {
          await emptyDraft(env, caller, params.id);
        }
        return await remove(context, () => deleteCampaign(env, caller, params.id));
      });
    },
    {
      params: CampaignParams,
      detail: {
        ...DRY_RUN,
        summary: "Delete a campaign",
        description:
          "Deletes a draft with its steps and enrollments; its leads stay. It can be restored for 30 days. Archive a " +
          "campaign that was started: it is refused here with 409.",
      },
    },
  )
  .post(
    "/:id/restore",
    (context) =>
      actLater(context, async () => {
        const { env, caller, params } = context;
        return presentCampaign(await restoreCampaign(env, caller, params.id));
      }),
    {
      params: CampaignParams,
      response: { 200: Campaign },
      detail: {
        summary: "Restore a campaign",
        "x-errors": [409],
        description:
          "Brings back a campaign that was deleted in the last 30 days, as the draft that it was, with its steps, " +
          "enrollments, tags, and experiments. Leads that were suppressed meanwhile are suppressed in it, and people " +
          "who were erased are gone. A campaign that isn't deleted is returned as it is.",
      },
    },
  )
  .post(
    "/:id/start",
    (context) =>
      foresee(context, () =>
        act(context, () => {
          const { env, caller, params, body } = context;
          const delay = body?.delay_seconds ?? 0;
          return presentCampaign(moveCampaign(env, caller, params.id, "active", "draft", delay));
        }),
      ),
    {
      params: CampaignParams,
      body: CampaignStart,
      response: { 200: CampaignChanged },
      detail: {
        ...DRY_RUN,
        summary: "Start a campaign",
        description:
          "Moves a draft to `active`. Refused with 422, naming the field, while the launch check " +
          "finds a problem.",
        "x-optional-body": true,
        ...PLAN_LIMITED,
      },
    },
  )
  .post(
    "/:id/pause",
    (context) =>
      foresee(context, () =>
        act(context, () => {
          const { env, caller, params } = context;
          return moved(env, moveCampaign(env, caller, params.id, "paused", "active"));
        }),
      ),
    {
      params: CampaignParams,
      response: { 200: CampaignChanged },
      detail: {
        ...DRY_RUN,
        summary: "Pause a campaign",
        description:
          "Stops sending before the next email. `in_flight` counts the emails that it was too late " +
          "to stop.",
      },
    },
  )
  .post(
    "/:id/resume",
    (context) =>
      foresee(context, () =>
        act(context, () => {
          const { env, caller, params } = context;
          return presentCampaign(moveCampaign(env, caller, params.id, "active", "paused"));
        }),
      ),
    {
      params: CampaignParams,
      response: { 200: CampaignChanged },
      detail: {
        ...DRY_RUN,
        summary: "Resume a campaign",
        description:
          "Moves a paused campaign back to `active`. Leads go on from where they were, at the usual " +
          "pace.",
        ...PLAN_LIMITED,
      },
    },
  )
  .post(
    "/:id/archive",
    (context) =>
      act(context, () => {
        const { env, caller, params } = context;
        return moved(env, moveCampaign(env, caller, params.id, "archived"));
      }),
    {
      params: CampaignParams,
      response: { 200: CampaignChanged },
      detail: {
        ...DRY_RUN,
        summary: "Archive a campaign",
        description:
          "Stops sending and moves the campaign to `archived`. Setting its `status` to `paused` " +
          "brings it back.",
      },
    },
  );

export function presentCampaign(row: CampaignRow) {
  return present(Campaign, campaignOf(row));
}

/** After its status was changed: with the emails that a stop came too late for. */
function moved({ db }: Environment, row: CampaignRow): Static<typeof CampaignChanged> {
  const { id: campaignId, teamId, status } = row;
  return status === "paused" || status === "archived"
    ? { ...presentCampaign(row), in_flight: countInFlight(db, teamId, { campaignId }) }
    : presentCampaign(row);
}

const NOBODY_ON_HOLD = plus(HOLD_REASONS, {});

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

/** `/campaigns/{id}/steps`. */

import { type Static, Type } from "@sinclair/typebox";
import { CampaignParams } from "#api/campaigns/schema.ts";
import { IN_BATCH, resource } from "#api/context.ts";
import { checkMatch, withEtag } from "#api/etag.ts";
import { idempotencyKey } from "#api/idempotency-key.ts";
import { changes, checkIdentity } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { Shape } from "#api/schema.ts";
import { present, read } from "#api/wire.ts";
import { create, patch, remove } from "#api/write.ts";
import { stepsOf } from "#store/campaigns/steps.ts";
import type { StepRow } from "#store/tables/campaigns.ts";
import { requireCampaign } from "#usecases/campaigns/campaigns.ts";
import { stepWarning } from "#usecases/campaigns/launch.ts";
import { type ForeseenStep, foreseeStep } from "#usecases/leads/step-effects.ts";
import { createStep, deleteStep, patchStep, requireStep } from "#usecases/leads/steps.ts";
import {
  Step,
  StepCreate,
  StepList,
  StepMade,
  StepParams,
  StepPatch,
  StepQuery,
} from "./schema.ts";

const NoQuery = Shape({});

export const stepRoutes = resource("campaigns", "/campaigns/:id/steps")
  .get(
    "",
    ({ env, caller, params, request }) => {
      readQuery(NoQuery, request);
      const campaign = requireCampaign(env, caller, params.id);
      return { data: stepsOf(env.db, campaign.id).map((row) => present(Step, row)) };
    },
    {
      params: CampaignParams,
      response: { 200: StepList },
      detail: {
        ...IN_BATCH,
        summary: "List steps",
        description: "Returns the steps of a campaign in the order in which they are sent.",
        ...queryOf(NoQuery),
      },
    },
  )
  .post(
    "",
    (context) => {
      const { env, caller, params, body, request } = context;
      const input = read(StepCreate, body);
      if (readQuery(StepQuery, request).dryRun === true) {
        // Nothing is kept under it, and what the real change refuses is refused here too.
        idempotencyKey(request);
        const change = { kind: "create", input } as const;
        return foreseen(foreseeStep(env, caller, params.id, change));
      }
      return create<StepMade>(
        context,
        () => made(createStep(env, caller, params.id, input)),
        (step) => `/campaigns/${step.campaign_id}/steps/${step.id}`,
      );
    },
    {
      params: CampaignParams,
      body: StepCreate,
      response: { 200: StepMade, 201: StepMade },
      detail: {
        ...IN_BATCH,
        summary: "Create a step",
        description:
          "Adds a step at `position`, or at the end. With `dry_run` nothing is stored, and the " +
          "response is 200 with the leads that the new step would affect.",
        ...queryOf(StepQuery),
      },
    },
  )
  .get(
    "/:stepId",
    (context) => {
      const { env, caller, params } = context;
      const row = requireStep(env, caller, params.id, params.stepId);
      return withEtag(context, present(Step, row), StepPatch);
    },
    {
      params: StepParams,
      response: { 200: Step },
      detail: {
        ...IN_BATCH,
        summary: "Get a step",
        description: "Returns one step of a campaign.",
      },
    },
  )
  .patch(
    "/:stepId",
    (context) => {
      const { env, caller, params, body, state, request } = context;
      const shown = () => present(Step, requireStep(env, caller, params.id, params.stepId));
      if (readQuery(StepQuery, request).dryRun === true) {
        const before = shown();
        checkIdentity(state, before);
        checkMatch(request, before, StepPatch);
        const change = { kind: "patch", id: params.stepId, patch: read(StepPatch, body) } as const;
        return foreseen(foreseeStep(env, caller, params.id, change));
      }
      return patch<Static<typeof Step>, StepMade>(context, StepPatch, shown, () => {
        const change = read(StepPatch, body);
        return made(patchStep(env, caller, params.id, params.stepId, change));
      });
    },
    {
      ...changes(StepPatch, Step),
      params: StepParams,
      response: { 200: StepMade },
      detail: {
        ...IN_BATCH,
        summary: "Update a step",
        description:
          "Changes the fields that you send; a new `position` moves the step and shifts the others. " +
          "Emails already sent stay as they are. With `dry_run` nothing is stored, and the response " +
          "lists the leads that the change would affect.",
        ...queryOf(StepQuery),
      },
    },
  )
  .delete(
    "/:stepId",
    (context) => {
      const { env, caller, params, request } = context;
      if (readQuery(StepQuery, request).dryRun === true) {
        const change = { kind: "delete", id: params.stepId } as const;
        return foreseen(foreseeStep(env, caller, params.id, change));
      }
      return remove(context, () => deleteStep(env, caller, params.id, params.stepId));
    },
    {
      params: StepParams,
      response: { 200: StepMade, 204: Type.Void() },
      detail: {
        ...IN_BATCH,
        summary: "Delete a step",
        description:
          "Deletes a step; the later ones move up. With `dry_run` nothing is deleted, and the " +
          "response is 200 with the leads that it would affect.",
        ...queryOf(StepQuery),
      },
    },
  );

/** What a change answers. */
function made(row: StepRow): StepMade {
  return { ...present(Step, row), ...warned(row) };
}

function warned(row: StepRow): { warning?: string } {
  const warning = stepWarning(row);
  return warning === null ? {} : { warning };
}

/** What a dry run answers. */
function foreseen({ row, groups }: ForeseenStep): StepMade {
  const leads = groups.reduce((sum, group) => sum + group.leads, 0);
  return { ...present(StepMade, { ...row, effects: { leads, groups } }), ...warned(row) };
}

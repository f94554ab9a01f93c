/** `/campaigns/{id}/steps`. */

import { resource } from "#api/context.ts";
import { checkMatch, tagged } from "#api/etag.ts";
import { checkIdentity, dropReadOnly } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { IdParams, Shape } from "#api/schema.ts";
import { create, patch, remove } from "#api/write.ts";
import { stepsOf } from "#store/steps.ts";
import { ownCampaign } from "#usecases/campaigns.ts";
import { createStep, deleteStep, ownStep, patchStep } from "#usecases/steps.ts";
import {
  presentStep,
  readStep,
  STEP_READ_ONLY,
  STEP_SETTABLE,
  Step,
  StepCreate,
  StepList,
  StepParams,
  StepPatch,
} from "./schema.ts";

const NoQuery = Shape({});

export const stepRoutes = resource("campaigns", "/campaigns/:id/steps")
  .get(
    "",
    ({ world, caller, params, request }) => {
      readQuery(NoQuery, request);
      const campaign = ownCampaign(world, caller, params.id);
      return { data: stepsOf(world.db, campaign.id).map(presentStep) };
    },
    {
      params: IdParams,
      response: { 200: StepList },
      detail: { summary: "List the steps of a campaign in order", ...queryOf(NoQuery) },
    },
  )
  .post(
    "",
    (context) =>
      create(
        context,
        () => {
          const { world, caller, params, body } = context;
          const input = { ...readStep(body), type: body.type };
          return presentStep(createStep(world, caller, params.id, input));
        },
        (step) => `/campaigns/${step.campaign_id}/steps/${step.id}`,
      ),
    {
      params: IdParams,
      body: StepCreate,
      response: { 201: Step },
      detail: { summary: "Add a step, at the end unless a position is given" },
    },
  )
  .get(
    "/:stepId",
    (context) => {
      const { world, caller, params } = context;
      const row = ownStep(world, caller, params.id, params.stepId);
      return tagged(context, presentStep(row), STEP_SETTABLE);
    },
    { params: StepParams, response: { 200: Step }, detail: { summary: "A step" } },
  )
  .patch(
    "/:stepId",
    (context) =>
      patch(
        context,
        () => {
          const { world, caller, params, body, state, request } = context;
          const before = presentStep(ownStep(world, caller, params.id, params.stepId));
          checkIdentity(state, before);
          checkMatch(request, before, STEP_SETTABLE);
          return presentStep(patchStep(world, caller, params.id, params.stepId, readStep(body)));
        },
        STEP_SETTABLE,
      ),
    {
      params: StepParams,
      body: StepPatch,
      transform: dropReadOnly(STEP_READ_ONLY),
      response: { 200: Step },
      detail: { summary: "Change or move a step" },
    },
  )
  .delete(
    "/:stepId",
    (context) =>
      remove(context, () => {
        const { world, caller, params } = context;
        deleteStep(world, caller, params.id, params.stepId);
      }),
    { params: StepParams, detail: { summary: "Delete a step; the later ones move up" } },
  );

/** `/campaigns/{id}/steps`. */

import { type Static, Type } from "@sinclair/typebox";
import { resource } from "#api/context.ts";
import { checkMatch, tagged } from "#api/etag.ts";
import { idempotencyKey } from "#api/idempotency-key.ts";
import { changes, checkIdentity } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { IdParams, Shape } from "#api/schema.ts";
import { present, read } from "#api/wire.ts";
import { create, patch, remove } from "#api/write.ts";
import { stepsOf } from "#store/campaigns/steps.ts";
import { ownCampaign } from "#usecases/campaigns/campaigns.ts";
import { type ForeseenStep, foreseeStep } from "#usecases/leads/step-effects.ts";
import { createStep, deleteStep, ownStep, patchStep } from "#usecases/leads/steps.ts";
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
    ({ world, caller, params, request }) => {
      readQuery(NoQuery, request);
      const campaign = ownCampaign(world, caller, params.id);
      return { data: stepsOf(world.db, campaign.id).map((row) => present(Step, row)) };
    },
    {
      params: IdParams,
      response: { 200: StepList },
      detail: { summary: "List the steps of a campaign in order", ...queryOf(NoQuery) },
    },
  )
  .post(
    "",
    (context) => {
      const { world, caller, params, body, request } = context;
      const input = read(StepCreate, body);
      if (readQuery(StepQuery, request).dryRun === true) {
        // Nothing is kept under it, and what the real change refuses is refused here too.
        idempotencyKey(request);
        const change = { kind: "create", input } as const;
        return foreseen(foreseeStep(world, caller, params.id, change));
      }
      return create<StepMade>(
        context,
        () => present(Step, createStep(world, caller, params.id, input)),
        (step) => `/campaigns/${step.campaign_id}/steps/${step.id}`,
      );
    },
    {
      params: IdParams,
      body: StepCreate,
      response: { 200: StepMade, 201: StepMade },
      detail: {
        summary: "Add a step, at the end unless a position is given; 200 after a dry run",
        ...queryOf(StepQuery),
      },
    },
  )
  .get(
    "/:stepId",
    (context) => {
      const { world, caller, params } = context;
      const row = ownStep(world, caller, params.id, params.stepId);
      return tagged(context, present(Step, row), StepPatch);
    },
    { params: StepParams, response: { 200: Step }, detail: { summary: "A step" } },
  )
  .patch(
    "/:stepId",
    (context) => {
      const { world, caller, params, body, state, request } = context;
      const shown = () => present(Step, ownStep(world, caller, params.id, params.stepId));
      if (readQuery(StepQuery, request).dryRun === true) {
        const before = shown();
        checkIdentity(state, before);
        checkMatch(request, before, StepPatch);
        const change = { kind: "patch", id: params.stepId, patch: read(StepPatch, body) } as const;
        return foreseen(foreseeStep(world, caller, params.id, change));
      }
      return patch<Static<typeof Step>, StepMade>(context, StepPatch, shown, () => {
        const change = read(StepPatch, body);
        return present(Step, patchStep(world, caller, params.id, params.stepId, change));
      });
    },
    {
      ...changes(StepPatch, Step),
      params: StepParams,
      response: { 200: StepMade },
      detail: { summary: "Change or move a step", ...queryOf(StepQuery) },
    },
  )
  .delete(
    "/:stepId",
    (context) => {
      const { world, caller, params, request } = context;
      if (readQuery(StepQuery, request).dryRun === true) {
        const change = { kind: "delete", id: params.stepId } as const;
        return foreseen(foreseeStep(world, caller, params.id, change));
      }
      return remove(context, () => deleteStep(world, caller, params.id, params.stepId));
    },
    {
      params: StepParams,
      response: { 200: StepMade, 204: Type.Void() },
      detail: {
        summary: "Delete a step; the later ones move up; 200 after a dry run",
        ...queryOf(StepQuery),
      },
    },
  );

/** What a dry run answers. */
function foreseen({ row, groups }: ForeseenStep): StepMade {
  const leads = groups.reduce((sum, group) => sum + group.leads, 0);
  return present(StepMade, { ...row, effects: { leads, groups } });
}

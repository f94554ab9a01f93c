/** `/experiments`: variants of a step against each other. */

import { PLAN_LIMITED, resource } from "#api/context.ts";
import { defined } from "#api/defined.ts";
import { tagged } from "#api/etag.ts";
import { changes } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { IdParams } from "#api/schema.ts";
import { read } from "#api/wire.ts";
import { act, create, patch } from "#api/write.ts";
import { listExperiments } from "#store/experiments/experiments.ts";
import { experimentHistory } from "#usecases/experiments/experiment-history.ts";
import {
  completeExperiment,
  moveExperiment,
  sendWinner,
} from "#usecases/experiments/experiment-moves.ts";
import { patchExperiment } from "#usecases/experiments/experiment-patch.ts";
import { planExperiment } from "#usecases/experiments/experiment-plan.ts";
import { resultsOf } from "#usecases/experiments/experiment-results.ts";
import { createExperiment, ownExperiment } from "#usecases/experiments/experiments.ts";
import { ExperimentHistory, presentHistory } from "./history-schema.ts";
import { presentDetail, presentExperiment, presentPlan, presentResults } from "./present.ts";
import {
  Completion,
  Experiment,
  ExperimentCreate,
  ExperimentDetail,
  ExperimentList,
  ExperimentPatch,
  ExperimentPlan,
  ExperimentQuery,
  ExperimentResults,
  PlanQuery,
  readVariants,
  withoutCounters,
} from "./schema.ts";

const changed = changes(ExperimentPatch, ExperimentDetail);

export const experimentRoutes = resource("experiments", "/experiments")
  .get(
    "",
    ({ world, caller, request }) => {
      const query = readQuery(ExperimentQuery, request);
      const filter = { ...query, ...defined({ campaignId: query.campaignId?.toLowerCase() }) };
      return listExperiments(world.db, caller.teamId, filter).map(presentExperiment);
    },
    {
      response: { 200: ExperimentList },
      detail: { summary: "List experiments, newest first", ...queryOf(ExperimentQuery) },
    },
  )
  .post(
    "",
    (context) =>
      create(
        context,
        () => {
          const { world, caller, body } = context;
          const input = {
            ...read(ExperimentCreate, body),
            campaignId: body.campaign_id.toLowerCase(),
            variants: readVariants(body.variants),
          };
          return presentExperiment(createExperiment(world, caller, input));
        },
        ({ id }) => `/experiments/${id}`,
      ),
    {
      body: ExperimentCreate,
      response: { 201: Experiment },
      detail: {
        summary: "Create an experiment; leads are assigned from then on",
        ...PLAN_LIMITED,
      },
    },
  )
  .get(
    "/plan",
    ({ world, caller, request }) => {
      const query = readQuery(PlanQuery, request);
      const windowDays = query.attributionWindowDays;
      const campaign = defined({ campaignId: query.campaignId?.toLowerCase() });
      return presentPlan(planExperiment(world, caller, { ...query, windowDays, ...campaign }));
    },
    {
      response: { 200: ExperimentPlan },
      detail: {
        summary: "What a list of leads can show, before anything is sent",
        ...queryOf(PlanQuery),
      },
    },
  )
  .get(
    "/:id",
    (context) => {
      const row = ownExperiment(context.world, context.caller, context.params.id);
      return tagged(context, presentDetail(resultsOf(context.world, row)), ExperimentPatch);
    },
    {
      params: IdParams,
      response: { 200: ExperimentDetail },
      detail: { summary: "An experiment with its variants" },
    },
  )
  .patch(
    "/:id",
    (context) => {
      const { world, caller, params, body } = context;
      return patch(
        context,
        ExperimentPatch,
        () => presentDetail(resultsOf(world, ownExperiment(world, caller, params.id))),
        () => {
          const { variants: _given, ...fields } = read(ExperimentPatch, body);
          const variants = body.variants && readVariants(body.variants);
          const change = { ...fields, ...defined({ variants }) };
          return presentDetail(resultsOf(world, patchExperiment(world, caller, params.id, change)));
        },
      );
    },
    {
      params: IdParams,
      body: changed.body,
      transform: (context) => {
        changed.transform(context);
        context.body = withoutCounters(context.body) as typeof context.body;
      },
      response: { 200: ExperimentDetail },
      detail: { summary: "Change an experiment, or move it by its status" },
    },
  )
  .get(
    "/:id/results",
    ({ world, caller, params }) =>
      presentResults(resultsOf(world, ownExperiment(world, caller, params.id))),
    {
      params: IdParams,
      response: { 200: ExperimentResults },
      detail: { summary: "What the numbers say; may be read every day" },
    },
  )
  .get(
    "/:id/history",
    ({ world, caller, params }) => presentHistory(experimentHistory(world, caller, params.id)),
    {
      params: IdParams,
      response: { 200: ExperimentHistory },
      detail: { summary: "What the mails of each day brought, and how leads were split" },
    },
  )
  .post(
    "/:id/pause",
    (context) =>
      act(context, () => {
        const { world, caller, params } = context;
        return presentExperiment(moveExperiment(world, caller, params.id, "pause"));
      }),
    {
      params: IdParams,
      response: { 200: Experiment },
      detail: { summary: "Assign nobody for now; leads get the step as it is" },
    },
  )
  .post(
    "/:id/resume",
    (context) =>
      act(context, () => {
        const { world, caller, params } = context;
        return presentExperiment(moveExperiment(world, caller, params.id, "resume"));
      }),
    { params: IdParams, response: { 200: Experiment }, detail: { summary: "Go on after a pause" } },
  )
  .post(
    "/:id/cancel",
    (context) =>
      act(context, () => {
        const { world, caller, params } = context;
        return presentExperiment(moveExperiment(world, caller, params.id, "cancel"));
      }),
    {
      params: IdParams,
      response: { 200: Experiment },
      detail: { summary: "End it without a verdict" },
    },
  )
  .post(
    "/:id/complete",
    (context) =>
      act(context, () => {
        const { world, caller, params, body } = context;
        const winner = body?.winner_variant_id;
        return presentExperiment(completeExperiment(world, caller, params.id, winner));
      }),
    {
      params: IdParams,
      body: Completion,
      response: { 200: Experiment },
      detail: {
        summary: "End it now, with this winner; without one whoever has won by now",
        "x-optional-body": true,
      },
    },
  )
  .post(
    "/:id/apply-winner",
    (context) =>
      act(context, () => {
        const { world, caller, params } = context;
        return presentExperiment(sendWinner(world, caller, params.id));
      }),
    {
      params: IdParams,
      response: { 200: Experiment },
      detail: { summary: "Send the winner to everyone: its content becomes the step's" },
    },
  );

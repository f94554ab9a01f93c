/** `/experiments`: variants of a step against each other. */

import { DRY_RUN, PLAN_LIMITED, resource } from "#api/context.ts";
import { defined } from "#api/defined.ts";
import { withEtag } from "#api/etag.ts";
import { changes } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { read } from "#api/wire.ts";
import { act, create, patch } from "#api/write.ts";
import { readSegmentKey } from "#domain/experiments/segment-keys.ts";
import { listExperiments } from "#store/experiments/experiments.ts";
import { experimentHistory } from "#usecases/experiments/experiment-history.ts";
import {
  applyWinnerNow,
  completeExperiment,
  moveExperiment,
} from "#usecases/experiments/experiment-moves.ts";
import { patchExperiment } from "#usecases/experiments/experiment-patch.ts";
import { planExperiment } from "#usecases/experiments/experiment-plan.ts";
import { resultsOf } from "#usecases/experiments/experiment-results.ts";
import { segmentSteps } from "#usecases/experiments/experiment-segments.ts";
import { createExperiment, requireExperiment } from "#usecases/experiments/experiments.ts";
import { foretell } from "#usecases/forecast/foresight.ts";
import { ExperimentHistory, presentHistory } from "./history-schema.ts";
import { ExperimentPlan, PlanQuery } from "./plan-schema.ts";
import { presentDetail, presentExperiment, presentPlan, presentResults } from "./present.ts";
import { ExperimentResults, ResultsQuery } from "./results-schema.ts";
import {
  Completion,
  Experiment,
  ExperimentCreate,
  ExperimentDetail,
  ExperimentList,
  ExperimentParams,
  ExperimentPatch,
  ExperimentQuery,
  readVariants,
  withoutCounters,
} from "./schema.ts";

const changed = changes(ExperimentPatch, ExperimentDetail);

export const experimentRoutes = resource("experiments", "/experiments")
  .get(
    "",
    ({ env, caller, request }) => {
      const query = readQuery(ExperimentQuery, request);
      const filter = { ...query, ...defined({ campaignId: query.campaignId?.toLowerCase() }) };
      return listExperiments(env.db, caller.teamId, filter).map(presentExperiment);
    },
    {
      response: { 200: ExperimentList },
      detail: {
        summary: "List experiments",
        description:
          "Returns the team's experiments, newest first: all of them, unless `limit` asks for a " +
          "page.",
        ...queryOf(ExperimentQuery),
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
          const input = {
            ...read(ExperimentCreate, body),
            campaignId: body.campaign_id.toLowerCase(),
            variants: readVariants(body.variants),
          };
          return presentExperiment(createExperiment(env, caller, input));
        },
        ({ id }) => `/experiments/${id}`,
      ),
    {
      body: ExperimentCreate,
      response: { 201: Experiment },
      detail: {
        ...DRY_RUN,
        summary: "Create an experiment",
        description:
          "Creates a running experiment. Leads are assigned to its variants when the step is next " +
          "sent to them.",
        ...PLAN_LIMITED,
      },
    },
  )
  .get(
    "/plan",
    ({ env, caller, request }) => {
      const query = readQuery(PlanQuery, request);
      const windowDays = query.attributionWindowDays;
      const campaign = defined({ campaignId: query.campaignId?.toLowerCase() });
      return presentPlan(planExperiment(env, caller, { ...query, windowDays, ...campaign }));
    },
    {
      response: { 200: ExperimentPlan },
      detail: {
        summary: "Plan an experiment",
        description:
          "Returns how large a difference a number of leads can show, before anything is sent.",
        ...queryOf(PlanQuery),
      },
    },
  )
  .get(
    "/:id",
    (context) => {
      const row = requireExperiment(context.env, context.caller, context.params.id);
      return withEtag(context, presentDetail(resultsOf(context.env, row)), ExperimentPatch);
    },
    {
      params: ExperimentParams,
      response: { 200: ExperimentDetail },
      detail: {
        summary: "Get an experiment",
        description:
          "Returns one experiment with its variants and how new leads are split between them.",
      },
    },
  )
  .patch(
    "/:id",
    (context) => {
      const { env, caller, params, body } = context;
      return patch(
        context,
        ExperimentPatch,
        () => presentDetail(resultsOf(env, requireExperiment(env, caller, params.id))),
        () => {
          const { variants: _given, ...fields } = read(ExperimentPatch, body);
          const variants = body.variants && readVariants(body.variants);
          const change = { ...fields, ...defined({ variants }) };
          return presentDetail(resultsOf(env, patchExperiment(env, caller, params.id, change)));
        },
      );
    },
    {
      params: ExperimentParams,
      body: changed.body,
      transform: (context) => {
        changed.transform(context);
        context.body = withoutCounters(context.body) as typeof context.body;
      },
      response: { 200: ExperimentDetail },
      detail: {
        ...DRY_RUN,
        summary: "Update an experiment",
        description:
          "Changes the fields that you send. Setting `status` pauses, resumes or cancels the " +
          "experiment.",
      },
    },
  )
  .get(
    "/:id/results",
    async ({ env, caller, params, request, state }) => {
      const { costPerLead, segmentBy } = readQuery(ResultsQuery, request);
      const row = requireExperiment(env, caller, params.id);
      state.disableIdleTimeout();
      const segments =
        segmentBy === undefined
          ? null
          : await foretell(env, {
              ...{ teamId: row.teamId, kind: "segments", signal: request.signal },
              about: { id: row.id, key: readSegmentKey(segmentBy) },
              ask: segmentSteps,
            });
      return presentResults(resultsOf(env, row), costPerLead, segments);
    },
    {
      params: ExperimentParams,
      response: { 200: ExperimentResults },
      detail: {
        summary: "Get an experiment's results",
        description:
          "Returns rates, significance and a recommendation. They stay valid however often you check.",
        ...queryOf(ResultsQuery),
      },
    },
  )
  .get(
    "/:id/history",
    ({ env, caller, params }) => presentHistory(experimentHistory(env, caller, params.id)),
    {
      params: ExperimentParams,
      response: { 200: ExperimentHistory },
      detail: {
        summary: "Get an experiment's history",
        description:
          "Returns what the emails of each day have brought, and how leads were split over time.",
      },
    },
  )
  .post(
    "/:id/pause",
    (context) =>
      act(context, () => {
        const { env, caller, params } = context;
        return presentExperiment(moveExperiment(env, caller, params.id, "pause"));
      }),
    {
      params: ExperimentParams,
      response: { 200: Experiment },
      detail: {
        ...DRY_RUN,
        summary: "Pause an experiment",
        description:
          "Stops assigning leads. Until it resumes, leads get the step as it is and are not " +
          "counted, and its clock is paused.",
      },
    },
  )
  .post(
    "/:id/resume",
    (context) =>
      act(context, () => {
        const { env, caller, params } = context;
        return presentExperiment(moveExperiment(env, caller, params.id, "resume"));
      }),
    {
      params: ExperimentParams,
      response: { 200: Experiment },
      detail: {
        ...DRY_RUN,
        summary: "Resume an experiment",
        description: "Assigns leads again after a pause.",
      },
    },
  )
  .post(
    "/:id/cancel",
    (context) =>
      act(context, () => {
        const { env, caller, params } = context;
        return presentExperiment(moveExperiment(env, caller, params.id, "cancel"));
      }),
    {
      params: ExperimentParams,
      response: { 200: Experiment },
      detail: {
        ...DRY_RUN,
        summary: "Cancel an experiment",
        description:
          "Ends the experiment without a winner. Leads get the step as it is from then on.",
      },
    },
  )
  .post(
    "/:id/complete",
    (context) =>
      act(context, () => {
        const { env, caller, params, body } = context;
        const winner = body?.winner_variant_id;
        return presentExperiment(completeExperiment(env, caller, params.id, winner));
      }),
    {
      params: ExperimentParams,
      body: Completion,
      response: { 200: Experiment },
      detail: {
        ...DRY_RUN,
        summary: "Complete an experiment",
        description:
          "Ends the experiment now, with the winner that you name, or else with the variant that " +
          "has won by now.",
        "x-optional-body": true,
      },
    },
  )
  .post(
    "/:id/apply-winner",
    (context) =>
      act(context, () => {
        const { env, caller, params } = context;
        return presentExperiment(applyWinnerNow(env, caller, params.id));
      }),
    {
      params: ExperimentParams,
      response: { 200: Experiment },
      detail: {
        ...DRY_RUN,
        summary: "Apply the winner",
        description:
          "Replaces the step's content with the winner's, so that everyone gets it from then on.",
      },
    },
  );

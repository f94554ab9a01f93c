/** `/experiments/{id}/share`: the link under which people without an account read an experiment's report. */

import { DRY_RUN, resource } from "#api/context.ts";
import { defined } from "#api/defined.ts";
import { present } from "#api/wire.ts";
import { act, remove } from "#api/write.ts";
import { shareExperiment, unshareExperiment } from "#usecases/experiments/experiment-share.ts";
import { ExperimentParams } from "./schema.ts";
import { ExperimentShare, ShareCreate } from "./share-schema.ts";

export const shareRoutes = resource("experiments", "/experiments")
  .post(
    "/:id/share",
    (context) =>
      act(context, () => {
        const { env, caller, params, body } = context;
        const given = defined({
          expiresInDays: body?.expires_in_days,
          includesTexts: body?.includes_texts,
        });
        return present(ExperimentShare, shareExperiment(env, caller, params.id, given));
      }),
    {
      params: ExperimentParams,
      body: ShareCreate,
      response: { 200: ExperimentShare },
      detail: {
        ...DRY_RUN,
        summary: "Share an experiment's report",
        description:
          "Makes a link under which anyone reads the report: counts, rates, the verdict, and the inputs of " +
          "each figure, without leads or addresses. It takes the place of the link before it.",
        "x-optional-body": true,
      },
    },
  )
  .delete(
    "/:id/share",
    (context) =>
      remove(context, () => {
        const { env, caller, params } = context;
        unshareExperiment(env, caller, params.id);
      }),
    {
      params: ExperimentParams,
      detail: {
        ...DRY_RUN,
        summary: "Revoke the link to an experiment's report",
        description: "The link stops working immediately.",
      },
    },
  );

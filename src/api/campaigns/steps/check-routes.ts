/** `/campaigns/{id}/steps/{stepId}/check`: what a step says, looked at before it is sent. */

import { resource } from "#api/context.ts";
import { defined } from "#api/defined.ts";
import { actLater } from "#api/write.ts";
import { checkStep } from "#usecases/sending/content-check.ts";
import { CheckBody, ContentCheck, presentCheck } from "./check-schema.ts";
import { StepParams } from "./schema.ts";

export const stepCheckRoutes = resource("campaigns", "/campaigns/:id/steps").post(
  "/:stepId/check",
  (context) =>
    actLater(context, async () => {
      const { env, caller, params, body } = context;
      const place = { campaignId: params.id, stepId: params.stepId };
      const { lead_id: leadId, links = true, ...words } = body ?? {};
      const input = { links, words: defined(words), ...defined({ leadId }) };
      return presentCheck(await checkStep(env, caller, place, input));
    }),
  {
    params: StepParams,
    body: CheckBody,
    response: { 200: ContentCheck },
    detail: {
      summary: "Check a step for spam",
      description:
        "Checks the wording of a step as one lead would receive it, requests its links, and asks " +
        "SpamAssassin where one is configured. Nothing is sent.",
      "x-optional-body": true,
    },
  },
);

/** `/campaigns/{id}/steps/{stepId}/send-test`: a step in the mailbox of whoever wants to see it. */

import { resource } from "#api/context.ts";
import { defined } from "#api/defined.ts";
import { actLater } from "#api/write.ts";
import { sendTest } from "#usecases/sending/test-send.ts";
import { StepParams } from "./schema.ts";
import { presentStepTest, StepTest, StepTestBody } from "./test-schema.ts";

export const stepTestRoutes = resource("campaigns", "/campaigns/:id/steps").post(
  "/:stepId/send-test",
  (context) =>
    actLater(context, async () => {
      const { world, caller, params, body } = context;
      const place = { campaignId: params.id, stepId: params.stepId };
      const input = { to: body.to, ...defined({ leadId: body.lead_id }) };
      return presentStepTest(await sendTest(world, caller, place, input));
    }),
  {
    params: StepParams,
    body: StepTestBody,
    response: { 200: StepTest },
    detail: {
      summary: "Send a step to an address of your choice, to see it as it arrives",
      description:
        "From the mailbox whose name the preview shows, at once, whatever the campaign's status and " +
        "window. Counted against the mailbox's limits and held by them; it belongs to no lead and moves " +
        "no figure of the campaign. 409 where the address is suppressed, no mailbox can send, or its " +
        "limit is reached. What the mail server refuses is an answer: `failed`, with its words",
    },
  },
);

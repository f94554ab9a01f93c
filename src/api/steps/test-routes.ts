/** `/campaigns/{id}/steps/{stepId}/send-test`: a step in the mailbox of whoever wants to see it. */

import { Type } from "@sinclair/typebox";
import { resource } from "#api/context.ts";
import { Id, Line, OneOf, Shape } from "#api/schema.ts";
import { present, read } from "#api/wire.ts";
import { actLater } from "#api/write.ts";
import { ADDRESS_BYTES_MAX } from "#domain/email-address.ts";
import { sendTest, TEST_STATUSES } from "#usecases/sending/test-send.ts";
import { StepParams } from "./schema.ts";

const StepTestBody = Shape({
  to: Line(ADDRESS_BYTES_MAX, { description: "Whoever wants to see it: need not be a lead" }),
  lead_id: Type.Optional({ ...Id, description: "Somebody with all fields filled when absent" }),
});

const StepTest = Shape({
  step_id: Id,
  position: Type.Integer(),
  from: Type.String({ description: "The mailbox that it went from" }),
  to: Type.String(),
  message_id: Type.String({ description: "Its `Message-ID` header" }),
  status: OneOf(TEST_STATUSES, {
    description: "`unknown`: the connection broke when it may have been delivered already",
  }),
  response: Type.String({ description: "The mail server's words, or why there are none" }),
});

export const stepTestRoutes = resource("campaigns", "/campaigns/:id/steps").post(
  "/:stepId/send-test",
  (context) =>
    actLater(context, async () => {
      const { world, caller, params, body } = context;
      const place = { campaignId: params.id, stepId: params.stepId };
      const test = await sendTest(world, caller, place, read(StepTestBody, body));
      return present(StepTest, { ...test, stepId: test.step.id, position: test.step.position });
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

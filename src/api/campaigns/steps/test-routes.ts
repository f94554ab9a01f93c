/** `/campaigns/{id}/steps/{stepId}/send-test`: a step in the mailbox of whoever wants to see it. */

import { Type } from "@sinclair/typebox";
import { resource } from "#api/context.ts";
import { IdOf, Line, OneOf, Shape } from "#api/schema.ts";
import { present, read } from "#api/wire.ts";
import { actLater } from "#api/write.ts";
import { ADDRESS_BYTES_MAX } from "#domain/email-address.ts";
import { SINGLE_STATUSES } from "#usecases/sending/single-mail.ts";
import { sendTest } from "#usecases/sending/test-send.ts";
import { StepParams } from "./schema.ts";

const StepTestBody = Shape({
  to: Line(ADDRESS_BYTES_MAX, {
    description: "Address to send it to, for example your own",
    examples: ["you@example.com"],
  }),
  lead_id: Type.Optional(
    IdOf(
      "Lead to render the step for; without one, a sample lead that has a value for every variable",
    ),
  ),
});

const StepTest = Shape({
  step_id: IdOf("The step's id"),
  position: Type.Integer({ minimum: 1, description: "Position of the step, from 1" }),
  from: Type.String({ description: "Address of the mailbox that sent it" }),
  to: Type.String({ description: "Address that it was sent to" }),
  message_id: Type.String({ description: "The email's `Message-ID` header" }),
  status: OneOf(SINGLE_STATUSES, {
    description: "`unknown`: the connection broke before the server confirmed the email",
  }),
  response: Type.String({
    description: "What the mail server said, or why it could not be reached",
  }),
});

export const stepTestRoutes = resource("campaigns", "/campaigns/:id/steps").post(
  "/:stepId/send-test",
  (context) =>
    actLater(context, async () => {
      const { env, caller, params, body } = context;
      const place = { campaignId: params.id, stepId: params.stepId };
      const test = await sendTest(env, caller, place, read(StepTestBody, body));
      return present(StepTest, { ...test, stepId: test.step.id, position: test.step.position });
    }),
  {
    params: StepParams,
    body: StepTestBody,
    response: { 200: StepTest },
    detail: {
      summary: "Send a test email",
      description:
        "Sends a step to an address of yours, right away, from the mailbox that the preview " +
        "shows, whatever the campaign's status and send window. The email counts against the " +
        "mailbox's limits and belongs to no lead and no statistics. Refused with 409 when the " +
        "address is suppressed, no mailbox can send, or the mailbox has reached its limit. What " +
        "the mail server refuses is a 200 with the status `failed` and the server's words.",
    },
  },
);

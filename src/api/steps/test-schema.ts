import { type Static, Type } from "@sinclair/typebox";
import { Id, Line, OneOf, Shape } from "#api/schema.ts";
import { ADDRESS_BYTES_MAX } from "#domain/email-address.ts";
import { type SentTest, TEST_STATUSES } from "#usecases/sending/test-send.ts";

export const StepTestBody = Shape({
  to: Line(ADDRESS_BYTES_MAX, { description: "Whoever wants to see it: need not be a lead" }),
  lead_id: Type.Optional({ ...Id, description: "Somebody with all fields filled when absent" }),
});

export const StepTest = Shape({
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

export function presentStepTest(test: SentTest): Static<typeof StepTest> {
  const { step, from, to, status, response } = test;
  const { id, position } = step;
  return { step_id: id, position, from, to, message_id: test.messageId, status, response };
}

/** What goes out of a mailbox, by kind. */

import type { MessageKind } from "#domain/sending/message.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { TEST } from "#usecases/placement/settle-test.ts";
import type { Outgoing } from "#usecases/sending/outgoing.ts";
import { REPLY } from "#usecases/sending/settle-reply.ts";
import { STEP } from "#usecases/sending/settle-step.ts";

export const OUTGOING: { [Kind in MessageKind]: Outgoing<Extract<MessageRow, { kind: Kind }>> } = {
  step: STEP,
  manual: REPLY,
  placement: TEST,
};

export function outgoing({ kind }: MessageRow): Outgoing<MessageRow> {
  return OUTGOING[kind];
}

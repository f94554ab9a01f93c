/** What a PATCH says of one email. */

import type { Static } from "@sinclair/typebox";
import { defined } from "#api/defined.ts";
import { WRITABLE_KINDS } from "#domain/inbox/conversation.ts";
import { conflict, invalid } from "#domain/problem.ts";
import type { MailPatch } from "#usecases/inbox/threads.ts";
import type { Message, MessagePatch } from "./message-schema.ts";

/** Wire to use case. Throws `validation_error` for what a received email cannot be. */
export function readMailPatch(input: Static<typeof MessagePatch>): MailPatch {
  const { read, kind, severity } = input;
  const writable = WRITABLE_KINDS.find((one) => one === kind);
  if (kind !== undefined && writable === undefined) {
    throw invalid("kind", `must be one of ${WRITABLE_KINDS.join(", ")}`);
  }
  if (read === null) {
    throw invalid("read", "must be true or false");
  }
  return defined({ read, kind: writable, severity });
}

/** Throws `conflict` where a patch would change a sent email, which has nothing to set. */
export function checkNothingSet(input: Static<typeof MessagePatch>, shown: Message): void {
  for (const [name, value] of Object.entries(input)) {
    if (value !== shown[name as keyof Message]) {
      throw conflict("only a received email can be changed", name);
    }
  }
}

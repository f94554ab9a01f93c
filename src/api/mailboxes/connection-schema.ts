/** What a mailbox's connections are tried by, and what lets Outrider in. */

import { Type } from "@sinclair/typebox";
import { Count, Described, Nullable, OneOf, Shape, TimestampOf } from "#api/schema.ts";
import { CONNECTION_STEPS } from "#domain/mailboxes/connection-step.ts";
import { Account } from "./schema.ts";

const checked = (description: string) =>
  Shape(
    {
      ok: Type.Boolean({ description: "Whether the server works" }),
      error: Nullable(Type.String({ description: "What went wrong; null when it works" })),
    },
    { description },
  );

const SEND = "Send an email from the mailbox to itself, which counts against its limits";

export const AccountTestRequest = Type.Optional(
  Shape({
    send: Type.Optional(Type.Boolean({ default: true, description: SEND })),
  }),
);

const WORKED = "Whether it worked; null when it was not tried or is not known yet";
const Step = Shape({
  step: OneOf(CONNECTION_STEPS, { description: "What was tried" }),
  ok: Nullable(Described(Type.Boolean(), WORKED)),
  message: Type.String({ description: "What happened" }),
  remedy: Nullable(Type.String({ description: "How to fix it; null when nothing is wrong" })),
  ms: Count("How long it took, in milliseconds"),
});

export const AccountTest = Shape({
  ok: Type.Boolean({ description: "Whether no step failed" }),
  steps: Type.Array(Step, { description: "What was tried, in order" }),
  smtp: checked("The server to send through"),
  imap: checked("The server to read from"),
  account: Account,
});

const CONSENT = "https://outrider.example/oauth/start?state=…";

export const ConsentLink = Shape({
  url: Described(Type.String(), "Page to open in a browser, signed in to the mailbox", CONSENT),
  expires_at: TimestampOf("When the link expires"),
});

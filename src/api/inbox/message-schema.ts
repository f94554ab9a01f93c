/** An email of the inbox, sent or received, on the wire. */

import { type Static, Type } from "@sinclair/typebox";
import { Attachments, attachmentOf } from "#api/campaigns/files.ts";
import { IdOf, IdParamsOf, Nullable, OneOf, Shape, TeamId, TimestampOf } from "#api/schema.ts";
import { type SettableKind, WRITABLE_KINDS } from "#domain/inbox/conversation.ts";
import { SEVERITIES } from "#domain/inbox/reports/severity.ts";
import { MESSAGE_KINDS, MESSAGE_STATUSES } from "#domain/sending/message.ts";
import type { InboundMail } from "#store/inbox/inbound.ts";
import { copiesOf } from "#store/sending/copies.ts";
import { type Assigned, assignedByMessage } from "#store/sending/exposures.ts";
import { filesOfMessage } from "#store/sending/message-files.ts";
import { threadIdOf } from "#store/sending/messages.ts";
import type { Db } from "#store/sqlite/database.ts";
import type { EffectRow } from "#store/tables/inbox.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import type { TrackingRow } from "#store/tables/tracking.ts";
import { Tracking } from "./tracking.ts";

export const SENDER = "ann.lee@acme.example";

export const MessageParams = IdParamsOf("The message's id");

const Effect = Shape({
  type: OneOf(
    [
      "enrollment",
      "interest",
      "moved",
      "suppression",
      "message_bounced",
      "soft_bounces",
      "step_bounced",
      "step_unsubscribed",
      "harm",
    ],
    { description: "What was changed" },
  ),
  subject_id: IdOf("Id of the changed record"),
  before: Nullable(Type.String({ description: "Value before; null for none" })),
  after: Nullable(Type.String({ description: "Value after; null for none" })),
});

const messageSettable = {
  read: Nullable(
    Type.Boolean({ description: "Whether it was read; null for an email that you sent" }),
  ),
  kind: OneOf([...WRITABLE_KINDS, ...MESSAGE_KINDS], {
    description:
      "What a received email is; changing it takes back what the email caused and causes what the new " +
      "kind does. For a sent email `step`, or `manual` for a reply written by hand",
  }),
  severity: Nullable(
    OneOf(SEVERITIES, {
      description: "Whether a bounce is permanent or temporary; null otherwise",
    }),
  ),
};

export const Message = Shape({
  id: IdOf("The message's id"),
  team_id: TeamId,
  thread_id: IdOf("Conversation that it belongs to"),
  account_id: IdOf("Account that sent or received it"),
  campaign_id: Nullable(IdOf("Campaign that it belongs to; null for none")),
  lead_id: Nullable(IdOf("Lead that it belongs to; null for none")),
  direction: OneOf(["in", "out"], { description: "`in` for received, `out` for sent" }),
  status: Nullable(
    OneOf(MESSAGE_STATUSES, { description: "Status of sending; null for a received email" }),
  ),
  ...messageSettable,
  from: Type.String({ description: "Address of the sender", examples: [SENDER] }),
  from_name: Type.String({ description: "Name of the sender; empty without one" }),
  to: Type.String({ description: "Address of the recipient", examples: ["ann@example.com"] }),
  cc: Type.Array(Type.String(), {
    description: "Others it was sent to",
    examples: [["carol@acme.example"]],
  }),
  bcc: Type.Array(Type.String(), {
    description: "Those who got a copy without being named; none for a received email",
  }),
  subject: Type.String({ description: "Subject", examples: ["Re: Quick question"] }),
  text: Type.String({
    description: "Text without quotes and signature",
    examples: ["Sounds good, call me on Tuesday."],
  }),
  attachments: Attachments("What a sent email carried; empty for a received one"),
  internet_message_id: Nullable(
    Type.String({
      description: "`Message-ID` header with its angle brackets; null without one",
      examples: ["<ab12@example.com>"],
    }),
  ),
  at: TimestampOf("When it was received or sent, or sending was first attempted"),
  answers: Nullable(IdOf("Sent message that it is a reply to; null for none")),
  step_id: Nullable(IdOf("Step that was sent; null for none")),
  step_position: Nullable(
    Type.Integer({ minimum: 1, description: "Position of the step that was sent; null otherwise" }),
  ),
  step_revision: Nullable(
    Type.Integer({
      minimum: 1,
      description: "Revision of the step that it was made from; null if unknown",
    }),
  ),
  experiment_id: Nullable(
    IdOf("Experiment that the email was part of; null for none and for a received email"),
  ),
  variant_id: Nullable(IdOf("Variant that it was made from; null without an experiment")),
  response: Nullable(
    Type.String({ description: "What the mail server last said; null without a response" }),
  ),
  tracking: Tracking,
  partial_of_bytes: Nullable(
    Type.Integer({
      minimum: 0,
      description: "Size of an email whose headers and text alone were fetched; null when all was",
    }),
  ),
  evidence: Nullable(
    Type.String({
      description: "Rule that gave the kind, and what it found; null for a sent email",
    }),
  ),
  confidence: Nullable(
    OneOf(["high", "medium", "low"], {
      description: "How certain the kind is; null for a sent email",
    }),
  ),
  found_kind: Nullable(
    Type.String({ description: "Kind that the rules found; null for a sent email" }),
  ),
  labelled_by: Nullable(Type.String({ description: "Who changed the kind; null when no one has" })),
  matched_by: Nullable(
    OneOf(
      [
        "token",
        "message_id",
        "provider_id",
        "thread",
        "recipient",
        "sender",
        "quote",
        "company",
        "person",
      ],
      {
        description:
          "What it was matched to the lead by; `sender`, `quote`, and `company` are guesses. `quote`: the email that it quotes was written to the lead. Null when untracked",
      },
    ),
  ),
  enhanced_status: Nullable(
    Type.String({
      description: "Enhanced status code of a bounce; null without one",
      examples: ["5.1.1"],
    }),
  ),
  returns_on: Nullable(
    Type.String({
      description: "First day back that an out-of-office reply names; null without one",
      examples: ["2026-03-16"],
    }),
  ),
  left_company: Nullable(
    Type.Boolean({ description: "Whether it says that the person has left the company" }),
  ),
  new_contact: Nullable(
    Type.String({ description: "Address that it names to write to instead; null without one" }),
  ),
  effects: Type.Array(Effect, {
    description: "What it has changed; changing `kind` takes it back",
  }),
});
export type Message = Static<typeof Message>;

export const MessagePatch = Type.Partial(Shape(messageSettable), { additionalProperties: false });

export const Resolve = Shape({
  action: OneOf(["treat_as_sent", "send_again"], {
    description: "Whether the unconfirmed email counts as sent or is sent again",
  }),
});

/** `to` is the account's address. */
export function mailOf(row: InboundMail, effects: readonly EffectRow[], to: string) {
  const { reading } = row;
  return {
    ...row,
    direction: "in" as const,
    status: null,
    kind: row.kind as SettableKind,
    tracking: null,
    from: row.fromAddress,
    to,
    cc: row.others ?? [],
    bcc: [],
    attachments: [],
    internetMessageId: row.messageId,
    at: row.receivedAt,
    answers: row.repliesTo,
    stepId: null,
    stepPosition: null,
    stepRevision: null,
    experimentId: null,
    variantId: null,
    response: null,
    partialOfBytes: row.sizeBytes,
    confidence: reading.confidence,
    foundKind: reading.kind,
    enhancedStatus: reading.status,
    returnsOn: reading.returnsOn,
    leftCompany: reading.hasLeft,
    newContact: reading.newContact,
    effects: effects.map((effect) => {
      return { ...effect, before: inWord(effect.before), after: inWord(effect.after) };
    }),
  };
}

/** A place of an enrollment by its status; counts and reasons as they are. */
function inWord(value: unknown): string | null {
  if (typeof value === "object" && value !== null && "status" in value) {
    return String(value.status);
  }
  return value === null ? null : String(value);
}

/** What presents emails that we sent: `rows`, whose variants are read at once. */
export function sentOf(db: Db, rows: readonly MessageRow[]) {
  const assigned = assignedByMessage(db, rows);
  return (row: MessageRow, from: string, tracking: TrackingRow | undefined) =>
    shownSent(db, row, from, { tracking, assigned: assigned.get(row.id) });
}

/** `from` is the account's address. */
function shownSent(
  db: Db,
  row: MessageRow,
  from: string,
  { tracking, assigned }: { tracking: TrackingRow | undefined; assigned: Assigned | undefined },
) {
  return {
    ...row,
    experimentId: assigned?.experimentId ?? null,
    variantId: assigned?.variantId ?? null,
    threadId: threadIdOf(row),
    direction: "out" as const,
    read: null,
    severity: null,
    from: row.sentAs ?? from,
    fromName: "",
    to: row.recipient,
    ...copiesOf(db, row),
    attachments: filesOfMessage(db, row.id).map(attachmentOf),
    internetMessageId: row.messageId,
    at: row.sentAt ?? row.claimedAt,
    answers: null,
    tracking: tracking ?? null,
    ...NO_READING,
  };
}

const NO_READING = {
  partialOfBytes: null,
  evidence: null,
  confidence: null,
  foundKind: null,
  labelledBy: null,
  matchedBy: null,
  enhancedStatus: null,
  returnsOn: null,
  leftCompany: null,
  newContact: null,
  effects: [],
};

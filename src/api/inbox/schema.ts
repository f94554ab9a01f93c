import { type Static, Type } from "@sinclair/typebox";
import { defined } from "#api/defined.ts";
import {
  CursorPage,
  CursorQuery,
  Id,
  Line,
  Nullable,
  OneOf,
  Search,
  Shape,
  Text,
  Timestamp,
} from "#api/schema.ts";
import { type Inner, present } from "#api/wire.ts";
import { ENROLLMENT_STATUSES, INTERESTS } from "#domain/campaigns/enrollment.ts";
import { SETTABLE_KINDS, type SettableKind } from "#domain/inbox/conversation.ts";
import { SEVERITIES } from "#domain/inbox/reports/severity.ts";
import { conflict, invalid } from "#domain/problem.ts";
import { MESSAGE_KINDS, MESSAGE_STATUSES } from "#domain/sending/message.ts";
import { SUBJECT_BYTES_MAX } from "#domain/sending/message-content.ts";
import { OWN_WORDS_MAX } from "#domain/sending/own-words.ts";
import type { InboundMail } from "#store/inbox/inbound.ts";
import { threadIdOf } from "#store/sending/messages.ts";
import type { EffectRow, ThreadRow } from "#store/tables/inbox.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import type { TrackingRow } from "#store/tables/tracking.ts";
import type { Conversation } from "#usecases/inbox/conversation.ts";
import type { MailPatch } from "#usecases/inbox/threads.ts";
import { nextAttempt } from "#usecases/leads/campaign-leads.ts";
import { Tracking } from "./tracking.ts";

const Kind = OneOf(SETTABLE_KINDS, {
  description: "Of the newest mail by a person; where there is none, of the newest",
});

const threadSettable = {
  read: Type.Boolean(),
  kind: Kind,
  interest: Nullable(OneOf(INTERESTS)),
};

const thread = {
  id: Type.String({ ...Id, description: "The lead's in its campaign, where it belongs to one" }),
  team_id: Id,
  account_id: Id,
  campaign_id: Nullable(Id),
  lead_id: Nullable(Id),
  enrollment_id: Nullable(
    Type.String({ ...Id, description: "null: untracked; a person can attach it" }),
  ),
  from_address: Type.String(),
  from_name: Type.String(),
  subject: Type.String(),
  snippet: Type.String({ description: "How the mail that gives the kind begins" }),
  ...threadSettable,
  mails: Type.Integer({ minimum: 1, description: "Mails that came in" }),
  unread: Type.Integer({ minimum: 0 }),
  last_mail_at: Timestamp,
  answered_at: Nullable({ ...Timestamp, description: "By hand, the last time" }),
  created_at: Timestamp,
};
export const Thread = Shape(thread);

export const ThreadPage = CursorPage(Thread);

export const ThreadQuery = Shape({
  ...CursorQuery.properties,
  unread: Type.Optional(Type.Boolean()),
  kind: Type.Optional(OneOf(SETTABLE_KINDS)),
  interest: Type.Optional(OneOf(INTERESTS)),
  campaign_id: Type.Optional(Id),
  account_id: Type.Optional(Id),
  search: Search("what came in, its subject or sender"),
});

export const ThreadPatch = Type.Partial(Shape(threadSettable), { additionalProperties: false });

const Effect = Shape({
  type: OneOf([
    "enrollment",
    "interest",
    "suppression",
    "message_bounced",
    "soft_bounces",
    "step_bounced",
    "step_unsubscribed",
    "harm",
  ]),
  subject_id: Id,
  before: Nullable(Type.String()),
  after: Nullable(Type.String()),
});

const messageSettable = {
  read: Nullable(Type.Boolean({ description: "null for a message of ours" })),
  kind: OneOf([...SETTABLE_KINDS, ...MESSAGE_KINDS], {
    description:
      "Of a mail what it is; another one takes back what the mail did and does what it does now. " +
      "Of a message of ours `step`, or `manual` for an answer by hand",
  }),
  severity: Nullable(OneOf(SEVERITIES, { description: "Of a bounce" })),
};

export const Message = Shape({
  id: Id,
  team_id: Id,
  thread_id: Id,
  account_id: Id,
  campaign_id: Nullable(Id),
  lead_id: Nullable(Id),
  direction: OneOf(["in", "out"]),
  status: Nullable(OneOf(MESSAGE_STATUSES, { description: "null for a mail that came in" })),
  ...messageSettable,
  from: Type.String(),
  from_name: Type.String(),
  to: Type.String(),
  subject: Type.String(),
  text: Type.String({ description: "The writer's own words: without quotes and signature" }),
  internet_message_id: Nullable(
    Type.String({ description: "The header, with its angle brackets" }),
  ),
  at: { ...Timestamp, description: "Received, or sent, or first tried" },
  answers: Nullable(Type.String({ ...Id, description: "The message of ours that it answers" })),
  step_position: Nullable(Type.Integer({ minimum: 1 })),
  response: Nullable(Type.String({ description: "The mail server's last words" })),
  tracking: Tracking,
  partial_of_bytes: Nullable(
    Type.Integer({
      minimum: 0,
      description: "Size of a mail of which only headers and text were fetched; null: all was",
    }),
  ),
  evidence: Nullable(Type.String({ description: "The rule that gave the kind, and its words" })),
  confidence: Nullable(OneOf(["high", "medium", "low"])),
  found_kind: Nullable(Type.String({ description: "What the rules had said" })),
  labelled_by: Nullable(Type.String({ description: "Who said otherwise" })),
  matched_by: Nullable(
    OneOf(
      ["token", "message_id", "provider_id", "thread", "recipient", "sender", "company", "person"],
      { description: "By what it was found to belong here; `sender` and `company` are guesses" },
    ),
  ),
  enhanced_status: Nullable(Type.String()),
  returns_on: Nullable(Type.String({ description: "First day back of an absence" })),
  left_company: Nullable(Type.Boolean({ description: "Says that nobody reads it any more" })),
  new_contact: Nullable(Type.String({ description: "Whom it names instead" })),
  effects: Type.Array(Effect, { description: "What it has changed, and a person can take back" }),
});
export type Message = Static<typeof Message>;

export const MessagePatch = Type.Partial(Shape(messageSettable), { additionalProperties: false });

export const ThreadDetail = Shape({
  ...thread,
  account_email: Nullable(Type.String()),
  lead: Nullable(
    Shape({
      id: Id,
      email: Type.String(),
      first_name: Nullable(Type.String()),
      last_name: Nullable(Type.String()),
      company: Nullable(Type.String()),
    }),
  ),
  enrollment: Nullable(
    Shape({
      id: Id,
      campaign_name: Type.String(),
      status: OneOf(ENROLLMENT_STATUSES),
      stop_reason: Nullable(Type.String()),
      current_step: Type.Integer({ minimum: 0 }),
      next_attempt_at: Nullable(Timestamp),
    }),
  ),
  messages: Type.Array(Message, { description: "Both ways, oldest first; the newest 400" }),
});

export const Reply = Shape({
  body: Text(OWN_WORDS_MAX, { minLength: 1, description: "Plain text or HTML, sent as it is" }),
  subject: Type.Optional(
    Line(SUBJECT_BYTES_MAX, { description: 'The thread\'s with "Re:" if left out' }),
  ),
});

export const Resolve = Shape({ action: OneOf(["treat_as_sent", "send_again"]) });

export const Attach = Shape({ enrollment_id: Id });

export function presentThread(row: ThreadRow) {
  return present(Thread, threadOf(row));
}

function threadOf(row: ThreadRow) {
  return { ...row, read: row.unread === 0, kind: row.kind as SettableKind };
}

export function presentConversation(found: Conversation) {
  const { thread, account, lead, enrollment, campaign, currentStep } = found;
  const own = account?.email ?? "";
  const messages: Inner<typeof Message>[] = [
    ...found.mails.map(({ mail, effects }) => mailOf(mail, effects, own)),
    ...found.messages.map((message) => sentOf(message, own, found.trackings.get(message.id))),
  ];
  return present(ThreadDetail, {
    ...threadOf(thread),
    accountEmail: account?.email ?? null,
    lead: lead ?? null,
    enrollment:
      enrollment === undefined
        ? null
        : {
            ...enrollment,
            campaignName: campaign?.name ?? "",
            currentStep,
            nextAttemptAt: nextAttempt(enrollment),
          },
    messages: messages.toSorted((a, b) => a.at - b.at || order(a.id, b.id)),
  });
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

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
    internetMessageId: row.messageId,
    at: row.receivedAt,
    answers: row.repliesTo,
    stepPosition: null,
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

/** `from` is the account's address. */
export function sentOf(row: MessageRow, from: string, tracking: TrackingRow | undefined) {
  return {
    ...row,
    threadId: threadIdOf(row),
    direction: "out" as const,
    read: null,
    severity: null,
    from,
    fromName: "",
    to: row.recipient,
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

/** Wire to use case. Throws `validation_error` for what a mail that came in cannot be. */
export function readMailPatch(input: Static<typeof MessagePatch>): MailPatch {
  const { read, kind, severity } = input;
  const settable = SETTABLE_KINDS.find((one) => one === kind);
  if (kind !== undefined && settable === undefined) {
    throw invalid("kind", `a mail that came in is one of ${SETTABLE_KINDS.join(", ")}`);
  }
  if (read === null) {
    throw invalid("read", "must be true or false");
  }
  return defined({ read, kind: settable, severity });
}

/** Throws `conflict` where a patch would change a message of ours, which has nothing to set. */
export function checkNothingSet(input: Static<typeof MessagePatch>, shown: Message): void {
  for (const [name, value] of Object.entries(input)) {
    if (value !== shown[name as keyof Message]) {
      throw conflict("only a mail that came in can be marked", name);
    }
  }
}

import { type Static, Type } from "@sinclair/typebox";
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
import { ENROLLMENT_STATUSES, INTERESTS } from "#domain/campaigns/enrollment.ts";
import { SETTABLE_KINDS, type SettableKind } from "#domain/inbox/conversation.ts";
import { SEVERITIES } from "#domain/inbox/reports/severity.ts";
import { conflict, invalid } from "#domain/problem.ts";
import { MESSAGE_KINDS, MESSAGE_STATUSES } from "#domain/sending/message.ts";
import { SUBJECT_BYTES_MAX } from "#domain/sending/message-content.ts";
import { OWN_WORDS_MAX } from "#domain/sending/own-words.ts";
import { toIso, toIsoOrNull } from "#domain/time.ts";
import type { InboundMail } from "#store/inbox/inbound.ts";
import { NO_ID } from "#store/sending/messages.ts";
import type { EffectRow, ThreadRow } from "#store/tables/inbox.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import type { TrackingRow } from "#store/tables/tracking.ts";
import type { Conversation } from "#usecases/inbox/conversation.ts";
import type { MailPatch } from "#usecases/inbox/threads.ts";
import { nextAttempt } from "#usecases/leads/campaign-leads.ts";
import { presentTracking, Tracking } from "./tracking.ts";

const Kind = OneOf(SETTABLE_KINDS, {
  description: "Of the newest mail by a person; where there is none, of the newest",
});

const threadSettable = {
  read: Type.Boolean(),
  kind: Kind,
  interest: Nullable(OneOf(INTERESTS)),
};
/** Settable fields, in the order in which the ETag covers them. */
export const THREAD_SETTABLE = Object.keys(threadSettable);

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
  answered_at: Nullable(Type.String({ ...Timestamp, description: "By hand, the last time" })),
  created_at: Timestamp,
};
export const Thread = Shape(thread);
export type Thread = Static<typeof Thread>;

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
export const MESSAGE_SETTABLE = Object.keys(messageSettable);

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
  at: Type.String({ ...Timestamp, description: "Received, or sent, or first tried" }),
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

const THREAD_NAMES = Object.keys(thread);
const IDENTITY = ["id", "team_id", "campaign_id", "lead_id", "created_at"];
function readOnly(names: readonly string[], settable: readonly string[]): string[] {
  return names.filter((name) => !(settable.includes(name) || IDENTITY.includes(name)));
}
export const THREAD_READ_ONLY = readOnly(
  [...THREAD_NAMES, "account_email", "lead", "enrollment", "messages"],
  THREAD_SETTABLE,
);
export const MESSAGE_READ_ONLY = readOnly(Object.keys(Message.properties), MESSAGE_SETTABLE);

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

/** Row to wire. The return type makes the compiler check every field against the schema above. */
export function presentThread(row: ThreadRow): Thread {
  return {
    id: row.id,
    team_id: row.teamId,
    account_id: row.accountId,
    campaign_id: row.campaignId,
    lead_id: row.leadId,
    enrollment_id: row.enrollmentId,
    from_address: row.fromAddress,
    from_name: row.fromName,
    subject: row.subject,
    snippet: row.snippet,
    read: row.unread === 0,
    kind: row.kind as SettableKind,
    interest: row.interest,
    mails: row.mails,
    unread: row.unread,
    last_mail_at: toIso(row.lastMailAt),
    answered_at: toIsoOrNull(row.answeredAt),
    created_at: toIso(row.createdAt),
  };
}

export function presentConversation(found: Conversation): Static<typeof ThreadDetail> {
  const { thread, account, lead, enrollment, campaign } = found;
  const own = account?.email ?? "";
  const messages = [
    ...found.mails.map(({ mail, effects }) => presentMail(mail, effects, own)),
    ...found.messages.map((message) => presentSent(message, own, found.trackings.get(message.id))),
  ];
  return {
    ...presentThread(thread),
    account_email: account?.email ?? null,
    lead:
      lead === undefined
        ? null
        : {
            id: lead.id,
            email: lead.email,
            first_name: lead.firstName,
            last_name: lead.lastName,
            company: lead.company,
          },
    enrollment:
      enrollment === undefined
        ? null
        : {
            id: enrollment.id,
            campaign_name: campaign?.name ?? "",
            status: enrollment.status,
            stop_reason: enrollment.stopReason,
            current_step: found.currentStep,
            next_attempt_at: toIsoOrNull(nextAttempt(enrollment)),
          },
    messages: messages.toSorted((a, b) => order(a.at, b.at) || order(a.id, b.id)),
  };
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** `to` is the account's address. */
export function presentMail(row: InboundMail, effects: readonly EffectRow[], to: string): Message {
  return {
    id: row.id,
    team_id: row.teamId,
    thread_id: row.threadId,
    account_id: row.accountId,
    campaign_id: row.campaignId,
    lead_id: row.leadId,
    direction: "in",
    status: null,
    read: row.read,
    kind: row.kind as SettableKind,
    severity: row.severity,
    tracking: null,
    from: row.fromAddress,
    from_name: row.fromName,
    to,
    subject: row.subject,
    text: row.text,
    internet_message_id: row.messageId,
    at: toIso(row.receivedAt),
    answers: row.repliesTo,
    step_position: null,
    response: null,
    partial_of_bytes: row.sizeBytes,
    evidence: row.evidence,
    confidence: row.reading.confidence,
    found_kind: row.reading.kind,
    labelled_by: row.labelledBy,
    matched_by: row.matchedBy,
    enhanced_status: row.reading.status,
    returns_on: row.reading.returnsOn,
    left_company: row.reading.hasLeft,
    new_contact: row.reading.newContact,
    effects: effects.map(presentEffect),
  };
}

function presentEffect({ type, subjectId, before, after }: EffectRow): Static<typeof Effect> {
  return { type, subject_id: subjectId, before: inWord(before), after: inWord(after) };
}

/** A place of an enrollment by its status; counts and reasons as they are. */
function inWord(value: unknown): string | null {
  if (typeof value === "object" && value !== null && "status" in value) {
    return String(value.status);
  }
  return value === null ? null : String(value);
}

/** `from` is the account's address. */
export function presentSent(
  row: MessageRow,
  from: string,
  tracking: TrackingRow | undefined,
): Message {
  return {
    id: row.id,
    team_id: row.teamId,
    thread_id: row.enrollmentId,
    account_id: row.accountId,
    campaign_id: orNull(row.campaignId),
    lead_id: orNull(row.leadId),
    direction: "out",
    status: row.status,
    read: null,
    kind: row.kind,
    severity: null,
    from,
    from_name: "",
    to: row.recipient,
    subject: row.subject,
    text: row.text,
    internet_message_id: row.messageId,
    at: toIso(row.sentAt ?? row.claimedAt),
    answers: null,
    step_position: row.kind === "step" ? row.stepPosition : null,
    response: row.response,
    tracking: presentTracking(tracking),
    ...NO_READING,
  };
}

const NO_READING = {
  partial_of_bytes: null,
  evidence: null,
  confidence: null,
  found_kind: null,
  labelled_by: null,
  matched_by: null,
  enhanced_status: null,
  returns_on: null,
  left_company: null,
  new_contact: null,
  effects: [],
} satisfies Partial<Message>;

function orNull(id: string): string | null {
  return id === NO_ID ? null : id;
}

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
  return {
    ...(read === undefined ? {} : { read }),
    ...(settable === undefined ? {} : { kind: settable }),
    ...(severity === undefined ? {} : { severity }),
  };
}

/** Throws `conflict` where a patch would change a message of ours, which has nothing to set. */
export function checkNothingSet(input: Static<typeof MessagePatch>, shown: Message): void {
  for (const [name, value] of Object.entries(input)) {
    if (value !== shown[name as keyof Message]) {
      throw conflict("only a mail that came in can be marked", name);
    }
  }
}

import { Type } from "@sinclair/typebox";
import { Tags } from "#api/campaigns/tags/schema.ts";
import { listQuery, tagQuery } from "#api/filter.ts";
import {
  Count,
  CreatedAt,
  Documented,
  FilteredCursorPage,
  Id,
  IdOf,
  IdParamsOf,
  Instant,
  Line,
  Nullable,
  OneOf,
  Search,
  Shape,
  TeamId,
  Text,
  TimestampOf,
} from "#api/schema.ts";
import { type Inner, present } from "#api/wire.ts";
import { ENROLLMENT_STATUSES, INTERESTS } from "#domain/campaigns/enrollment.ts";
import { ATTACHMENTS_BYTES_MAX, ATTACHMENTS_MAX } from "#domain/campaigns/file.ts";
import { type SettableKind, WRITABLE_KINDS } from "#domain/inbox/conversation.ts";
import { FOLDERS } from "#domain/inbox/folder.ts";
import { SUBJECT_BYTES_MAX } from "#domain/sending/message-content.ts";
import { OWN_WORDS_MAX } from "#domain/sending/own-words.ts";
import { tagsOf } from "#store/campaigns/tags.ts";
import { THREAD_LIST } from "#store/filter/lists.ts";
import type { Db } from "#store/sqlite/database.ts";
import type { ThreadRow } from "#store/tables/inbox.ts";
import type { Conversation } from "#usecases/inbox/conversation.ts";
import { nextAttempt } from "#usecases/leads/campaign-leads.ts";
import { InFolder } from "./folders.ts";
import { Message, mailOf, SENDER, sentOf } from "./message-schema.ts";

export const ThreadParams = IdParamsOf("The conversation's id");

const Kind = OneOf(WRITABLE_KINDS, {
  description: "What the latest email by a person is, or else the latest email",
});

const threadSettable = {
  read: Type.Boolean({ description: "Whether all its emails have been read" }),
  kind: Kind,
  interest: Nullable(
    OneOf(INTERESTS, { description: "Interest, as classified or set by hand; null when unknown" }),
  ),
  done: Type.Boolean({
    description: "Whether someone is done with it; false again when another email is received",
  }),
  snoozed_until: Nullable(
    Instant(
      "When it comes back to the inbox, unread; null when it isn't snoozed, and again when another " +
        "email is received. Snoozing it makes it not done",
    ),
  ),
  assignee_id: Nullable(IdOf("Member who takes care of it; null when no one does")),
};

const thread = {
  id: IdOf("The conversation's id; where it belongs to a lead, the id of the campaign lead"),
  team_id: TeamId,
  account_id: IdOf("Account that received it"),
  campaign_id: Nullable(IdOf("Campaign that it belongs to; null when untracked")),
  lead_id: Nullable(IdOf("Lead that it belongs to; null when untracked")),
  enrollment_id: Nullable(
    IdOf("Id of the campaign lead that it belongs to; null when untracked, until you attach it"),
  ),
  from_address: Type.String({ description: "Address of the sender", examples: [SENDER] }),
  from_name: Type.String({ description: "Name of the sender; empty without one" }),
  subject: Type.String({ description: "Subject", examples: ["Re: Quick question"] }),
  snippet: Type.String({ description: "Beginning of the email that `kind` is about" }),
  ...threadSettable,
  folder: InFolder,
  tags: Tags,
  mails: Type.Integer({ minimum: 1, description: "Emails received" }),
  unread: Count("Emails received that are unread"),
  last_mail_at: TimestampOf("When the latest email was received"),
  answered_at: Nullable(
    TimestampOf("When someone on your team last replied; null when no one has"),
  ),
  created_at: CreatedAt,
};
export const Thread = Shape(thread);

export const ThreadPage = FilteredCursorPage(Thread);

export const ThreadQuery = listQuery(THREAD_LIST, {
  unread: Type.Optional(
    Type.Boolean({ description: "Only conversations with unread emails, or only those without" }),
  ),
  kind: Type.Optional(OneOf(WRITABLE_KINDS, { description: "Only conversations of this kind" })),
  interest: Type.Optional(
    OneOf(INTERESTS, { description: "Only conversations with this interest" }),
  ),
  folder: Type.Optional(OneOf(FOLDERS, { description: "Only conversations in this folder" })),
  done: Type.Optional(
    Type.Boolean({
      description:
        "Only conversations someone is done with, or only the open ones, neither done nor snoozed",
    }),
  ),
  assignee_id: Type.Optional(IdOf("Only conversations assigned to this member")),
  mentions: Type.Optional(IdOf("Only conversations with a note that mentions this member")),
  ...tagQuery,
  campaign_id: Type.Optional(IdOf("Only conversations of this campaign")),
  account_id: Type.Optional(IdOf("Only conversations of this account")),
  search: Search("a received email, its subject or its sender"),
});

export const ThreadPatch = Type.Partial(Shape(threadSettable), { additionalProperties: false });

export const ThreadDetail = Shape({
  ...thread,
  account_email: Nullable(
    Type.String({
      description: "Address of the account; null when it was deleted",
      examples: ["ann@example.com"],
    }),
  ),
  lead: Nullable(
    Shape(
      {
        id: IdOf("The lead's id"),
        email: Type.String({ description: "The lead's address", examples: [SENDER] }),
        first_name: Nullable(Type.String({ description: "First name", examples: ["Ann"] })),
        last_name: Nullable(Type.String({ description: "Last name", examples: ["Lee"] })),
        company: Nullable(Type.String({ description: "Company", examples: ["Acme"] })),
      },
      { description: "Lead that the conversation belongs to; null when untracked" },
    ),
  ),
  enrollment: Nullable(
    Shape(
      {
        id: IdOf("Id of the campaign lead"),
        campaign_name: Type.String({ description: "Name of the campaign" }),
        status: OneOf(ENROLLMENT_STATUSES, { description: "The lead's status in the campaign" }),
        stop_reason: Nullable(
          Type.String({ description: "Why the sequence ended; null while it has not" }),
        ),
        current_step: Count("Position of the last step that was sent or done"),
        next_attempt_at: Nullable(
          TimestampOf("When the next step is due; null when nothing is planned"),
        ),
      },
      { description: "Where the lead stands in the campaign; null when untracked" },
    ),
  ),
  messages: Type.Array(Message, {
    description: "Emails sent and received, oldest first; the latest 400",
  }),
});

/** In copy of one email. */
const COPIES_MAX = 20;

const addresses = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 3, maxLength: 320 }), {
      maxItems: COPIES_MAX,
      description,
      examples: [["carol@acme.example"]],
    }),
  );

/** Who gets a copy; each is counted against no limit of its own. */
const copied = {
  cc: addresses("Addresses that get a copy, named in the email"),
  bcc: addresses("Addresses that get a copy without being named"),
  attachment_ids: Type.Optional(
    Documented(
      Type.Array(Id, {
        maxItems: ATTACHMENTS_MAX,
        uniqueItems: true,
        description: `Files that it carries, of \`/files\`; ${ATTACHMENTS_BYTES_MAX / 1024 / 1024} MB at most in all`,
      }),
      { default: [] },
    ),
  ),
};

export const Reply = Shape({
  body: Text(OWN_WORDS_MAX, {
    minLength: 1,
    description: "Plain text or HTML, sent as it is",
    examples: ["Great, talk to you on Tuesday!"],
  }),
  subject: Type.Optional(
    Line(SUBJECT_BYTES_MAX, {
      description: 'Subject; without one, the conversation\'s with "Re:"',
    }),
  ),
  ...copied,
});

export const Forward = Shape({
  to: Type.String({
    minLength: 3,
    maxLength: 320,
    description: "Address to forward it to",
    examples: ["carol@example.com"],
  }),
  ...copied,
  body: Type.Optional(
    Text(OWN_WORDS_MAX, {
      description: "Plain text or HTML before the email, sent as it is",
      examples: ["Can you take this one?"],
    }),
  ),
  message_id: Type.Optional(
    IdOf("Message to forward; without one, the latest email that a person wrote"),
  ),
});

export const Attach = Shape({
  enrollment_id: IdOf("Id of the campaign lead that the conversation belongs to"),
});

/** With its tags, which are kept beside it. */
export function presentThread(db: Db, row: ThreadRow) {
  return present(Thread, threadOf(db, row));
}

function threadOf(db: Db, row: ThreadRow) {
  const { id, unread, folder } = row;
  const kind = row.kind as SettableKind;
  return { ...row, kind, read: unread === 0, done: folder === "done", tags: tagsOf(db, id) };
}

export function presentConversation(db: Db, found: Conversation) {
  const { thread, account, lead, enrollment, campaign, currentStep } = found;
  const own = account?.email ?? "";
  const sent = sentOf(db, found.messages);
  const messages: Inner<typeof Message>[] = [
    ...found.mails.map(({ mail, effects }) => mailOf(mail, effects, own)),
    ...found.messages.map((message) => sent(message, own, found.trackings.get(message.id))),
  ];
  return present(ThreadDetail, {
    ...threadOf(db, thread),
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

/** Conversations as people work on them: read, relabel, judge, attach. */

import type { Interest } from "#domain/campaigns/enrollment.ts";
import { TAGS_MAX } from "#domain/campaigns/tag.ts";
import type { Severity } from "#domain/inbox/classify.ts";
import { decisiveMail, type SettableKind } from "#domain/inbox/conversation.ts";
import { conflict, found, invalid } from "#domain/problem.ts";
import { checkPlanned, toIso, type UnixMs } from "#domain/time.ts";
import { type Caller, type Environment, engineCaller } from "#environment.ts";
import { tagsOf } from "#store/campaigns/tags.ts";
import {
  attachInbound,
  findInbound,
  type InboundMail,
  inboundOf,
  inboundOfThread,
  setLabel,
  setRead,
  setThreadRead,
  untrackedOfLead,
} from "#store/inbox/inbound.ts";
import { moveNotes } from "#store/inbox/notes.ts";
import {
  fileThread,
  findThread,
  refreshThread,
  setThreadInterest,
  updateThread,
} from "#store/inbox/threads.ts";
import { enrollmentById, findEnrollment } from "#store/leads/enrollments.ts";
import {
  attachMessages,
  messageByHeader,
  messageById,
  stepMessagesOf,
} from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { ThreadRow } from "#store/tables/inbox.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import { setTags } from "#usecases/campaigns/tags.ts";
import { audit } from "#usecases/events/record.ts";
import { setInterest } from "#usecases/leads/interest.ts";
import { recount } from "./counted-replies.ts";
import { takeEffect } from "./effects.ts";
import { undo } from "./undo.ts";

/** Emails of one thread that are looked at. */
export const THREAD_MAILS_MAX = 200;

/** Absent where it stays. */
export interface ThreadPatch {
  read?: boolean;
  kind?: SettableKind;
  interest?: Interest | null;
  /** Whether somebody is done with it. */
  done?: boolean;
  /** Puts it off; null takes it back. */
  snoozedUntil?: UnixMs | null;
  /** A member of the team, which the caller has checked; null: nobody in particular. */
  assigneeId?: Id | null;
}

export interface MailPatch {
  read?: boolean;
  kind?: SettableKind;
  /** Of a bounce; `hard` where a person says that it is one and no more. */
  severity?: Severity | null;
}

/** Throws `not_found` for another team's thread as for one that never was. */
export function requireThread(env: Environment, caller: Caller, id: Id): ThreadRow {
  return found(findThread(env.db, caller.teamId, id), "thread");
}

/** Throws `not_found` for another team's email as for one that never was. */
export function ownMail(env: Environment, caller: Caller, id: Id): InboundMail {
  return found(findInbound(env.db, caller.teamId, id), "mail");
}

/**
 * Changes a thread. A kind is set on the email that gives the thread its kind, and on the next, until the
 * thread has it: who says that a thread is an auto-reply says that nobody wrote in it. `read` false
 * marks the newest email. Throws `validation_error` for a time that is past, its field after `at`.
 */
export function patchThread(
  env: Environment,
  caller: Caller,
  id: Id,
  patch: ThreadPatch,
  at = "",
): ThreadRow {
  const before = requireThread(env, caller, id);
  const { kind, read, interest } = patch;
  if (kind !== undefined) {
    relabelThread(env, caller, id, kind);
  }
  if (interest !== undefined && interest !== requireThread(env, caller, id).interest) {
    classifyByHand(env, before, interest);
  }
  if (read !== undefined && read !== (before.unread === 0)) {
    mark(env, id, read);
  }
  file(env, requireThread(env, caller, id), patch, at);
  const after = refresh(env, before);
  if (JSON.stringify(facts(before)) !== JSON.stringify(facts(after))) {
    const target = `thread:${id}`;
    audit(env, caller, {
      action: "thread.patch",
      target,
      before: facts(before),
      after: facts(after),
    });
  }
  return after;
}

/** Changes one email of a thread. Throws `validation_error` for a severity of what is no bounce. */
export function patchMail(env: Environment, caller: Caller, id: Id, patch: MailPatch): InboundMail {
  const mail = ownMail(env, caller, id);
  const kind = patch.kind ?? mail.kind;
  if (patch.severity !== undefined && patch.severity !== null && kind !== "bounce") {
    throw invalid("severity", "applies only to bounces");
  }
  const severity = severityOf(mail, kind, patch.severity);
  if (kind !== mail.kind || severity !== mail.severity) {
    relabel(env, caller, mail, kind, severity);
  }
  if (patch.read !== undefined && patch.read !== mail.read) {
    setRead(env.db, id, patch.read);
    const [before, after] = [{ read: mail.read }, { read: patch.read }];
    audit(env, caller, { action: "mail.patch", target: `mail:${id}`, before, after });
  }
  refreshThread(env.db, mail.threadId, env.clock.now());
  return ownMail(env, caller, id);
}

/**
 * Makes the emails of an untracked thread part of an enrollment's conversation, as if they had been found
 * to answer its last message; they take effect now. Returns the thread that they are in from now on.
 * Throws `conflict` for a thread that belongs to an enrollment, `validation_error` for one that is none.
 */
export function attachThread(
  env: Environment,
  caller: Caller,
  id: Id,
  enrollmentId: Id,
): ThreadRow {
  const thread = requireThread(env, caller, id);
  const row = findEnrollment(env.db, caller.teamId, enrollmentId);
  if (row === undefined) {
    throw invalid("enrollment_id", "no such campaign lead");
  }
  if (thread.enrollmentId !== null) {
    throw conflict("this conversation is already matched to a campaign lead");
  }
  const mails = inboundOfThread(env.db, id, THREAD_MAILS_MAX).toReversed();
  const earlier = inboundOf(env.db, row.id);
  moveMails(env, mails, row);
  attachMessages(env.db, id, {
    enrollmentId: row.id,
    leadId: row.leadId,
    campaignId: row.campaignId,
  });
  recount(env, row.campaignId, earlier, inboundOf(env.db, row.id));
  if (thread.interest !== null) {
    setInterest(env, row, thread.interest);
  }
  for (const mail of mails) {
    effectOf(env, ownMail(env, caller, mail.id));
  }
  moveNotes(env.db, id, row.id);
  const tags = [...new Set([...tagsOf(env.db, row.id), ...tagsOf(env.db, id)])];
  refreshThread(env.db, id, env.clock.now());
  const tracked = refreshTracked(env, row.id);
  const after = { ...tracked, assigneeId: tracked.assigneeId ?? thread.assigneeId };
  updateThread(env.db, after);
  setTags(env, caller, { kind: "thread", id: row.id }, tags.slice(0, TAGS_MAX));
  audit(env, caller, {
    action: "thread.attach",
    target: `thread:${id}`,
    after: { enrollment_id: row.id },
  });
  return after;
}

/** Replies to an email that were read when nothing was known of it become part of its conversation. */
export function attachReplies(env: Environment, teamId: Id, messageId: string): void {
  const message = messageByHeader(env.db, messageId);
  const row = message && enrollmentById(env.db, message.enrollmentId);
  if (row === undefined) {
    return;
  }
  const mails = untrackedOfLead(env.db, row.leadId, THREAD_MAILS_MAX);
  const replies = mails.filter(({ references }) => references.includes(messageId));
  for (const threadId of new Set(replies.map((mail) => mail.threadId))) {
    attachThread(env, engineCaller(teamId), threadId, row.id);
  }
}

function facts({ kind, unread, interest, folder, snoozedUntil, assigneeId }: ThreadRow) {
  return {
    kind,
    read: unread === 0,
    interest,
    done: folder === "done",
    snoozed_until: snoozedUntil === null ? null : toIso(snoozedUntil),
    assignee_id: assigneeId,
  };
}

/** Puts it aside, or back, and into somebody's hands. */
function file(env: Environment, thread: ThreadRow, patch: ThreadPatch, at: string): void {
  const { done, snoozedUntil, assigneeId = thread.assigneeId } = patch;
  if (typeof snoozedUntil === "number") {
    checkPlanned(snoozedUntil, `${at}snoozed_until`);
    if (snoozedUntil <= env.clock.now()) {
      throw invalid(`${at}snoozed_until`, "must be in the future");
    }
    if (done === true) {
      throw invalid(`${at}snoozed_until`, "can't be set on a conversation that is done");
    }
  }
  // Whoever puts it off is not done with it.
  const isDone = done ?? (typeof snoozedUntil === "number" ? false : thread.folder === "done");
  const until = snoozedUntil === undefined ? thread.snoozedUntil : snoozedUntil;
  updateThread(env.db, fileThread({ ...thread, assigneeId }, isDone, until));
  if (typeof snoozedUntil === "number") {
    env.wake();
  }
}

function moveMails(env: Environment, mails: readonly InboundMail[], row: EnrollmentRow): void {
  const sent = stepMessagesOf(env.db, row.id).filter(({ dataAt }) => dataAt !== null);
  const to = {
    threadId: row.id,
    enrollmentId: row.id,
    leadId: row.leadId,
    campaignId: row.campaignId,
    repliesTo: sent.at(-1)?.id ?? null,
    effectiveAt: env.clock.now(),
  };
  for (const { id } of mails) {
    attachInbound(env.db, id, to);
  }
}

function relabelThread(env: Environment, caller: Caller, id: Id, kind: SettableKind): void {
  const mails = inboundOfThread(env.db, id, THREAD_MAILS_MAX);
  const kinds = mails.map((mail) => mail.kind);
  for (let changes = 0; changes < mails.length; changes += 1) {
    const place = decisiveMail(kinds);
    const mail = mails[place];
    if (mail === undefined || kinds[place] === kind) {
      return;
    }
    relabel(env, caller, mail, kind, severityOf(mail, kind));
    kinds[place] = kind;
  }
}

function severityOf(
  mail: InboundMail,
  kind: InboundMail["kind"],
  given?: Severity | null,
): Severity | null {
  if (kind === mail.kind && given === undefined) {
    return mail.severity;
  }
  return kind === "bounce" ? (given ?? mail.reading.severity ?? "hard") : null;
}

/** Takes back what the email did as what it was, and does what it does as what it is. */
function relabel(
  env: Environment,
  caller: Caller,
  mail: InboundMail,
  kind: InboundMail["kind"],
  severity: Severity | null,
): void {
  const effectiveAt = env.clock.now();
  const earlier = mail.enrollmentId === null ? [] : inboundOf(env.db, mail.enrollmentId);
  undo(env, caller, mail.id, `a mail is ${kind}, not ${mail.kind}`);
  setLabel(env.db, mail.id, { kind, severity, labelledBy: caller.actor, effectiveAt });
  if (mail.enrollmentId !== null && mail.campaignId !== null) {
    recount(env, mail.campaignId, earlier, inboundOf(env.db, mail.enrollmentId));
  }
  effectOf(env, { ...mail, kind, severity, effectiveAt });
  audit(env, caller, {
    action: "mail.relabel",
    target: `mail:${mail.id}`,
    before: { kind: mail.kind, severity: mail.severity },
    after: { kind, severity },
  });
}

function effectOf(env: Environment, mail: InboundMail): void {
  const row = mail.enrollmentId === null ? undefined : enrollmentById(env.db, mail.enrollmentId);
  const message = mail.repliesTo === null ? undefined : messageById(env.db, mail.repliesTo);
  takeEffect(env, { mail, message, row, byPerson: true });
}

function classifyByHand(env: Environment, thread: ThreadRow, interest: Interest | null): void {
  const row =
    thread.enrollmentId === null ? undefined : enrollmentById(env.db, thread.enrollmentId);
  if (row === undefined) {
    setThreadInterest(env.db, thread.id, interest);
  } else {
    setInterest(env, row, interest);
  }
}

function mark(env: Environment, id: Id, read: boolean): void {
  if (read) {
    setThreadRead(env.db, id);
  } else {
    markNewestUnread(env, id);
  }
}

export function markNewestUnread(env: Environment, id: Id): void {
  const [newest] = inboundOfThread(env.db, id, 1);
  if (newest !== undefined) {
    setRead(env.db, newest.id, false);
  }
}

function refresh(env: Environment, thread: ThreadRow): ThreadRow {
  return refreshThread(env.db, thread.id, env.clock.now()) ?? thread;
}

function refreshTracked(env: Environment, id: Id): ThreadRow {
  const interest = enrollmentById(env.db, id)?.interest ?? null;
  const row = refreshThread(env.db, id, env.clock.now(), interest);
  if (row === undefined) {
    throw new Error(`thread ${id} has no emails after they were attached`);
  }
  return row;
}

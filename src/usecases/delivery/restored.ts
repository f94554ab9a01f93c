/**
 * After a restore the store knows less than the environment: emails have gone out of which it has no record.
 * Those that lie in a Sent folder are recorded as what they are; where a folder cannot tell, what the
 * planner would have sent meanwhile is held for a person, as every message in doubt is.
 */

import { isOpen } from "#domain/campaigns/enrollment.ts";
import { stepsUpTo } from "#domain/campaigns/sequence.ts";
import { savesSent } from "#domain/mailboxes/account.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import type { SentMail } from "#platform/ports/mail.ts";
import { sequenceOf } from "#store/campaigns/steps.ts";
import { enrollmentById, enrollmentsOfLead } from "#store/leads/enrollments.ts";
import { leadByEmail } from "#store/leads/leads.ts";
import {
  accountById,
  listAllAccounts,
  schedulePollSooner,
  updateAccount,
} from "#store/mailboxes/accounts.ts";
import { markAside } from "#store/operations/deleted.ts";
import { leaveCopy } from "#store/operations/restored.ts";
import {
  insertMessage,
  messageByHeader,
  messageById,
  messageOfStep,
  stepsSentTo,
  updateMessage,
} from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { StepRow } from "#store/tables/campaigns.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import type { MessageRow, StepMessage } from "#store/tables/messages.ts";
import { governStep, recordAssignment } from "#usecases/campaigns/exposures.ts";
import { trackMessage } from "#usecases/campaigns/tracked-mail.ts";
import { changeEnrollment, holdEnrollment, upcomingStep } from "#usecases/leads/enrollments.ts";
import { readUnsubscribeToken } from "#usecases/leads/unsubscribe.ts";
import { wakeTeam } from "#usecases/mailboxes/accounts.ts";
import { draftMessage } from "#usecases/sending/draft.ts";
import { claimPlayed } from "./claim.ts";
import { countFound, reserve } from "./found-limits.ts";
import { settleFound, settleUnknown } from "./settle.ts";
import { recordStranger } from "./strangers.ts";

/** Emails that one account may have sent unnoticed; what is beyond is left to the caps. */
const DOUBTS_MAX = 2_000;

/**
 * From here on it is not known what any mailbox sent in that time, until its Sent folder has been read or
 * can never be. Runs inside a commit.
 */
export function markUnconfirmed(env: Environment, since: UnixMs, until: UnixMs): void {
  leaveCopy(env.db, env.wall.now());
  markAside(env.db, { since, until });
  for (const row of listAllAccounts(env.db)) {
    const known = row.unconfirmed?.since ?? since;
    const unconfirmed = { since: known < since ? known : since, until };
    updateAccount(env.db, { ...row, unconfirmed });
    // Read after that instant it has been read since.
    schedulePollSooner(env.db, row.id, until);
  }
}

/** All is known again of what the mailbox sent, unless that came into question anew meanwhile. */
export function confirmSends(env: Environment, asked: AccountRow): void {
  const row = accountById(env.db, asked.id);
  if (row !== undefined && row.unconfirmed?.until === asked.unconfirmed?.until) {
    updateAccount(env.db, { ...row, unconfirmed: null });
    wakeTeam(env, row);
  }
}

/** True where the provider files a copy of everything that it takes. */
export function keepsSent(row: AccountRow): boolean {
  return !savesSent(row.provider);
}

/** An email of ours of which the data has never heard, or knows only tries that were certainly not it. */
export function isLost(env: Environment, mail: SentMail): boolean {
  const token = tokenOf(env, mail);
  const byHeader = mail.messageId === null ? undefined : messageByHeader(env.db, mail.messageId);
  const known = byHeader ?? (token === null ? undefined : messageById(env.db, token));
  return (
    token !== null && (known === undefined || (known.status === "deferred" && !isCounted(known)))
  );
}

function tokenOf(env: Environment, mail: SentMail): Id | null {
  return readUnsubscribeToken(env, mail.unsubscribe.replaceAll("%20", " "));
}

export type Recorded = "known" | "recorded" | "held" | "foreign";

/**
 * An email that lies in the account's Sent folder. Runs inside a commit; the emails of an account are handed
 * over oldest first. `foreign`: not of a sequence of ours.
 */
export function recordSent(env: Environment, accountId: Id, mail: SentMail): Recorded {
  const account = accountById(env.db, accountId);
  if (account === undefined || mail.messageId === null) {
    return "foreign";
  }
  const token = tokenOf(env, mail);
  const known =
    messageByHeader(env.db, mail.messageId) ??
    (token === null ? undefined : messageById(env.db, token));
  if (known !== undefined) {
    return recordKnown(env, account, known, { ...mail, messageId: mail.messageId });
  }
  if (token === null) {
    return "foreign";
  }
  const candidates = candidatesOf(env, account, mail);
  const [row] = candidates;
  if (row === undefined) {
    recordStranger(env, account, { ...mail, messageId: mail.messageId }, token);
    return "recorded";
  }
  if (candidates.length > 1) {
    countFound(env, account, candidates, mail);
    for (const one of candidates.filter(({ status }) => isOpen(status))) {
      const detail = `an email to this lead (${mail.subject}) was sent before the restore`;
      holdEnrollment(env, one, "unknown_send", detail);
    }
    return "held";
  }
  return recordLost(env, account, row, { mail, id: token });
}

/**
 * It was being tried, or waited for another try. Which may have been another mailbox's, with a Message-ID of
 * its own: then the email bears the id of the message in its link, and it went from here.
 */
function recordKnown(
  env: Environment,
  account: AccountRow,
  message: MessageRow,
  mail: SentMail & { messageId: string },
): Recorded {
  const { kind } = message;
  const isOther = mail.messageId !== message.messageId;
  if (!mayBeIt(message, isOther)) {
    return "known";
  }
  const row = enrollmentById(env.db, message.enrollmentId);
  if (row !== undefined && row.holdReason === "unknown_send") {
    changeEnrollment(env, row, { holdReason: null, holdDetail: null });
  }
  const from = isOther ? account : (accountById(env.db, message.accountId) ?? account);
  const claim: Partial<MessageRow> = isCounted(message)
    ? {}
    : {
        reserved: reserve(env, from, mail.at, kind, row),
        claimedAt: kind === "manual" ? message.claimedAt : mail.at,
      };
  updateMessage(env.db, {
    ...{ ...message, ...claim, accountId: from.id, messageId: mail.messageId },
    ...{ status: "sending", dataAt: mail.at, dueAt: null },
  });
  if (row !== undefined && kind === "step") {
    // Whether or not the sequence has ended: its next email was this mailbox's, too.
    changeEnrollment(env, row, { accountId: from.id });
  }
  settleFound(env, message.id, mail.folder, mail.at);
  return "recorded";
}

/** Of what the copy knew as tried, and a reply may have cancelled since, the next try was sent. */
function mayBeIt({ kind, status }: MessageRow, isOther: boolean): boolean {
  const isTried = status === "deferred" || (status === "cancelled" && kind === "step");
  return isOther
    ? isTried && kind === "step"
    : isTried || ["queued", "sending", "unknown"].includes(status);
}

/** What was certainly not sent gave back what it took of the caps; what may have been did not. */
function isCounted({ status, dataAt }: MessageRow): boolean {
  return status === "sending" || status === "unknown" || dataAt !== null;
}

/**
 * Enrollments whose next step this email may be: of several those whose subject it has, and those first that
 * have not ended. One that has, as the data knows or by a reply since, may have been written to before.
 */
function candidatesOf(env: Environment, account: AccountRow, mail: SentMail): EnrollmentRow[] {
  const rows = mail.to.flatMap((email) => {
    const lead = leadByEmail(env.db, account.teamId, email);
    return lead === undefined ? [] : enrollmentsOfLead(env.db, lead.id);
  });
  const next = rows.filter((row) => {
    const isOurs = row.accountId === null || row.accountId === account.id;
    return isOurs && upcomingStep(env, row)?.type === "email";
  });
  if (next.length < 2) {
    return next;
  }
  const alike = next.filter((row) => subjectOf(env, account, row) === mail.subject);
  const likely = alike.length === 0 ? next : alike;
  const open = likely.filter((row) => isOpen(row.status));
  return open.length === 0 ? likely : open;
}

function subjectOf(env: Environment, account: AccountRow, row: EnrollmentRow): string | null {
  const draft = draftNext(env, account, row);
  return draft === null ? null : draft.message.subject;
}

function draftNext(env: Environment, account: AccountRow, row: EnrollmentRow) {
  const step = upcomingStep(env, row);
  return step === undefined ? null : draftOf(env, account, row, step);
}

function draftOf(env: Environment, account: AccountRow, row: EnrollmentRow, step: StepRow) {
  const earlier = messageOfStep(env.db, row.id, step.id);
  const governed = governStep(env, row, step, earlier);
  const draft = draftMessage(env, account, row, governed.step, earlier);
  return draft.kind === "ready" ? { message: draft.message, governed, earlier } : null;
}

/**
 * The step that an email was of: the next one, or where the sequence was edited in the lost time the one further on
 * that alone has its subject.
 */
function draftSent(env: Environment, account: AccountRow, row: EnrollmentRow, subject: string) {
  const next = draftNext(env, account, row);
  if (next === null || next.message.subject === subject) {
    return next;
  }
  const sequence = sequenceOf(env.db, row.campaignId);
  const sent = stepsSentTo(env.db, row);
  const alike = sequence.steps
    .slice(stepsUpTo(sequence, row.placeId))
    .filter(({ id, type }) => type === "email" && !sent.has(id))
    .flatMap((step) => draftOf(env, account, row, step) ?? [])
    .filter(({ message }) => message.subject === subject);
  return alike.length === 1 ? (alike[0] ?? next) : next;
}

/** The row that the claim had written, with its own id and Message-ID, and then its outcome. */
function recordLost(
  env: Environment,
  account: AccountRow,
  row: EnrollmentRow,
  { mail, id }: { mail: SentMail; id: Id },
): Recorded {
  const drafted = draftSent(env, account, row, mail.subject);
  if (drafted === null || drafted.earlier !== undefined) {
    countFound(env, account, [row], mail);
    if (isOpen(row.status)) {
      holdEnrollment(env, row, "unknown_send", "an email to this lead was sent before the restore");
    }
    return "held";
  }
  const reserved = reserve(env, account, mail.at, "step", row);
  const message: StepMessage = {
    ...drafted.message,
    id,
    messageId: mail.messageId ?? drafted.message.messageId,
    subject: mail.subject === "" ? drafted.message.subject : mail.subject,
    status: "sending",
    attempts: 1,
    claimedAt: mail.at,
    dataAt: mail.at,
    reserved,
  };
  insertMessage(env.db, message);
  trackMessage(env, message);
  recordAssignment(env, drafted.governed, message);
  changeEnrollment(env, row, {
    accountId: account.id,
    dueAt: null,
    nextPlaceId: drafted.governed.step.placeId,
    holdReason: null,
    holdDetail: null,
    attempts: row.attempts + 1,
    firstAttemptAt: row.firstAttemptAt ?? mail.at,
  });
  settleFound(env, id, mail.folder, mail.at);
  return "recorded";
}

/**
 * Plays the account's planner from `from` up to `until`, and holds for a person what it would have sent.
 * One email or one wait, inside a commit; returns where to go on from, undefined at the end.
 */
export function holdUnconfirmed(
  env: Environment,
  accountId: Id,
  { at, until }: { at: UnixMs; until: UnixMs },
): { held: boolean; next: UnixMs | undefined } {
  const claim = claimPlayed(env, accountId, at);
  if (claim.kind === "wait") {
    const isLater = claim.until !== undefined && claim.until > at && claim.until <= until;
    return { held: false, next: isLater ? claim.until : undefined };
  }
  const { message } = claim;
  const response =
    "may have been sent before the restore; the Sent folder doesn't show it either way";
  settleUnknown(env, { ...message, dataAt: at, response });
  return { held: true, next: at };
}

/** Bound on {@link holdUnconfirmed} for one account. */
export function unconfirmedMax(account: AccountRow, filesCopies: boolean): number {
  if (!filesCopies) {
    return DOUBTS_MAX;
  }
  // Copies are filed within seconds of sending: as many emails as fit into a minute, one at least.
  return Math.min(DOUBTS_MAX, 1 + Math.floor(60 / Math.max(1, account.minGapSeconds)));
}

/**
 * *Claims* an email of a sequence: reserves its place under the caps and mints its Message-ID.
 *
 * The claim checks every guard again in its own transaction, so that a crash at any point leaves an intent
 * that `recover.ts` can resolve, and never a second email.
 */

import { slotsOf } from "#domain/campaigns/counters.ts";
import { type Decision, decide } from "#domain/sending/plan-sends.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { sha256 } from "#platform/secrets/crypto.ts";
import { mailsOfMonth } from "#store/billing/limits.ts";
import { isStorageTrouble } from "#store/campaigns/trouble.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { findLeadById } from "#store/leads/leads.ts";
import { accountById, updateAccount } from "#store/mailboxes/accounts.ts";
import { seedByEmail } from "#store/placement/placement-seeds.ts";
import { planAccount, playedLedger, storeLedger } from "#store/sending/ledger.ts";
import { bytesOf, saveFilesOfMessage } from "#store/sending/message-files.ts";
import { insertMessage, messageOfStep, updateMessage } from "#store/sending/messages.ts";
import { addUsage, type Bucket, takeFound } from "#store/sending/usage.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import type { MessageRow, StepMessage } from "#store/tables/messages.ts";
import { governStep, recordAssignment } from "#usecases/campaigns/exposures.ts";
import { forgetNegativeEvents } from "#usecases/campaigns/negative-events.ts";
import { pauseForPlan } from "#usecases/campaigns/plan-pause.ts";
import { trackMessage } from "#usecases/campaigns/tracked-mail.ts";
import { emitEmailLimit, monthOf } from "#usecases/events/limits.ts";
import {
  changeEnrollment,
  dueAtOf,
  endEnrollment,
  holdEnrollment,
  upcomingStep,
} from "#usecases/leads/enrollments.ts";
import { endSuppressed, isSuppressed, refusalOf } from "#usecases/leads/suppressions.ts";
import { openTask } from "#usecases/leads/tasks.ts";
import { isSendable as isAccountSendable } from "#usecases/mailboxes/accounts.ts";
import { addressConsequence } from "#usecases/mailboxes/address-checks.ts";
import { draftMessage, taskFor } from "./draft.ts";
import type { Claim, Claimed } from "./outgoing.ts";

/** Enrollments looked at in one claim that turn out to need no email (held, ended, tasks). */
const DETOURS_MAX = 200;

/** Of a planning fault, as shown to a person. */
const DETAIL_CHARS_MAX = 200;

type SendDecision = Extract<Decision, { kind: "send" }>;

/** A bug of ours in taking up one lead. */
export class ClaimFault extends Error {
  readonly enrollmentId: Id;
  constructor(enrollmentId: Id, cause: unknown) {
    super(`the lead of enrollment ${enrollmentId} could not be taken up`, { cause });
    this.enrollmentId = enrollmentId;
  }
}

/** Claims the next email of a sequence from a mailbox. Throws {@link ClaimFault}. */
export function claimStep(env: Environment, account: AccountRow, now: UnixMs): Claim {
  return claim(env, account, now, (row) => decideStep(env, row, now));
}

/** What a mailbox does for its sequences now. */
export function decideStep(env: Environment, row: AccountRow, now: UnixMs): Decision {
  const ledger = storeLedger(env.db, row.teamId);
  return decide(ledger, planAccount(row, isSendable(env, row)), now);
}

/**
 * As {@link claimStep} at a past instant, for a mailbox and campaigns that may have been resumed before
 * it: none of them counts as paused, and the mailbox as healthy.
 */
export function claimPlayedStep(env: Environment, account: AccountRow, at: UnixMs): Claim {
  return claim(env, account, at, (row) => {
    const plan = { ...planAccount(row, true), healthScore: 100, onTrial: false };
    return decide(playedLedger(env.db, row.teamId), plan, at);
  });
}

function claim(
  env: Environment,
  { id, teamId }: AccountRow,
  now: UnixMs,
  decideFor: (account: AccountRow) => Decision,
): Claim {
  for (let detours = 0; detours < DETOURS_MAX; detours += 1) {
    pauseForPlan(env, teamId, now);
    const account = accountById(env.db, id);
    const decision = account && decideFor(account);
    if (account === undefined || decision === undefined) {
      return { kind: "wait", until: undefined };
    }
    if (decision.kind === "wait") {
      return { kind: "wait", until: decision.until };
    }
    const claimed = takeDecided(env, account, decision, now);
    if (claimed !== undefined) {
      return { kind: "send", account, ...claimed };
    }
  }
  return { kind: "wait", until: now };
}

/** The message to the lead that was decided on; undefined where it needs none, or is on hold by now. */
function takeDecided(
  env: Environment,
  account: AccountRow,
  decision: Exclude<Decision, { kind: "wait" }>,
  now: UnixMs,
): Claimed | undefined {
  const row = enrollmentById(env.db, decision.candidate.enrollmentId);
  if (decision.kind === "fault") {
    setAside(env, row, decision.cause);
    return undefined;
  }
  return row && blamed(row, () => claimLead(env, account, row, decision, now));
}

/** A lead that cannot be planned waits for a person; tried again by itself it would fail the same way. */
function setAside(env: Environment, row: EnrollmentRow | undefined, fault: unknown): void {
  const [detail, cause] =
    fault instanceof Error ? [fault.message, fault.stack ?? fault.message] : [String(fault), ""];
  env.log.error("planning a lead failed", { enrollment: row?.id, cause });
  if (row !== undefined) {
    holdEnrollment(env, row, "planning_failed", detail.slice(0, DETAIL_CHARS_MAX));
  }
}

/** Says of a failure in whose turn it was. */
function blamed<Result>(row: EnrollmentRow, take: () => Result): Result {
  try {
    return take();
  } catch (error) {
    throw isStorageTrouble(error) ? error : new ClaimFault(row.id, error);
  }
}

/** May this account write at all now? */
export function isSendable(env: Environment, account: AccountRow): boolean {
  return isAccountSendable(account, env.name);
}

/**
 * The message to send to this enrollment, or undefined when it needs none: then the enrollment has been
 * ended, held or given to a person, and is out of the queue.
 */
function claimLead(
  env: Environment,
  account: AccountRow,
  row: EnrollmentRow,
  decision: SendDecision,
  now: UnixMs,
): Claimed | undefined {
  if (isEndedByBar(env, row)) {
    return undefined;
  }
  const step = upcomingStep(env, row);
  if (step === undefined) {
    endEnrollment(env, row, "completed", "sequence_finished");
    return undefined;
  }
  const dueAt = dueAtOf(env, row, step);
  if (dueAt > now) {
    changeEnrollment(env, row, { dueAt });
    return undefined;
  }
  if (step.type === "task") {
    openTask(env, row, taskFor(env, account, row, step));
    return undefined;
  }
  if (isKeptForAddress(env, row) || isKeptAsFound(env, row)) {
    return undefined;
  }
  const earlier = messageOfStep(env.db, row.id, step.id);
  const governed = governStep(env, row, step, earlier);
  const draft = draftMessage(env, account, row, governed.step, earlier);
  if (draft.kind === "hold") {
    holdEnrollment(env, row, draft.reason ?? "missing_variable", draft.detail);
    return undefined;
  }
  if (draft.kind === "failed") {
    endEnrollment(env, row, "failed", draft.reason);
    return undefined;
  }
  const reserved = reserve(env, account, decision, now);
  const message: StepMessage = {
    ...draft.message,
    status: "sending",
    attempts: (earlier?.attempts ?? 0) + 1,
    claimedAt: now,
    dataAt: null,
    reserved,
  };
  if (earlier === undefined) {
    insertMessage(env.db, message);
  } else {
    forgetNegativeEvents(env, earlier.id);
    updateMessage(env.db, message);
  }
  if (earlier !== undefined || draft.carried.length > 0) {
    saveFilesOfMessage(env.db, message, draft.carried);
  }
  trackMessage(env, message);
  recordAssignment(env, governed, message);
  changeEnrollment(env, row, {
    accountId: account.id,
    dueAt: null,
    nextPlaceId: step.placeId,
    status: row.status === "paused" ? "active" : row.status,
    ...attemptsWith(row, earlier, now),
  });
  return { message, bytes: bytesOf(draft.carried.map(({ file }) => file)) };
}

/**
 * Puts a lead on hold whose address takes no email, or is too risky for its campaign; and moves one to the queue in which
 * it belongs.
 */
function isKeptForAddress(env: Environment, row: EnrollmentRow): boolean {
  const lead = findLeadById(env.db, row.leadId);
  const found = lead === undefined ? null : addressConsequence(env, row, lead);
  if (found !== null && found.reason !== "spread") {
    holdEnrollment(env, row, found.reason, found.detail);
    return true;
  }
  const spread = found !== null;
  if (spread !== row.spread) {
    changeEnrollment(env, row, { spread });
  }
  return spread !== row.spread;
}

/** Counted for one step: those of a step that another took the turn of since say nothing of this one. */
function attemptsWith(row: EnrollmentRow, earlier: MessageRow | undefined, now: UnixMs) {
  return earlier?.status === "deferred"
    ? { attempts: row.attempts + 1, firstAttemptAt: row.firstAttemptAt ?? now }
    : { attempts: 1, firstAttemptAt: now };
}

/**
 * Why the lead must not be written to: its address or domain is suppressed, or the lead is gone; or the person
 * refused at an address that was merged into it; or its address is a mailbox of the team's own by now, in which test emails are looked for. A sequence that had
 * ended may be resumed after the address became one.
 */
export function barOf(
  env: Environment,
  row: EnrollmentRow,
  email = leadEmail(env, row),
): "suppressed" | "seed" | null {
  if (email === undefined || isSuppressed(env.db, row.teamId, email, row.domain) !== null) {
    return "suppressed";
  }
  if (refusalOf(env, { id: row.leadId, teamId: row.teamId }) !== undefined) {
    return "suppressed";
  }
  return seedByEmail(env.db, row.teamId, email) === undefined ? null : "seed";
}

function reserve(
  env: Environment,
  account: AccountRow,
  { campaign, counters, turns }: SendDecision,
  now: UnixMs,
): Bucket[] {
  const reserved = [...counters, mailsOfMonth(account.teamId, monthOf(now).month)];
  // Of domains without a cap the slots are enough: they are counted anew once they have one.
  const isCounted = ({ kind }: Bucket) =>
    kind !== "campaign_domain" || campaign.maxPerDomainPerDay !== null;
  addUsage(env.db, [...reserved, ...slotsOf(reserved, now)].filter(isCounted), 1, now);
  emitEmailLimit(env, account.teamId, now);
  updateAccount(env.db, { ...account, ...turns, lastClaimAt: now, wakeAt: null });
  return reserved;
}

/** Ends the sequence of whoever must not be written to, whatever their own state says. */
function isEndedByBar(env: Environment, row: EnrollmentRow): boolean {
  const bar = barOf(env, row);
  if (bar === "suppressed") {
    endSuppressed(env, row, leadEmail(env, row));
  } else if (bar === "seed") {
    endEnrollment(env, row, "suppressed", "placement_seed");
  }
  return bar !== null;
}

/** Puts on hold whoever is new here, but was written to in the time that a restore has lost. */
function isKeptAsFound(env: Environment, row: EnrollmentRow): boolean {
  const email = row.placeId === null && row.attempts === 0 ? leadEmail(env, row) : undefined;
  const isFound = email !== undefined && takeFound(env.db, row.teamId, sha256(email));
  if (isFound) {
    const detail = "an email to this address was sent before the restore";
    holdEnrollment(env, row, "unknown_send", detail);
  }
  return isFound;
}

function leadEmail(env: Environment, row: EnrollmentRow): string | undefined {
  return findLeadById(env.db, row.leadId)?.email;
}

/**
 * Taking back what an occurrence has changed. Each thing that was changed has its chain of effects; one
 * link is taken out, and the rest is played again from where that link began: who replied and then
 * unsubscribed is unsubscribed still when the reply turns out to be none, and is back in the sequence
 * when both do. What a person has changed since by hand stays as it is.
 */

import { leavesAlone } from "#domain/campaigns/campaign.ts";
import { type Interest, isOpen, mayEndAs } from "#domain/campaigns/enrollment.ts";
import { isStronger, type SuppressionReason } from "#domain/leads/suppression.ts";
import type { UnixMs } from "#domain/time.ts";
import { type Caller, type Environment, engineCaller } from "#environment.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { stepById, updateStep } from "#store/campaigns/steps.ts";
import {
  effectsOf,
  effectsOn,
  insertLift,
  nextLift,
  removeEffect,
  removeLift,
  someEndsOf,
  updateEffect,
} from "#store/inbox/effects.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { findLeadById, updateLead } from "#store/leads/leads.ts";
import { findSuppression } from "#store/leads/suppressions.ts";
import { openTaskOf } from "#store/leads/tasks.ts";
import { wakeAccounts } from "#store/mailboxes/accounts.ts";
import { messageById, stepMessagesOf, updateMessage } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { NegativeKind } from "#store/tables/health.ts";
import type { EffectRow } from "#store/tables/inbox.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { recordBounced } from "#usecases/campaigns/exposures.ts";
import { countAt, countProvider } from "#usecases/campaigns/figures.ts";
import { takeBackNegativeEvent } from "#usecases/campaigns/negative-events.ts";
import type {
  Cause,
  Effects,
  EnrollmentEnd,
  EnrollmentPlace,
} from "#usecases/events/effect-log.ts";
import { changeEnrollment, scheduleNext } from "#usecases/leads/enrollments.ts";
import { setOwnInterest, takeBackMove } from "#usecases/leads/interest.ts";
import { requireSuppression, unsuppress, weaken } from "#usecases/leads/suppressions.ts";

/** Enrollments that upkeep looks at in one transaction. */
const RESUMED_SLICE = 500;

/** Takes back all that `cause` has changed. `why` goes into the audit log where a suppression ends. */
export function undo(env: Environment, caller: Caller, cause: Cause, why: string): void {
  for (const effect of effectsOf(env.db, cause)) {
    takeBack(env, caller, effect, why);
  }
}

/**
 * Lifts a suppression. With `resume`, the sequences go on that ended together with it, each from where
 * it was, unless something else ended it too; those of a domain in slices, by {@link resumeLifted}.
 * True where some go on in a campaign that has completed and is not evergreen: nothing is sent to them.
 * Throws `not_found`.
 */
export function liftSuppression(
  env: Environment,
  caller: Caller,
  id: Id,
  { why, resume }: { why: string | null; resume: boolean },
): boolean {
  let isLeft = false;
  const isDomain = requireSuppression(env, caller, id).email?.startsWith("@") ?? false;
  unsuppress(env, caller, id, why);
  for (const { id: effectId, teamId, causeId } of effectsOn(
    env.db,
    "suppression",
    id,
  ).toReversed()) {
    removeEffect(env.db, effectId);
    isLeft ||= resume && someEndsOf(env.db, causeId, LOOKED_AT_MAX).some(isOfSpent(env));
    if (resume && isDomain) {
      insertLift(env.db, { id: env.ids.next(env.clock.now()), teamId, causeId });
      env.wake();
    } else if (resume) {
      const found = effectsOf(env.db, causeId);
      resumeEnds(env, caller, found);
      forgetRefusal(env, caller, found);
    }
  }
  return isLeft;
}

/**
 * Takes back what an upload has done to one suppression, unless it has been confirmed since. What it added is
 * lifted as a mistake; a stronger reason than before becomes what it was. Inside a commit.
 */
export function takeBackSuppression(
  env: Environment,
  caller: Caller,
  effect: EffectRow,
  why: string,
): "removed" | "restored" | "left" | "unchanged" {
  const chain = effectsOn(env.db, "suppression", effect.subjectId);
  const row = findSuppression(env.db, effect.teamId, effect.subjectId);
  const [before, after] = [effect.before, effect.after] as Effects["suppression"];
  const isChange = before === null || isStronger(after, before);
  if (row === undefined || chain.at(-1)?.id !== effect.id) {
    return row !== undefined && isChange ? "left" : "unchanged";
  }
  if (before === null && chain.length === 1) {
    liftSuppression(env, caller, row.id, { why, resume: true });
    return "removed";
  }
  takeBack(env, caller, effect, why);
  return isChange ? "restored" : "unchanged";
}

/** Sequences among which one is looked for that goes on in a campaign that sends nothing more. */
const LOOKED_AT_MAX = 1_000;

function isOfSpent(env: Environment): (effect: EffectRow) => boolean {
  return ({ subjectId }) => {
    const row = enrollmentById(env.db, subjectId);
    const campaign = row && campaignById(env.db, row.campaignId);
    return campaign !== undefined && leavesAlone(campaign);
  };
}

/** Upkeep: one slice of what lifted domains had ended. Resolves to when there is more. */
export async function resumeDue(env: Environment, now: UnixMs): Promise<UnixMs | undefined> {
  const isPending = nextLift(env.db) !== undefined;
  const looked = isPending ? await env.commit(() => resumeLifted(env, RESUMED_SLICE)) : 0;
  return looked === RESUMED_SLICE ? now : undefined;
}

/**
 * Lets `limit` enrollments go on, at most, that a lifted domain had ended. Returns how many it looked at:
 * fewer than `limit` when nothing is left for now.
 */
export function resumeLifted(env: Environment, limit: number): number {
  let looked = 0;
  for (let lift = nextLift(env.db); lift !== undefined; lift = nextLift(env.db)) {
    const { id, teamId, causeId } = lift;
    const some = someEndsOf(env.db, causeId, limit - looked);
    resumeEnds(env, engineCaller(teamId), some);
    looked += some.length;
    if (looked >= limit) {
      return looked;
    }
    removeLift(env.db, id);
  }
  return looked;
}

function resumeEnds(env: Environment, caller: Caller, found: readonly EffectRow[]): void {
  for (const effect of found.filter(({ type }) => type === "enrollment")) {
    takeBack(env, caller, effect, "");
  }
}

/** An email that a server refused outright is sent again by what goes on, and counts anew. */
function forgetRefusal(env: Environment, caller: Caller, found: readonly EffectRow[]): void {
  const isRefused = found.some(
    ({ type, subjectId }) =>
      type === "message_bounced" && messageById(env.db, subjectId)?.status === "failed",
  );
  for (const effect of isRefused ? found.filter(({ type }) => BOUNCES.has(type)) : []) {
    takeBack(env, caller, effect, "");
  }
}

const BOUNCES: ReadonlySet<EffectRow["type"]> = new Set([
  "message_bounced",
  "step_bounced",
  "soft_bounces",
]);

function takeBack(env: Environment, caller: Caller, effect: EffectRow, why: string): void {
  const chain = effectsOn(env.db, effect.type, effect.subjectId);
  const place = chain.findIndex(({ id }) => id === effect.id);
  const later = chain.slice(place + 1);
  removeEffect(env.db, effect.id);
  switch (effect.type) {
    case "enrollment":
      replayEnrollment(env, effect, later);
      return;
    case "interest":
      replayInterest(env, effect, later);
      return;
    case "moved":
      takeBackMove(env, effect.subjectId);
      return;
    case "suppression":
      replaySuppression(env, caller, effect, { later, why });
      return;
    case "message_bounced":
      if (chain.length === 1) {
        forgetBounce(env, effect.subjectId);
      }
      return;
    case "harm":
      if (!chain.some(({ id, after }) => id !== effect.id && after === effect.after)) {
        takeBackNegativeEvent(env, effect.subjectId, effect.after as NegativeKind);
      }
      return;
    default:
      addBack(env, effect);
  }
}

/** How the links of a chain work. */
interface Chain<State, Wanted> {
  /** The state after a link. */
  play: (before: State, wanted: Wanted) => State;
  same: (a: State, b: State) => boolean;
}

/**
 * Takes `effect` out of its chain: each later link begins where the ones left before it end. Returns what
 * the chain had made of it and what it makes of it now; null where something that is not in the chain
 * has changed it since.
 */
function takeOut<State, Wanted>(
  env: Environment,
  effect: EffectRow,
  later: readonly EffectRow[],
  { play, same }: Chain<State, Wanted>,
): { known: State; state: State } | null {
  let state = effect.before as State;
  let known = play(state, effect.after as Wanted);
  for (const link of later) {
    if (!same(link.before as State, known)) {
      return null;
    }
    updateEffect(env.db, { ...link, before: state });
    known = play(known, link.after as Wanted);
    state = play(state, link.after as Wanted);
  }
  return same(known, state) ? null : { known, state };
}

const ENROLLMENT: Chain<EnrollmentPlace, EnrollmentEnd> = {
  play: playEnd,
  same: (a, b) => a.status === b.status && a.stopReason === b.stopReason,
};
const INTEREST: Chain<Interest | null, Interest | null> = {
  play: (_before, wanted) => wanted,
  same: Object.is,
};
const SUPPRESSION: Chain<SuppressionReason | null, SuppressionReason> = {
  play: (before, wanted) => (before === null || isStronger(wanted, before) ? wanted : before),
  same: Object.is,
};

function playEnd(before: EnrollmentPlace, wanted: EnrollmentEnd): EnrollmentPlace {
  const { status, stopReason, dueAt } = wanted;
  if (status === "paused") {
    const notBefore = dueAt ?? before.notBefore ?? null;
    return isOpen(before.status) ? { ...before, status, stopReason, dueAt, notBefore } : before;
  }
  if (before.status === status || !mayEndAs(before.status, status)) {
    return before;
  }
  return { ...before, status, stopReason, dueAt: null, holdReason: null, holdDetail: null };
}

function replayEnrollment(env: Environment, effect: EffectRow, later: readonly EffectRow[]): void {
  const row = enrollmentById(env.db, effect.subjectId);
  const change = takeOut(env, effect, later, ENROLLMENT);
  const { status, stopReason } = change?.known ?? {};
  if (
    row !== undefined &&
    change !== null &&
    row.status === status &&
    row.stopReason === stopReason
  ) {
    goBack(env, row, change.state);
  }
}

/** Puts an enrollment where it was: what came in between, an email sent or a task done, is not lost. */
function goBack(env: Environment, row: EnrollmentRow, state: EnrollmentPlace): void {
  const { status, stopReason, holdReason, holdDetail } = state;
  const still = {
    ...{ status, stopReason, dueAt: null, holdReason: null, holdDetail: null },
    bookedAt: state.waitsFrom === row.waitsFrom ? (state.bookedAt ?? null) : null,
    notBefore: state.notBefore === undefined ? state.dueAt : state.notBefore,
    // Refused at its first email it was never written to: it is a new lead again, to any mailbox.
    ...(row.lastSentAt === null && !hasMail(env, row, ["sending", "unknown"])
      ? { accountId: null }
      : {}),
  };
  const isPausedByHand = status === "paused" && state.dueAt === null && holdReason === null;
  if (!isOpen(status) || isPausedByHand) {
    changeEnrollment(env, row, still);
  } else if (isStillHeld(env, row, state)) {
    changeEnrollment(env, row, { ...still, holdReason, holdDetail });
  } else {
    const opened = changeEnrollment(env, row, still);
    if (!hasMail(env, row, ["sending"])) {
      scheduleNext(env, opened);
    }
  }
  wakeAccounts(env.db, row.teamId);
  env.wake();
}

/** A hole in a template may have been filled: that is found out when its turn comes. */
function isStillHeld(
  env: Environment,
  row: EnrollmentRow,
  { holdReason }: EnrollmentPlace,
): boolean {
  switch (holdReason) {
    case "task":
      return openTaskOf(env.db, row.id) !== undefined;
    case "unknown_send":
      return hasMail(env, row, ["unknown"]);
    case "account_gone":
      return true;
    default:
      return false;
  }
}

/** True when an email of the sequence is in one of these states. */
function hasMail(
  env: Environment,
  row: EnrollmentRow,
  states: readonly MessageRow["status"][],
): boolean {
  return stepMessagesOf(env.db, row.id).some(({ status }) => states.includes(status));
}

function replayInterest(env: Environment, effect: EffectRow, later: readonly EffectRow[]): void {
  const row = enrollmentById(env.db, effect.subjectId);
  const change = takeOut(env, effect, later, INTEREST);
  if (row !== undefined && change !== null && row.interest === change.known) {
    setOwnInterest(env, row, change.state);
  }
}

function replaySuppression(
  env: Environment,
  caller: Caller,
  effect: EffectRow,
  { later, why }: { later: readonly EffectRow[]; why: string },
): void {
  const row = findSuppression(env.db, effect.teamId, effect.subjectId);
  const change = takeOut(env, effect, later, SUPPRESSION);
  if (row === undefined || change === null || row.reason !== change.known) {
    return;
  }
  if (change.state === null) {
    unsuppress(env, caller, row.id, why);
  } else {
    weaken(env, caller, row.id, change.state);
  }
}

function forgetBounce(env: Environment, messageId: Id): void {
  const message = messageById(env.db, messageId);
  if (message !== undefined) {
    const after = { ...message, bouncedAt: null };
    updateMessage(env.db, after);
    recordBounced(env, after);
    if (message.bouncedAt !== null && message.kind === "step") {
      countAt(env, message, message.bouncedAt, { bounced: -1 });
      countProvider(env, message, { bounced: -1 });
    }
  }
}

/** Counters: what was added is taken off, what was taken off is added. */
function addBack(env: Environment, { type, subjectId, after }: EffectRow): void {
  const added = after as number;
  if (type === "soft_bounces") {
    const lead = findLeadById(env.db, subjectId);
    if (lead !== undefined) {
      updateLead(env.db, { ...lead, softBounces: Math.max(0, lead.softBounces - added) });
    }
    return;
  }
  const step = stepById(env.db, subjectId);
  const name = type === "step_bounced" ? "bounced" : "unsubscribed";
  if (step !== undefined) {
    updateStep(env.db, { ...step, [name]: Math.max(0, step[name] - added) });
  }
}

/**
 * The near future: the planner run over a projected state, from now to an instant, as if nobody replied,
 * nothing failed and nothing was changed. It takes the same decisions in the same order as the engine
 * does, so what it says is what happens.
 */

import { isOpen } from "#domain/campaigns/enrollment.ts";
import { isReady } from "#domain/mailboxes/account.ts";
import { testSlot } from "#domain/placement/placement.ts";
import { useOf } from "#domain/sending/budget.ts";
import type { Candidate, Whose } from "#domain/sending/ledger.ts";
import { type Decision, decide } from "#domain/sending/plan-sends.ts";
import { earlier, type UnixMs, unixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { accountsOf } from "#store/mailboxes/accounts.ts";
import { messagesUnderWay } from "#store/sending/messages.ts";
import type { Bucket } from "#store/sending/usage.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { CampaignRow, StepRow } from "#store/tables/campaigns.ts";
import { addressConsequence } from "#usecases/mailboxes/address-checks.ts";
import { checkDraft, linksOf } from "#usecases/sending/draft.ts";
import {
  dateCounted,
  followHealth,
  type Mailbox,
  nextWake,
  projectMailbox,
  roundAt,
} from "./projected-mailboxes.ts";
import { type ProjectedMails, projectMails } from "./projected-mails.ts";
import { type ProjectedMoves, projectMoves } from "./projected-moves.ts";
import {
  type Progress,
  type ProjectedProgress,
  projectedDueAt,
  projectProgress,
  waitsOn,
} from "./projected-progress.ts";
import { createProjection, type Projection } from "./projection.ts";

/** Sends and waits in one projection; a longer future is cut there. */
const DECISIONS_MAX = 400_000;

export interface PlannedSend {
  at: UnixMs;
  campaignId: Id;
  accountId: Id;
  enrollmentId: Id;
  /** A rule has yet to move the lead into the campaign: nothing has this `enrollmentId`. */
  isToCome: boolean;
  leadId: Id;
  stepId: Id;
  stepPosition: number;
  isNew: boolean;
  /** One of the few to risky addresses. */
  isSpread: boolean;
}

interface Run {
  env: Environment;
  mails: ProjectedMails;
  state: Projection;
  mailboxes: Mailbox[];
  progress: ProjectedProgress;
  moves: ProjectedMoves;
}

/** One step of a projection: a decision for one mailbox, or the reading of one. */
export interface ProjectedStep {
  /** The instant up to which the future has been looked at. */
  at: UnixMs;
  /** The email that was decided on, in order; null: none in this step. */
  send: PlannedSend | null;
}

/**
 * The future of a team from `from` to `to`, in steps of about a millisecond each, so that whoever asks can
 * serve others in between. `also`: a campaign that does not run, as if it were started now.
 */
export function* project(
  env: Environment,
  teamId: Id,
  from: UnixMs,
  to: UnixMs,
  also?: CampaignRow,
): Generator<ProjectedStep, void, void> {
  const run = yield* begin(env, teamId, from, also);
  if (also !== undefined) {
    wakeEveryone(run);
  }
  let at = from;
  for (let decisions = 0; decisions < DECISIONS_MAX; ) {
    verify(run, at);
    turnHealth(run, at);
    const due = roundAt(run.mailboxes, at);
    decisions += due.length;
    if (due.length > 0) {
      yield* playRound(run, due, at);
      continue;
    }
    const next = nextWake(run.mailboxes);
    if (next === undefined || next > to) {
      yield { at: to, send: null };
      return;
    }
    at = unixMs(Math.max(at, next));
  }
}

/** All claims of a round come before all its outcomes, as in the engine. */
function* playRound(run: Run, due: readonly Mailbox[], at: UnixMs): Generator<ProjectedStep> {
  const sends: [Mailbox, PlannedSend][] = [];
  for (const mailbox of due) {
    let send = claim(run, mailbox, at);
    while (send === "passed") {
      yield { at, send: null };
      send = claim(run, mailbox, at);
    }
    yield { at, send };
    if (send !== null) {
      sends.push([mailbox, send]);
    }
  }
  for (const [mailbox, send] of sends) {
    settle(run, mailbox, send);
  }
}

function* begin(
  env: Environment,
  teamId: Id,
  from: UnixMs,
  also?: CampaignRow,
): Generator<ProjectedStep, Run> {
  const mailboxes: Mailbox[] = [];
  const run: Run = {
    env,
    mails: projectMails(env, teamId),
    state: createProjection(env.db, teamId, mailboxes, also),
    mailboxes,
    progress: projectProgress(env),
    moves: projectMoves(env),
  };
  for (const row of accountsOf(env.db, teamId)) {
    run.mailboxes.push(projectMailbox(env, row, from));
    yield { at: from, send: null };
  }
  for (const message of messagesUnderWay(env.db)) {
    const mailbox = run.mailboxes.find(({ row }) => row.id === message.accountId);
    if (message.teamId === teamId && message.kind === "step") {
      const { id, ...ids } = message;
      settle(run, mailbox, { ...ids, at: from, isNew: false, isUnderWay: true });
    } else if (mailbox !== undefined) {
      const date = message.kind === "manual" ? dateCounted(mailbox, message) : null;
      mailbox.health.accepted(date, from);
      followHealth(mailbox);
    }
  }
  return run;
}

/** Mailboxes whose probe is due join in. The engine lets the others look anew too. */
function verify(run: Run, at: UnixMs): void {
  const verified = run.mailboxes.filter(
    (one) => one.verifiedAt !== undefined && one.verifiedAt <= at,
  );
  for (const mailbox of verified) {
    mailbox.plan = { ...mailbox.plan, sendable: true };
    mailbox.verifiedAt = undefined;
    mailbox.health.recovered(at);
    followHealth(mailbox);
  }
  if (verified.length > 0) {
    wakeEveryone(run);
  }
}

/** Midnights and ends of pauses, as the health worker takes them. */
function turnHealth(run: Run, at: UnixMs): void {
  for (const mailbox of run.mailboxes) {
    if ((mailbox.health.nextAt() ?? Number.POSITIVE_INFINITY) <= at) {
      const turn = mailbox.health.turn(at);
      followHealth(mailbox);
      if (turn === "more") {
        mailbox.wakeAt = at;
      } else if (turn === "freed") {
        mailbox.plan = { ...mailbox.plan, sendable: isReady(mailbox.row, run.env.name) };
        wakeEveryone(run);
      }
    }
  }
}

function wakeEveryone(run: Run): void {
  for (const mailbox of run.mailboxes) {
    mailbox.wakeAt = unixMs(0);
  }
}

/**
 * What `claimNext` would do for this mailbox now; null: it waits. "passed": one lead has left its queue without an
 * email, and the mailbox asks again.
 */
function claim(run: Run, mailbox: Mailbox, at: UnixMs): PlannedSend | "passed" | null {
  const testAt = nextTestOf(run, mailbox, at);
  if (testAt === at) {
    takeTest(run, mailbox, at);
    return null;
  }
  const restUntil = run.mails.restUntil(run.state.ledger, at);
  if (restUntil !== undefined) {
    mailbox.wakeAt = earlier(restUntil, testAt);
    return null;
  }
  const decision = decide(run.state.ledger, mailbox.plan, at);
  if (decision.kind === "wait") {
    mailbox.wakeAt = earlier(decision.until, testAt);
    return null;
  }
  const { candidate } = decision;
  const found = claimLead(run, mailbox, decision, at);
  if (decision.kind === "fault" || found === null) {
    return "passed";
  }
  run.state.count([...countedOf(decision), run.mails.counter(at)]);
  mailbox.plan = { ...mailbox.plan, ...decision.turns, lastClaimAt: at };
  mailbox.wakeAt = undefined;
  return {
    at,
    campaignId: candidate.campaignId,
    accountId: mailbox.row.id,
    enrollmentId: candidate.enrollmentId,
    isToCome: run.moves.isToCome(candidate.enrollmentId),
    leadId: found.progress.row.leadId,
    stepId: found.step.id,
    stepPosition: found.step.position,
    isNew: candidate.isNew,
    isSpread: candidate.isSpread,
  };
}

/** As the claim counts: without a cap nobody asks how many a domain got. */
function countedOf({ campaign, counters }: Extract<Decision, { kind: "send" }>) {
  return campaign.maxPerDomainPerDay === null
    ? counters.filter(({ kind }) => kind !== "campaign_domain")
    : counters;
}

type Taken = Exclude<Decision, { kind: "wait" }>;

/** Null where the engine would end or hold the enrollment, or find that it has to wait, instead of writing. */
function claimLead(run: Run, mailbox: Mailbox, decision: Taken, at: UnixMs) {
  const { kind, candidate } = decision;
  const { campaignId, enrollmentId } = candidate;
  run.state.take(candidate);
  const progress = run.progress.of(enrollmentId);
  const step = progress && run.progress.next(progress);
  if (kind === "send" && progress !== undefined && step !== undefined) {
    const until = waitsOn(run.state.campaign(campaignId), progress, step, at);
    if (until !== undefined) {
      run.state.add({ ...candidate, dueAt: until }, whoseIs(candidate, mailbox));
      return null;
    }
    const isSpread = consequence(run, progress, step)?.reason === "spread";
    if (candidate.isNew && isSpread !== candidate.isSpread) {
      const moved = { ...candidate, isSpread };
      run.state.add(moved, whoseIs(moved, mailbox));
      return null;
    }
    if (needsMail(run, mailbox, progress, step)) {
      return { progress, step };
    }
  }
  finish(run, campaignId, kind === "send" && step === undefined ? progress : undefined, at);
  return null;
}

function whoseIs({ isNew, isSpread }: Candidate, { row }: Mailbox): Whose {
  return isNew ? (isSpread ? "spread" : "new") : row.id;
}

/** When the mailbox may send the next of its test emails, as the engine asks (`claim-test.ts`). */
function nextTestOf(run: Run, { plan, tests }: Mailbox, at: UnixMs): UnixMs | undefined {
  const dueAt = tests[0];
  if (dueAt === undefined) {
    return undefined;
  }
  const use = useOf(plan, at, (kind, bucket) =>
    run.state.ledger.count({ kind, owner: plan.id, bucket }),
  );
  return testSlot(plan, use, dueAt, at);
}

/** A test email counts as any other; where it arrives changes nothing here. */
function takeTest(run: Run, mailbox: Mailbox, at: UnixMs): void {
  const { day, hour } = useOf(mailbox.plan, at, () => 0);
  const owner = mailbox.plan.id;
  run.state.count([
    { kind: "account_day", owner, bucket: day.date },
    { kind: "account_hour", owner, bucket: hour.key },
  ]);
  mailbox.tests.shift();
  mailbox.health.accepted(null, at);
  followHealth(mailbox);
  mailbox.plan = { ...mailbox.plan, lastClaimAt: at };
  mailbox.wakeAt = at;
}

/** What its address keeps a lead from that would get the email otherwise. */
function consequence({ env }: Run, { row, lead, isBarred }: Progress, { type }: StepRow) {
  const isAsked = type === "email" && !isBarred && lead !== undefined;
  return isAsked ? addressConsequence(env, row, lead) : null;
}

function needsMail(run: Run, mailbox: Mailbox, progress: Progress, step: StepRow): boolean {
  const { row, lead, isWritten, isBarred } = progress;
  const kept = consequence(run, progress, step);
  const isHeld = kept !== null && kept.reason !== "spread";
  if (step.type === "task" || isBarred || lead === undefined || isHeld) {
    return false;
  }
  const account = mailbox.row;
  mailbox.sender ??= { account, links: linksOf(run.env, account, account.id) };
  return checkDraft(run.env, mailbox.sender, { row, lead }, step, isWritten);
}

type Settled = Omit<PlannedSend, "leadId" | "isToCome" | "isSpread"> & {
  leadId?: Id;
  /** Of an email that was claimed before the projection began. */
  claimedAt?: UnixMs;
  isUnderWay?: boolean;
  reserved?: readonly Bucket[];
};

/** What `settle` would do when the server has accepted: the mailbox looks anew after all else. */
function settle(run: Run, mailbox: Mailbox | undefined, send: Settled): void {
  if (mailbox !== undefined) {
    mailbox.health.accepted(dateCounted(mailbox, send), send.at);
    followHealth(mailbox);
  }
  if (run.state.guard(send.campaignId, send.claimedAt ?? send.at)) {
    wakeAll(run);
  }
  moveOn(run, send);
  if (mailbox !== undefined) {
    mailbox.wakeAt = send.at;
  }
}

function moveOn(run: Run, send: Settled): void {
  const progress = run.progress.of(send.enrollmentId);
  const campaign = run.state.campaign(send.campaignId);
  if (progress === undefined || !isOpen(progress.row.status)) {
    return;
  }
  run.progress.advance(progress, { isUnderWay: false, ...send });
  const step = run.progress.next(progress);
  if (step === undefined || campaign === undefined) {
    finish(run, send.campaignId, step === undefined ? progress : undefined, send.at);
    return;
  }
  const zone = progress.row.zone === "" ? null : progress.row.zone;
  const { enrollmentId, campaignId } = send;
  const dueAt = projectedDueAt(campaign, progress, step);
  const { domain } = progress.row;
  const next = { enrollmentId, campaignId, zone, domain, dueAt, isNew: false, isSpread: false };
  run.state.add(next, send.accountId);
}

/** One open lead of a campaign less. `progress`: of one that has had all its steps, and may move on. */
function finish(run: Run, campaignId: Id, progress: Progress | undefined, at: UnixMs): void {
  const moved =
    progress === undefined || progress.isBarred ? undefined : run.moves.finish(progress.row, at);
  if (moved !== undefined) {
    const { id: enrollmentId, zone, domain } = moved;
    run.progress.add(moved);
    run.state.open(moved.campaignId, at);
    const isFresh = { campaignId: moved.campaignId, isNew: true, isSpread: false };
    const place = { zone: zone === "" ? null : zone, dueAt: moved.dueAt ?? at };
    run.state.add({ enrollmentId, domain, ...isFresh, ...place }, "new");
  }
  if (run.state.close(campaignId) || moved !== undefined) {
    wakeAll(run, moved !== undefined);
  }
}

/**
 * A campaign ended: the others have more of each mailbox's day. With `idle`, also those wake that had nothing to wait
 * for. The engine wakes all of them.
 */
function wakeAll(run: Run, idle = false): void {
  for (const mailbox of run.mailboxes) {
    if (mailbox.plan.sendable && (idle || mailbox.wakeAt !== undefined)) {
      mailbox.wakeAt = unixMs(0);
    }
  }
}

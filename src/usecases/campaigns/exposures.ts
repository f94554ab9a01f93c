/**
 * Which variant a lead is shown, and what it comes to count as. The claim asks {@link governStep} what
 * the email says and writes the lot down; from then on every change of an exposure, and of the sums that
 * it is part of, ends in one function here.
 */

import { localDay } from "#domain/campaigns/local-day.ts";
import { governsStep, overrideContent, pickVariant } from "#domain/experiments/experiment.ts";
import {
  addCounts,
  type Counts,
  countsOf,
  firstReply,
  interestOf,
  NO_COUNTS,
} from "#domain/experiments/exposure.ts";
import { withContent } from "#domain/experiments/variant-content.ts";
import { providerOfDomain } from "#domain/mailboxes/mail-provider.ts";
import { DAY_MS, earlier, plus, type UnixMs, unixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { sha256 } from "#platform/secrets/crypto.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import {
  epochOf,
  experimentById,
  openExperiments,
  updateExperiment,
  updateVariant,
  variantsOf,
} from "#store/experiments/experiments.ts";
import { type InboundMail, inboundOf } from "#store/inbox/inbound.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import {
  addTallies,
  exposuresDue,
  exposuresOf,
  exposuresOfLead,
  insertExposure,
  removeExposure,
  updateExposure,
} from "#store/sending/exposures.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { StepRow } from "#store/tables/campaigns.ts";
import type { ExperimentRow, ExposureRow, VariantRow } from "#store/tables/experiments.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import type { MessageRow, StepMessage } from "#store/tables/messages.ts";
import { closeWhenTested, testedOn } from "./test-and-roll.ts";

/** What a step says to a lead, and by which lot. */
export interface Governed {
  /** With the variant's content, where there is one. */
  step: StepRow;
  assignment: Assignment | null;
  /** An assignment that holds no more: nothing was sent, and its experiment or variant is over. */
  stale: ExposureRow | undefined;
}

export interface Assignment {
  experiment: ExperimentRow;
  variant: VariantRow;
  epoch: number;
  propensity: number;
  /** The assignment of an earlier try. */
  held: ExposureRow | undefined;
}

/**
 * What `step` says to this lead: the content of its variant while an experiment governs the step, else
 * its own. Changes nothing. `earlier` is the message of an earlier try.
 */
export function governStep(
  env: Environment,
  row: Pick<EnrollmentRow, "campaignId" | "leadId">,
  step: StepRow,
  earlier?: MessageRow,
): Governed {
  const held = earlier === undefined ? undefined : exposureOf(env, earlier);
  const kept = held === undefined ? undefined : storedAssignment(env, held, earlier);
  if (kept !== undefined) {
    return { step: withWords(step, kept.variant), assignment: kept, stale: undefined };
  }
  const governing = openExperiments(env.db, row.campaignId).filter((one) => governs(one, step));
  const running = governing.find(({ status }) => status === "running");
  if (running !== undefined) {
    const assignment = draw(env, running, row.leadId);
    return { step: withWords(step, assignment.variant), assignment, stale: held };
  }
  const leading = governing.findLast(isLeftToItsLeader);
  const leader = leading === undefined ? undefined : leaderOf(env, leading);
  return {
    step: leader === undefined ? step : withWords(step, leader),
    assignment: null,
    stale: held,
  };
}

export function governs({ stepId, stepPosition }: ExperimentRow, step: StepRow): boolean {
  return stepId === null ? stepPosition === step.position : stepId === step.id;
}

/** A bandit that waits for its last replies goes on with what it has learnt. */
function isLeftToItsLeader({ status, optimizationMode }: ExperimentRow): boolean {
  return status === "evaluating" && optimizationMode === "thompson_sampling";
}

function withWords(step: StepRow, variant: VariantRow): StepRow {
  return { ...step, ...overrideContent(step, variant.config) };
}

/** The exposure that a message is of. */
function exposureOf(env: Environment, message: MessageRow): ExposureRow | undefined {
  const all = message.kind === "step" ? exposuresOf(env.db, message.enrollmentId) : [];
  return all.find(({ messageId }) => messageId === message.id);
}

/**
 * A lead that may have had the email of its variant keeps it for good; one that certainly has not keeps it
 * as long as the variant is in the race.
 */
function storedAssignment(env: Environment, held: ExposureRow, earlier: MessageRow | undefined) {
  const experiment = experimentById(env.db, held.experimentId);
  const variant = variantsOf(env.db, held.experimentId).find(({ id }) => id === held.variantId);
  if (experiment === undefined || variant === undefined) {
    return undefined;
  }
  const mayHaveCome = held.sentAt !== null || (earlier?.dataAt ?? null) !== null;
  const isInRace = experiment.closedAt === null && variant.outAt === null;
  const { epoch, propensity } = held;
  return mayHaveCome || isInRace ? { experiment, variant, epoch, propensity, held } : undefined;
}

/** The variant that a lead gets while its experiment runs. */
export function draw(env: Environment, experiment: ExperimentRow, leadId: Id): Assignment {
  const variants = variantsOf(env.db, experiment.id);
  const allocation = epochOf(env.db, experiment.id, experiment.epoch)?.allocation ?? [];
  const place = pickVariant(allocation, drawOf(experiment.id, leadId));
  const variant = variants[place];
  if (variant === undefined) {
    throw new Error(`experiment ${experiment.id} has no variant ${place}`);
  }
  const propensity = allocation[place] ?? 0;
  return { experiment, variant, epoch: experiment.epoch, propensity, held: undefined };
}

/** In [0, 1): the first 53 bits of SHA-256 over `<experiment>:<lead>`. */
export function drawOf(experimentId: Id, leadId: Id): number {
  const hash = sha256(`${experimentId}:${leadId}`);
  const view = new DataView(hash.buffer, hash.byteOffset);
  const high = view.getUint32(0);
  const low = view.getUint32(4) >>> 11;
  return (high * 2 ** 21 + low) / 2 ** 53;
}

/** The variant with the greatest share, the first of equals. */
function leaderOf(env: Environment, { id, epoch }: ExperimentRow): VariantRow | undefined {
  const allocation = epochOf(env.db, id, epoch)?.allocation ?? [];
  return variantsOf(env.db, id)[allocation.indexOf(Math.max(...allocation))];
}

/** Writes down what {@link governStep} drew, in the transaction of the claim of `message`. */
export function recordAssignment(
  env: Environment,
  { assignment, stale, step }: Governed,
  message: StepMessage,
): void {
  if (stale !== undefined) {
    changeExposure(env, stale, undefined);
  }
  if (assignment === null) {
    return;
  }
  keepContent(env, assignment.variant, step);
  if (assignment.held !== undefined) {
    return;
  }
  const { experiment, variant, epoch, propensity } = assignment;
  if (experiment.stepId === null) {
    updateExperiment(env.db, { ...experiment, stepId: step.id });
  }
  const domain = message.recipient.slice(message.recipient.lastIndexOf("@") + 1);
  const now = env.clock.now();
  changeExposure(env, undefined, {
    id: env.ids.next(now),
    teamId: message.teamId,
    experimentId: experiment.id,
    variantId: variant.id,
    enrollmentId: message.enrollmentId,
    leadId: message.leadId,
    messageId: message.id,
    accountId: message.accountId,
    provider: providerOfDomain(domain) ?? "custom",
    epoch,
    propensity,
    assignedAt: now,
    sentAt: null,
    repliedAt: null,
    ...interestOf(null),
    bounced: false,
    optedOut: false,
    dueAt: null,
    judged: false,
    windowMs: 0,
    metric: experiment.primaryMetric,
  });
  closeWhenTested(env, experiment.id);
}

/** Words that a variant has not said yet are kept: the step may be rewritten, and it was compared by them. */
function keepContent(env: Environment, variant: VariantRow, said: StepRow): void {
  const contents = withContent(variant.contents, said, env.clock.now());
  if (contents !== variant.contents) {
    updateVariant(env.db, { ...variant, contents });
  }
}

/** The email was sent: from here on the lead counts. The first one starts the experiment's clock. */
export function recordExposed(env: Environment, message: StepMessage, at: UnixMs): void {
  const held = exposureOf(env, message);
  const experiment = held && experimentById(env.db, held.experimentId);
  if (held === undefined || held.sentAt !== null || experiment === undefined) {
    return;
  }
  const windowMs = experiment.attributionWindowDays * DAY_MS;
  const enrollment = enrollmentById(env.db, message.enrollmentId);
  changeExposure(env, held, {
    ...held,
    accountId: message.accountId,
    sentAt: at,
    repliedAt: firstReply(inboundOf(env.db, message.enrollmentId), held.messageId, at),
    ...interestOf(enrollment?.interest ?? null),
    bounced: message.bouncedAt !== null,
    optedOut: enrollment?.status === "unsubscribed",
    judged: windowMs === 0,
    dueAt: windowMs === 0 ? null : plus(at, windowMs),
    windowMs,
    metric: experiment.primaryMetric,
  });
  if (experiment.firstSentAt === null) {
    begin(env, experiment, at);
  }
}

function begin(env: Environment, experiment: ExperimentRow, at: UnixMs): void {
  const endsAt = plus(at, experiment.durationDays * DAY_MS);
  const testLeads = testedOn(env, experiment);
  const begun = { ...experiment, startedAt: at, firstSentAt: at, endsAt, testLeads };
  if (experiment.pausedAt === null) {
    updateExperiment(env.db, { ...begun, dueAt: nextReview(env, begun, at) });
  } else {
    // Assigned before the pause: the clock starts, and is paused at once.
    updateExperiment(env.db, { ...begun, pausedAt: unixMs(Math.max(at, experiment.pausedAt)) });
  }
  closeWhenTested(env, experiment.id);
}

/**
 * When a running experiment is next looked at by itself: as a day of its campaign begins, and at its end.
 * Before the first send there is nothing to look at.
 */
export function nextReview(env: Environment, row: ExperimentRow, now: UnixMs): UnixMs | null {
  if (row.firstSentAt === null) {
    return null;
  }
  const zone = campaignById(env.db, row.campaignId)?.sendWindow.timezone ?? "UTC";
  return earlier(localDay(zone, now).to, row.endsAt) ?? null;
}

/** Follows from the emails of an enrollment as they are now. */
export function recordReplies(
  env: Environment,
  enrollmentId: Id,
  mails: readonly InboundMail[],
): void {
  for (const row of exposuresOf(env.db, enrollmentId)) {
    const repliedAt = firstReply(mails, row.messageId, row.sentAt);
    if (repliedAt !== row.repliedAt) {
      changeExposure(env, row, { ...row, repliedAt });
    }
  }
}

/** A reply was judged, or judged anew. An experiment whose variant is declined is looked at now. */
export function recordInterest(env: Environment, { id, interest }: EnrollmentRow): void {
  const judged = interestOf(interest);
  for (const row of exposuresOf(env.db, id)) {
    const isOther = row.interested !== judged.interested || row.declined !== judged.declined;
    if (row.sentAt !== null && isOther) {
      changeExposure(env, row, { ...row, ...judged });
      reviewNow(env, row, judged.declined);
    }
  }
}

/** The lead has opted out or complained, or that was taken back. Its experiment is looked at now. */
export function recordOptedOut(env: Environment, { id, status }: EnrollmentRow): void {
  const optedOut = status === "unsubscribed";
  for (const row of exposuresOf(env.db, id)) {
    if (row.sentAt !== null && row.optedOut !== optedOut) {
      changeExposure(env, row, { ...row, optedOut });
      reviewNow(env, row, optedOut);
    }
  }
}

/** What may have to be taken out of the race is looked at at once. */
function reviewNow(env: Environment, { experimentId }: ExposureRow, isWorse: boolean): void {
  const experiment = experimentById(env.db, experimentId);
  if (isWorse && experiment?.status === "running" && experiment.firstSentAt !== null) {
    updateExperiment(env.db, { ...experiment, dueAt: env.clock.now() });
  }
}

/** The message bounced, or its bounce was taken back. Its experiment is looked at now. */
export function recordBounced(env: Environment, message: MessageRow): void {
  const row = exposureOf(env, message);
  const bounced = message.bouncedAt !== null;
  if (row === undefined || row.sentAt === null || row.bounced === bounced) {
    return;
  }
  changeExposure(env, row, { ...row, bounced });
  reviewNow(env, row, bounced);
}

/** Measures those whose window has closed, `limit` at most. Returns how many. */
export function measureExposures(env: Environment, now: UnixMs, limit: number): number {
  const due = exposuresDue(env.db, now, limit);
  for (const row of due) {
    changeExposure(env, row, { ...row, judged: true, dueAt: null });
  }
  return due.length;
}

/** The person is erased: no experiment has seen them. */
export function forgetExposures(env: Environment, leadId: Id): void {
  for (const row of exposuresOfLead(env.db, leadId)) {
    changeExposure(env, row, undefined);
  }
}

/** A step that an experiment governs says something else now: what its variants share has changed. */
export function recordStepChanged(env: Environment, step: StepRow): void {
  for (const row of openExperiments(env.db, step.campaignId)) {
    if (governs(row, step) && governsStep(row.status) && row.firstSentAt !== null) {
      updateExperiment(env.db, { ...row, stepChangedAt: env.clock.now() });
    }
  }
}

/** The only writer of exposures and their sums. */
function changeExposure(
  env: Environment,
  before: ExposureRow | undefined,
  after: ExposureRow | undefined,
): void {
  if (after === undefined) {
    if (before !== undefined) {
      removeExposure(env.db, before.id);
    }
  } else if (before === undefined) {
    insertExposure(env.db, after);
  } else {
    updateExposure(env.db, after);
  }
  const left = addCounts(NO_COUNTS, countsOf(before), (none, count) => none - count);
  const reached = countsOf(after);
  if (before !== undefined && after !== undefined && before.accountId === after.accountId) {
    tally(env, after, addCounts(left, reached));
    return;
  }
  if (before !== undefined) {
    tally(env, before, left);
  }
  if (after !== undefined) {
    tally(env, after, reached);
  }
}

function tally(env: Environment, row: ExposureRow, counts: Counts): void {
  if (Object.values(counts).some((count) => count !== 0)) {
    addTallies(env.db, row, counts);
  }
}

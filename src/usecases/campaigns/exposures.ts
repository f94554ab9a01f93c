/**
 * Which variant a lead is shown, and what it comes to count as. The claim asks {@link governStep} what
 * the mail says and writes the lot down; from then on every change of an exposure, and of the sums that
 * it is part of, ends in one function here.
 */

import type { Interest } from "#domain/campaigns/enrollment.ts";
import { localDay } from "#domain/campaigns/local-day.ts";
import { governsStep, overrideContent, pickVariant } from "#domain/experiments/experiment.ts";
import { addCounts, countsOf } from "#domain/experiments/exposure.ts";
import { withContent } from "#domain/experiments/variant-content.ts";
import { providerOfDomain } from "#domain/mailboxes/mail-provider.ts";
import { DAY_MS, earlier, plus, type UnixMs, unixMs } from "#domain/time.ts";
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
import type { World } from "#world.ts";

/** What a step says to a lead, and by which lot. */
export interface Governed {
  /** With the variant's content, where there is one. */
  step: StepRow;
  lot: Lot | null;
  /** An assignment that holds no more: nothing was sent, and its experiment or variant is over. */
  stale: ExposureRow | undefined;
}

export interface Lot {
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
  world: World,
  row: Pick<EnrollmentRow, "campaignId" | "leadId">,
  step: StepRow,
  earlier?: MessageRow,
): Governed {
  const held = earlier === undefined ? undefined : exposureOf(world, earlier);
  const kept = held === undefined ? undefined : keptLot(world, held, earlier);
  if (kept !== undefined) {
    return { step: withWords(step, kept.variant), lot: kept, stale: undefined };
  }
  const governing = openExperiments(world.db, row.campaignId).filter((one) => governs(one, step));
  const running = governing.find(({ status }) => status === "running");
  if (running !== undefined) {
    const lot = draw(world, running, row.leadId);
    return { step: withWords(step, lot.variant), lot, stale: held };
  }
  const leading = governing.findLast(isLeftToItsLeader);
  const leader = leading === undefined ? undefined : leaderOf(world, leading);
  return {
    step: leader === undefined ? step : withWords(step, leader),
    lot: null,
    stale: held,
  };
}

function governs({ stepId, stepPosition }: ExperimentRow, step: StepRow): boolean {
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
function exposureOf(world: World, message: MessageRow): ExposureRow | undefined {
  const all = message.kind === "step" ? exposuresOf(world.db, message.enrollmentId) : [];
  return all.find(({ messageId }) => messageId === message.id);
}

/**
 * A lead that may have had the mail of its variant keeps it for good; one that certainly has not keeps it
 * as long as the variant is in the race.
 */
function keptLot(world: World, held: ExposureRow, earlier: MessageRow | undefined) {
  const experiment = experimentById(world.db, held.experimentId);
  const variant = variantsOf(world.db, held.experimentId).find(({ id }) => id === held.variantId);
  if (experiment === undefined || variant === undefined) {
    return undefined;
  }
  const mayHaveCome = held.sentAt !== null || (earlier?.dataAt ?? null) !== null;
  const isInRace = experiment.closedAt === null && variant.outAt === null;
  const { epoch, propensity } = held;
  return mayHaveCome || isInRace ? { experiment, variant, epoch, propensity, held } : undefined;
}

/** The variant that a lead gets while its experiment runs. */
export function draw(world: World, experiment: ExperimentRow, leadId: Id): Lot {
  const variants = variantsOf(world.db, experiment.id);
  const allocation = epochOf(world.db, experiment.id, experiment.epoch)?.allocation ?? [];
  const place = pickVariant(allocation, lotOf(experiment.id, leadId));
  const variant = variants[place];
  if (variant === undefined) {
    throw new Error(`experiment ${experiment.id} has no variant ${place}`);
  }
  const propensity = allocation[place] ?? 0;
  return { experiment, variant, epoch: experiment.epoch, propensity, held: undefined };
}

/** In [0, 1): the first 53 bits of SHA-256 over `<experiment>:<lead>`. */
export function lotOf(experimentId: Id, leadId: Id): number {
  const hash = sha256(`${experimentId}:${leadId}`);
  const view = new DataView(hash.buffer, hash.byteOffset);
  const high = view.getUint32(0);
  const low = view.getUint32(4) >>> 11;
  return (high * 2 ** 21 + low) / 2 ** 53;
}

/** The variant with the greatest share, the first of equals. */
function leaderOf(world: World, { id, epoch }: ExperimentRow): VariantRow | undefined {
  const allocation = epochOf(world.db, id, epoch)?.allocation ?? [];
  return variantsOf(world.db, id)[allocation.indexOf(Math.max(...allocation))];
}

/** Writes down what {@link governStep} drew, in the transaction of the claim of `message`. */
export function noteLot(world: World, { lot, stale, step }: Governed, message: StepMessage): void {
  if (stale !== undefined) {
    changeExposure(world, stale, undefined);
  }
  if (lot === null) {
    return;
  }
  keepContent(world, lot.variant, step);
  if (lot.held !== undefined) {
    return;
  }
  const { experiment, variant, epoch, propensity } = lot;
  if (experiment.stepId === null) {
    updateExperiment(world.db, { ...experiment, stepId: step.id });
  }
  const domain = message.recipient.slice(message.recipient.lastIndexOf("@") + 1);
  const now = world.clock.now();
  changeExposure(world, undefined, {
    id: world.ids.next(now),
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
    interested: false,
    bounced: false,
    dueAt: null,
    judged: false,
    windowMs: 0,
    metric: experiment.primaryMetric,
  });
}

/** Words that a variant has not said yet are kept: the step may be rewritten, and it was compared by them. */
function keepContent(world: World, variant: VariantRow, said: StepRow): void {
  const contents = withContent(variant.contents, said, world.clock.now());
  if (contents !== variant.contents) {
    updateVariant(world.db, { ...variant, contents });
  }
}

/** The mail was sent: from here on the lead counts. The first one starts the experiment's clock. */
export function noteExposed(world: World, message: StepMessage, at: UnixMs): void {
  const held = exposureOf(world, message);
  const experiment = held && experimentById(world.db, held.experimentId);
  if (held === undefined || held.sentAt !== null || experiment === undefined) {
    return;
  }
  const windowMs = experiment.attributionWindowDays * DAY_MS;
  const interest = enrollmentById(world.db, message.enrollmentId)?.interest ?? null;
  changeExposure(world, held, {
    ...held,
    accountId: message.accountId,
    sentAt: at,
    repliedAt: firstReply(inboundOf(world.db, message.enrollmentId), at),
    interested: isPositive(interest),
    bounced: message.bouncedAt !== null,
    judged: windowMs === 0,
    dueAt: windowMs === 0 ? null : plus(at, windowMs),
    windowMs,
    metric: experiment.primaryMetric,
  });
  if (experiment.firstSentAt === null) {
    begin(world, experiment, at);
  }
}

function begin(world: World, experiment: ExperimentRow, at: UnixMs): void {
  const endsAt = plus(at, experiment.durationDays * DAY_MS);
  const begun = { ...experiment, startedAt: at, firstSentAt: at, endsAt };
  if (experiment.pausedAt === null) {
    updateExperiment(world.db, { ...begun, dueAt: nextReview(world, begun, at) });
  } else {
    // Assigned before the pause: the clock starts, and stands still at once.
    updateExperiment(world.db, { ...begun, pausedAt: unixMs(Math.max(at, experiment.pausedAt)) });
  }
}

/**
 * When a running experiment is next looked at by itself: as a day of its campaign begins, and at its end.
 * Before the first send there is nothing to look at.
 */
export function nextReview(world: World, row: ExperimentRow, now: UnixMs): UnixMs | null {
  if (row.firstSentAt === null) {
    return null;
  }
  const zone = campaignById(world.db, row.campaignId)?.sendWindow.timezone ?? "UTC";
  return earlier(localDay(zone, now).to, row.endsAt) ?? null;
}

/** Follows from the mails of an enrollment as they are now. */
export function noteReplies(world: World, enrollmentId: Id, mails: readonly InboundMail[]): void {
  for (const row of exposuresOf(world.db, enrollmentId)) {
    const repliedAt = row.sentAt === null ? null : firstReply(mails, row.sentAt);
    if (repliedAt !== row.repliedAt) {
      changeExposure(world, row, { ...row, repliedAt });
    }
  }
}

/** Of those that came after `since`: an earlier one is no answer to the variant. */
function firstReply(mails: readonly InboundMail[], since: UnixMs): UnixMs | null {
  const times = mails
    .filter(({ kind, receivedAt }) => kind === "reply" && receivedAt >= since)
    .map(({ receivedAt }) => receivedAt);
  return times.length === 0 ? null : unixMs(Math.min(...times));
}

export function noteInterest(world: World, { id, interest }: EnrollmentRow): void {
  for (const row of exposuresOf(world.db, id)) {
    if (row.sentAt !== null && row.interested !== isPositive(interest)) {
      changeExposure(world, row, { ...row, interested: isPositive(interest) });
    }
  }
}

function isPositive(interest: Interest | null): boolean {
  return interest === "interested" || interest === "meeting";
}

/** The message bounced, or its bounce was taken back. Its experiment is looked at now. */
export function noteBounced(world: World, message: MessageRow): void {
  const row = exposureOf(world, message);
  const bounced = message.bouncedAt !== null;
  if (row === undefined || row.sentAt === null || row.bounced === bounced) {
    return;
  }
  changeExposure(world, row, { ...row, bounced });
  const experiment = experimentById(world.db, row.experimentId);
  if (bounced && experiment?.status === "running" && experiment.firstSentAt !== null) {
    updateExperiment(world.db, { ...experiment, dueAt: world.clock.now() });
  }
}

/** Judges those whose window has closed, `limit` at most. Returns how many. */
export function judgeExposures(world: World, now: UnixMs, limit: number): number {
  const due = exposuresDue(world.db, now, limit);
  for (const row of due) {
    changeExposure(world, row, { ...row, judged: true, dueAt: null });
  }
  return due.length;
}

/** The person is erased: no experiment has seen them. */
export function forgetExposures(world: World, leadId: Id): void {
  for (const row of exposuresOfLead(world.db, leadId)) {
    changeExposure(world, row, undefined);
  }
}

/** A step that an experiment governs says something else now: what its variants share has changed. */
export function noteStepChanged(world: World, step: StepRow): void {
  for (const row of openExperiments(world.db, step.campaignId)) {
    if (governs(row, step) && governsStep(row.status) && row.firstSentAt !== null) {
      updateExperiment(world.db, { ...row, stepChangedAt: world.clock.now() });
    }
  }
}

/** The only writer of exposures and their sums. */
function changeExposure(
  world: World,
  before: ExposureRow | undefined,
  after: ExposureRow | undefined,
): void {
  if (after === undefined) {
    if (before !== undefined) {
      removeExposure(world.db, before.id);
    }
  } else if (before === undefined) {
    insertExposure(world.db, after);
  } else {
    updateExposure(world.db, after);
  }
  const [left, reached] = [negative(countsOf(before)), countsOf(after)];
  if (before !== undefined && after !== undefined && before.accountId === after.accountId) {
    tally(world, after, addCounts(left, reached));
    return;
  }
  if (before !== undefined) {
    tally(world, before, left);
  }
  if (after !== undefined) {
    tally(world, after, reached);
  }
}

type Counts = ReturnType<typeof countsOf>;

function tally(world: World, row: ExposureRow, counts: Counts): void {
  if (Object.values(counts).some((count) => count !== 0)) {
    addTallies(world.db, row, counts);
  }
}

function negative(counts: Counts): Counts {
  const { sent, replies, interested, bounced, successes, failures } = counts;
  return {
    sent: -sent,
    replies: -replies,
    interested: -interested,
    bounced: -bounced,
    successes: -successes,
    failures: -failures,
  };
}

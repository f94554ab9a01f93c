/**
 * What is counted of the emails that came back for an enrollment. It follows from what they are now, so
 * that an email which is relabelled or attached later counts as if it had been so from the start.
 */

import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { campaignById, updateCampaign } from "#store/campaigns/campaigns.ts";
import { stepById, updateStep } from "#store/campaigns/steps.ts";
import type { InboundMail } from "#store/inbox/inbound.ts";
import { firstSentTo, messageById, updateMessage } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { recordReplies } from "#usecases/campaigns/exposures.ts";
import { countAt, countProvider } from "#usecases/campaigns/figures.ts";

type Mails = readonly InboundMail[];

/** Corrects what `before` has added to the counters into what `after` adds. */
export function recount(env: Environment, campaignId: Id, before: Mails, after: Mails): void {
  const campaign = campaignById(env.db, campaignId);
  const replied = Number(has(after, "reply")) - Number(has(before, "reply"));
  const autoReplied = Number(has(after, "auto_reply")) - Number(has(before, "auto_reply"));
  if (campaign !== undefined && (replied !== 0 || autoReplied !== 0)) {
    updateCampaign(env.db, {
      ...campaign,
      replied: Math.max(0, campaign.replied + replied),
      autoReplied: Math.max(0, campaign.autoReplied + autoReplied),
    });
  }
  if (firstReply(before)?.id !== firstReply(after)?.id) {
    countFirst(env, campaignId, before, -1);
    countFirst(env, campaignId, after, 1);
  }
  const [left, reached] = [repliedStep(env, before), repliedStep(env, after)];
  if (left !== reached) {
    countStep(env, left, -1);
    countStep(env, reached, 1);
  }
  for (const id of new Set([...before, ...after].map(({ repliesTo }) => repliesTo))) {
    markMessage(env, id, after);
  }
  const enrollmentId = (after[0] ?? before[0])?.enrollmentId ?? null;
  if (enrollmentId !== null) {
    countContacted(env, enrollmentId, replied);
    recordReplies(env, enrollmentId, after);
  }
}

function has(mails: Mails, kind: InboundMail["kind"]): boolean {
  return mails.some((mail) => mail.kind === kind);
}

function firstReply(mails: Mails): InboundMail | undefined {
  return mails.find(({ kind }) => kind === "reply");
}

/** A lead counts once, when it first replied, for the mailbox that it replied to. */
function countFirst(env: Environment, campaignId: Id, mails: Mails, by: 1 | -1): void {
  const first = firstReply(mails);
  if (first !== undefined) {
    const { teamId, accountId, receivedAt } = first;
    countAt(env, { teamId, campaignId, accountId }, receivedAt, { replied: by });
  }
}

/** Counts it beside the lead's first email, so that of those contacted on a day no more than all have replied. */
function countContacted(env: Environment, enrollmentId: Id, contactedReplied: number): void {
  const first = firstSentTo(env.db, enrollmentId);
  if (contactedReplied !== 0 && first !== undefined) {
    countAt(env, first, first.sentAt, { contactedReplied });
  }
}

/** A lead counts once, for the first step that it replied to. */
function repliedStep(env: Environment, mails: Mails): Id | undefined {
  const repliesTo = firstReply(mails)?.repliesTo ?? null;
  return repliesTo === null ? undefined : (messageById(env.db, repliesTo)?.stepId ?? undefined);
}

function countStep(env: Environment, id: Id | undefined, by: 1 | -1): void {
  const step = id === undefined ? undefined : stepById(env.db, id);
  if (step !== undefined) {
    updateStep(env.db, { ...step, replied: Math.max(0, step.replied + by) });
  }
}

function markMessage(env: Environment, id: Id | null, mails: Mails): void {
  const message = id === null ? undefined : messageById(env.db, id);
  const replies = mails.filter(({ kind, repliesTo }) => kind === "reply" && repliesTo === id);
  const times = replies.map(({ effectiveAt }) => effectiveAt);
  const repliedAt = times.length === 0 ? null : (Math.min(...times) as UnixMs);
  if (message !== undefined && message.repliedAt !== repliedAt) {
    updateMessage(env.db, { ...message, repliedAt });
    countProvider(env, message, {
      replied: Number(repliedAt !== null) - Number(message.repliedAt !== null),
    });
  }
}

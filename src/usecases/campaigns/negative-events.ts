/**
 * What is counted of each email for the health of its mailbox and the guards of its campaign: that it was
 * sent, that it bounced for good, that somebody complained of it. Each counts once, and is taken back
 * with the email that said so.
 */

import { localDay } from "#domain/campaigns/local-day.ts";
import { guardVerdict } from "#domain/experiments/campaign-guard.ts";
import { NO_POINTS } from "#domain/mailboxes/health.ts";
import type { Environment } from "#environment.ts";
import { campaignById, updateCampaign } from "#store/campaigns/campaigns.ts";
import {
  countHealth,
  insertNegativeEvent,
  negativeEventsOf,
  removeNegativeEvent,
} from "#store/campaigns/health.ts";
import { accountById } from "#store/mailboxes/accounts.ts";
import { messageById } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { NegativeKind } from "#store/tables/health.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { type Cause, note } from "#usecases/events/effect-log.ts";
import { pauseByGuard } from "./campaigns.ts";
import { refreshHealth, requestHealthRun } from "./health.ts";

type Sign = 1 | -1;
interface Change {
  sends: Sign | 0;
  hardBounces: Sign | 0;
  complaints: Sign | 0;
}

const NOTHING: Change = { sends: 0, hardBounces: 0, complaints: 0 };

/** A server has taken the email. One whose bounce was known before is counted already. */
export function countSend(env: Environment, message: MessageRow): void {
  if (negativeEventsOf(env.db, message.id).length === 0) {
    add(env, message, dateOf(env, message), { ...NOTHING, sends: 1 });
  }
}

/**
 * Counts a hard bounce or a complaint. A rejected recipient still counts as a send. Where the rate is
 * alarming, a placement run of the mailbox is requested.
 */
export function countNegativeEvent(
  env: Environment,
  message: MessageRow,
  kind: NegativeKind,
  cause: Cause | undefined,
): void {
  const { id: messageId, teamId, accountId, campaignId } = message;
  const known = negativeEventsOf(env.db, messageId);
  note(env, cause, { teamId, subjectId: messageId }, "harm", [null, kind]);
  if (known.some((event) => event.kind === kind)) {
    return;
  }
  const date = dateOf(env, message);
  const at = env.clock.now();
  insertNegativeEvent(env.db, { messageId, kind, teamId, accountId, campaignId, date, at });
  const sends = message.sentAt === null && known.length === 0 ? 1 : 0;
  add(env, message, date, { ...NOTHING, sends, ...changeOf(kind, 1) });
  if (message.kind !== "placement") {
    requestHealthRun(env, accountId);
  }
}

/**
 * Reverts a bounce or complaint, on the day under which it was counted: the email may have been claimed on
 * another one since. The caller first checks that no other event reports the same.
 */
export function takeBackNegativeEvent(env: Environment, messageId: Id, kind: NegativeKind): void {
  const message = messageById(env.db, messageId);
  const known = negativeEventsOf(env.db, messageId);
  const event = known.find((one) => one.kind === kind);
  if (message === undefined || event === undefined) {
    return;
  }
  removeNegativeEvent(env.db, messageId, kind);
  const sends = message.sentAt === null && known.length === 1 ? -1 : 0;
  add(env, message, event.date, { ...NOTHING, sends, ...changeOf(kind, -1) });
}

/** The email is tried again, by whichever mailbox: only what comes of that counts. */
export function forgetNegativeEvents(env: Environment, messageId: Id): void {
  for (const { kind } of negativeEventsOf(env.db, messageId)) {
    takeBackNegativeEvent(env, messageId, kind);
  }
}

function changeOf(kind: NegativeKind, sign: Sign): Partial<Change> {
  return kind === "hard_bounce" ? { hardBounces: sign } : { complaints: sign };
}

/** `date`: the day that it counts under. */
function add(env: Environment, message: MessageRow, date: string, change: Change): void {
  const { accountId, teamId } = message;
  const account = accountById(env.db, accountId);
  if (account !== undefined && message.kind !== "placement") {
    const score = account.healthScore;
    countHealth(env.db, { teamId, accountId, date, score, points: NO_POINTS, ...change });
    const isOnlyASend = change.hardBounces === 0 && change.complaints === 0;
    if (!isOnlyASend || account.healthAt !== null) {
      refreshHealth(env, accountId);
    }
  }
  guard(env, message, change);
}

/** Counts for the campaign what was sent since it was last started, and pauses it where that is too bad. */
function guard(env: Environment, message: MessageRow, change: Change): void {
  const campaign = message.kind === "step" ? campaignById(env.db, message.campaignId) : undefined;
  const since = campaign?.startedAt ?? null;
  if (campaign === undefined || since === null || message.claimedAt < since) {
    return;
  }
  const counted = {
    ...campaign,
    guardSends: Math.max(0, campaign.guardSends + change.sends),
    guardBounces: Math.max(0, campaign.guardBounces + change.hardBounces),
    guardComplaints: Math.max(0, campaign.guardComplaints + change.complaints),
  };
  updateCampaign(env.db, counted);
  const { guardSends: sends, guardBounces: hardBounces, guardComplaints: complaints } = counted;
  const verdict = guardVerdict({ sends, hardBounces, complaints });
  if (verdict !== null && counted.status === "active") {
    pauseByGuard(env, counted, verdict);
  }
}

/** The day under which the email was counted against its mailbox's cap. */
function dateOf(env: Environment, { accountId, reserved, claimedAt }: MessageRow): string {
  const counted = reserved.find(({ kind }) => kind === "account_day")?.bucket;
  const zone = accountById(env.db, accountId)?.timezone ?? "UTC";
  return counted ?? localDay(zone, claimedAt).date;
}

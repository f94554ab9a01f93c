/**
 * What is counted of each mail for the health of its mailbox and the guards of its campaign: that it was
 * sent, that it bounced for good, that somebody complained of it. Each counts once, and is taken back
 * with the mail that said so.
 */

import { localDay } from "#domain/campaigns/local-day.ts";
import { guardVerdict, NO_POINTS } from "#domain/mailboxes/health.ts";
import { campaignById, updateCampaign } from "#store/campaigns/campaigns.ts";
import { countHealth, harmsOf, insertHarm, removeHarm } from "#store/campaigns/health.ts";
import { accountById } from "#store/mailboxes/accounts.ts";
import { messageById } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { HarmKind } from "#store/tables/health.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { type Cause, note } from "#usecases/events/effect-log.ts";
import type { World } from "#world.ts";
import { pauseByGuard } from "./campaigns.ts";
import { refreshHealth, wantHealthRun } from "./health.ts";

type Sign = 1 | -1;
interface Change {
  sends: Sign | 0;
  hardBounces: Sign | 0;
  complaints: Sign | 0;
}

const NOTHING: Change = { sends: 0, hardBounces: 0, complaints: 0 };

/** A server has taken the mail. One whose bounce was known before is counted already. */
export function countSend(world: World, message: MessageRow): void {
  if (harmsOf(world.db, message.id).length === 0) {
    add(world, message, { ...NOTHING, sends: 1 });
  }
}

/**
 * The mail bounced for good, or somebody complained of it. A refusal of the recipient is a mail that was
 * tried: it counts among the sends. Where it is alarming, it is looked where the mailbox's mail arrives.
 */
export function countHarm(
  world: World,
  message: MessageRow,
  kind: HarmKind,
  cause: Cause | undefined,
): void {
  const { id: messageId, teamId, accountId, campaignId } = message;
  const known = harmsOf(world.db, messageId);
  note(world, cause, { teamId, subjectId: messageId }, "harm", [null, kind]);
  if (known.some((harm) => harm.kind === kind)) {
    return;
  }
  const date = dateOf(world, message);
  const at = world.clock.now();
  insertHarm(world.db, { messageId, kind, teamId, accountId, campaignId, date, at });
  const sends = message.sentAt === null && known.length === 0 ? 1 : 0;
  add(world, message, { ...NOTHING, sends, ...harmOf(kind, 1) });
  if (message.kind !== "placement") {
    wantHealthRun(world, accountId);
  }
}

/** Takes a harm back; `others` say the same of the mail still. */
export function takeBackHarm(world: World, messageId: Id, kind: HarmKind): void {
  const message = messageById(world.db, messageId);
  const known = harmsOf(world.db, messageId);
  if (message === undefined || !known.some((harm) => harm.kind === kind)) {
    return;
  }
  removeHarm(world.db, messageId, kind);
  const sends = message.sentAt === null && known.length === 1 ? -1 : 0;
  add(world, message, { ...NOTHING, sends, ...harmOf(kind, -1) });
}

/** The mail is tried again, by whichever mailbox: only what comes of that counts. */
export function forgetHarms(world: World, messageId: Id): void {
  for (const { kind } of harmsOf(world.db, messageId)) {
    takeBackHarm(world, messageId, kind);
  }
}

function harmOf(kind: HarmKind, sign: Sign): Partial<Change> {
  return kind === "hard_bounce" ? { hardBounces: sign } : { complaints: sign };
}

function add(world: World, message: MessageRow, change: Change): void {
  const { accountId, teamId } = message;
  const account = accountById(world.db, accountId);
  if (account !== undefined && message.kind !== "placement") {
    const date = dateOf(world, message);
    const score = account.healthScore;
    countHealth(world.db, { teamId, accountId, date, score, points: NO_POINTS, ...change });
    const isOnlyASend = change.hardBounces === 0 && change.complaints === 0;
    if (!isOnlyASend || account.healthAt !== null) {
      refreshHealth(world, accountId);
    }
  }
  guard(world, message, change);
}

/** Counts for the campaign what was sent since it was last started, and pauses it where that is too bad. */
function guard(world: World, message: MessageRow, change: Change): void {
  const campaign = message.kind === "step" ? campaignById(world.db, message.campaignId) : undefined;
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
  updateCampaign(world.db, counted);
  const { guardSends: sends, guardBounces: hardBounces, guardComplaints: complaints } = counted;
  const verdict = guardVerdict({ sends, hardBounces, complaints });
  if (verdict !== null && counted.status === "active") {
    pauseByGuard(world, counted, verdict);
  }
}

/** The day under which the mail was counted against its mailbox's cap. */
function dateOf(world: World, { accountId, reserved, claimedAt }: MessageRow): string {
  const counted = reserved.find(({ kind }) => kind === "account_day")?.bucket;
  const zone = accountById(world.db, accountId)?.timezone ?? "UTC";
  return counted ?? localDay(zone, claimedAt).date;
}

/** Campaigns: create, patch, and every move between their states. */

import {
  CAMPAIGN_DEFAULTS,
  type CampaignStatus,
  type Counts,
  canProceed,
  checkTransition,
  less,
  type OnHold,
  plus,
  type StatusCounts,
} from "#domain/campaigns/campaign.ts";
import { ENROLLMENT_STATUSES, HOLD_REASONS } from "#domain/campaigns/enrollment.ts";
import type { EventData } from "#domain/event-data.ts";
import { conflict, found } from "#domain/problem.ts";
import { plus as later, SECOND_MS } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { findCampaign, insertCampaign, updateCampaign } from "#store/campaigns/campaigns.ts";
import { wakeAccounts } from "#store/mailboxes/accounts.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import { ensureCapacity } from "#usecases/events/limits.ts";
import { audit, auditEngine, emit } from "#usecases/events/record.ts";
import { type CampaignFields, mergeFields } from "./campaign-fields.ts";
import { checkLaunch } from "./launch.ts";
import { checkStays } from "./leaving.ts";
import { isToRecount, recountCampaign } from "./recount.ts";

/** Throws as {@link mergeFields}. */
export function createCampaign(
  env: Environment,
  caller: Caller,
  input: Partial<CampaignFields> & { name: string },
): CampaignRow {
  const now = env.clock.now();
  const blank: CampaignRow = {
    ...CAMPAIGN_DEFAULTS,
    ...NOTHING_COUNTED,
    name: input.name,
    accountIds: [],
    id: env.ids.next(now),
    teamId: caller.teamId,
    status: "draft",
    statusReason: null,
    startedAt: null,
    rescheduleAfter: null,
    createdAt: now,
    updatedAt: now,
  };
  const row = mergeFields(env, caller, blank, input);
  insertCampaign(env.db, row);
  audit(env, caller, {
    action: "campaign.create",
    target: `campaign:${row.id}`,
    after: campaignFacts(row),
  });
  return row;
}

const NOTHING_COUNTED = {
  enrolled: 0,
  erased: 0,
  open: 0,
  onHold: {},
  statuses: {},
  sent: 0,
  replied: 0,
  contacted: 0,
  autoReplied: 0,
  bounced: 0,
  unsubscribed: 0,
  completed: 0,
  failed: 0,
  moved: 0,
  guardSends: 0,
  guardBounces: 0,
  guardComplaints: 0,
} as const;

/** The guards count anew from a start or resume on. */
const UNGUARDED = { guardSends: 0, guardBounces: 0, guardComplaints: 0 } as const;

/**
 * Merges `patch` into the campaign; `status` among it moves the campaign as {@link moveCampaign} does.
 * A patch that changes nothing leaves `updated_at` alone.
 */
export function patchCampaign(
  env: Environment,
  caller: Caller,
  id: Id,
  patch: Partial<CampaignFields> & { status?: CampaignStatus },
): CampaignRow {
  const before = requireCampaign(env, caller, id);
  const { status, ...fields } = patch;
  const after = mergeFields(env, caller, before, fields);
  if (status !== undefined) {
    checkTransition(before.status, status);
  }
  const row = store(env, caller, before, after);
  return status === undefined || status === row.status
    ? row
    : moveCampaign(env, caller, id, status);
}

/**
 * Moves a campaign by a person's word; with `from` only when it is in that state. Starting and resuming
 * pass the launch check first; `delaySeconds`: nothing is sent before. Throws `conflict` for a move that is none, `validation_error` naming what
 * a start lacks.
 */
export function moveCampaign(
  env: Environment,
  caller: Caller,
  id: Id,
  status: CampaignStatus,
  from?: CampaignStatus,
  delaySeconds = 0,
): CampaignRow {
  const before = requireCampaign(env, caller, id);
  if (from !== undefined && before.status !== from) {
    throw conflict(`the campaign is ${before.status}, not ${from}`, "status");
  }
  if (status === "completed" || status === "draft") {
    throw conflict(`${status} can't be set; Outrider sets it automatically`, "status");
  }
  checkTransition(before.status, status);
  if (status === "active") {
    checkStays(env, id);
    checkLaunch(env, before);
    ensureCapacity(env, caller.teamId, "active_campaigns");
    ensureCapacity(env, caller.teamId, "mails");
  }
  const now = env.clock.now();
  const row: CampaignRow = {
    ...before,
    status,
    statusReason: status === "paused" ? "manual" : null,
    ...(status === "active" && { ...UNGUARDED, startedAt: later(now, delaySeconds * SECOND_MS) }),
    updatedAt: now,
  };
  updateCampaign(env.db, row);
  audit(env, caller, {
    action: `campaign.${MOVES[status]}`,
    target: `campaign:${id}`,
    before: campaignFacts(before),
    after: campaignFacts(row),
  });
  tell(env, before, row);
  if (before.status !== "completed" && isSpent(row)) {
    completeCampaign(env, row);
  }
  wakeAccounts(env.db, caller.teamId);
  env.wake();
  return requireCampaign(env, caller, id);
}

/** Its last lead has ended: it has nothing to send and waits for nobody. */
function isSpent({ status, open, enrolled }: CampaignRow): boolean {
  return status === "active" && open === 0 && enrolled > 0;
}

const MOVES = { active: "start", paused: "pause", archived: "archive" } as const;

/** Counters of a campaign that its leads add to. */
const LEAD_COUNTERS = [
  "enrolled",
  "open",
  "completed",
  "bounced",
  "unsubscribed",
  "failed",
] as const;

/** What leads add to the counters of their campaign, or take from them. */
export type LeadCounts = Counts<(typeof LEAD_COUNTERS)[number]> & {
  onHold?: OnHold;
  statuses?: StatusCounts;
};
/** `a` less `b`. */
export function lessCounts(a: LeadCounts, b: LeadCounts): LeadCounts {
  return {
    ...less(LEAD_COUNTERS, a, b),
    onHold: less(HOLD_REASONS, a.onHold, b.onHold),
    statuses: less(ENROLLMENT_STATUSES, a.statuses, b.statuses),
  };
}

/**
 * Adds to the counters of a campaign, with what follows: it completes with its last open lead, an evergreen
 * one goes on with another, and one whose leads are all on hold leaves the mailboxes to others.
 */
export function countLeads(env: Environment, before: CampaignRow, by: LeadCounts): void {
  const row: CampaignRow = {
    ...before,
    ...plus(LEAD_COUNTERS, before, by),
    onHold: plus(HOLD_REASONS, before.onHold, by.onHold),
    statuses: plus(ENROLLMENT_STATUSES, before.statuses, by.statuses),
  };
  updateCampaign(env.db, row);
  if (row.open > before.open) {
    reviveCampaign(env, row);
  } else if (isSpent(row)) {
    completeCampaign(env, row);
  } else if (canProceed(before) && !canProceed(row)) {
    wakeAccounts(env.db, row.teamId);
  }
}

/** By itself, in the transaction of the last message: nothing of this campaign can send any more. */
function completeCampaign(env: Environment, row: CampaignRow): void {
  const now = env.clock.now();
  const completed: CampaignRow = { ...row, status: "completed", updatedAt: now };
  updateCampaign(env.db, completed);
  auditMove(env, "complete", row, completed);
  emit(env, row.teamId, "campaign.completed", factsTold(row));
  wakeAccounts(env.db, row.teamId);
}

/** By itself: too much of what it sent came back, or the plan has no emails left. */
export function pauseByGuard(
  env: Environment,
  before: CampaignRow,
  statusReason: "bounce_rate" | "complaint_rate" | "plan_limit",
): void {
  const updatedAt = env.clock.now();
  const row: CampaignRow = { ...before, status: "paused", statusReason, updatedAt };
  updateCampaign(env.db, row);
  auditMove(env, "pause", before, row);
  tell(env, before, row);
  wakeAccounts(env.db, row.teamId);
}

/** By itself, once what had stopped it is over. The guards count on from where they were. */
export function resumeByItself(env: Environment, before: CampaignRow): void {
  const updatedAt = env.clock.now();
  const row: CampaignRow = { ...before, status: "active", statusReason: null, updatedAt };
  updateCampaign(env.db, row);
  auditMove(env, "resume", before, row);
  tell(env, before, row);
  if (isSpent(row)) {
    completeCampaign(env, row);
  }
  wakeAccounts(env.db, row.teamId);
  env.wake();
}

/** A completed evergreen campaign goes on because it has work again. */
export function reviveCampaign(env: Environment, row: CampaignRow): void {
  if (row.status === "completed" && row.evergreen) {
    const now = env.clock.now();
    const active = { status: "active", startedAt: now, updatedAt: now } as const;
    const revived: CampaignRow = { ...row, ...UNGUARDED, ...active };
    updateCampaign(env.db, revived);
    auditMove(env, "resume", row, revived);
    emit(env, row.teamId, "campaign.resumed", factsTold(row));
    wakeAccounts(env.db, row.teamId);
    env.wake();
  }
}

/** By itself: with the figures by which a guard checks. */
function auditMove(
  env: Environment,
  verb: "pause" | "resume" | "complete",
  before: CampaignRow,
  after: CampaignRow,
): void {
  const { guardSends, guardBounces, guardComplaints } = before;
  const figures = { sends: guardSends, hardBounces: guardBounces, complaints: guardComplaints };
  const facts = ({ status, statusReason }: CampaignRow) => ({ status, statusReason });
  auditEngine(env, after.teamId, {
    action: `campaign.${verb}`,
    target: `campaign:${after.id}`,
    before: facts(before),
    after: { ...facts(after), ...(after.status === "paused" ? figures : {}) },
  });
}

/** Throws `not_found` for another team's campaign as for one that never was. */
export function requireCampaign(env: Environment, caller: Caller, id: Id): CampaignRow {
  return found(findCampaign(env.db, caller.teamId, id), "campaign");
}

function store(
  env: Environment,
  caller: Caller,
  before: CampaignRow,
  after: CampaignRow,
): CampaignRow {
  if (JSON.stringify(before) === JSON.stringify(after)) {
    return before;
  }
  const row = { ...after, updatedAt: env.clock.now() };
  updateCampaign(env.db, row);
  if (isToRecount(before, row)) {
    recountCampaign(env, row);
  }
  audit(env, caller, {
    action: "campaign.patch",
    target: `campaign:${row.id}`,
    before: campaignFacts(before),
    after: campaignFacts(row),
  });
  wakeAccounts(env.db, caller.teamId);
  env.wake();
  return row;
}

function tell(env: Environment, before: CampaignRow, after: CampaignRow): void {
  const data = factsTold(after);
  if (after.status === "active") {
    emit(
      env,
      after.teamId,
      before.status === "draft" ? "campaign.started" : "campaign.resumed",
      data,
    );
  } else if (before.status === "active") {
    const { guardSends, guardBounces, guardComplaints } = after;
    emit(env, after.teamId, "campaign.paused", {
      ...data,
      sends: guardSends,
      hard_bounces: guardBounces,
      complaints: guardComplaints,
    });
  }
}

function factsTold({ id, name, statusReason }: CampaignRow): EventData<"campaign.started"> {
  return { campaign_id: id, name, reason: statusReason };
}

/** For the audit log: without what is only counted. */
export function campaignFacts(row: CampaignRow): Record<string, unknown> {
  const { id: _id, teamId: _team, createdAt: _created, updatedAt: _updated, ...told } = row;
  const { rescheduleAfter: _rescheduling, ...rest } = told;
  return Object.fromEntries(Object.entries(rest).filter(([name]) => !(name in NOTHING_COUNTED)));
}

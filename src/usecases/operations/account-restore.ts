/**
 * Bringing back an account that was deleted: paused, with its credentials and in the campaigns that named it, and the
 * leads that waited for it go on where they were. In slices, as it was deleted.
 */

import { isOpen } from "#domain/campaigns/enrollment.ts";
import { ACCOUNTS_MAX } from "#domain/mailboxes/account.ts";
import { conflict, found } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import { findCampaign, updateCampaign } from "#store/campaigns/campaigns.ts";
import { FIRST_ID, scanEnrollments } from "#store/leads/enrollment-scan.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import {
  accountByEmail,
  accountById,
  countAccounts,
  findAccount,
  updateAccount,
} from "#store/mailboxes/accounts.ts";
import { workspaceById } from "#store/mailboxes/workspaces.ts";
import {
  accountAside,
  dropAside,
  findDeleted,
  putBack,
  rememberedDue,
  removeDeleted,
} from "#store/operations/deleted.ts";
import { seedByEmail } from "#store/placement/placement-seeds.ts";
import { bytesToId, type Id, idToBytes } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { DeletedRow } from "#store/tables/deleted.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import { refreshHealth } from "#usecases/campaigns/health.ts";
import { ensureCapacity } from "#usecases/events/limits.ts";
import { audit } from "#usecases/events/record.ts";
import { changeEnrollment, scheduleNext } from "#usecases/leads/enrollments.ts";
import {
  accountFacts,
  requireAccount,
  verifyAgain,
  wakeTeam,
  watched,
} from "#usecases/mailboxes/accounts.ts";
import { watchDomains } from "#usecases/mailboxes/aliases.ts";

/** Enrollments looked at in one transaction. */
const SLICE_MAX = 2000;
/** Rows moved or forgotten in one transaction. */
const ROWS_MAX = 1000;

/**
 * One that is there already stays as it is; one whose restoration was interrupted goes on. Throws `not_found` for one
 * that is purged, and `conflict` where its address or an alias was taken meanwhile.
 */
export async function restoreAccount(
  env: Environment,
  caller: Caller,
  id: Id,
): Promise<AccountRow> {
  if (!(await env.commit(() => beginRestore(env, caller, id)))) {
    return requireAccount(env, caller, id);
  }
  let after: Id | null = FIRST_ID;
  while (after !== null) {
    const from: Id = after;
    after = await env.commit(() => releaseSlice(env, caller, id, from));
  }
  while ((await env.commit(() => dropAside(env.db, id, ROWS_MAX))) === ROWS_MAX) {}
  return await env.commit(() => {
    const row = requireAccount(env, caller, id);
    removeDeleted(env.db, id);
    const after = accountFacts(row);
    audit(env, caller, { action: "account.restore", target: `account:${id}`, after });
    wakeTeam(env, row);
    return row;
  });
}

/** False: it is not deleted. */
function beginRestore(env: Environment, caller: Caller, id: Id): boolean {
  const line = findDeleted(env.db, caller.teamId, id);
  if (line?.kind !== "account") {
    requireAccount(env, caller, id);
    return false;
  }
  if (findAccount(env.db, caller.teamId, id) !== undefined) {
    return true;
  }
  checkFree(env, line);
  if (countAccounts(env.db, caller.teamId) >= ACCOUNTS_MAX) {
    throw conflict(`a team may have at most ${ACCOUNTS_MAX} accounts`);
  }
  ensureCapacity(env, caller.teamId, "accounts");
  putBack(env.db, id, ROWS_MAX, (origin) => (origin === "accounts" ? ownCells(env, line) : {}));
  const row = found(accountById(env.db, id), "account");
  updateAccount(env.db, { ...returned(env, row), updatedAt: env.clock.now() });
  watchDomains(env, null, row);
  rejoinCampaigns(env, line);
  refreshHealth(env, id);
  return true;
}

/**
 * It sends nothing until a person resumes it, and logs in anew to see whether it
 * still can. What came into its mailbox meanwhile is read.
 */
function returned(env: Environment, row: AccountRow): AccountRow {
  const paused = { ...row, status: "paused", statusReason: "manual" } as const;
  const { pollCursor } = row;
  return watched(env, { ...verifyAgain(env, paused), pollCursor });
}

/** Throws `conflict` naming the field whose address somebody has taken. */
function checkFree({ db }: Environment, { id, teamId, name }: DeletedRow): void {
  const aliases = JSON.parse(String(accountAside(db, id)?.["aliases"] ?? "[]"));
  const others = (aliases as AccountRow["aliases"]).map(({ email }) => email);
  for (const email of [name, ...others]) {
    const taken = accountByEmail(db, teamId, email) ?? seedByEmail(db, teamId, email);
    if (taken !== undefined) {
      throw conflict(
        `${email} belongs to another mailbox of the team now; remove it there to restore this account`,
        email === name ? "email" : "aliases",
      );
    }
  }
}

/** What its row has that was not set aside with it, and what is no more. */
function ownCells({ db }: Environment, { id, secrets }: DeletedRow) {
  const workspace = accountAside(db, id)?.["workspace_id"];
  const isKnown =
    workspace instanceof Uint8Array && workspaceById(db, bytesToId(workspace)) !== undefined;
  return { secrets, workspace_id: isKnown ? idToBytes(bytesToId(workspace)) : null };
}

/** An empty list means every account of the team, this one too. */
function rejoinCampaigns({ db }: Environment, { id, teamId, campaigns }: DeletedRow): void {
  for (const { id: campaignId, at } of campaigns) {
    const campaign = findCampaign(db, teamId, campaignId);
    const names = campaign?.accountIds ?? [];
    if (campaign !== undefined && names.length > 0 && !names.includes(id)) {
      updateCampaign(db, { ...campaign, accountIds: names.toSpliced(at, 0, id) });
    }
  }
}

/** Lets go on who waits for this account among the enrollments after `after`; null at the end. */
function releaseSlice(env: Environment, caller: Caller, id: Id, after: Id): Id | null {
  requireAccount(env, caller, id);
  const slice = scanEnrollments(env.db, after, SLICE_MAX);
  for (const { accountId, holdReason, status, id: enrollmentId } of slice) {
    const isHeld = accountId === id && holdReason === "account_gone" && isOpen(status);
    const row = isHeld ? enrollmentById(env.db, enrollmentId) : undefined;
    if (row !== undefined) {
      release(env, id, row);
    }
  }
  return slice.length < SLICE_MAX ? null : (slice.at(-1)?.id ?? null);
}

/** It is due when it was. One that came to its turn only after the deletion is planned anew. */
function release(env: Environment, id: Id, row: EnrollmentRow): void {
  const dueAt = rememberedDue(env.db, id, row) ?? null;
  const freed = changeEnrollment(env, row, { holdReason: null, holdDetail: null, dueAt });
  if (dueAt === null && row.status !== "paused") {
    scheduleNext(env, freed);
  }
}

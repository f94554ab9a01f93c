/**
 * Deleting an account. What was begun from it cannot go on from another mailbox by itself, so its open
 * enrollments are held for a person; there may be many, so this goes in slices that let others through.
 */

import { isOpen } from "#domain/campaigns/enrollment.ts";
import { conflict, Problem } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import { campaignsNaming, updateCampaign } from "#store/campaigns/campaigns.ts";
import { FIRST_ID, scanEnrollments } from "#store/leads/enrollment-scan.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { updateAccount } from "#store/mailboxes/accounts.ts";
import { removeConsent } from "#store/mailboxes/consents.ts";
import { dropDomain } from "#store/mailboxes/domains.ts";
import { ACCOUNT_TABLES, insertDeleted, rememberDue, setAside } from "#store/operations/deleted.ts";
import { messagesUnderWay, nextReply } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import type { DeletedRow } from "#store/tables/deleted.ts";
import { audit } from "#usecases/events/record.ts";
import { holdEnrollment } from "#usecases/leads/enrollments.ts";
import { accountFacts, requireAccount, wakeTeam, watched } from "#usecases/mailboxes/accounts.ts";
import { domainsOf } from "#usecases/mailboxes/aliases.ts";
import { failOpenTests } from "#usecases/placement/placement-results.ts";
import { forgetScheduledAccount } from "#usecases/placement/placement-schedules.ts";
import { giveUp } from "#usecases/sending/claim-reply.ts";

/** Enrollments looked at in one transaction. */
const SLICE_MAX = 2000;
/** Manual replies that may wait in one mailbox; nobody writes so many in two days. */
const REPLIES_MAX = 10_000;

/**
 * Disables the account, holds its open enrollments (`account_gone`), then sets it aside, with its credentials sealed as
 * they were; messages keep its id. When it is interrupted the account is there, disabled, and can be deleted again. Throws
 * `not_found`, or `conflict` while a message of it is under way, it is unconfirmed, or a campaign names it alone.
 */
export async function deleteAccount(env: Environment, caller: Caller, id: Id): Promise<void> {
  await env.commit(() => retire(env, caller, id));
  let after: Id | null = FIRST_ID;
  while (after !== null) {
    const from: Id = after;
    after = await env.commit(() => holdSlice(env, caller, id, from));
  }
  await env.commit(() => {
    const row = requireAccount(env, caller, id);
    checkIdle(env, row);
    const campaigns = leaveCampaigns(env, row);
    giveUpReplies(env, row);
    failOpenTests(env, { accountId: id }, `${row.email} was deleted`);
    forgetScheduledAccount(env, caller, id);
    removeConsent(env.db, id);
    const { teamId, email: name, secrets } = row;
    const deletedAt = env.clock.now();
    insertDeleted(env.db, { id, teamId, kind: "account", name, deletedAt, secrets, campaigns });
    // A row that is set aside is out of reach of a new master key.
    updateAccount(env.db, { ...row, secrets: null });
    for (const table of ACCOUNT_TABLES) {
      setAside(env.db, id, table);
    }
    for (const domain of domainsOf(row)) {
      dropDomain(env.db, row.teamId, domain);
    }
    env.mail.forget(id);
    audit(env, caller, {
      action: "account.delete",
      target: `account:${id}`,
      before: accountFacts(row),
    });
    wakeTeam(env, row);
  });
}

/** Returns those that named it, and where in their lists. One that names it alone, an archived one, still does. */
function leaveCampaigns(env: Environment, { id, teamId }: AccountRow): DeletedRow["campaigns"] {
  return campaignsNaming(env.db, teamId, id).flatMap((campaign) => {
    const at = campaign.accountIds.indexOf(id);
    const accountIds = campaign.accountIds.toSpliced(at, 1);
    if (accountIds.length === 0) {
      return [];
    }
    updateCampaign(env.db, { ...campaign, accountIds });
    return [{ id: campaign.id, at }];
  });
}

/** What a person has written from here and is still waiting goes nowhere any more, and says so. */
function giveUpReplies(env: Environment, row: AccountRow): void {
  for (let count = 0; count < REPLIES_MAX; count += 1) {
    const reply = nextReply(env.db, row.id);
    if (reply === undefined) {
      return;
    }
    giveUp(env, reply, `${row.email} was deleted`);
  }
}

function retire(env: Environment, caller: Caller, id: Id): void {
  const row = requireAccount(env, caller, id);
  checkIdle(env, row);
  if (row.unconfirmed !== null && row.notReadyReason !== "no_credentials") {
    throw conflict(
      "it isn't known yet what this account sent since the data was put back, and others would send it " +
        "again: fix its connection, or disable it, which puts those leads on hold, and delete it then",
    );
  }
  const campaign = campaignsNaming(env.db, caller.teamId, id).find(isDependent);
  if (campaign !== undefined) {
    throw conflict(
      `the campaign "${campaign.name}" sends from this account alone: ` +
        "give it another account or archive it first",
    );
  }
  const disabled: AccountRow = {
    ...row,
    status: "disabled",
    statusReason: "manual",
    probeAt: null,
  };
  updateAccount(env.db, { ...watched(env, disabled), updatedAt: env.clock.now() });
}

/** An empty list would mean every account of the team, which is not what was asked for. */
function isDependent({ status, accountIds }: CampaignRow): boolean {
  return status !== "archived" && accountIds.length === 1;
}

/** What is being sent has to get its outcome first. */
function checkIdle(env: Environment, row: AccountRow): void {
  if (messagesUnderWay(env.db).some(({ accountId }) => accountId === row.id)) {
    const message = "an email from this account is being sent; try again in a moment";
    throw new Problem("conflict", message, null, { "Retry-After": "5" });
  }
}

/**
 * Holds what waits for this account among the enrollments after `after`, and says where to go on; null
 * at the end. What is held for another reason already keeps that one.
 */
function holdSlice(env: Environment, caller: Caller, id: Id, after: Id): Id | null {
  const { email } = requireAccount(env, caller, id);
  const slice = scanEnrollments(env.db, after, SLICE_MAX);
  for (const { accountId, status, holdReason, id: enrollmentId } of slice) {
    const isStuck = accountId === id && isOpen(status) && holdReason === null;
    const row = isStuck ? enrollmentById(env.db, enrollmentId) : undefined;
    if (row !== undefined) {
      if (row.dueAt !== null) {
        rememberDue(env.db, id, row);
      }
      holdEnrollment(env, row, "account_gone", `${email} was deleted`);
    }
  }
  return slice.length < SLICE_MAX ? null : (slice.at(-1)?.id ?? null);
}

/**
 * What still comes from people who were erased: an opt-out or a complaint counts, for the hash of their
 * address. What they had sent before is not stored again, though a mailbox that is read anew still holds it.
 */

import { parseAddress } from "#domain/email-address.ts";
import { isFromRecipient } from "#domain/inbox/reports/complaint.ts";
import type { SuppressionReason } from "#domain/leads/suppression.ts";
import type { Environment } from "#environment.ts";
import { sha256 } from "#platform/secrets/crypto.ts";
import { lastErasure } from "#store/operations/erasure.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { Cause } from "#usecases/events/effect-log.ts";
import { suppressErased, suppressRecipient } from "#usecases/leads/suppressions.ts";
import type { Arrived } from "./inbox.ts";
import { findErased, type Named } from "./matching.ts";

/** True for what somebody wrote to this mailbox before they were erased. */
export function isOfErased(
  env: Environment,
  { teamId }: AccountRow,
  { mail, received }: Arrived,
): boolean {
  const at =
    mail.from === null ? undefined : lastErasure(env.db, teamId, hashOf(mail.from.address));
  return at !== undefined && received.receivedAt <= at;
}

/** Carries out what an erased person wanted, for the email that they name or else for their address. */
export function takeErased(
  env: Environment,
  account: AccountRow,
  arrived: Arrived,
  cause: Cause,
): void {
  const named = findErased(env, account, arrived);
  const { from } = arrived.mail;
  if (named !== undefined || from === null) {
    takeNamed(env, arrived, named, cause);
  } else if (reasonOf(arrived, false) === "unsubscribe") {
    suppressErased(env, account.teamId, hashOf(from.address), { reason: "unsubscribe", cause });
  }
}

/** The same for whoever names an emptied message; nothing where `named` is undefined. */
export function takeNamed(
  env: Environment,
  arrived: Arrived,
  named: Named | undefined,
  cause: Cause,
): void {
  const reason = reasonOf(arrived, named?.optOut ?? false);
  if (named !== undefined && reason !== null) {
    suppressRecipient(env, named.message, reason, cause);
  }
}

function reasonOf({ reading }: Arrived, optOut: boolean): SuppressionReason | null {
  if (optOut || reading.kind === "unsubscribe") {
    return "unsubscribe";
  }
  const isComplaint = reading.kind === "complaint" && isFromRecipient(reading.feedbackType);
  return isComplaint ? "complaint" : null;
}

function hashOf(address: string): Uint8Array {
  return sha256(parseAddress(address)?.address ?? address);
}

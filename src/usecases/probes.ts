/** Mailboxes in `error` are tried again by themselves; a probe uses up no lead's attempt. */

import { probeAt } from "#domain/account.ts";
import type { UnixMs } from "#domain/time.ts";
import type { TestOutcome } from "#runtime/ports/mail.ts";
import { accountById, updateAccount } from "#store/accounts.ts";
import type { Id } from "#store/columns.ts";
import type { World } from "#world.ts";
import { recoverAccount } from "./accounts.ts";

/** Records what a probe found: back to work, or when to try next. */
export function noteProbe(world: World, accountId: Id, outcome: TestOutcome, now: UnixMs): void {
  const account = accountById(world.db, accountId);
  if (account === undefined || account.status !== "error") {
    return;
  }
  if (outcome.smtp.ok) {
    recoverAccount(world, accountId);
    return;
  }
  const probes = account.probes + 1;
  updateAccount(world.db, {
    ...account,
    probes,
    probeAt: probeAt(probes, now),
    lastError: outcome.smtp.error ?? account.lastError,
  });
}

/** Trying a seed mailbox by a person's request, and finding out whose servers it is behind. */

import { type MailProvider, providerOfExchanges } from "#domain/mailboxes/mail-provider.ts";
import { conflict, notFound } from "#domain/problem.ts";
import { HOUR_MS, MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import type { LookOutcome } from "#platform/ports/mail.ts";
import { seedById, updateSeed } from "#store/placement/placement-seeds.ts";
import { openTestsOf, updateTest } from "#store/placement/placement-tests.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { SeedRow } from "#store/tables/placement.ts";
import { audit } from "#usecases/events/record.ts";
import { changedCredentials } from "#usecases/mailboxes/credentials.ts";
import { recordReachable, recordUnreachable } from "./placement-looks.ts";
import { lookIntoSeed, requireSeed } from "./placement-seeds.ts";

const RESOLVE_WAIT_MS = MINUTE_MS;
const RESOLVE_WAIT_MS_MAX = 6 * HOUR_MS;

export interface TestedSeed {
  seed: SeedRow;
  outcome: LookOutcome;
}

/**
 * Asks for the provider, logs in and looks around, then records what that says. Throws `not_found`, and
 * `conflict` where the seed's server or secrets were changed meanwhile.
 */
export async function testSeed(env: Environment, caller: Caller, id: Id): Promise<TestedSeed> {
  const tested = requireSeed(env, caller, id);
  const [outcome, provider] = await Promise.all([
    lookIntoSeed(env, tested, []),
    providerOf(env, tested),
  ]);
  const seed = await env.commit(() => {
    const after = { looked: outcome.kind === "looked" };
    audit(env, caller, { action: "placement_seed.test", target: `placement_seed:${id}`, after });
    if (provider !== undefined) {
      recordProvider(env, id, { provider });
    }
    const row = seedById(env.db, id);
    if (row === undefined || isReconnected(tested, row)) {
      return row;
    }
    const now = env.clock.now();
    if (outcome.kind === "looked") {
      recordReachable(env, row, outcome, now);
    } else {
      recordUnreachable(env, row, [], outcome, now);
    }
    return seedById(env.db, id);
  });
  env.wake();
  if (seed === undefined) {
    throw notFound("seed");
  }
  if (isReconnected(tested, seed)) {
    throw conflict("the seed was changed while it was tested; test it again");
  }
  return { seed, outcome };
}

/** True when what connects the seed has changed, so that what was found says nothing of it. */
export function isReconnected(before: SeedRow, after: SeedRow): boolean {
  const serverOf = ({ imap, oauthProvider }: SeedRow) => JSON.stringify([imap, oauthProvider]);
  return serverOf(before) !== serverOf(after) || changedCredentials(before, after).length > 0;
}

/** Whose servers take the seed's email; undefined where the resolver gave no answer. */
export async function providerOf(
  env: Environment,
  { email, teamId }: SeedRow,
): Promise<MailProvider | undefined> {
  const domain = email.slice(email.lastIndexOf("@") + 1);
  try {
    const exchanges = await env.dns.mx(domain, teamId);
    return providerOfExchanges(exchanges.map(({ exchange }) => exchange));
  } catch (error) {
    env.log.warn("a seed's provider is not known yet", { domain, cause: String(error) });
    return undefined;
  }
}

/** Records a provider, or that nobody answered at `now`: then it is asked for less and less often. */
export function recordProvider(
  env: Environment,
  id: Id,
  found: { provider: MailProvider } | { now: UnixMs },
): void {
  const row = seedById(env.db, id);
  if (row === undefined) {
    return;
  }
  if ("now" in found) {
    const wait = Math.min(RESOLVE_WAIT_MS_MAX, RESOLVE_WAIT_MS * 2 ** Math.min(row.mxErrors, 10));
    const mxErrors = row.mxErrors + 1;
    updateSeed(env.db, { ...row, mxAt: plus(found.now, wait), mxErrors });
    return;
  }
  const { provider } = found;
  updateSeed(env.db, { ...row, provider, mxAt: null, mxErrors: 0 });
  if (provider !== row.provider) {
    for (const test of openTestsOf(env.db, { seedId: id })) {
      updateTest(env.db, { ...test, seedProvider: provider });
    }
  }
}

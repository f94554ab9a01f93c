/**
 * Clears up what a restore has left open, before any lane runs: reads every mailbox, so that answers come
 * first; then looks into the Sent folders for mails of which the store knows nothing.
 *
 * A folder that the provider keeps tells all. One that we keep ourselves lacks the last moments, and one
 * that cannot be read tells nothing: there the planner is played over the lost time, and what it would
 * have sent is held for a person. So nobody is written to twice, at the price of some mails in doubt.
 */

import { isDue, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { SentOutcome } from "#runtime/ports/mail.ts";
import { accountById, bringPollForward, listAllAccounts } from "#store/accounts.ts";
import type { Id } from "#store/columns.ts";
import { beginDoubt, copiedAt, doubtSince, endDoubt } from "#store/restored.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { UnreadableCredentials } from "#usecases/credentials.ts";
import { mailboxOf } from "#usecases/mailbox.ts";
import { isSendable } from "#usecases/outbox.ts";
import { doubtsMax, holdDoubt, recordSent } from "#usecases/restored.ts";
import { wakeAll } from "#usecases/wake.ts";
import type { World } from "#world.ts";
import { inboxLane } from "./inbox.ts";

/** Mailboxes looked into at once. */
const LOOKUPS_MAX = 8;
/** Rounds of reading mailboxes; each reads 32. */
const ROUNDS_MAX = 10_000;
/** Clocks of two machines and whole seconds in mails' dates. */
const MARGIN_MS = 10 * SECOND_MS;

export interface Reconciled {
  since: UnixMs;
  /** Mails found in Sent folders of which the store did not know. */
  recorded: number;
  /** Mails held for a person. */
  held: number;
  /** Mailboxes whose Sent folder told nothing. */
  unchecked: number;
}

/**
 * Once `stopped` says so it ends where it is, and the next start goes on. `replacedSince`: how far a file that was put here by somebody knows, where it does not say so itself.
 * Undefined when nothing is in doubt.
 */
export async function reconcile(
  world: World,
  replacedSince: UnixMs | null,
  stopped: () => boolean = () => false,
): Promise<Reconciled | undefined> {
  const begun = doubtSince(world.db);
  const since = begun ?? copiedAt(world.db) ?? replacedSince;
  if (since === null) {
    return undefined;
  }
  if (begun === null) {
    await world.commit(() => beginDoubt(world.db, since));
  }
  const until = world.clock.now();
  await readMailboxes(world, until, stopped);
  const result: Reconciled = { since, recorded: 0, held: 0, unchecked: 0 };
  const accounts = listAllAccounts(world.db).filter((row) => isSendable(world, row));
  for (let start = 0; start < accounts.length && !stopped(); start += LOOKUPS_MAX) {
    const batch = accounts.slice(start, start + LOOKUPS_MAX);
    const listed = await Promise.all(
      batch.map(async (row) => ({ row, sent: await list(world, row, plus(since, -MARGIN_MS)) })),
    );
    for (const { row, sent } of listed) {
      await clearUp(world, row, sent, { since, until, result });
    }
  }
  if (!stopped()) {
    await world.commit(() => {
      endDoubt(world.db);
      wakeAll(world);
    });
  }
  return result;
}

/** One pass over all mailboxes, those that cannot be reached too. */
async function readMailboxes(world: World, now: UnixMs, stopped: () => boolean): Promise<void> {
  await world.commit(() => {
    for (const { id } of listAllAccounts(world.db)) {
      bringPollForward(world.db, id, now);
    }
  });
  const lane = inboxLane({ ...world, imapConnections: 0 });
  for (let round = 0; round < ROUNDS_MAX && !stopped(); round += 1) {
    const next = await lane.step(now);
    await lane.settled();
    if (!isDue(next, now)) {
      return;
    }
  }
}

async function list(world: World, row: AccountRow, since: UnixMs): Promise<SentOutcome> {
  try {
    return await world.mail.sentSince(mailboxOf(world, row), since);
  } catch (error) {
    if (error instanceof UnreadableCredentials) {
      return { kind: "uncheckable", reason: error.message };
    }
    throw error;
  }
}

interface Doubt {
  since: UnixMs;
  until: UnixMs;
  result: Reconciled;
}

async function clearUp(
  world: World,
  row: AccountRow,
  sent: SentOutcome,
  { since, until, result }: Doubt,
): Promise<void> {
  const mails = sent.kind === "listed" ? sent.mails : [];
  for (const mail of mails) {
    const what = await world.commit(() => recordSent(world, row.id, mail));
    result.recorded += what === "recorded" ? 1 : 0;
    result.held += what === "held" ? 1 : 0;
  }
  if (sent.kind === "uncheckable") {
    result.unchecked += 1;
    world.log.warn("a Sent folder does not tell what was sent before the restore", {
      account: row.id,
      cause: sent.reason,
    });
  }
  const keepsItself = sent.kind === "listed" && !row.saveSent;
  if (!keepsItself) {
    const last = mails.at(-1)?.at ?? since;
    const from = last > since ? last : since;
    const most = doubtsMax(row, sent.kind === "listed");
    result.held += await hold(world, row.id, { from, until, most });
  }
}

async function hold(
  world: World,
  id: Id,
  { from, until, most }: { from: UnixMs; until: UnixMs; most: number },
): Promise<number> {
  let at: UnixMs | undefined = from;
  let held = 0;
  while (at !== undefined && held < most && accountById(world.db, id) !== undefined) {
    const now: UnixMs = at;
    const step = await world.commit(() => holdDoubt(world, id, { at: now, until }));
    held += step.held ? 1 : 0;
    at = step.next;
  }
  return held;
}

/**
 * Finds out what mailboxes sent in a stretch of time that the data knows nothing of: after a restore, a
 * rollback or a lost log. Until that is known of a mailbox it sends nothing, and no campaign that it may
 * have written for starts anybody new. Then inboxes are read, so that replies stop their sequences.
 *
 * Google and Microsoft file every email themselves: their Sent folders tell all. Elsewhere the folder lacks
 * at least the last moments, so once every mailbox of the team has been asked the planner is played over
 * the lost time, and what it would have sent is held for a person. A mailbox that cannot be reached is asked
 * again and again; one that was disabled by a person counts as one that never tells.
 */

import { isReady } from "#domain/mailboxes/account.ts";
import { isAhead, isDue, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import type { SentMail, SentOutcome } from "#platform/ports/mail.ts";
import { accountById, listAllAccounts, unconfirmedAccounts } from "#store/mailboxes/accounts.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import {
  confirmSends,
  holdUnconfirmed,
  isLost,
  keepsSent,
  recordSent,
  unconfirmedMax,
} from "#usecases/delivery/restored.ts";
import { countUntold } from "#usecases/delivery/strangers.ts";
import { attachReplies } from "#usecases/inbox/threads.ts";
import { UnreadableCredentials } from "#usecases/mailboxes/credentials.ts";
import { mailboxOf } from "#usecases/mailboxes/mailbox.ts";
import { readSoon } from "#usecases/mailboxes/polls.ts";
import { inboxWorker } from "./inbox.ts";
import type { Worker } from "./worker.ts";

/** Mailboxes looked into at once. */
const LOOKUPS_MAX = 8;
/** Rounds of reading mailboxes; each reads 32. */
const ROUNDS_MAX = 10_000;
/** Clocks of two machines and whole seconds in emails' dates. */
const MARGIN_MS = 10 * SECOND_MS;

export interface Reconciled {
  /** Emails found in Sent folders of which the store did not know. */
  recorded: number;
  /** Emails held for a person. */
  held: number;
  /** Mailboxes of which it is still not known what they sent. */
  waiting: number;
}

/** Reads every mailbox, then asks for what was sent. Once `stopped` says so the next start goes on. */
export async function reconcile(
  env: Environment,
  stopped: () => boolean = () => false,
): Promise<Reconciled> {
  // What was sent is known before its replies and bounces are read: they are about emails of the lost time too.
  const already = await recordFolders(env, stopped);
  await readMailboxes(env, env.clock.now(), stopped);
  const asked = await ask(env, stopped);
  return { ...asked, recorded: already + asked.recorded };
}

/** Records what Sent folders hold, which are asked for the rest once inboxes have been read; how many emails. */
async function recordFolders(env: Environment, stopped: () => boolean): Promise<number> {
  const result: Reconciled = { recorded: 0, held: 0, waiting: 0 };
  const rows = unconfirmedAccounts(env.db).filter((row) => mayHaveSent(row) && row.imap !== null);
  for (let start = 0; start < rows.length && !stopped(); start += LOOKUPS_MAX) {
    const batch = rows.slice(start, start + LOOKUPS_MAX);
    const listed = await Promise.all(
      batch.map(async (row) => ({ row, sent: await list(env, row, sinceOf(row)) })),
    );
    for (const { row, sent } of listed) {
      await record(env, row, sent.kind === "listed" ? sent.mails : [], result);
    }
  }
  return result.recorded;
}

/** From when on its Sent folder is of interest. */
function sinceOf({ unconfirmed, createdAt }: AccountRow): UnixMs {
  return plus(unconfirmed?.since ?? createdAt, -MARGIN_MS);
}

/** Goes on asking for what is still not known, as often as mailboxes are read. */
export function reconcileWorker(env: Environment): Worker {
  let askedAt: UnixMs | undefined;
  return {
    name: "reconcile",
    step: async (now) => {
      if (unconfirmedAccounts(env.db).length === 0) {
        return undefined;
      }
      const next = askedAt === undefined ? now : plus(askedAt, env.pollEveryMs);
      if (isAhead(next, now, env.pollEveryMs)) {
        return next;
      }
      askedAt = now;
      const { recorded, held, waiting } = await ask(env, () => false);
      if (recorded + held > 0 || waiting === 0) {
        env.log.warn("found out what was sent before the data was put back", {
          ...{ recorded, held, waiting },
        });
      }
      return plus(now, env.pollEveryMs);
    },
  };
}

/** True where a Sent folder holds an email of ours since then that the data has never heard of. */
export async function hasLostSends(
  env: Environment,
  since: UnixMs,
  stopped: () => boolean,
): Promise<boolean> {
  const rows = listAllAccounts(env.db).filter(
    (row) => isReady(row, env.name) && row.imap !== null && row.unconfirmed === null,
  );
  for (let start = 0; start < rows.length && !stopped(); start += LOOKUPS_MAX) {
    const batch = rows.slice(start, start + LOOKUPS_MAX);
    const sent = await Promise.all(batch.map((row) => list(env, row, since)));
    if (sent.some((one) => one.kind === "listed" && one.mails.some((m) => isLost(env, m)))) {
      return true;
    }
  }
  return false;
}

/** One pass over all mailboxes, those that cannot be reached too. */
async function readMailboxes(env: Environment, now: UnixMs, stopped: () => boolean): Promise<void> {
  const all = listAllAccounts(env.db).map(({ id }) => id);
  await env.commit(() => readSoon(env, all, now));
  const worker = inboxWorker({ ...env, imapConnections: 0 });
  for (let round = 0; round < ROUNDS_MAX && !stopped(); round += 1) {
    const next = await worker.step(now);
    await worker.settled?.();
    if (!isDue(next, now)) {
      return;
    }
  }
}

interface Asked {
  row: AccountRow;
  kind: SentOutcome["kind"];
  lastAt: UnixMs | undefined;
}

async function ask(env: Environment, stopped: () => boolean): Promise<Reconciled> {
  const result: Reconciled = { recorded: 0, held: 0, waiting: 0 };
  const rows = unconfirmedAccounts(env.db).filter((row) => mayHaveSent(row));
  const asked: Asked[] = [];
  for (let start = 0; start < rows.length && !stopped(); start += LOOKUPS_MAX) {
    const batch = rows.slice(start, start + LOOKUPS_MAX);
    const listed = await Promise.all(
      batch.map(async (row) => ({ row, sent: await outcomeOf(env, row) })),
    );
    for (const { row, sent } of listed) {
      const mails = sent.kind === "listed" ? sent.mails : [];
      await record(env, row, mails, result);
      asked.push({ row, kind: sent.kind, lastAt: mails.at(-1)?.at });
    }
  }
  for (const team of Map.groupBy(asked, ({ row }) => row.teamId).values()) {
    await conclude(env, team, result, stopped);
  }
  return result;
}

/** One that never had a password has sent nothing; it is asked once it has. */
function mayHaveSent(row: AccountRow): boolean {
  return row.notReadyReason !== "no_credentials";
}

/** What the mailbox tells of the time in question. */
async function outcomeOf(env: Environment, row: AccountRow): Promise<SentOutcome> {
  const { unconfirmed } = row;
  if (row.imap === null || unconfirmed === null) {
    return { kind: "uncheckable", reason: "no IMAP settings are stored" };
  }
  const isRead = row.pollAt === null || (row.pollErrors === 0 && row.pollAt > unconfirmed.until);
  const sent: SentOutcome = isRead
    ? await list(env, row, sinceOf(row))
    : { kind: "unreachable", reason: row.lastError ?? "its inbox has not been read yet" };
  const isGivenUp = sent.kind === "unreachable" && row.status === "disabled";
  if (sent.kind !== "listed") {
    const { reason } = sent;
    env.log.warn("a mailbox does not tell what it sent", { account: row.id, cause: reason });
  }
  return isGivenUp ? { ...sent, kind: "uncheckable" } : sent;
}

async function list(env: Environment, row: AccountRow, since: UnixMs): Promise<SentOutcome> {
  try {
    return await env.mail.sentSince(mailboxOf(env, row), since);
  } catch (error) {
    if (error instanceof UnreadableCredentials) {
      return { kind: "unreachable", reason: error.message };
    }
    throw error;
  }
}

async function record(
  env: Environment,
  row: AccountRow,
  mails: readonly SentMail[],
  result: Reconciled,
): Promise<void> {
  for (const mail of mails) {
    const what = await env.commit(() => {
      const recorded = recordSent(env, row.id, mail);
      if (recorded === "recorded" && mail.messageId !== null) {
        attachReplies(env, row.teamId, mail.messageId);
      }
      return recorded;
    });
    result.recorded += what === "recorded" ? 1 : 0;
    result.held += what === "held" ? 1 : 0;
  }
}

/**
 * Ends the question for the mailboxes of a team that have answered it. What would be played depends on what
 * the others sent, so that it waits for them.
 */
async function conclude(
  env: Environment,
  team: readonly Asked[],
  result: Reconciled,
  stopped: () => boolean,
): Promise<void> {
  const isComplete = team.every(({ kind }) => kind !== "unreachable");
  for (const { row, kind, lastAt } of team) {
    const tellsAll = kind === "listed" && keepsSent(row);
    if (stopped() || !(tellsAll || isComplete) || row.unconfirmed === null) {
      result.waiting += 1;
      continue;
    }
    if (!tellsAll) {
      const { since, until } = row.unconfirmed;
      const filesCopies = kind === "listed" && row.saveSent;
      const isLater = filesCopies && lastAt !== undefined && lastAt > since;
      const most = unconfirmedMax(row, filesCopies);
      const held = await hold(env, row.id, { from: isLater ? lastAt : since, until, most });
      result.held += held;
      await env.commit(() => countUntold(env, row.id, most - held, until));
    }
    await env.commit(() => confirmSends(env, row));
  }
}

async function hold(
  env: Environment,
  id: Id,
  { from, until, most }: { from: UnixMs; until: UnixMs; most: number },
): Promise<number> {
  let at: UnixMs | undefined = from;
  let held = 0;
  while (at !== undefined && held < most && accountById(env.db, id) !== undefined) {
    const now: UnixMs = at;
    const step = await env.commit(() => holdUnconfirmed(env, id, { at: now, until }));
    held += step.held ? 1 : 0;
    at = step.next;
  }
  return held;
}

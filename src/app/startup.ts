/**
 * Between opening the data and starting the workers: what a crash, a restore, a rollback or a copy of files
 * has left open is cleared up, in that order.
 */

import { statSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "#config/config.ts";
import { messageOf, stackOf } from "#domain/thrown.ts";
import { SECOND_MS, toIso, type UnixMs, unixMs } from "#domain/time.ts";
import { hasLostSends, reconcile } from "#engine/reconcile.ts";
import { recover } from "#engine/recover.ts";
import type { Environment } from "#environment.ts";
import type { Log } from "#platform/log.ts";
import { StartFailure } from "#platform/start-failure.ts";
import { unconfirmedAccounts } from "#store/mailboxes/accounts.ts";
import { copiedAt, lastKnownAt, leaveCopy, runOf, writeRun } from "#store/operations/restored.ts";
import {
  type OpenWitness,
  openWitness,
  readWitness,
  writeWitness,
} from "#store/operations/witness.ts";
import { damageInWords, isDamage, quickCheck } from "#store/sqlite/damage.ts";
import { type Db, openDatabase } from "#store/sqlite/database.ts";
import type { Lock } from "#store/sqlite/lock.ts";
import { commitsOf } from "#store/sqlite/transaction.ts";
import { markUnconfirmed } from "#usecases/delivery/restored.ts";
import { auditRestore } from "#usecases/events/audit-chain.ts";
import { eraseAgain } from "#usecases/leads/erasures.ts";
import { suppressAgain } from "#usecases/leads/suppressed-again.ts";
import type { OpenEnvironments } from "./environments.ts";

/** How long a start waits for Sent folders where nothing else says that anything was lost. */
const LOOK_MS_MAX = 10 * SECOND_MS;

export interface Cleared {
  witness: OpenWitness;
  /** How far the data knew when it was opened; null: nothing had happened yet. */
  knownAt: UnixMs | null;
}

/** Larger files are read after the start, beside everything else: people wait for it. Some three seconds. */
const CHECKED_BYTES_MAX = 1024 ** 3;

/** A disk that lost its power may have kept pages that were never written. Throws {@link StartFailure}. */
export function checkAfterCrash({ dataDir }: Config): void {
  for (const name of ["live.db", "test.db"]) {
    const path = join(dataDir, name);
    const bytes = bytesOf(path);
    if (bytes > 0 && bytes <= CHECKED_BYTES_MAX) {
      const fault = checkFile(path);
      if (fault !== null) {
        throw new StartFailure("damaged", damageInWords(path, fault));
      }
    }
  }
}

/** Was the live database too large for {@link checkAfterCrash}? */
export function isLeftUnchecked({ dataDir }: Config): boolean {
  return bytesOf(join(dataDir, "live.db")) > CHECKED_BYTES_MAX;
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function checkFile(path: string): string | null {
  let db: Db;
  try {
    db = openDatabase(path);
  } catch (error) {
    return isDamage(error) ? messageOf(error) : null;
  }
  try {
    return quickCheck(db);
  } finally {
    db.raw.close(false);
  }
}

/**
 * Before anybody is answered and anything is sent: who was erased or suppressed stays so, whatever was put back.
 * Returns how far the data knew before that, which has events of its own; null: nothing had happened yet.
 */
export async function carryOutLists(
  environments: OpenEnvironments,
  lock: Lock,
  log: Log,
): Promise<UnixMs | null> {
  try {
    const knownAt = lastKnownAt(environments.live.db);
    for (const env of [environments.live, environments.test]) {
      const people = await eraseAgain(env);
      if (people > 0) {
        log.warn("the data was put back: erased people again", { env: env.name, people });
      }
      const { suppressed, lifted } = await suppressAgain(env);
      if (suppressed + lifted > 0) {
        const counts = { env: env.name, suppressed, lifted };
        log.warn("the data was put back: suppressed and lifted again", counts);
      }
    }
    return knownAt;
  } catch (error) {
    await environments.close();
    lock.release();
    const cause = messageOf(error);
    throw new StartFailure(
      "unwritable",
      `people could not be erased or suppressed again: ${cause}`,
    );
  }
}

/** Resolves what was under way, and finds out whether the data is older than what it was last. */
export async function clearUp(
  environments: OpenEnvironments,
  config: Config,
  log: Log,
  knownAt: UnixMs | null,
): Promise<Cleared> {
  const { live } = environments;
  const older = olderThanLast(live, config, knownAt);
  for (const env of [environments.live, environments.test]) {
    await recoverEnvironment(env, log);
  }
  await environments.test.commit(() => {
    // The simulated internet lies in the same file: nothing of it is in question.
    const since = copiedAt(environments.test.db);
    if (since !== null) {
      leaveCopy(environments.test.db, environments.test.wall.now());
      auditRestore(environments.test, since, RESTORED);
    }
  });
  if (older !== null) {
    await putInQuestion(live, older);
  }
  return { witness: await witnessRun(environments, config), knownAt };
}

/**
 * Before the workers start: finds out what mailboxes sent that the data does not know. Where nothing says that
 * it was put back, the Sent folders are looked at all the same, for as long as a start may take: a volume
 * that was put back whole has brought its witness along. Never rejects.
 */
export async function lookForLost(
  env: Environment,
  knownAt: UnixMs | null,
  stopped: () => boolean,
): Promise<void> {
  if (unconfirmedAccounts(env.db).length > 0) {
    await findOut(env, stopped);
  } else if (knownAt !== null) {
    const since = unixMs(Math.floor(knownAt / SECOND_MS) * SECOND_MS);
    const looked = lookAtFolders(env, since, stopped);
    await Promise.race([looked, deadline(LOOK_MS_MAX)]);
  }
}

async function lookAtFolders(
  env: Environment,
  since: UnixMs,
  stopped: () => boolean,
): Promise<void> {
  try {
    if ((await hasLostSends(env, since, stopped)) && !stopped()) {
      const why = "a Sent folder holds emails of which the data has never heard";
      await putInQuestion(env, { since, until: null, why });
      await findOut(env, stopped);
    }
  } catch (error) {
    complain(env, error, stopped);
  }
}

async function findOut(env: Environment, stopped: () => boolean): Promise<void> {
  try {
    const { recorded, held, waiting } = await reconcile(env, stopped);
    if (!stopped()) {
      env.log.warn("cleared up after a restore", { recorded, held, waiting });
    }
  } catch (error) {
    complain(env, error, stopped);
  }
}

function complain(env: Environment, error: unknown, stopped: () => boolean): void {
  if (!stopped()) {
    const cause = stackOf(error);
    env.log.error("Sent folders could not be looked at", { cause });
  }
}

async function recoverEnvironment(env: Environment, log: Log): Promise<void> {
  const { retried, found, unknown, unreadable } = await recover(env);
  if (unreadable > 0) {
    log.error("credentials cannot be read: the master key has changed", {
      env: env.name,
      accounts: unreadable,
    });
  }
  if (retried + found + unknown > 0) {
    log.warn("resolved what a crash left", { env: env.name, retried, found, unknown });
  }
}

const RESTORED = "a backup was restored";

interface Older {
  /** How far the data knows. */
  since: UnixMs;
  /** When the program that knew more ended; null: nobody knows. */
  until: UnixMs | null;
  why: string;
}

async function putInQuestion(env: Environment, { since, until, why }: Older): Promise<void> {
  const now = env.clock.now();
  const last = until === null || until > now || until < since ? now : until;
  await env.commit(() => {
    markUnconfirmed(env, since, last);
    auditRestore(env, since, why);
  });
  env.log.warn("the data was put back: no mailbox sends until it is known what it has sent since", {
    ...{ since: toIso(since), until: toIso(last), cause: why },
  });
}

/** Null where the data is what the last run left, and where no server has run on it. */
function olderThanLast({ db }: Environment, config: Config, known: UnixMs | null): Older | null {
  const copied = copiedAt(db);
  if (copied !== null) {
    return { since: copied, until: null, why: RESTORED };
  }
  const { file, runs, commits, at } = readWitness(config.dataDir);
  const [run, held] = [runOf(db), commitsOf(db)];
  if (held < commits) {
    const why = `its last ${commits - held} commits up to ${toIso(at)} are gone`;
    return { since: known ?? at, until: at, why };
  }
  const isThatOne = file === identityOf(config) && run !== null && runs.includes(run);
  if (run === null || isThatOne || known === null) {
    return null;
  }
  const why = "the live database is another file than that of the last run";
  return { since: known, until: null, why };
}

/** The file by which the kernel knows it; a copy is another one. */
function identityOf(config: Config): string {
  const { dev, ino } = statSync(join(config.dataDir, "live.db"), { bigint: true });
  return `${dev}:${ino}`;
}

/** From here on this run's is the one that is known; a crash in between leaves both known. */
async function witnessRun(environments: OpenEnvironments, config: Config): Promise<OpenWitness> {
  const { dataDir } = config;
  const { live } = environments;
  const before = runOf(live.db);
  const run = live.ids.next(live.wall.now());
  const known = () => {
    return { file: identityOf(config), commits: commitsOf(live.db), at: live.wall.now() };
  };
  writeWitness(dataDir, { ...known(), runs: before === null ? [run] : [before, run] });
  await live.commit(() => writeRun(live.db, run));
  const witness = { ...known(), runs: [run] };
  writeWitness(dataDir, witness);
  const opened = openWitness(dataDir, witness);
  environments.countCommits((commits) => recordCommits(live, opened, commits));
  return opened;
}

/** What was committed stays committed where the count cannot be written. */
function recordCommits({ wall, log }: Environment, witness: OpenWitness, commits: number): void {
  try {
    witness.note(commits, wall.now());
  } catch (error) {
    log.error("installation.json cannot be written: a rollback may go unnoticed", {
      cause: String(error),
    });
  }
}

function deadline(ms: number): Promise<void> {
  const signal = AbortSignal.timeout(ms);
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

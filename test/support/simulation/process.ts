/**
 * One process after another on one SQLite file: each opens it through `buildWorlds` with workers of its
 * own, recovers what the one before left, and ends by itself or by being killed.
 */

import { Database } from "bun:sqlite";
import { join } from "node:path";
import { buildEnvironments, type OpenEnvironments } from "#app/environments.ts";
import { clearUp, lookForLost } from "#app/startup.ts";
import type { Config } from "#config/config.ts";
import type { UnixMs } from "#domain/time.ts";
import { recover } from "#engine/recover.ts";
import { createEngine } from "#engine/run.ts";
import { upkeepWorker } from "#engine/upkeep.ts";
import type { Worker } from "#engine/worker.ts";
import { createWorkers } from "#engine/workers.ts";
import type { Environment } from "#environment.ts";
import type { Dice } from "#platform/dice.ts";
import type { Log } from "#platform/log.ts";
import type { Http } from "#platform/ports/http.ts";
import { createVault } from "#platform/secrets/crypto.ts";
import { accountById } from "#store/mailboxes/accounts.ts";
import { ERASURE_LIST, erasureListAt } from "#store/operations/erasure-list.ts";
import { lastKnownAt } from "#store/operations/restored.ts";
import { SUPPRESSION_FILE, suppressionListAt } from "#store/operations/suppression-list.ts";
import type { OpenWitness } from "#store/operations/witness.ts";
import type { Db } from "#store/sqlite/database.ts";
import { eraseAgain } from "#usecases/leads/erasures.ts";
import { suppressAgain } from "#usecases/leads/suppressed-again.ts";
import type { Bytes } from "./bytes.ts";
import type { MovingClock } from "./clock.ts";
import { createDisk, type Disk } from "./disk.ts";
import type { Internet } from "./internet.ts";
import { createLife, type DEATH, type Life } from "./life.ts";
import { firstFault } from "./pages.ts";
import { SIMULATED_PLANS } from "./plans.ts";

export interface Process {
  readonly life: Life;
  readonly disk: Disk;
  /** Place of the last event that it found at its start, and that it has told somebody of. */
  readonly found: number;
  readonly told: number;
  readonly environments: OpenEnvironments;
  /** The live environment, its writes refused after death. */
  readonly env: Environment;
  /** What `work` answers, or {@link DEATH} when the process dies over it. */
  run<Result>(work: () => Promise<Result>): Promise<Result | typeof DEATH>;
  advance(to: UnixMs): Promise<unknown>;
  recover(): Promise<unknown>;
  /** Graceful, or after its death the removal of its remains; before that, `leave` sees its files. */
  end(leave?: () => void): Promise<void>;
}

export interface ProcessParts {
  /** The live database; the test environment is of no concern here and lives in memory. */
  path: string;
  internet: Internet;
  clock: MovingClock;
  dice: Dice;
  log: Log;
  pollEveryMs: number;
  /** Email is spoken word by word; decided without words if left out. */
  bytes?: Bytes;
  /** Where webhooks go; nowhere if left out. */
  http?: (life: Life) => Http;
  /** The directory of a whole installation, whose storage lies: it starts and looks after itself as one. */
  dataDir?: string;
  plant?: { unchecked?: boolean; trusting?: boolean; forgetful?: boolean };
  /** Told of each transaction: how many pages the log has. */
  onLogged?: (frames: number) => void;
}

const MASTER_KEY = new Uint8Array(32).fill(7);

export function startProcess(parts: ProcessParts): Process {
  const { internet, clock } = parts;
  const life = createLife(internet.tally);
  const isWhole = parts.dataDir !== undefined && parts.plant?.trusting !== true;
  const wall = { now: clock.now };
  const environments = buildEnvironments({
    busyMs: 0,
    paths: { live: parts.path, test: ":memory:" },
    vault: createVault(MASTER_KEY),
    wall,
    dice: parts.dice,
    log: watching(parts.log, life),
    // Every statement is reported, in the log.
    slowQueryMs: -1,
    publicUrl: null,
    plans: SIMULATED_PLANS,
    dns: internet.dns(life),
    ...(parts.http === undefined ? {} : { http: parts.http(life) }),
    ...(parts.dataDir && {
      erasures: erasureListAt(join(parts.dataDir, ERASURE_LIST)),
      suppressions: suppressionListAt(join(parts.dataDir, SUPPRESSION_FILE)),
    }),
    mail: () => {
      const port = internet.port(life);
      return parts.bytes?.speak(life, port) ?? port;
    },
  });
  environments.live.db.raw.run("PRAGMA synchronous = OFF");
  const cursorOf = (accountId: string) =>
    accountById(environments.live.db, accountId)?.pollCursor ?? "";
  const disk = createDisk(parts.path, environments.live.db, internet.tally, clock);
  const lastEvent = environments.live.db.raw.query<{ seq: number | null }, []>(
    "select max(seq) as seq from events",
  );
  const stored = environments.live.db.raw.query("select 1 from inbound_mails where message_id = ?");
  const recordRead = () => internet.recordRead(cursorOf, (id) => stored.get(id) !== null);
  const found = lastEvent.get()?.seq ?? 0;
  // What a process before was told of as committed, and died before anybody else heard.
  recordRead();
  let told = found;
  const commit = life.guard(
    disk.guard(environments.live.commit),
    () => {
      told = lastEvent.get()?.seq ?? 0;
      recordRead();
      parts.onLogged?.(disk.frames());
    },
    () => disk.logged(),
  );
  const env: Environment = { ...environments.live, commit, pollEveryMs: parts.pollEveryMs };
  const engine = createEngine(env, workersOf(env, isWhole && parts.plant?.unchecked !== true));
  const movable = {
    advanceTo: (at: UnixMs) => {
      if (!life.dead) {
        clock.advanceTo(at);
      }
    },
    hold: () => () => undefined,
  };
  environments.onWake("live", engine.wake);
  let witness: OpenWitness | undefined;
  /** As `startApp` does it. */
  const clear = async (dataDir: string) => {
    const knownAt = lastKnownAt(env.db);
    await eraseAgain(env);
    if (parts.plant?.forgetful !== true) {
      await suppressAgain(env);
    }
    const opened = { ...environments, live: env };
    const cleared = await clearUp(opened, { dataDir } as Config, parts.log, knownAt);
    witness = cleared.witness;
    await lookForLost(env, cleared.knownAt, () => life.dead);
  };
  const run = <Result>(work: () => Promise<Result>) => Promise.race([work(), life.died]);
  return {
    life,
    disk,
    found,
    get told() {
      return told;
    },
    environments,
    env,
    run,
    advance: (to) => run(() => engine.advance(movable, to)),
    recover: () => run<unknown>(() => (isWhole ? clear(parts.dataDir ?? "") : recover(env))),
    end: async (leave) => {
      if (life.dead) {
        await turns();
        disk.mend();
        leave?.();
        environments.live.db.raw.close(false);
        environments.test.db.raw.close(false);
      } else {
        disk.mend();
        await environments.close();
      }
      witness?.close();
    },
  };
}

/** Tidied as seldom as mailboxes are read: hour by hour it would take half of a run's time. */
function workersOf(env: Environment, looksAfterItself: boolean): Worker[] {
  const checkup = { isDue: false, signal: new AbortController().signal, check: quickCheckBeside };
  return createWorkers(env, looksAfterItself ? { checkup } : {}).map((worker) =>
    worker.name === "upkeep" ? upkeepWorker(env, env.pollEveryMs) : worker,
  );
}

/** As `checkApart` does, without its thread and the rests between its tables. */
async function quickCheckBeside({ raw }: Db): Promise<string | null> {
  const beside = new Database(raw.filename, { readonly: true });
  try {
    return firstFault(beside, "quick_check");
  } finally {
    beside.close();
  }
}

function watching(log: Log, life: Life): Log {
  return {
    ...log,
    warn: (message, fields) => {
      if (message === "slow statement") {
        life.tick();
      } else {
        log.warn(message, fields);
      }
    },
  };
}

/** Lets what the dead process had queued come to nothing. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

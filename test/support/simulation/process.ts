/**
 * One process after another on one SQLite file: each opens it through `buildWorlds` with workers of its
 * own, recovers what the one before left, and ends by itself or by being killed.
 */

import { buildEnvironments, type OpenEnvironments } from "#app/environments.ts";
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
import type { Bytes } from "./bytes.ts";
import type { MovingClock } from "./clock.ts";
import { createDisk, type Disk } from "./disk.ts";
import type { Internet } from "./internet.ts";
import { createLife, type DEATH, type Life } from "./life.ts";
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
}

const MASTER_KEY = new Uint8Array(32).fill(7);

export function startProcess(parts: ProcessParts): Process {
  const { internet, clock } = parts;
  const life = createLife(internet.tally);
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
    mail: () => {
      const port = internet.port(life);
      return parts.bytes?.speak(life, port) ?? port;
    },
  });
  environments.live.db.raw.run("PRAGMA synchronous = OFF");
  const cursorOf = (accountId: string) =>
    accountById(environments.live.db, accountId)?.pollCursor ?? "";
  const disk = createDisk(parts.path, environments.live.db, internet.tally);
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
    },
    () => disk.logged(),
  );
  const env: Environment = { ...environments.live, commit, pollEveryMs: parts.pollEveryMs };
  const engine = createEngine(env, workersOf(env));
  const movable = {
    advanceTo: (at: UnixMs) => {
      if (!life.dead) {
        clock.advanceTo(at);
      }
    },
    hold: () => () => undefined,
  };
  environments.onWake("live", engine.wake);
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
    recover: () => run(() => recover(env)),
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
    },
  };
}

/** Tidied as seldom as mailboxes are read: hour by hour it would take half of a run's time. */
function workersOf(env: Environment): Worker[] {
  return createWorkers(env).map((worker) =>
    worker.name === "upkeep" ? upkeepWorker(env, env.pollEveryMs) : worker,
  );
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

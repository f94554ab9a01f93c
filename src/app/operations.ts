/**
 * The installation as its operator handles it: long work on backups is done by this program once more, as
 * a process of its own, so that the server goes on answering and sending.
 */

import { createWriteStream, mkdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Config } from "#config/config.ts";
import { conflict, invalid } from "#domain/problem.ts";
import type { Env } from "#domain/team/api-key.ts";
import { messageOf } from "#domain/thrown.ts";
import { plus, type UnixMs } from "#domain/time.ts";
import type { Engine } from "#engine/run.ts";
import type { Environment } from "#environment.ts";
import { masterKeyText } from "#platform/secrets/crypto.ts";
import { runSelf, type SelfRun } from "#platform/self.ts";
import { type BackupReason, UnusableBackup } from "#store/operations/backup-archive.ts";
import {
  listBackups,
  pruneBackups,
  removeBackup,
  type StoredBackup,
  storeUpload,
  tidyBackupFiles,
  uploadPath,
} from "#store/operations/backup-files.ts";
import { recordVerifiedNow } from "#store/operations/backups.ts";
import { readDrill } from "#store/operations/drill.ts";
import { countDue } from "#store/sending/queues.ts";
import { MIGRATIONS } from "#store/sqlite/migrate.ts";
import {
  type BackupPlan,
  type BackupTask,
  type EnvState,
  type Finding,
  type Operations,
  oauthFindings,
  type SystemState,
} from "#usecases/operations/operations.ts";
import type { Certificates } from "./certificates.ts";
import type { OpenEnvironments } from "./environments.ts";
import { BUN_VERSION, COMMIT, VERSION } from "./version.ts";

/** Work on a backup that takes longer has hung. */
const WORK_MS_MAX = 6 * 60 * 60 * 1000;

export interface OperationsInput {
  config: Config;
  environments: Pick<OpenEnvironments, "live" | "test">;
  engines: () => Readonly<Record<Env, Engine>>;
  /** Left out where we get none. */
  certificates?: Pick<Certificates, "states" | "findings"> | undefined;
  startedAt: UnixMs;
  /** The doctor's list; reads no database from end to end. */
  findings: () => Promise<Finding[]>;
  /** A restore lies ready: the server has to start anew. */
  restart: () => void;
  /** Runs a command of this program; {@link runSelf} if left out. */
  run?: typeof runSelf;
}

export interface RunningOperations extends Operations {
  /** Ends work under way; what it had begun is not there. */
  stop(): void;
}

type DoIt = (own: BackupTask) => Promise<void>;

export function createOperations(input: OperationsInput): RunningOperations {
  const { config, environments, startedAt, certificates, run = runSelf } = input;
  const { backupDir, backupKeep } = config.operations;
  const { wall } = environments.live;
  const stopping = new AbortController();
  let task: BackupTask | null = null;

  const command = async (args: readonly string[], passphrase: string | null): Promise<SaidJson> => {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(WORK_MS_MAX)]);
    const all = [...args, "--data", config.dataDir, "--backup-dir", backupDir, "--json"];
    return readRun(await run(all, secretsOf(config, passphrase), signal));
  };
  const carryOut = async (own: BackupTask, doIt: DoIt): Promise<BackupTask> => {
    try {
      await doIt(own);
      own.status = "done";
    } catch (error) {
      own.status = "failed";
      own.error = messageOf(error);
      environments.live.log.error(`a ${own.work} failed`, { cause: own.error });
    }
    own.endedAt = wall.now();
    return own;
  };
  // Not `async`: a conflict is thrown to the caller, not left to a promise that nobody awaits.
  const begin = (
    work: BackupTask["work"],
    backupId: string | null,
    doIt: DoIt,
  ): Promise<BackupTask> => {
    if (task?.status === "running") {
      throw conflict(`a ${task.work} is running; try again when it's done`);
    }
    const begun = { startedAt: wall.now(), endedAt: null };
    task = { work, status: "running", backupId, ...begun, error: null };
    return carryOut(task, doIt);
  };
  const passphraseFor = (given: string | null) => given ?? config.operations.backupPassphrase;

  return {
    backups: () => listBackups(backupDir),
    plan: () => planOf(config, wall.now()),
    drill: () => readDrill(backupDir),
    task: () => task,
    make: (reason) =>
      begin("backup", null, async (own) => {
        own.backupId = idIn(await makeOne(command, config, reason));
        if (reason === "schedule") {
          pruneBackups(backupDir, backupKeep);
        }
      }),
    verify: (backup, passphrase) =>
      begin("verify", backup.id, async () => {
        const args = ["restore", backup.path, "--check"];
        const said = await command(args, passphraseFor(passphrase));
        recordVerifiedNow(backup, said, wall.now());
      }),
    restore: (backup, { passphrase, withoutKey }) =>
      begin("restore", backup.id, async () => {
        const key = withoutKey ? ["--without-key"] : [];
        // Checked before anything else is done, and once more when it is laid ready.
        await command(["restore", backup.path, "--check"], passphraseFor(passphrase));
        await makeOne(command, config, "before_restore");
        await command(["restore", backup.path, "--stage", ...key], passphraseFor(passphrase));
        input.restart();
      }),
    remove: (backup) => {
      if (task?.status === "running" && task.backupId === backup.id) {
        throw conflict("this backup is in use; try again when it's done");
      }
      removeBackup(backup);
    },
    receive: (content) => receive(backupDir, environments.live, content),
    system: () => systemState(input, startedAt),
    certificates: () => certificates?.states() ?? [],
    findings: async () => [
      ...(await input.findings()),
      ...(certificates?.findings() ?? []),
      ...oauthFindings(environments.live),
    ],
    stop: () => stopping.abort(),
  };
}

type SaidJson = Readonly<Record<string, unknown>>;

function makeOne(
  command: (args: readonly string[], passphrase: string | null) => Promise<SaidJson>,
  config: Config,
  reason: BackupReason,
): Promise<SaidJson> {
  return command(["backup", "--reason", reason], config.operations.backupPassphrase);
}

function idIn(said: SaidJson): string | null {
  return typeof said["id"] === "string" ? said["id"] : null;
}

/** Secrets go by the environment: the arguments of a process are public on its machine. */
function secretsOf(config: Config, passphrase: string | null): Record<string, string> {
  return {
    ...(config.masterKey === null
      ? {}
      : { OUTRIDER_MASTER_KEY: masterKeyText(config.masterKey).trim() }),
    ...(passphrase === null ? {} : { OUTRIDER_BACKUP_PASSPHRASE: passphrase }),
  };
}

function readRun({ exit, out, err }: SelfRun): SaidJson {
  const last = (exit === 0 ? out : err).trim().split("\n").at(-1) ?? "";
  let said: SaidJson = {};
  try {
    said = Object(JSON.parse(last)) as SaidJson;
  } catch {
    // Killed, or a bug: what it wrote is shown as it is.
  }
  if (exit === 0) {
    return said;
  }
  const message = (said["error"] as { message?: unknown } | undefined)?.message;
  throw new Error(typeof message === "string" ? message : `it ended with ${exit}: ${last}`);
}

async function receive(
  directory: string,
  { ids, wall }: Environment,
  content: ReadableStream<Uint8Array>,
): Promise<StoredBackup> {
  const now = wall.now();
  tidyBackupFiles(directory, now);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const id = ids.next(now);
  const path = uploadPath(directory, id);
  try {
    await pipeline(Readable.from(content), createWriteStream(path, { mode: 0o600, flags: "wx" }));
    return storeUpload(directory, id, now);
  } catch (error) {
    rmSync(path, { force: true });
    throw error instanceof UnusableBackup ? invalid("body", error.message) : error;
  }
}

function systemState(
  { config, environments, engines }: OperationsInput,
  startedAt: UnixMs,
): SystemState {
  const { dataDir } = config;
  const { bavail, blocks, bsize } = statfsSync(dataDir);
  const memory = process.memoryUsage();
  const cpu = process.cpuUsage();
  const state = (envName: Env): EnvState => {
    const env = environments[envName];
    const engine = engines()[envName];
    return {
      databaseBytes: sizeOf(join(dataDir, `${envName}.db`)),
      walBytes: sizeOf(join(dataDir, `${envName}.db-wal`)),
      queues: countDue(env.db, env.clock.now(), env.wall.now()),
      workers: engine.workers(),
      watches: engine.watched(),
    };
  };
  return {
    version: VERSION,
    commit: COMMIT,
    bun: BUN_VERSION,
    startedAt,
    uptimeSeconds: Math.max(0, environments.live.wall.now() - startedAt) / 1000,
    schema: MIGRATIONS.length,
    dataDir,
    diskFreeBytes: bavail * bsize,
    diskTotalBytes: blocks * bsize,
    memoryBytes: memory.rss,
    heapBytes: memory.heapUsed,
    cpuSeconds: (cpu.user + cpu.system) / 1_000_000,
    environments: { live: state("live"), test: state("test") },
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function planOf({ operations }: Config, now: UnixMs): BackupPlan {
  const { backupEveryMs, backupKeep, backupDir, backupPassphrase } = operations;
  const [last] = scheduledIn(backupDir);
  const due = last === undefined ? now : plus(last.createdAt, backupEveryMs);
  return {
    everyMs: backupEveryMs,
    kept: backupKeep,
    directory: backupDir,
    isSealed: backupPassphrase !== null,
    nextAt: backupEveryMs === 0 ? null : due > now ? due : now,
  };
}

/** The newest first. */
function scheduledIn(directory: string): StoredBackup[] {
  return listBackups(directory).filter(({ note }) => note?.reason === "schedule");
}

/** For the schedule's worker. */
export function scheduleOf(config: Config, operations: () => Operations | undefined) {
  const { backupDir, backupEveryMs } = config.operations;
  if (backupEveryMs === 0) {
    return undefined;
  }
  return {
    everyMs: backupEveryMs,
    scheduled: () => scheduledIn(backupDir),
    make: async () => {
      try {
        return (await operations()?.make("schedule"))?.error ?? null;
      } catch (error) {
        // Somebody else's work is under way.
        return messageOf(error);
      }
    },
  };
}

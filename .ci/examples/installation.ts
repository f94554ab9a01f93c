/**
 * The installation of an operator. What no two machines say alike is told here, through the port that the
 * program has for it: its disk, its memory, the files of its backups.
 */

import type { Outrider } from "#client.ts";
import { DAY_MS, MINUTE_MS, plus } from "#domain/time.ts";
import { firstIdOf } from "#platform/ids.ts";
import type { StoredBackup } from "#store/operations/backup-files.ts";
import type { BackupTask, EnvState, Operations } from "#usecases/operations/operations.ts";
import { createKey } from "#usecases/team/keys.ts";
import { START, type TestApp } from "../../test/support/app.ts";

const MIB = 2 ** 20;
const DIRECTORY = "/var/lib/outrider";
const SCHEMA = 8;

const BACKUP: StoredBackup = {
  id: firstIdOf(START),
  name: "outrider-20260302T150000Z-019caf103180.tar.zst",
  path: "/dev/null",
  bytes: 48 * MIB,
  createdAt: START,
  sealed: false,
  note: {
    reason: "manual",
    version: "1.0.0",
    schema: SCHEMA,
    masterKey: "left_out",
    verifiedAt: START,
    warnings: [],
  } as never,
};

const ENVIRONMENT: EnvState = {
  databaseBytes: 96 * MIB,
  walBytes: 4 * MIB,
  queues: { sends: 1, polls: 0, deliveries: 0, copies: 0 },
  workers: [
    {
      name: "send",
      runs: 1_440,
      busyMs: 5_200,
      lastRunAt: START,
      faults: 0,
      lastFaultAt: null,
      lastFault: null,
    },
  ],
  watches: 2,
};

let task: BackupTask | null = null;

const DONE = { status: "done", error: null } as const;

async function begin(work: BackupTask["work"], backupId: string | null): Promise<BackupTask> {
  task = { work, status: "running", backupId, startedAt: START, endedAt: null, error: null };
  return await Promise.resolve(task);
}

export const operations: Operations = {
  backups: () => [BACKUP],
  plan: () => ({
    everyMs: DAY_MS,
    kept: 7,
    directory: `${DIRECTORY}/backups`,
    isSealed: false,
    nextAt: plus(START, DAY_MS),
  }),
  drill: () => null,
  task: () => task,
  make: () => begin("backup", null),
  verify: ({ id }) => begin("verify", id),
  restore: ({ id }) => begin("restore", id),
  remove: () => undefined,
  receive: async () => await Promise.resolve(BACKUP),
  system: () => ({
    version: "1.0.0",
    commit: "3365c5966f6d",
    bun: "1.4.5",
    startedAt: plus(START, -DAY_MS),
    uptimeSeconds: DAY_MS / 1_000,
    schema: SCHEMA,
    dataDir: DIRECTORY,
    diskFreeBytes: 40_960 * MIB,
    diskTotalBytes: 81_920 * MIB,
    memoryBytes: 120 * MIB,
    heapBytes: 40 * MIB,
    cpuSeconds: 312.5,
    environments: { live: ENVIRONMENT, test: ENVIRONMENT },
  }),
  certificates: () => [],
  findings: async () =>
    await Promise.resolve([{ check: "disk", verdict: "ok", detail: "40 GB of 80 GB are free" }]),
};

/** A key of who runs the installation. */
export async function operatorKey({ environments: { live }, team }: TestApp): Promise<string> {
  const caller = { teamId: team.id, actor: "operator", scopes: ["admin", "operator"] };
  const input = { name: "Operator", scopes: ["operator"] };
  return (await live.commit(() => createKey(live, caller, input))).key;
}

export async function recordInstallation(operator: Outrider): Promise<void> {
  await operator.listBackups({ limit: 1 });
  await operator.createBackup();
  const endedAt = plus(START, MINUTE_MS);
  task = { ...DONE, work: "backup", backupId: BACKUP.id, startedAt: START, endedAt };
  await operator.getBackupTask();
  await operator.getBackupSchedule();
  const { id } = BACKUP;
  await operator.getBackup({ id });
  await operator.verifyBackup({ id, body: { passphrase: "a long passphrase" } });
  await operator.restoreBackup({ id, body: { passphrase: "a long passphrase" } });
  await operator.uploadBackup({ contentType: "application/octet-stream", body: "…" });
  await operator.deleteBackup({ id });
  await operator.getSystem();
}

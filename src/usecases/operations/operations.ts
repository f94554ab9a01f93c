/**
 * The installation itself, as its operator sees it: what the doors of the API ask, and what `app.ts` gives
 * them where the program runs as a server.
 */

import { remedyForGrant } from "#domain/mailboxes/consent-advice.ts";
import { Problem } from "#domain/problem.ts";
import type { Env } from "#domain/team/api-key.ts";
import { toIso, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import type { CertificateState } from "#platform/acme/certificate-files.ts";
import type { ClientFault } from "#platform/ports/oauth.ts";
import { refusedWorkspaces } from "#store/mailboxes/workspaces.ts";
import type { BackupReason } from "#store/operations/backup-archive.ts";
import type { StoredBackup } from "#store/operations/backup-files.ts";
import type { DrillNote } from "#store/operations/drill.ts";

export const BACKUP_WORK = ["backup", "verify", "restore"] as const;

/** The last long work on backups; one at a time. */
export interface BackupTask {
  work: (typeof BACKUP_WORK)[number];
  status: "running" | "done" | "failed";
  /** The backup that it works on, or made. */
  backupId: string | null;
  startedAt: UnixMs;
  endedAt: UnixMs | null;
  /** Why it failed, in words for the operator. */
  error: string | null;
}

/** When backups are made by themselves, and where they lie. */
export interface BackupPlan {
  /** 0: only when somebody asks. */
  everyMs: number;
  /** Those made by schedule that are kept. */
  kept: number;
  directory: string;
  /** They open with a passphrase only, and hold the master key. */
  isSealed: boolean;
  /** Null where none is made by itself. */
  nextAt: UnixMs | null;
}

/** What a worker of the engine has done since the program started. */
export interface WorkerState {
  name: string;
  runs: number;
  busyMs: number;
  /** The wall's time, as of both below. */
  lastRunAt: UnixMs | null;
  faults: number;
  lastFaultAt: UnixMs | null;
  lastFault: string | null;
}

export interface Finding {
  check: string;
  verdict: "ok" | "warning" | "fault";
  /** What was seen, and what to do about it. */
  detail: string;
}

/** What the operator is told about an OAuth client that mailboxes log in with. */
export function clientFinding({ provider, clientId, reason, since }: ClientFault): Finding {
  const settings = `oauth_${provider}_client_id and oauth_${provider}_client_secret`;
  return {
    check: `${provider} OAuth client`,
    verdict: "fault",
    detail:
      `${provider} has rejected ${clientId} since ${toIso(since)}: ${reason}. Its mailboxes are paused ` +
      `and resume on their own. Check ${settings}, and whether the secret has expired`,
  };
}

/** One for each workspace that no token is granted to any more; its mailboxes are not to blame. */
export function workspaceFindings({ db }: Pick<Environment, "db">): Finding[] {
  return refusedWorkspaces(db).map(({ provider, domains, lastError }) => ({
    check: `${provider} workspace ${domains.join(", ")}`,
    verdict: "fault",
    detail:
      `${provider} no longer grants it tokens: ${lastError}. Its mailboxes wait and resume on their own. ` +
      `${remedyForGrant(lastError ?? "") ?? "Have its administrator give consent again"}`,
  }));
}

/** What keeps mailboxes from their tokens, of which none of them is to blame. */
export function oauthFindings(env: Environment): Finding[] {
  return [...env.oauth.clientFaults().map(clientFinding), ...workspaceFindings(env)];
}

/** What the operator is told about the certificate of a host. */
export function certificateFinding({ host, until, failure }: CertificateState): Finding {
  const check = `certificate of ${host}`;
  const ends = until === null ? "none yet" : `valid until ${toIso(until)}`;
  return failure === null
    ? { check, verdict: until === null ? "warning" : "ok", detail: ends }
    : {
        check,
        verdict: until === null ? "fault" : "warning",
        detail: `${ends}; the last order failed: ${failure.cause}. Next try: ${toIso(failure.retryAt)}`,
      };
}

/** Work that is due now. */
export interface Queues {
  /** Mailboxes whose next email is due. */
  sends: number;
  polls: number;
  deliveries: number;
  copies: number;
}

export interface EnvState {
  databaseBytes: number;
  walBytes: number;
  queues: Queues;
  workers: WorkerState[];
  /** Mailboxes that are watched over a connection of their own. */
  watches: number;
}

export interface SystemState {
  version: string;
  commit: string;
  bun: string;
  startedAt: UnixMs;
  uptimeSeconds: number;
  schema: number;
  dataDir: string;
  diskFreeBytes: number;
  diskTotalBytes: number;
  memoryBytes: number;
  heapBytes: number;
  cpuSeconds: number;
  environments: Readonly<Record<Env, EnvState>>;
}

export interface Operations {
  backups(): StoredBackup[];
  plan(): BackupPlan;
  /** How the last drill ended; null: there was none. */
  drill(): DrillNote | null;
  /** The last work; null: none since the program started. */
  task(): BackupTask | null;
  /**
   * Begins to make one, as `verify` and `restore` begin their work. Throws `conflict` at once while other
   * work goes on; else `task()` is this work, and the promise settles when it has ended.
   */
  make(reason: BackupReason): Promise<BackupTask>;
  verify(backup: StoredBackup, passphrase: string | null): Promise<BackupTask>;
  /** Checks the backup, makes one of the present, lays the old one ready and starts the server anew. */
  restore(
    backup: StoredBackup,
    options: { passphrase: string | null; withoutKey: boolean },
  ): Promise<BackupTask>;
  remove(backup: StoredBackup): void;
  /** Takes an archive in. Throws `validation_error` where it is none. */
  receive(content: ReadableStream<Uint8Array>): Promise<StoredBackup>;
  system(): SystemState;
  /** Of each host that is to have a certificate of ours; none where we get none. */
  certificates(): CertificateState[];
  findings(): Promise<Finding[]>;
}

/** Throws `unavailable` where the program does not run as a server on a data directory. */
export function running(operations: Operations | undefined): Operations {
  if (operations === undefined) {
    throw new Problem("unavailable", "this server runs without a data directory");
  }
  return operations;
}

/** Backups that still have somebody who was erased, and how long each is kept. */

import { plus, type UnixMs } from "#domain/time.ts";
import type { StoredBackup } from "#store/operations/backup-files.ts";
import type { BackupPlan } from "./operations.ts";

export interface KeptCopy {
  name: string;
  createdAt: UnixMs;
  /** When the schedule removes it; null: it stays until somebody deletes it. */
  keptUntil: UnixMs | null;
}

/**
 * Of `backups`, newest first, those made before `erasedAt`. A scheduled one goes when as many newer ones are there
 * as the plan keeps; those that people made, and those before a restore or a migration, stay.
 */
export function copiesBefore(
  backups: readonly StoredBackup[],
  { everyMs, kept, nextAt }: Pick<BackupPlan, "everyMs" | "kept" | "nextAt">,
  erasedAt: UnixMs,
): KeptCopy[] {
  const scheduled = backups.filter(({ note }) => note?.reason === "schedule");
  const goneAt = (backup: StoredBackup): UnixMs | null => {
    const place = scheduled.indexOf(backup);
    if (place === -1 || nextAt === null) {
      return null;
    }
    return plus(nextAt, Math.max(0, kept - 1 - place) * everyMs);
  };
  return backups
    .filter(({ createdAt }) => createdAt <= erasedAt)
    .map((backup) => ({
      name: backup.name,
      createdAt: backup.createdAt,
      keptUntil: goneAt(backup),
    }));
}

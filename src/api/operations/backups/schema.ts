import { Type } from "@sinclair/typebox";
import {
  Count,
  CreatedAt,
  Documented,
  IdOf,
  IdParamsOf,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Shape,
  Text,
  TimestampOf,
} from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { BACKUP_REASONS } from "#store/operations/backup-archive.ts";
import type { StoredBackup } from "#store/operations/backup-files.ts";
import { BACKUP_WORK, type BackupPlan } from "#usecases/operations/operations.ts";

export const Backup = Shape({
  id: IdOf("The backup's id"),
  name: Type.String({ description: "Name of its file in the backup directory" }),
  bytes: Count("Size in bytes"),
  created_at: CreatedAt,
  sealed: Type.Boolean({ description: "Whether it is encrypted with a passphrase" }),
  reason: Nullable(OneOf(BACKUP_REASONS, { description: "Why it was made; null when unknown" })),
  version: Nullable(
    Type.String({ description: "Version that wrote it; null when unknown", examples: ["1.0.0"] }),
  ),
  schema_version: Nullable(Count("Version of the database schema; null when unknown")),
  has_master_key: Nullable(
    Type.Boolean({ description: "Whether it contains the master key; null when unknown" }),
  ),
  verified_at: Nullable(TimestampOf("When it was last verified; null when never")),
  warnings: Type.Array(Type.String(), {
    description: "Counters in it that differ from what they count",
  }),
});
export const BackupParams = IdParamsOf("The backup's id");

export const BackupPage = Page(Backup);
export const BackupQuery = PageQuery;

export const Task = Shape(
  {
    work: OneOf(BACKUP_WORK, { description: "Operation" }),
    status: OneOf(["running", "done", "failed"], { description: "Status of the operation" }),
    backup_id: Nullable(
      IdOf("Backup that it makes, verifies or restores; null before there is one"),
    ),
    started_at: TimestampOf("When it started"),
    ended_at: Nullable(TimestampOf("When it ended; null while it runs")),
    error: Nullable(Type.String({ description: "Why it failed; null when it did not" })),
  },
  { description: "The current or last operation on backups; null before the first" },
);
export const CurrentTask = Shape({ task: Nullable(Task) });

export const Schedule = Shape({
  every_seconds: Nullable(
    Type.Integer({
      minimum: 1,
      description: "Seconds between two backups; null when none are made automatically",
      examples: [86_400],
    }),
  ),
  kept: Type.Integer({ minimum: 1, description: "How many automatic backups are kept" }),
  directory: Type.String({ description: "Directory that they are stored in" }),
  sealed: Type.Boolean({
    description: "Whether they are encrypted with a passphrase, and contain the master key",
  }),
  next_at: Nullable(TimestampOf("When the next backup is made; null when none is planned")),
});

export function presentSchedule(plan: BackupPlan) {
  const everySeconds = plan.everyMs === 0 ? null : Math.round(plan.everyMs / 1000);
  return present(Schedule, { ...plan, everySeconds, sealed: plan.isSealed });
}

export const PASSPHRASE_LENGTH_MAX = 1_024;
const passphrase = Type.Optional(
  Nullable(
    Text(PASSPHRASE_LENGTH_MAX, {
      description: "Passphrase of an encrypted backup; without one, the configured one",
    }),
  ),
);
export const VerifyBackupBody = Type.Optional(Shape({ passphrase }));
export const Restore = Type.Optional(
  Shape({
    passphrase,
    without_key: Type.Optional(
      Documented(
        Type.Boolean({
          description: "Restore a backup that needs another master key and does not contain it",
        }),
        { default: false },
      ),
    ),
  }),
);

export function presentBackup(backup: StoredBackup) {
  const { note } = backup;
  return present(Backup, {
    ...backup,
    reason: note?.reason ?? null,
    version: note?.version ?? null,
    schemaVersion: note?.schema ?? null,
    hasMasterKey: note === null ? null : note.masterKey === "included",
    verifiedAt: note?.verifiedAt ?? null,
    warnings: note?.warnings ?? [],
  });
}

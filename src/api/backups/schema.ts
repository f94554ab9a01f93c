import { Type } from "@sinclair/typebox";
import { Id, Nullable, OneOf, Page, PageQuery, Shape, Text, Timestamp } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { BACKUP_REASONS } from "#store/operations/backup-archive.ts";
import type { ShelvedBackup } from "#store/operations/backup-shelf.ts";
import { BACKUP_WORK, type BackupPlan } from "#usecases/operations/operations.ts";

export const Backup = Shape({
  id: Id,
  name: Type.String({ description: "Its file in the backup directory" }),
  bytes: Type.Integer({ minimum: 0 }),
  created_at: Timestamp,
  sealed: Type.Boolean({ description: "Opens with a passphrase only" }),
  reason: Nullable(OneOf(BACKUP_REASONS)),
  version: Nullable(Type.String({ description: "The program that wrote it" })),
  schema_version: Nullable(Type.Integer({ minimum: 0 })),
  has_master_key: Nullable(Type.Boolean()),
  verified_at: Nullable(Timestamp),
  warnings: Type.Array(Type.String(), {
    description: "Sums in it that differ from what they sum up",
  }),
});
export const BackupPage = Page(Backup);
export const BackupQuery = PageQuery;

export const Task = Shape(
  {
    work: OneOf(BACKUP_WORK),
    status: OneOf(["running", "done", "failed"]),
    backup_id: Nullable(Id),
    started_at: Timestamp,
    ended_at: Nullable(Timestamp),
    error: Nullable(Type.String()),
  },
  { description: "The last work on backups; one at a time" },
);
export const CurrentTask = Shape({ task: Nullable(Task) });

export const Schedule = Shape({
  every_seconds: Nullable(
    Type.Integer({ minimum: 1, description: "Null: only when somebody asks for one" }),
  ),
  kept: Type.Integer({ minimum: 1, description: "Of those made by schedule" }),
  directory: Type.String(),
  sealed: Type.Boolean({
    description: "They open with a passphrase only, and hold the master key",
  }),
  next_at: Nullable(Timestamp),
});

export function presentSchedule(plan: BackupPlan) {
  const everySeconds = plan.everyMs === 0 ? null : Math.round(plan.everyMs / 1000);
  return present(Schedule, { ...plan, everySeconds, sealed: plan.isSealed });
}

export const PASSPHRASE_LENGTH_MAX = 1_024;
const passphrase = Type.Optional(
  Nullable(
    Text(PASSPHRASE_LENGTH_MAX, { description: "Of a sealed one; else the configured one" }),
  ),
);
export const Open = Type.Optional(Shape({ passphrase }));
export const Restore = Type.Optional(
  Shape({
    passphrase,
    without_key: Type.Optional(
      Type.Boolean({ description: "Also where its master key is another one, and not in it" }),
    ),
  }),
);

export function presentBackup(backup: ShelvedBackup) {
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

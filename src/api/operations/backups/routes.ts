/**
 * `/backups`: of the whole installation, for its operator. What takes long is begun and answered with 202;
 * how it goes on says `/backups/task`.
 */

import { Elysia } from "elysia";
import { context } from "#api/context.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { envelope } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { invalid, notFound } from "#domain/problem.ts";
import { OPERATOR_SCOPE } from "#domain/team/api-key.ts";
import type { Caller, Environment } from "#environment.ts";
import type { StoredBackup } from "#store/operations/backup-files.ts";
import { audit } from "#usecases/events/record.ts";
import { type BackupTask, type Operations, running } from "#usecases/operations/operations.ts";
import {
  Backup,
  BackupPage,
  BackupParams,
  BackupQuery,
  CurrentTask,
  presentBackup,
  presentSchedule,
  Restore,
  Schedule,
  Task,
  VerifyBackupBody,
} from "./schema.ts";

export function backupRoutes(operations: Operations | undefined) {
  return new Elysia({ normalize: false })
    .use(backupFileRoutes(operations))
    .use(singleRoutes(operations))
    .use(workRoutes(operations));
}

function group() {
  return new Elysia({
    prefix: "/backups",
    tags: ["backups"],
    detail: { "x-scope": OPERATOR_SCOPE } as object,
    normalize: false,
  }).use(context);
}

/** Throws `not_found`. */
function find(operations: Operations | undefined, id: string): StoredBackup {
  const all = running(operations).backups();
  const found = all.find((backup) => backup.id === id.toLowerCase());
  if (found === undefined) {
    throw notFound("backup");
  }
  return found;
}

function backupFileRoutes(operations: Operations | undefined) {
  return group()
    .get(
      "",
      ({ request }) => {
        const query = readQuery(BackupQuery, request);
        const all = running(operations).backups();
        const page = all.slice(query.offset, query.offset + query.limit);
        return envelope(page.map(presentBackup), all.length, query);
      },
      {
        response: { 200: BackupPage },
        detail: {
          summary: "List backups",
          description: "Returns the backups in the backup directory, newest first.",
          ...queryOf(BackupQuery),
        },
      },
    )
    .post(
      "",
      async (call) => {
        const begun = begin(running(operations), (on) => on.make("manual"));
        await note(call, "backup.create", "new");
        return accepted(call, begun);
      },
      {
        response: { 202: Task },
        detail: {
          summary: "Create a backup",
          description:
            "Starts a backup of both environments, which is unpacked and checked afterwards.",
        },
      },
    )
    .get(
      "/task",
      () => {
        const task = running(operations).task();
        return { task: task === null ? null : present(Task, task) };
      },
      {
        response: { 200: CurrentTask },
        detail: {
          summary: "Get the current backup task",
          description: "Returns the current or last operation on backups.",
        },
      },
    )
    .get("/schedule", () => presentSchedule(running(operations).plan()), {
      response: { 200: Schedule },
      detail: {
        summary: "Get the backup schedule",
        description: "Returns when backups are made automatically, and where they are stored.",
      },
    })
    .post(
      "/upload",
      async ({ env, caller, request, set }) => {
        const { body } = request;
        if (body === null) {
          throw invalid("body", "must be a backup");
        }
        const stored = await running(operations).receive(body);
        await note({ env, caller }, "backup.upload", stored.id);
        set.status = 201;
        set.headers["Location"] = `/api/v1/backups/${stored.id}`;
        return presentBackup(stored);
      },
      {
        response: { 201: Backup },
        detail: {
          summary: "Upload a backup",
          description: "Stores a backup that was made elsewhere beside the others.",
          "x-body-types": { "application/octet-stream": "The archive" },
        } as object,
      },
    );
}

function singleRoutes(operations: Operations | undefined) {
  return group()
    .get("/:id", ({ params }) => presentBackup(find(operations, params.id)), {
      params: BackupParams,
      response: { 200: Backup },
      detail: { summary: "Get a backup", description: "Returns one backup." },
    })
    .get("/:id/download", ({ params }) => download(find(operations, params.id)), {
      params: BackupParams,
      detail: {
        summary: "Download a backup",
        description: "Returns the archive itself.",
        responses: {
          200: {
            description:
              "A tar archive, compressed with zstd, and encrypted where `sealed` is true",
            content: { "application/octet-stream": { schema: { type: "string" } } },
          },
        },
      },
    })
    .delete(
      "/:id",
      async ({ env, caller, params }) => {
        const backup = find(operations, params.id);
        running(operations).remove(backup);
        await note({ env, caller }, "backup.delete", backup.id);
        return new Response(null, { status: 204 });
      },
      {
        params: BackupParams,
        detail: { summary: "Delete a backup", description: "Permanently deletes a backup." },
      },
    );
}

function workRoutes(operations: Operations | undefined) {
  return group()
    .post(
      "/:id/verify",
      async (call) => {
        const backup = find(operations, call.params.id);
        const begun = begin(running(operations), (on) => {
          return on.verify(backup, call.body?.passphrase ?? null);
        });
        await note(call, "backup.verify", backup.id);
        return accepted(call, begun);
      },
      {
        params: BackupParams,
        body: VerifyBackupBody,
        response: { 202: Task },
        detail: {
          summary: "Verify a backup",
          description: "Starts to unpack a backup and to check everything in it.",
          "x-optional-body": true,
        } as object,
      },
    )
    .post(
      "/:id/restore",
      async (call) => {
        const backup = find(operations, call.params.id);
        const { passphrase = null, without_key: withoutKey = false } = call.body ?? {};
        const begun = begin(running(operations), (on) => {
          return on.restore(backup, { passphrase, withoutKey });
        });
        await note(call, "backup.restore", backup.id);
        return accepted(call, begun);
      },
      {
        params: BackupParams,
        body: Restore,
        response: { 202: Task },
        detail: {
          summary: "Restore a backup",
          description:
            "Starts to replace everything on this server by the backup. The backup is unpacked and " +
            "checked first; one that is damaged, or written by a newer version, changes nothing. Then " +
            "a backup of the current state is made, and the server restarts on the restored one. Keys " +
            "and sessions are those of the backup.",
          "x-optional-body": true,
        } as object,
      },
    );
}

/** Begins long work, whose end is told by its task. Throws `conflict` while other work is under way. */
function begin(
  operations: Operations,
  work: (operations: Operations) => Promise<BackupTask>,
): BackupTask {
  void work(operations);
  const task = operations.task();
  if (task === null) {
    throw new Error("the operation has not started");
  }
  return task;
}

function accepted(call: { set: { status?: number | string } }, task: BackupTask) {
  call.set.status = 202;
  return present(Task, task);
}

function note(
  { env, caller }: { env: Environment; caller: Caller },
  action: string,
  id: string,
): Promise<void> {
  return env.commit(() => audit(env, caller, { action, target: `backup:${id}` }));
}

function download({ path, name, bytes }: StoredBackup): Response {
  return new Response(Bun.file(path), {
    headers: {
      "Content-Type": "application/octet-stream",
      "Content-Disposition": `attachment; filename="${name}"`,
      "Content-Length": String(bytes),
    },
  });
}

/** Backups of the whole installation: made, taken away, brought back. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Backup, BackupSchedule, BackupTask } from "#client.ts";
import { api } from "../../lib/api.ts";
import { curl } from "../../lib/curl.ts";
import { useData } from "../../lib/data.ts";
import { dateTime, NONE, plural } from "../../lib/format.ts";
import { env } from "../../lib/route.ts";
import { size } from "../../lib/size.ts";
import { Act } from "../../parts/act.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FileButton } from "../../parts/form/file-button.tsx";
import {
  bound,
  Form,
  FormActions,
  FormFault,
  TextField,
  useSubmission,
} from "../../parts/form/form.tsx";
import { Card, Empty, Loaded, Notice, Page, Pill } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { told } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";

type Task = NonNullable<BackupTask["task"]>;

const REASONS: Readonly<Record<string, string>> = {
  manual: "Manual",
  schedule: "Scheduled",
  before_restore: "Before a restore",
  before_migration: "Before an update",
};

const WORK: Readonly<Record<string, string>> = {
  backup: "Creating a backup",
  verify: "Verifying a backup",
  restore: "Restoring a backup",
};

const ASK_EVERY_MS = 1500;

type Run = (what: () => Promise<unknown>, done: string) => Promise<void>;

export function BackupsPage() {
  const backups = useData(() => api().listBackups({ limit: 100 }));
  const schedule = useData(() => api().getBackupSchedule());
  const task = useData(() => api().getBackupTask());
  const asked = useSignal<Backup | undefined>(undefined);
  const last = task.value?.task;
  const isRunning = last?.status === "running";
  // What has been done before it was seen to run has changed the list too.
  useEffect(() => {
    const asking = isRunning && setInterval(task.reload, ASK_EVERY_MS);
    return () => {
      clearInterval(asking || undefined);
      backups.reload();
    };
  }, [last?.started_at, isRunning, task.reload, backups.reload]);
  const run: Run = async (what, done) => {
    await told(what(), done);
    task.reload();
    backups.reload();
  };
  const make = (
    <Button
      look="primary"
      disabled={isRunning}
      onClick={() => run(() => api().createBackup(), "Backup started")}
    >
      Back up now
    </Button>
  );
  return (
    <Page
      title="Backups"
      about="Each backup covers live and sandbox, is safe to take while email is going out, and is verified afterward"
      actions={
        <>
          <Upload onDone={backups.reload} />
          {make}
        </>
      }
    >
      <div class="stack">
        {task.value?.task && <TaskNotice of={task.value.task} />}
        <Card flush>
          <Loaded data={backups}>
            {({ data }) =>
              data.length === 0 ? (
                <Empty
                  icon="settings"
                  title="No backups yet"
                  action={make}
                  curl={curl("POST", "/backups")}
                >
                  A backup is one file with both environments and everything needed to restore them.
                </Empty>
              ) : (
                <BackupTable
                  backups={data}
                  isBusy={isRunning}
                  run={run}
                  onRestore={(backup) => {
                    asked.value = backup;
                  }}
                />
              )
            }
          </Loaded>
        </Card>
        {schedule.value && <ByThemselves of={schedule.value} />}
      </div>
      {asked.value && (
        <Restore
          backup={asked.value}
          onBegun={() => {
            asked.value = undefined;
            void run(() => Promise.resolve(), "Restore started. The server is restarting");
          }}
          onClose={() => {
            asked.value = undefined;
          }}
        />
      )}
    </Page>
  );
}

const UNITS = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
  [1, "second"],
] as const;

/** "24 hours" is a day, 90 minutes are 90 minutes. */
function spanOf(seconds: number): string {
  const [length, name] = UNITS.find(([each]) => seconds % each === 0) ?? UNITS[3];
  return plural(seconds / length, name);
}

function ByThemselves({ of }: { of: BackupSchedule }) {
  const { every_seconds: every, kept, directory, sealed, next_at } = of;
  return (
    <Card title="Automatic backups" note={every === null && <Pill tone="warn">Off</Pill>}>
      {every === null ? (
        <p class="quiet">
          To turn them on, set <code>backup_every</code> in the server’s configuration, for example
          to <code>24h</code>.
        </p>
      ) : (
        <dl class="pairs">
          <dt>Frequency</dt>
          <dd>Every {spanOf(every)}</dd>
          <dt>Next</dt>
          <dd>
            <When at={next_at} isWall />
          </dd>
          <dt>Retention</dt>
          <dd>The latest {plural(kept, "automatic backup")}</dd>
          <dt>Location</dt>
          <dd>
            <code>{directory}</code>
          </dd>
          <dt>Encrypted</dt>
          <dd>
            {sealed
              ? "Yes, with the master key included"
              : "No. The master key isn’t included, so store it elsewhere"}
          </dd>
        </dl>
      )}
    </Card>
  );
}

function TaskNotice({ of }: { of: Task }) {
  const what = WORK[of.work] ?? "Working on backups";
  if (of.status === "running") {
    return (
      <Notice tone="brand" icon="refresh">
        {what}, started <When at={of.started_at} isWall />.
      </Notice>
    );
  }
  return of.status === "failed" ? (
    <Notice tone="bad">
      {what} failed. Nothing was changed. {of.error}
    </Notice>
  ) : null;
}

function BackupTable(props: {
  backups: readonly Backup[];
  isBusy: boolean;
  run: Run;
  onRestore: (backup: Backup) => void;
}) {
  const { backups, isBusy, run, onRestore } = props;
  return (
    <Table
      label="Backups"
      rows={backups}
      columns={[
        { title: "Created", cell: ({ created_at }) => <When at={created_at} isWall /> },
        { title: "Reason", cell: ({ reason }) => REASONS[reason ?? ""] ?? NONE },
        { title: "Size", cell: ({ bytes }) => size(bytes), isFigure: true },
        { title: "Version", cell: ({ version }) => version ?? NONE },
        { title: "Status", cell: (backup) => <BackupState of={backup} /> },
        {
          title: "Actions",
          cell: (backup) => (
            <div class="row-actions">
              <a
                class="button plain compact"
                download={backup.name}
                href={`/${env.value}/api/v1/backups/${backup.id}/download`}
              >
                Download
              </a>
              <Button
                look="plain compact"
                disabled={isBusy}
                onClick={() =>
                  run(() => api().verifyBackup({ id: backup.id, body: {} }), "Verification started")
                }
              >
                Verify
              </Button>
              <Button look="plain compact" disabled={isBusy} onClick={() => onRestore(backup)}>
                Restore…
              </Button>
              <Act
                label="Delete"
                look="plain compact danger"
                run={() => run(() => api().deleteBackup({ id: backup.id }), "Backup deleted")}
                asks={{ title: "Delete this backup?", action: "Delete backup" }}
              >
                {backup.name} is permanently deleted from disk.
              </Act>
            </div>
          ),
        },
      ]}
    />
  );
}

function BackupState({ of }: { of: Backup }) {
  const [first] = of.warnings;
  if (first !== undefined) {
    return <Pill tone="warn">{plural(of.warnings.length, "warning")}</Pill>;
  }
  if (of.verified_at === null) {
    return <Pill>Not verified</Pill>;
  }
  return <Pill tone="good">Verified{of.sealed && ", encrypted"}</Pill>;
}

function Restore(props: { backup: Backup; onBegun: () => void; onClose: () => void }) {
  const { backup, onBegun, onClose } = props;
  const submission = useSubmission();
  const passphrase = useSignal("");
  return (
    <Dialog title="Restore this backup?" onClose={onClose}>
      <Form
        onSend={() =>
          submission.submit(async () => {
            const body = passphrase.value === "" ? {} : { passphrase: passphrase.value };
            await api().restoreBackup({ id: backup.id, body });
            onBegun();
          })
        }
      >
        <dl class="pairs">
          <dt>Created</dt>
          <dd>{dateTime(backup.created_at)}</dd>
          <dt>Size</dt>
          <dd>{size(backup.bytes)}</dd>
          <dt>Version</dt>
          <dd>{backup.version ?? "Known once it’s opened"}</dd>
          <dt>Master key</dt>
          <dd>
            {{ true: "Included", false: "Not included: it must match this server’s key" }[
              String(backup.has_master_key)
            ] ?? "Known once it’s opened"}
          </dd>
          {backup.warnings.length > 0 && (
            <>
              <dt>Warnings</dt>
              <dd>{backup.warnings.join("; ")}</dd>
            </>
          )}
        </dl>
        <Notice tone="warn">
          This replaces everything with the backup’s data. Outrider backs up the current data first,
          and a damaged file changes nothing. API keys and sessions come from the backup, so you may
          have to sign in again.
        </Notice>
        {backup.sealed && (
          <TextField
            label="Passphrase"
            name="passphrase"
            of={submission}
            hint="Leave empty to use the configured one"
            type="password"
            autocomplete="off"
            {...bound(passphrase)}
          />
        )}
        <FormFault of={submission} fields={["passphrase"]} />
        <FormActions of={submission} action="Restore backup" isDanger onClose={onClose} />
      </Form>
    </Dialog>
  );
}

function Upload({ onDone }: { onDone: () => void }) {
  const isBusy = useSignal(false);
  const send = async (file: File) => {
    isBusy.value = true;
    await told(
      api().uploadBackup({ body: file, contentType: "application/octet-stream" }),
      `${file.name} uploaded`,
    );
    isBusy.value = false;
    onDone();
  };
  return (
    <FileButton
      label={isBusy.value ? "Uploading…" : "Upload backup"}
      isBusy={isBusy.value}
      onFile={(file) => void send(file)}
    />
  );
}

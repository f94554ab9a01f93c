/** What would become of a file's lines, or what did: counted, each kind to download, and undone. */

import type { Import } from "#client.ts";
import { api } from "../../lib/api.ts";
import { count, plural, words } from "../../lib/format.ts";
import { to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { FileButton } from "../../parts/form/file-button.tsx";
import { useSubmission } from "../../parts/form/form.tsx";
import { Card, Notice } from "../../parts/page.tsx";
import { toast } from "../../parts/toasts.tsx";
import { linesOf, notRestoredOf, sendRest } from "./import-data.ts";

const OUTCOMES = [
  ["new", "New", "not in your leads yet", "good"],
  ["update", "Existing", "their details are updated, and they join this campaign", "brand"],
  ["duplicate", "Duplicate", "already in this campaign, or listed twice in the file", "plain"],
  ["suppressed", "Suppressed", "can’t be emailed", "warn"],
  ["invalid", "Invalid", "can’t be imported", "bad"],
] as const;

interface OutcomeProps {
  run: Import;
  /** Of a dry run: do it. */
  onImport?: () => void;
  isBusy?: boolean;
  onChange?: () => void;
  onAgain?: () => void;
}

export function Outcome({ run, onImport, isBusy = false, onChange, onAgain }: OutcomeProps) {
  const lines = run.imported + run.skipped + run.errors;
  return (
    <Card title={titleOf(run, lines)} note={run.file_name ?? ""}>
      {run.error !== null && <Notice tone="bad">{run.error}</Notice>}
      {run.not_restored > 0 && (
        <Notice tone="warn">
          {plural(run.not_restored, "lead")} changed after the import, so they stay as they are.{" "}
          <a href={notRestoredOf(run.id)} download="not-restored.csv">
            Download their earlier values
          </a>
        </Notice>
      )}
      <div class="import-stack" aria-hidden="true">
        {OUTCOMES.map(([name, , , tone]) => (
          <i key={name} data-tone={tone} style={{ flexGrow: run.outcomes[name] }} />
        ))}
      </div>
      <dl class="import-counts">
        {OUTCOMES.map(([name, label, about, tone]) => (
          <div key={name}>
            <dt>
              <i data-tone={tone} aria-hidden="true" />
              {label}
              <span class="quiet small">{reasonsOf(run, name) ?? about}</span>
            </dt>
            <dd>
              <span data-outcome={name}>{count(run.outcomes[name])}</span>
              {run.outcomes[name] > 0 && (run.dry_run || REJECTED.includes(name)) && (
                <a class="small" href={linesOf(run.id, name)} download={`${name}.csv`}>
                  CSV<span class="unseen"> of {label.toLowerCase()} lines</span>
                </a>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {onImport !== undefined && can("leads:write") && (
        <Button look="primary" disabled={isBusy || run.imported === 0} onClick={onImport}>
          Import {plural(run.imported, "lead")}
        </Button>
      )}
      {!run.dry_run && <After {...{ run, onChange, onAgain }} />}
    </Card>
  );
}

const REJECTED: readonly string[] = ["duplicate", "suppressed", "invalid"];

function titleOf(run: Import, lines: number): string {
  if (run.dry_run) {
    return `Preview of ${plural(lines, "line")}`;
  }
  const TITLES: Readonly<Record<Import["status"], string>> = {
    running: "Importing",
    done: `${plural(run.imported, "lead")} imported`,
    interrupted: `Interrupted after ${plural(lines, "line")}`,
    failed: `Stopped after ${plural(lines, "line")}`,
    cancelled: `Canceled after ${plural(lines, "line")}`,
    undoing: "Undoing import",
    undone: `Import undone: ${plural(run.removed, "lead")} removed`,
  };
  return TITLES[run.status];
}

const KINDS: Readonly<Record<string, readonly string[]>> = {
  duplicate: ["already_enrolled", "duplicate_in_request", "in_other_campaign"],
  suppressed: ["suppressed", "suppressed_domain", "placement_seed"],
  invalid: [
    "invalid_email",
    "variables_invalid",
    "timezone_invalid",
    "plan_limit",
    "invalid_line",
    "too_many_columns",
    "field_too_long",
  ],
};

const REASONS: Readonly<Record<string, string>> = {
  duplicate_in_request: "listed twice in the file",
  invalid_email: "invalid address",
  plan_limit: "plan limit reached",
};

export function reasonWords(reason: string): string {
  return REASONS[reason] ?? words(reason).toLowerCase();
}

function reasonsOf(run: Import, outcome: string): string | null {
  const known = Object.entries(run.reasons)
    .filter(([reason]) => KINDS[outcome]?.includes(reason))
    .map(([reason, n]) => `${count(n)} ${reasonWords(reason)}`);
  return known.length === 0 ? null : known.join(", ");
}

interface AfterProps {
  run: Import;
  onChange: (() => void) | undefined;
  onAgain: (() => void) | undefined;
}

function After({ run, onChange, onAgain }: AfterProps) {
  const form = useSubmission();
  const act = (move: "cancel" | "undo", done: string) => () =>
    form.submit(async () => {
      const { undoImport, cancelImport } = api();
      await (move === "undo" ? undoImport : cancelImport)({ id: run.id });
      toast(done);
      onChange?.();
    });
  const sendOn = (file: File) =>
    form.submit(async () => {
      if (file.size !== run.total_bytes) {
        throw new Error(
          "This is a different file: its size doesn’t match. Select the file you started with.",
        );
      }
      toast(`${plural((await sendRest(run, file)).imported, "lead")} imported`);
      onChange?.();
    });
  const isUndoable =
    ["done", "interrupted", "failed", "cancelled"].includes(run.status) || run.not_restored > 0;
  return (
    <div class="import-after">
      {form.error !== undefined && <Notice tone="bad">{form.error.message}</Notice>}
      <a class="button primary" href={to(`campaigns/${run.campaign_id}/leads`)}>
        View leads
      </a>
      {run.status === "running" && can("leads:write") && (
        <Button disabled={form.isBusy} onClick={act("cancel", "Import stopped")}>
          Stop import
        </Button>
      )}
      {run.status === "interrupted" && run.total_bytes !== null && can("leads:write") && (
        <FileButton
          label={form.isBusy ? "Uploading the rest…" : "Upload the rest"}
          isBusy={form.isBusy}
          onFile={sendOn}
        />
      )}
      {isUndoable && run.imported + run.overwritten > 0 && can("leads:write") && (
        <Button
          disabled={form.isBusy}
          title="Possible until the first of its leads is emailed"
          onClick={act("undo", "Import undone")}
        >
          Undo import
        </Button>
      )}
      <Button look="plain" onClick={onAgain}>
        Import another file
      </Button>
    </div>
  );
}

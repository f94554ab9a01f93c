/** A file of leads into a campaign: its columns, what would happen, what happens, and back again. */

import { useSignal } from "@preact/signals";
import type { Import, ImportCampaignFileResult, PreviewImportResult } from "#client.ts";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { count, plural } from "../../lib/format.ts";
import { newUuid } from "../../lib/random.ts";
import { filter, go, setFilters, to } from "../../lib/route.ts";
import { Allowed } from "../../parts/allowed.tsx";
import { Button } from "../../parts/button.tsx";
import { useSubmission } from "../../parts/form/form.tsx";
import { Pick } from "../../parts/form/pick.tsx";
import { Card, Empty, Loaded, Notice, Page, Pill } from "../../parts/page.tsx";
import { sayDone } from "../../parts/toasts.tsx";
import { STATUSES } from "../campaigns/words.ts";
import { Columns } from "./import-columns.tsx";
import { type Choice, type Mapping, previewFile, sendFile, watchImport } from "./import-data.ts";
import { Outcome } from "./import-outcome.tsx";

const CAMPAIGNS_MAX = 100;

/** `/import`: the campaign is chosen first. */
export function ImportStartPage() {
  const campaigns = useData(() => api().listCampaigns({ limit: CAMPAIGNS_MAX, offset: 0 }));
  return (
    <Page
      title="Import leads"
      about="Leads are imported into a campaign. Nothing is sent until it starts."
    >
      <Loaded data={campaigns}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty
              icon="campaigns"
              title="No campaigns yet"
              action={
                <a class="button primary" href={to("campaigns/new")}>
                  New campaign
                </a>
              }
            >
              Leads are imported into a campaign, so create one first.
            </Empty>
          ) : (
            <Card title="Select a campaign">
              <ul class="import-campaigns">
                {data.map(({ id, name, status }) => (
                  <li key={id}>
                    <a href={to(`campaigns/${id}/import`)}>{name}</a>
                    <Pill tone={STATUSES[status].tone}>{STATUSES[status].name}</Pill>
                  </li>
                ))}
              </ul>
            </Card>
          )
        }
      </Loaded>
    </Page>
  );
}

/**
 * `/campaigns/:id/import`; `?import=` is the one that runs or has ended, so that a reload keeps it, and `?setup=1`
 * says that a new campaign is on its way.
 */
export function ImportPage({ id }: { id: string }) {
  const campaign = useData(() => api().getCampaign({ id }));
  const shown = filter("import");
  return (
    <Page
      title="Import leads"
      about={
        campaign.value === undefined ? undefined : (
          <>
            Into <a href={to(`campaigns/${id}/leads`)}>{campaign.value.name}</a>
          </>
        )
      }
    >
      <Loaded data={campaign}>
        {() => (
          <div class="stack">
            {shown === "" ? (
              <Allowed scope="leads:write">
                <Choose campaignId={id} />
              </Allowed>
            ) : (
              <Shown key={shown} id={shown} campaignId={id} />
            )}
            {filter("setup") !== "" && (
              <footer class="onward">
                <a class="button" href={to(`campaigns/${id}/new/leads`)}>
                  Back to name and leads
                </a>
                {shown !== "" && (
                  <a class="button primary" href={to(`campaigns/${id}/new/sequence`)}>
                    Continue to sequence
                  </a>
                )}
              </footer>
            )}
          </div>
        )}
      </Loaded>
    </Page>
  );
}

/** An import that the address names: running, or as it ended. */
function Shown({ id, campaignId }: { id: string; campaignId: string }) {
  const found = useData(() => api().getImport({ id }), ["lead"]);
  return (
    <Loaded data={found}>
      {(run) => (
        <Outcome
          run={run}
          onChange={found.reload}
          onAgain={() => go(to(`campaigns/${campaignId}/import`))}
        />
      )}
    </Loaded>
  );
}

function Choose({ campaignId }: { campaignId: string }) {
  const choice = useSignal<Choice | undefined>(undefined);
  const preview = useSignal<PreviewImportResult | undefined>(undefined);
  const dry = useSignal<Import | undefined>(undefined);
  const running = useSignal<Import | undefined>(undefined);
  const form = useSubmission();

  /** Looks at the file, and then what would become of each line. */
  const look = (next: Choice) => {
    choice.value = next;
    dry.value = undefined;
    form.submit(async () => {
      let at: Choice | undefined;
      // What is chosen while one look is under way is looked at after it.
      while (choice.value !== undefined && choice.value !== at) {
        at = choice.value;
        preview.value = await previewFile(at);
        const isMapped = preview.value.columns?.some(({ field }) => field === "email") ?? true;
        if (isMapped && choice.value === at) {
          const counts = await run(at, true);
          dry.value = choice.value === at ? counts : undefined;
        }
      }
    });
  };
  const run = async (next: Choice, dryRun: boolean): Promise<ImportCampaignFileResult> => {
    const id = newUuid();
    const stop = watchImport(id, (now) => {
      running.value = now;
    });
    try {
      return await sendFile(campaignId, id, next, dryRun);
    } finally {
      stop();
      running.value = undefined;
    }
  };
  const { value: file } = choice;
  if (file === undefined) {
    return <Drop onFile={(selected) => look({ file: selected, charset: "", map: {} })} />;
  }
  return (
    <div class="stack">
      <FileHead
        choice={file}
        onCharset={(charset) => look({ ...file, charset })}
        onOther={() => {
          choice.value = undefined;
          preview.value = undefined;
        }}
      />
      {form.error !== undefined && <Notice tone="bad">{form.error.message}</Notice>}
      {preview.value?.columns && (
        <Columns
          preview={preview.value}
          onMap={(map: Mapping) => look({ ...file, map: { ...file.map, ...map } })}
        />
      )}
      {running.value !== undefined && <Running run={running.value} />}
      {dry.value !== undefined && running.value === undefined && (
        <Outcome
          run={dry.value}
          onImport={() =>
            form.submit(async () => {
              const done = await run(file, false);
              sayDone(`${plural(done.imported, "lead")} imported`, done.warning);
              // What was not taken is looked at before one goes on.
              if (filter("setup") !== "" && done.errors === 0) {
                go(to(`campaigns/${campaignId}/new/sequence`));
              } else {
                setFilters({ import: done.id });
              }
            })
          }
          isBusy={form.isBusy}
        />
      )}
    </div>
  );
}

function Drop({ onFile }: { onFile: (file: File) => void }) {
  const isOver = useSignal(false);
  const take = (files: FileList | null | undefined, text = "") => {
    const file = files?.[0];
    if (file !== undefined) {
      onFile(file);
    } else if (text.trim() !== "") {
      onFile(new File([text], "pasted.csv", { type: "text/csv" }));
    }
  };
  return (
    <Card>
      <label
        class="drop"
        data-over={isOver.value || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          isOver.value = true;
        }}
        onDragLeave={() => {
          isOver.value = false;
        }}
        onDrop={(event) => {
          event.preventDefault();
          take(event.dataTransfer?.files, event.dataTransfer?.getData("text") ?? "");
        }}
      >
        <strong>Drop a CSV file here, or select one</strong>
        <span class="quiet">
          Any size. The first row holds the column names; you review them before anything is
          imported.
        </span>
        <span class="button">Select file</span>
        <input
          class="unseen"
          type="file"
          accept=".csv,.tsv,.txt,.ndjson,.jsonl,text/csv"
          onChange={(event) => take(event.currentTarget.files)}
        />
      </label>
      <div class="field">
        <label for="paste">Or paste rows from a spreadsheet</label>
        <textarea
          id="paste"
          class="input"
          rows={4}
          placeholder={"email,first_name\nann@example.com,Ann"}
          onPaste={(event) => {
            event.preventDefault();
            take(null, event.clipboardData?.getData("text") ?? "");
          }}
        />
      </div>
    </Card>
  );
}

const CHARSETS = [
  ["", "Detect (UTF-8, or UTF-16 with a BOM)"],
  ["windows-1252", "Windows-1252 (Latin-1)"],
  ["utf-16le", "UTF-16"],
] as const;

function FileHead(props: {
  choice: Choice;
  onCharset: (charset: string) => void;
  onOther: () => void;
}) {
  const { file, charset } = props.choice;
  return (
    <Card>
      <div class="import-file">
        <div>
          <strong>{file.name}</strong>
          <p class="quiet small">{sizeOf(file.size)}</p>
        </div>
        <Pick
          look="small"
          label="Encoding "
          value={charset}
          options={CHARSETS}
          onPick={props.onCharset}
        />
        <Button onClick={props.onOther}>Change file</Button>
      </div>
    </Card>
  );
}

function Running({ run }: { run: Import }) {
  const lines = run.imported + run.skipped + run.errors;
  return (
    <Card title={run.dry_run ? "Checking lines" : "Importing"}>
      <progress
        class="import-bar"
        aria-label="Import progress"
        max={run.total_bytes ?? 1}
        value={run.offset}
      />
      <p class="quiet small">
        {count(lines)} lines, {sizeOf(run.offset)}
        {run.total_bytes === null ? "" : ` of ${sizeOf(run.total_bytes)}`}
      </p>
    </Card>
  );
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000
    ? `${count(Math.ceil(bytes / 1000))} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

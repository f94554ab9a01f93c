/** What the import page asks of the API: how a file would be read, a run over it, its progress. */

import type {
  Import,
  ImportCampaignFileResult,
  ImportDelimiter,
  PreviewImportResult,
} from "#client.ts";
import { api } from "../../lib/api.ts";
import { env } from "../../lib/route.ts";

/** As much of a file as a guess of its columns looks at. */
const START_BYTES = 64 * 1024;

/** How a column is read: a field, `variables.<name>`, or null. */
export type Mapping = Readonly<Record<string, string | null>>;

export interface Choice {
  file: File;
  charset: string;
  map: Mapping;
  /** Found out by the server where it is left out. */
  delimiter?: ImportDelimiter | undefined;
}

/** Its kind is told by the file's name; anything else is taken for CSV. */
function contentOf({ file, charset }: Choice) {
  const kind = /\.(ndjson|jsonl)$/i.test(file.name) ? "application/x-ndjson" : "text/csv";
  return charset === "" ? kind : (`${kind}; charset=${charset}` as const);
}

export function previewFile(choice: Choice): Promise<PreviewImportResult> {
  const { file, map } = choice;
  const body = file.slice(0, START_BYTES);
  return api().previewImport({
    map: JSON.stringify(map),
    body,
    contentType: contentOf(choice),
  });
}

/** Sends the whole file; resolves when it has been read. `id` is the import's own, chosen here. */
export function sendFile(
  campaignId: string,
  id: string,
  choice: Choice,
  dryRun: boolean,
): Promise<ImportCampaignFileResult> {
  const { file, map, delimiter } = choice;
  return api().importCampaignFile({
    id: campaignId,
    import_id: id,
    file_name: file.name.slice(0, 255),
    map: JSON.stringify(map),
    dry_run: dryRun,
    delimiter,
    body: file,
    contentType: contentOf(choice),
  });
}

/** Sends what an interrupted import has not had of the same file; resolves when it has been read. */
export function sendRest(
  { id, offset, encoding }: Pick<Import, "id" | "offset" | "encoding">,
  file: File,
): Promise<Import> {
  const contentType = contentOf({ file, charset: encoding ?? "", map: {} });
  return api().resumeImport({ id, offset, body: file.slice(offset), contentType });
}

const LOOK_MS = 250;

/** The import's record each time that it changes, once it is there, until `stop` is called. */
export function watchImport(id: string, tell: (now: Import) => void): () => void {
  let source: EventSource | undefined;
  let isOver = false;
  // It is there once its first bytes have come; to ask for it before would be an error.
  const look = async () => {
    const running = await api().listImports({ limit: 20, offset: 0, status: "running" });
    if (isOver) {
      return;
    }
    if (running.data.some((row) => row.id === id)) {
      source = new EventSource(`/${env.value}/api/v1/imports/${id}/stream`);
      source.addEventListener("import", (event) => {
        tell(JSON.parse((event as MessageEvent<string>).data) as Import);
      });
    } else {
      lookLater();
    }
  };
  const lookLater = () => {
    setTimeout(() => {
      // A bar that is not shown is no fault of the file.
      look().catch(() => undefined);
    }, LOOK_MS);
  };
  lookLater();
  return () => {
    isOver = true;
    source?.close();
  };
}

/** The address of the lines of an import, as a file. */
export function linesOf(id: string, outcomes: string): string {
  return `/${env.value}/api/v1/imports/${id}/lines?outcome=${outcomes}`;
}

/** The address of what records were that undoing an import left as they are, as a file. */
export function notRestoredOf(id: string): string {
  return `/${env.value}/api/v1/imports/${id}/not-restored`;
}

/** What the import page asks of the API: how a file would be read, a run over it, its progress. */

import { ApiError, api, ask, Unreachable } from "../../lib/api.ts";
import { env } from "../../lib/route.ts";
import { sessionFetch } from "../../lib/session-fetch.ts";

/** As much of a file as a guess of its columns looks at. */
const START_BYTES = 64 * 1024;

export interface Preview {
  /** Null for NDJSON, whose lines name their fields. */
  columns: { name: string; field: string | null; reason: string }[] | null;
  rows: string[][];
}
export type Import = Awaited<ReturnType<typeof readImport>>;

export function readImport(id: string) {
  return ask(api().imports({ id }).get());
}

/** An import that has been read; `warning` says why nothing is sent to its leads, where that is so. */
export type ReadFile = Import & { warning?: string };

/** How a column is read: a field, `variables.<name>`, or null. */
export type Mapping = Readonly<Record<string, string | null>>;

export interface Choice {
  file: File;
  charset: string;
  map: Mapping;
  /** Found out by the server where it is left out. */
  delimiter?: string;
}

/** Kinds that the file's name tells; anything else is taken for CSV. */
export function typeOf({ file, charset }: Choice): string {
  const kind = /\.(ndjson|jsonl)$/i.test(file.name) ? "application/x-ndjson" : "text/csv";
  return charset === "" ? kind : `${kind}; charset=${charset}`;
}

export function previewFile(choice: Choice): Promise<Preview> {
  const query = { map: JSON.stringify(choice.map) };
  return send<Preview>("imports/preview", query, choice, choice.file.slice(0, START_BYTES));
}

/** Sends the whole file; resolves when it has been read. `id` is the import's own, chosen here. */
export function sendFile(
  campaignId: string,
  id: string,
  choice: Choice,
  dryRun: boolean,
): Promise<ReadFile> {
  const query = {
    import_id: id,
    file_name: choice.file.name.slice(0, 255),
    map: JSON.stringify(choice.map),
    dry_run: String(dryRun),
    ...(choice.delimiter === undefined ? {} : { delimiter: choice.delimiter }),
  };
  return send<ReadFile>(`campaigns/${campaignId}/leads/import`, query, choice, choice.file);
}

/** Sends what an interrupted import has not had of the same file; resolves when it has been read. */
export function sendRest(
  { id, offset, encoding }: Pick<Import, "id" | "offset" | "encoding">,
  file: File,
): Promise<Import> {
  const choice = { file, charset: encoding ?? "", map: {} };
  const query = { offset: String(offset) };
  return send<Import>(`imports/${id}/resume`, query, choice, file.slice(offset));
}

async function send<Answer>(
  path: string,
  query: Record<string, string>,
  choice: Choice,
  body: Blob,
): Promise<Answer> {
  const response = await sessionFetch(
    `/${env.value}/api/v1/${path}?${new URLSearchParams(query)}`,
    {
      method: "POST",
      credentials: "same-origin",
      headers: { "Content-Type": typeOf(choice) },
      body,
    },
  ).catch(() => {
    throw new Unreachable();
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    throw new ApiError(response.status, answer, response.headers.get("x-request-id"));
  }
  return answer as Answer;
}

const LOOK_MS = 250;

/** The import's record each time that it changes, once it is there, until `stop` is called. */
export function watchImport(id: string, tell: (now: Import) => void): () => void {
  let source: EventSource | undefined;
  let isOver = false;
  // It is there once its first bytes have come; to ask for it before would be an error.
  const look = async () => {
    const running = await ask(
      api().imports.get({ query: { limit: 20, offset: 0, status: "running" } }),
    );
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

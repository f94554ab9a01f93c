/** `/imports`: files of leads and of suppressions, read as they come. */

import type { Static } from "@sinclair/typebox";
import { PLAN_LIMITED, resource } from "#api/context.ts";
import { cursorEnvelope, rangeOf } from "#api/cursor.ts";
import { defined } from "#api/defined.ts";
import { type Columns, downloadOf, fileResponse, objectOf, PAGE_ROWS } from "#api/download.ts";
import { isFiltered, readFiltered } from "#api/filter.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { bodyOf, declaredBytes } from "#api/streamed-body.ts";
import { act, actLater } from "#api/write.ts";
import { SNIFF_BYTES } from "#domain/leads/import/encoding.ts";
import { LINE_OUTCOMES, type LineOutcome } from "#domain/leads/import/import.ts";
import { invalid } from "#domain/problem.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { IMPORT_LIST, LEAD_IMPORT_LIST } from "#store/filter/lists.ts";
import { listImports, listNotRestored, type NotRestored, readLines } from "#store/leads/imports.ts";
import type { ImportLineRow } from "#store/tables/imports.ts";
import { undoSuppressionImport } from "#usecases/inbox/undo-suppressions.ts";
import { feedImport } from "#usecases/leads/import/import-file.ts";
import { inspectFile } from "#usecases/leads/import/import-reader.ts";
import { undoImport } from "#usecases/leads/import/import-undo.ts";
import {
  cancelImport,
  kindOf,
  mayImport,
  requireImport,
  resumeImport,
} from "#usecases/leads/import/imports.ts";
import {
  Import,
  ImportPage,
  ImportParams,
  ImportQuery,
  ImportRead,
  LinesQuery,
  NotRestoredQuery,
  Preview,
  PreviewQuery,
  presentImport,
  presentRead,
  ResumeQuery,
} from "./schema.ts";
import { streamImport } from "./stream.ts";
import { FILE_BODY, fileKind, hintsOf } from "./upload.ts";

const NOT_RESTORED_COLUMNS: Columns<NotRestored> = {
  lead_id: ({ leadId }) => leadId,
  email: ({ email }) => email,
  first_name: ({ firstName }) => firstName,
  last_name: ({ lastName }) => lastName,
  company: ({ company }) => company,
  website: ({ website }) => website,
  phone: ({ phone }) => phone,
  timezone: ({ timezone }) => timezone,
  variables: ({ variables }) => JSON.stringify(variables),
};

export const importRoutes = resource("leads", "/imports", "imports")
  .get(
    "",
    async ({ env, caller, request }): Promise<Static<typeof ImportPage>> => {
      const query = readQuery(ImportQuery, request);
      const isOpen = mayImport(caller, "suppressions", "read");
      if (isFiltered(query)) {
        const list = isOpen ? IMPORT_LIST : LEAD_IMPORT_LIST;
        const found = await readFiltered(env, caller, list, query);
        return { data: found.rows.map(presentImport), ...found.page };
      }
      const filter = defined({
        campaignId: query.campaignId,
        kind: query.kind ?? (isOpen ? undefined : "leads"),
        status: query.status,
      });
      if (filter.kind === "suppressions" && !isOpen) {
        throw invalid("kind", 'this key lacks the scope "suppressions:read"');
      }
      const found = listImports(env.db, caller.teamId, filter, rangeOf(query));
      return cursorEnvelope(found, query, presentImport);
    },
    {
      response: { 200: ImportPage },
      detail: {
        summary: "List imports",
        description: "Returns the imports of files, newest first.",
        ...queryOf(ImportQuery),
      },
    },
  )
  .post(
    "/preview",
    async ({ request }) => {
      const query = readQuery(PreviewQuery, request);
      const { format, encoding } = fileKind(request);
      const { start, isWhole } = await firstBytes(request);
      const found = inspectFile(
        { kind: query.kind ?? "leads", format },
        start,
        isWhole,
        hintsOf(query, encoding),
      );
      const { delimiter, columns } = found;
      const rows = found.samples.map((row) => row.map((cell) => cell.trim()));
      return { format, encoding: found.encoding, delimiter, columns, rows };
    },
    {
      response: { 200: Preview },
      detail: {
        summary: "Preview an import",
        description:
          "Returns how a file would be read: its format, the lead field of each column as far as it " +
          "can be guessed, and the first rows. Send the file, or its first 64 KiB. Nothing is " +
          "stored.",
        ...FILE_BODY,
        ...queryOf(PreviewQuery),
      },
    },
  )
  .get(
    "/:id",
    ({ env, caller, params }) => presentImport(requireImport(env, caller, params.id, "read")),
    {
      params: ImportParams,
      response: { 200: Import },
      detail: {
        summary: "Get an import",
        description: "Returns one import with its progress and counts.",
      },
    },
  )
  .get(
    "/:id/stream",
    ({ env, caller, params }) =>
      streamImport(env, caller, requireImport(env, caller, params.id, "read").id),
    {
      params: ImportParams,
      detail: {
        summary: "Stream an import's progress",
        description: "Sends the import as a server-sent event each time it changes, until it ends.",
        responses: {
          200: {
            description: "The import, each time it changes",
            content: { "text/event-stream": { schema: { type: "string" } } },
          },
        },
      },
    },
  )
  .get(
    "/:id/lines",
    ({ env, caller, params, request }) => {
      const query = readQuery(LinesQuery, request);
      const row = requireImport(env, caller, params.id, "read");
      const outcomes = outcomesOf(query.outcome);
      return downloadOf<ImportLineRow>({
        name: `import-${row.id}-lines`,
        format: query.format ?? "csv",
        next: (last) => readLines(env.db, row.id, outcomes, last?.seq ?? 0, PAGE_ROWS),
        columns: {
          line: ({ line }) => line,
          email: ({ email }) => email,
          outcome: ({ outcome }) => outcome,
          reason: ({ reason }) => reason,
        },
      });
    },
    {
      params: ImportParams,
      detail: {
        summary: "Download an import's lines",
        description:
          "Returns the lines that were not imported, with the reason of each; of a dry run, all " +
          "lines. The first million are kept, for 30 days.",
        ...fileResponse("A row for each line"),
        ...queryOf(LinesQuery),
      },
    },
  )
  .get(
    "/:id/not-restored",
    ({ env, caller, params, request }) => {
      const query = readQuery(NotRestoredQuery, request);
      const { id } = requireImport(env, caller, params.id, "read");
      return downloadOf<NotRestored>({
        name: `import-${id}-not-restored`,
        format: query.format ?? "csv",
        next: (last) => listNotRestored(env.db, id, last?.seq ?? 0, PAGE_ROWS),
        columns: NOT_RESTORED_COLUMNS,
        object: (row) => ({ ...objectOf(NOT_RESTORED_COLUMNS, row), variables: row.variables }),
      });
    },
    {
      params: ImportParams,
      detail: {
        summary: "Download what an undo left",
        description:
          "Returns the records that undoing an import left as they are because somebody has changed " +
          "them since, each as it was before the import. Undo the import again to restore those " +
          "that have been changed back. Before an undo, it returns all records that the import " +
          "changed. Kept for 30 days.",
        ...fileResponse("A row for each record"),
        ...queryOf(NotRestoredQuery),
      },
    },
  )
  .post(
    "/:id/resume",
    async ({ env, caller, params, request }) => {
      const query = readQuery(ResumeQuery, request);
      const row = requireImport(env, caller, params.id);
      const { encoding } = fileKind(request);
      const bytes = declaredBytes(request);
      const { id, delimiter } = row;
      const begin = () => resumeImport(env, caller, id, { offset: query.offset, bytes });
      const hints = { encoding, delimiter, map: {} };
      const body = bodyOf(request);
      const read = await feedImport(env, caller, { id, begin }, { body, bytes, hints });
      return presentRead(read, campaignById(env.db, read.campaignId));
    },
    {
      params: ImportParams,
      response: { 200: ImportRead },
      detail: {
        summary: "Resume an import",
        description:
          "Takes the rest of a file whose connection broke, from the import's `offset` on.",
        ...PLAN_LIMITED,
        ...FILE_BODY,
        ...queryOf(ResumeQuery),
      },
    },
  )
  .post(
    "/:id/cancel",
    (context) =>
      act(context, () => {
        const { env, caller, params } = context;
        return presentImport(cancelImport(env, caller, params.id));
      }),
    {
      params: ImportParams,
      response: { 200: Import },
      detail: {
        summary: "Cancel an import",
        description: "Stops an import. What it has added stays.",
      },
    },
  )
  .post(
    "/:id/undo",
    (context) =>
      actLater(context, async () => {
        const { env, caller, params, state } = context;
        state.disableIdleTimeout();
        const row = requireImport(env, caller, params.id);
        const undo = kindOf(row) === "leads" ? undoImport : undoSuppressionImport;
        return presentImport(await undo(env, caller, row.id));
      }),
    {
      params: ImportParams,
      response: { 200: Import },
      detail: {
        summary: "Undo an import",
        description:
          "Removes the leads that an import created and restores the records that it changed. Leads " +
          "that have been written to stay, and so do records that somebody has changed since: " +
          "`not_restored` counts them, and `/imports/{id}/not-restored` returns what they were. " +
          "Suppressions that an import added are lifted, and the sequences that ended with them " +
          "resume, unless somebody has confirmed them since: by an unsubscribe, a bounce, another " +
          "import or by hand.",
      },
    },
  );

/** As much of a file as a guess looks at; whether that is all of it. */
async function firstBytes(request: Request): Promise<{ start: Uint8Array; isWhole: boolean }> {
  let start: Uint8Array = new Uint8Array();
  for await (const chunk of request.body ?? []) {
    start = Buffer.concat([start, chunk]);
    if (start.byteLength >= SNIFF_BYTES) {
      return { start: start.subarray(0, SNIFF_BYTES), isWhole: false };
    }
  }
  return { start, isWhole: true };
}

function outcomesOf(text: string | undefined): LineOutcome[] {
  if (text === undefined) {
    return [...LINE_OUTCOMES];
  }
  return text.split(",").map((word) => {
    const found = LINE_OUTCOMES.find((known) => known === word.trim());
    if (found === undefined) {
      throw invalid("outcome", `must be of ${LINE_OUTCOMES.join(", ")}`);
    }
    return found;
  });
}

/** Files that are uploaded: leads into a campaign, or suppressions. */

import { CampaignParams } from "#api/campaigns/schema.ts";
import { PLAN_LIMITED, resource } from "#api/context.ts";
import { IMPORT_DEFAULTS } from "#api/leads/enrollments/schema.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { bodyOf, declaredBytes } from "#api/streamed-body.ts";
import type { Inner } from "#api/wire.ts";
import type { WriteContext } from "#api/write.ts";
import { conflict } from "#domain/problem.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { findImport } from "#store/leads/imports.ts";
import type { ImportRow } from "#store/tables/imports.ts";
import { feedImport } from "#usecases/leads/import/import-file.ts";
import { REASON_DEFAULT } from "#usecases/leads/import/import-suppressions.ts";
import { beginImport, type NewImport } from "#usecases/leads/import/imports.ts";
import {
  Import,
  ImportRead,
  presentImport,
  presentRead,
  SuppressionUploadQuery,
  UploadQuery,
} from "./schema.ts";
import {
  assertSameRequest,
  FILE_BODY,
  fileKind,
  hintsOf,
  requestedId,
  SUPPRESSION_BODY,
} from "./upload.ts";

export const importUploadRoutes = resource("leads", "/campaigns/:id/leads/import", "imports").post(
  "",
  async (context) => {
    const { env, params, request } = context;
    const query = readQuery(UploadQuery, request);
    const row = await upload(context, query, {
      campaignId: params.id,
      reason: null,
      existing: query.existing ?? IMPORT_DEFAULTS.existing,
      skipIfInOtherCampaign: query.skipIfInOtherCampaign ?? IMPORT_DEFAULTS.skipIfInOtherCampaign,
    });
    return presentRead(row, campaignById(env.db, row.campaignId));
  },
  {
    params: CampaignParams,
    response: { 200: ImportRead },
    detail: {
      summary: "Import a file",
      description:
        "Adds the leads of a CSV, NDJSON or JSON file of any size to a campaign. The body is the file " +
        "itself; it is processed as it arrives, and the response comes at its end. Choose an " +
        "`import_id` to follow its progress meanwhile. Where the connection breaks, what has " +
        "arrived stays, and the rest may be sent to `/imports/{id}/resume`.",
      ...PLAN_LIMITED,
      ...FILE_BODY,
      ...queryOf(UploadQuery),
    },
  },
);

export const suppressionUploadRoutes = resource(
  "suppressions",
  "/suppressions/import",
  "imports",
).post(
  "",
  async (context) => {
    const query = readQuery(SuppressionUploadQuery, context.request);
    const row = await upload(context, query, {
      campaignId: null,
      reason: query.reason ?? REASON_DEFAULT,
      existing: IMPORT_DEFAULTS.existing,
      skipIfInOtherCampaign: IMPORT_DEFAULTS.skipIfInOtherCampaign,
    });
    return presentImport(row);
  },
  {
    response: { 200: Import },
    detail: {
      summary: "Import suppressions",
      description:
        "Suppresses the addresses and domains of a CSV, NDJSON or JSON file of any size, each with " +
        "the effects of a single suppression. A row has an `email` and may have a `reason`. " +
        "Sending the file again changes nothing. Follow, resume, cancel or undo the import at " +
        "`/imports/{id}`, with the scopes of leads and of suppressions.",
      ...SUPPRESSION_BODY,
      ...queryOf(SuppressionUploadQuery),
    },
  },
);

type Query = Inner<typeof UploadQuery> | Inner<typeof SuppressionUploadQuery>;

/** Reads a file to its end; a request that was made before gets what came of it. */
async function upload(
  { env, caller, request, set, state }: WriteContext,
  query: Query,
  {
    campaignId,
    reason,
    ...rules
  }: Pick<NewImport, "campaignId" | "reason"> & Omit<NewImport["options"], "dryRun">,
): Promise<ImportRow> {
  state.disableIdleTimeout();
  const { format, encoding } = fileKind(request);
  const hints = hintsOf(query, encoding);
  const bytes = declaredBytes(request);
  const selected = requestedId(request, caller, query.importId);
  const known = selected === undefined ? undefined : findImport(env.db, caller.teamId, selected);
  const id = selected ?? env.ids.next(env.clock.now());
  const input: NewImport = {
    id,
    campaignId,
    reason,
    format,
    fileName: query.fileName ?? null,
    totalBytes: bytes,
    delimiter: hints.delimiter,
    options: { ...rules, dryRun: query.dryRun ?? false },
  };
  if (known !== undefined) {
    const field = query.importId === undefined ? "Idempotency-Key" : "import_id";
    assertSameRequest(known, input, { map: hints.map, field });
    if (known.status === "done") {
      set.headers["Idempotent-Replayed"] = "true";
      return known;
    }
    const words = `this import is ${known.status}; POST its rest to /imports/${known.id}/resume`;
    throw conflict(words, "import_id");
  }
  const begin = () => beginImport(env, caller, input);
  const body = bodyOf(request);
  return await feedImport(env, caller, { id, begin }, { body, bytes, hints });
}

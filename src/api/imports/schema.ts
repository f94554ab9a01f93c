import { type Static, Type } from "@sinclair/typebox";
import { EXPORT_FORMATS } from "#api/exports/download.ts";
import {
  AsIs,
  CursorPage,
  CursorQuery,
  Documented,
  Id,
  Line,
  leftAlone,
  Nullable,
  OneOf,
  Shape,
  Timestamp,
  warningOf,
} from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { DELIMITERS } from "#domain/leads/import/csv.ts";
import { ENCODINGS } from "#domain/leads/import/encoding.ts";
import {
  IMPORT_FORMATS,
  IMPORT_STATUSES,
  LINE_OUTCOMES,
  LINE_REASONS,
} from "#domain/leads/import/import.ts";
import { EXISTING_RULES } from "#domain/leads/lead.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import type { ImportRow } from "#store/tables/imports.ts";

const Count = Type.Integer({ minimum: 0 });

const Column = Shape({
  name: Type.String({ description: "Its heading" }),
  field: Nullable(Type.String({ description: "A field, `variables.<name>`, or null: not read" })),
  reason: Type.String({ description: "Why, in words" }),
});

const reasons = Object.fromEntries(LINE_REASONS.map((reason) => [reason, Type.Optional(Count)]));

export const Import = Shape({
  id: Id,
  campaign_id: Id,
  status: OneOf(IMPORT_STATUSES),
  format: OneOf(IMPORT_FORMATS),
  file_name: Nullable(Type.String()),
  dry_run: Type.Boolean(),
  existing: OneOf(EXISTING_RULES),
  skip_if_in_other_campaign: Type.Boolean(),
  encoding: Nullable(OneOf(ENCODINGS)),
  delimiter: Nullable(OneOf(DELIMITERS)),
  columns: Nullable(Type.Array(Column)),
  offset: Type.Integer({ minimum: 0, description: "Bytes dealt with: the rest begins here" }),
  total_bytes: Nullable(Count),
  imported: Type.Integer({ minimum: 0, description: "`new` and `update` together" }),
  skipped: Type.Integer({ minimum: 0, description: "`duplicate` and `suppressed` together" }),
  errors: Type.Integer({ minimum: 0, description: "`invalid`" }),
  outcomes: Shape({
    new: Count,
    update: Count,
    duplicate: Count,
    suppressed: Count,
    invalid: Count,
  }),
  reasons: AsIs(Shape(reasons, { description: "Lines that were not imported, by why" })),
  lines_kept: Type.Integer({ minimum: 0, description: "Lines that `/lines` can tell of" }),
  removed: Type.Integer({
    minimum: 0,
    description: "Leads of the campaign that undoing took away",
  }),
  left: Type.Integer({ minimum: 0, description: "Those that it left, being under way already" }),
  overwritten: Type.Integer({
    minimum: 0,
    description: "Records of known leads that it changed",
  }),
  restored: Type.Integer({ minimum: 0, description: "Those of them that undoing put back" }),
  not_restored: Type.Integer({
    minimum: 0,
    description: "Those that it left as they are, because somebody has changed them since",
  }),
  error: Nullable(Type.String({ description: "Why it stopped" })),
  created_at: Timestamp,
  updated_at: Timestamp,
  finished_at: Nullable(Timestamp),
});
export type Import = Static<typeof Import>;

/** As it is when its file has been read. */
export const ImportRead = Shape({ ...Import.properties, ...leftAlone });

export const ImportPage = CursorPage(Import);

export const ImportQuery = Shape({
  ...CursorQuery.properties,
  campaign_id: Type.Optional(Id),
  status: Type.Optional(OneOf(IMPORT_STATUSES)),
});

const map = Type.Optional(
  Type.String({
    minLength: 2,
    maxLength: 10_000,
    description:
      'JSON: `{"E-Mail": "email", "Firma": "company", "#3": "variables.city", "Notes": null}`. ' +
      "Columns that it does not name are guessed",
  }),
);
const delimiter = Type.Optional(
  Documented(Type.String({ minLength: 1, maxLength: 3, description: "Guessed if left out" }), {
    enum: [...DELIMITERS, "tab"],
  }),
);

export const UploadQuery = Shape({
  import_id: Type.Optional(
    Type.String({ ...Id, description: "Your own id for it, a UUID: a repeat does nothing twice" }),
  ),
  file_name: Type.Optional(Line(255)),
  map,
  delimiter,
  existing: Type.Optional(OneOf(EXISTING_RULES)),
  skip_if_in_other_campaign: Type.Optional(Type.Boolean()),
  dry_run: Type.Optional(Type.Boolean({ description: "Judges every line and stores no lead" })),
});

export const ResumeQuery = Shape({
  offset: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: "The import's `offset`: where the rest of the file begins",
  }),
});

export const PreviewQuery = Shape({ map, delimiter });

export const Preview = Shape({
  format: OneOf(IMPORT_FORMATS),
  encoding: Nullable(OneOf(ENCODINGS)),
  delimiter: Nullable(OneOf(DELIMITERS)),
  columns: Nullable(Type.Array(Column)),
  rows: Type.Array(Type.Array(Type.String()), { description: "The first 20, without headings" }),
});

export const LinesQuery = Shape({
  format: Type.Optional(OneOf(EXPORT_FORMATS)),
  outcome: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: `Separated by commas: ${LINE_OUTCOMES.join(", ")}; all if left out`,
    }),
  ),
});

export const NotRestoredQuery = Shape({ format: Type.Optional(OneOf(EXPORT_FORMATS)) });

export function presentRead(
  row: ImportRow,
  campaign: CampaignRow | undefined,
): Static<typeof ImportRead> {
  const shown = presentImport(row);
  const isGiven = shown.imported > 0 && !row.dryRun;
  return campaign === undefined ? shown : { ...shown, ...warningOf(isGiven, campaign) };
}

export function presentImport(row: ImportRow): Import {
  const { reasons: byReason, ...outcomes } = row.counts;
  return present(Import, {
    ...row,
    imported: outcomes.new + outcomes.update,
    skipped: outcomes.duplicate + outcomes.suppressed,
    errors: outcomes.invalid,
    outcomes,
    reasons: byReason,
    linesKept: row.kept,
  });
}

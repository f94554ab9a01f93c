import { type Static, Type } from "@sinclair/typebox";
import { exportFormat } from "#api/download.ts";
import { listQuery } from "#api/filter.ts";
import {
  AddressCounts,
  EXISTING,
  IMPORT_DEFAULTS,
  skipElsewhere,
} from "#api/leads/enrollments/schema.ts";
import {
  AsIs,
  Count,
  CreatedAt,
  Documented,
  FilteredCursorPage,
  IdOf,
  IdParamsOf,
  Line,
  leftAlone,
  Nullable,
  OneOf,
  Shape,
  TimestampOf,
  UpdatedAt,
  warningOf,
} from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { DELIMITERS } from "#domain/leads/import/csv.ts";
import { ENCODINGS } from "#domain/leads/import/encoding.ts";
import {
  IMPORT_FORMATS,
  IMPORT_KINDS,
  IMPORT_STATUSES,
  LINE_OUTCOMES,
  LINE_REASONS,
} from "#domain/leads/import/import.ts";
import { SUPPRESSION_REASONS } from "#domain/leads/suppression.ts";
import { noTally } from "#domain/mailboxes/address-check.ts";
import { IMPORT_LIST } from "#store/filter/lists.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import type { ImportRow } from "#store/tables/imports.ts";
import { REASON_DEFAULT } from "#usecases/leads/import/import-suppressions.ts";
import { kindOf } from "#usecases/leads/import/imports.ts";

const Column = Shape({
  name: Type.String({ description: "Heading of the column" }),
  field: Nullable(
    Type.String({
      description: "Lead field or `variables.<name>` that it is read into; null when it is ignored",
      examples: ["first_name"],
    }),
  ),
  reason: Type.String({ description: "Why, in plain words" }),
});

const reasons = Object.fromEntries(
  LINE_REASONS.map((reason) => [reason, Type.Optional(Count(`Lines with the reason ${reason}`))]),
);
const encoding = Nullable(
  OneOf(ENCODINGS, { description: "Character encoding of the file; null before it is known" }),
);
const delimiter = Nullable(
  Type.String({
    description: "Character between two values; null for NDJSON and JSON",
    examples: [","],
  }),
);
const columns = Nullable(
  Type.Array(Column, { description: "What each column is read as; null for NDJSON and JSON" }),
);
const format = OneOf(IMPORT_FORMATS, { description: "Format of the file" });

export const Import = Shape({
  id: IdOf("The import's id"),
  kind: OneOf(IMPORT_KINDS, { description: "What the rows of the file are" }),
  campaign_id: Nullable(
    IdOf("Campaign that the leads are added to; null when the rows are suppressions"),
  ),
  reason: Nullable(
    OneOf(SUPPRESSION_REASONS, {
      description: "Reason of suppressions whose row gives none; null when the rows are leads",
    }),
  ),
  status: OneOf(IMPORT_STATUSES, { description: "Status of the import" }),
  format,
  file_name: Nullable(
    Type.String({ description: "Name of the file; null without one", examples: ["leads.csv"] }),
  ),
  dry_run: Type.Boolean({ description: "Whether lines are only checked and nothing is stored" }),
  existing: EXISTING,
  skip_if_in_other_campaign: skipElsewhere,
  encoding,
  delimiter,
  columns,
  offset: Count("Bytes processed; the rest of the file begins here"),
  total_bytes: Nullable(Count("Size of the file in bytes; null when it is not known")),
  imported: Count("Leads added, or addresses suppressed: `new` and `update` together"),
  skipped: Count("Lines skipped: `duplicate` and `suppressed` together"),
  errors: Count("Lines that could not be used: `invalid`"),
  outcomes: Shape(
    {
      new: Count("Leads created and added; addresses newly suppressed"),
      update: Count("Leads that the team knew, added; suppressions given a stronger reason"),
      duplicate: Count(
        "Leads that are in the file twice, or in a campaign already; addresses suppressed already",
      ),
      suppressed: Count("Leads that are suppressed"),
      invalid: Count("Lines that could not be used"),
    },
    { description: "Lines by what became of them" },
  ),
  reasons: AsIs(Shape(reasons, { description: "Lines that were not imported, by reason" })),
  addresses: AddressCounts,
  lines_kept: Count("Lines that `/imports/{id}/lines` lists"),
  removed: Count("Leads that undoing the import removed from the campaign; suppressions it lifted"),
  left: Count(
    "Leads that undoing left, because they had been emailed; suppressions confirmed since",
  ),
  overwritten: Count("Known leads, or suppressions, whose record the import changed"),
  restored: Count("Of these, records that undoing restored"),
  not_restored: Count("Of these, records that undoing left, because they were changed since"),
  error: Nullable(Type.String({ description: "Why the import stopped; null when it did not" })),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
  finished_at: Nullable(TimestampOf("When the import ended; null while it runs")),
});
export type Import = Static<typeof Import>;

/** As it is when its file has been read. */
export const ImportRead = Shape({ ...Import.properties, ...leftAlone });

export const ImportParams = IdParamsOf("The import's id");

export const ImportPage = FilteredCursorPage(Import);

export const ImportQuery = listQuery(IMPORT_LIST, {
  campaign_id: Type.Optional(IdOf("Only imports into this campaign")),
  kind: Type.Optional(OneOf(IMPORT_KINDS, { description: "Only imports of these" })),
  status: Type.Optional(OneOf(IMPORT_STATUSES, { description: "Only imports with this status" })),
});

const map = Type.Optional(
  Type.String({
    minLength: 2,
    maxLength: 10_000,
    description:
      "Lead field of each column, as a JSON object; `#3` is the third column, and null ignores one. " +
      "Columns that it does not name are guessed",
    examples: ['{"Work email": "email", "Firm": "company", "#3": "variables.city", "Notes": null}'],
  }),
);
const givenDelimiter = Type.Optional(
  Documented(
    Type.String({
      minLength: 1,
      maxLength: 3,
      description: "Character between two values; guessed without it",
    }),
    // A tab itself is taken too; generators of clients cannot write it as a name.
    { enum: DELIMITERS.map((one) => (one === "\t" ? "tab" : one)) },
  ),
);

const fileQuery = {
  import_id: Type.Optional(
    IdOf("Id for the import, a UUID of your own, so that a repeated request imports nothing twice"),
  ),
  file_name: Type.Optional(
    Line(255, { description: "Name of the file, shown with the import", examples: ["leads.csv"] }),
  ),
  map,
  delimiter: givenDelimiter,
  dry_run: Type.Optional(
    Documented(Type.Boolean({ description: "Check every line without storing anything" }), {
      default: IMPORT_DEFAULTS.dryRun,
    }),
  ),
};

export const UploadQuery = Shape({
  ...fileQuery,
  existing: Type.Optional(Documented(EXISTING, { default: IMPORT_DEFAULTS.existing })),
  skip_if_in_other_campaign: Type.Optional(
    Documented(skipElsewhere, { default: IMPORT_DEFAULTS.skipIfInOtherCampaign }),
  ),
});

export const SuppressionUploadQuery = Shape({
  ...fileQuery,
  reason: Type.Optional(
    Documented(
      OneOf(SUPPRESSION_REASONS, { description: "Reason of rows that give none of their own" }),
      { default: REASON_DEFAULT },
    ),
  ),
});

export const ResumeQuery = Shape({
  offset: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: "The import's `offset`, where the rest of the file begins",
    examples: [1_048_576],
  }),
});

export const PreviewQuery = Shape({
  map,
  delimiter: givenDelimiter,
  kind: Type.Optional(
    Documented(OneOf(IMPORT_KINDS, { description: "What the rows of the file are" }), {
      default: "leads",
    }),
  ),
});

export const Preview = Shape({
  format,
  encoding,
  delimiter,
  columns,
  rows: Type.Array(Type.Array(Type.String()), {
    description: "The first 20 rows, without headings",
    examples: [[["ann.lee@example.com", "Ann"]]],
  }),
});

export const LinesQuery = Shape({
  format: exportFormat,
  outcome: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: `Only lines with these outcomes, separated by commas: ${LINE_OUTCOMES.join(", ")}`,
      examples: ["duplicate,invalid"],
    }),
  ),
});

export const NotRestoredQuery = Shape({ format: exportFormat });

export function presentRead(
  row: ImportRow,
  campaign: CampaignRow | undefined,
): Static<typeof ImportRead> {
  const shown = presentImport(row);
  const isGiven = shown.imported > 0 && !row.dryRun;
  return campaign === undefined ? shown : { ...shown, ...warningOf(isGiven, campaign) };
}

export function presentImport(row: ImportRow): Import {
  const { reasons: byReason, addresses = noTally(), ...outcomes } = row.counts;
  return present(Import, {
    ...row,
    kind: kindOf(row),
    imported: outcomes.new + outcomes.update,
    skipped: outcomes.duplicate + outcomes.suppressed,
    errors: outcomes.invalid,
    outcomes,
    reasons: byReason,
    addresses,
    linesKept: row.kept,
  });
}

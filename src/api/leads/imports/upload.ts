/** What a request says of the file that it sends: its kind, its columns, its id. */

import { idempotencyConflict, idempotencyKey } from "#api/idempotency-key.ts";
import { areMappedBy, type ColumnMap } from "#domain/leads/import/columns.ts";
import { DELIMITERS, type Delimiter } from "#domain/leads/import/csv.ts";
import { type Encoding, encodingNamed } from "#domain/leads/import/encoding.ts";
import type { ImportFormat } from "#domain/leads/import/import.ts";
import { invalid, Problem } from "#domain/problem.ts";
import type { Caller } from "#environment.ts";
import { sha256 } from "#platform/secrets/crypto.ts";
import { bytesToId, type Id } from "#store/sqlite/columns.ts";
import type { ImportRow } from "#store/tables/imports.ts";
import type { FileHints } from "#usecases/leads/import/import-reader.ts";
import type { NewImport } from "#usecases/leads/import/imports.ts";

const FORMATS: Readonly<Record<string, ImportFormat>> = {
  "text/csv": "csv",
  "application/csv": "csv",
  "text/tab-separated-values": "csv",
  "application/octet-stream": "csv",
  "application/x-ndjson": "ndjson",
  "application/ndjson": "ndjson",
  "application/jsonl": "ndjson",
  "application/json": "json",
};

/** For the detail of an operation that takes a file. */
export const FILE_BODY = {
  "x-body-types": {
    "text/csv":
      "A header row is optional where the first row holds an address; `charset` if not UTF-8",
    "application/x-ndjson":
      "One object per line, as in the JSON import. An array of them is read as `application/json`",
    "application/octet-stream": "A CSV file, from a client that cannot send `text/csv`",
  },
} as const;

/** The same where JSON is named among the types. */
export const SUPPRESSION_BODY = {
  "x-body-types": {
    ...FILE_BODY["x-body-types"],
    "application/x-ndjson": "An address, or an object with `email` and `reason`, per line",
    "application/json": "An array of addresses, or of objects with `email` and `reason`",
  },
} as const;

/** Throws 415 for an unsupported type, and for a compressed body. */
export function fileKind(request: Request): { format: ImportFormat; encoding: Encoding | null } {
  const header = request.headers.get("content-type") ?? "";
  const [type = "", ...parameters] = header.split(";").map((part) => part.trim());
  const name = type.toLowerCase();
  const format = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
  if (format === undefined) {
    const accepted = Object.keys(SUPPRESSION_BODY["x-body-types"]).join(", ");
    throw new Problem(
      "unsupported_media_type",
      `send Content-Type: text/csv, application/x-ndjson or application/json${type === "" ? "" : `, not ${type.slice(0, 100)}`}`,
      null,
      { "Accept-Post": accepted },
    );
  }
  const coding = request.headers.get("content-encoding") ?? "identity";
  if (coding.toLowerCase() !== "identity") {
    throw new Problem("unsupported_media_type", "send the file without a Content-Encoding");
  }
  return { format, encoding: charsetOf(parameters) };
}

function charsetOf(parameters: readonly string[]): Encoding | null {
  const said = parameters.find((parameter) => /^charset=/i.test(parameter));
  if (said === undefined) {
    return null;
  }
  const name = said.slice("charset=".length).replace(/^"(.*)"$/, "$1");
  const encoding = encodingNamed(name);
  if (encoding === null) {
    const message = `charset ${name.slice(0, 40)} is not read; utf-8, utf-16le, utf-16be and windows-1252 are`;
    throw new Problem("unsupported_media_type", message, "charset");
  }
  return encoding;
}

export function hintsOf(
  query: { map?: string; delimiter?: string },
  encoding: Encoding | null,
): FileHints {
  return { encoding, delimiter: delimiterOf(query.delimiter), map: mapOf(query.map) };
}

function delimiterOf(text: string | undefined): Delimiter | null {
  if (text === undefined) {
    return null;
  }
  const found = DELIMITERS.find((known) => known === text || (text === "tab" && known === "\t"));
  if (found === undefined) {
    throw invalid("delimiter", "must be a comma, a semicolon, a pipe or a tab");
  }
  return found;
}

function mapOf(text: string | undefined): ColumnMap {
  if (text === undefined) {
    return {};
  }
  const map = parsed(text);
  const isMap =
    typeof map === "object" &&
    map !== null &&
    !Array.isArray(map) &&
    Object.values(map).every((field) => typeof field === "string" || field === null);
  if (!isMap) {
    throw invalid("map", 'must be a JSON object such as {"Work email": "email", "Notes": null}');
  }
  return map as ColumnMap;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The id that a request gives its import: by itself, or by its Idempotency-Key. Undefined: none. */
export function requestedId(
  request: Request,
  caller: Caller,
  said: Id | undefined,
): Id | undefined {
  const key = said === undefined ? idempotencyKey(request) : null;
  if (key === null) {
    return said?.toLowerCase();
  }
  const bytes = sha256(`import ${caller.teamId} ${key}`).slice(0, 16);
  // Marked as a UUID of one's own making. Source: RFC 9562 §5.8.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytesToId(bytes);
}

/**
 * A repeat asks for what its import was begun with. Throws `validation_error` for another campaign or other
 * options; the file itself is not read again to compare it.
 */
export function assertSameRequest(
  known: ImportRow,
  asked: NewImport,
  { map, field }: { map: ColumnMap; field: string },
): void {
  const { campaignId, reason, format, fileName, delimiter, options } = asked;
  const isSame =
    campaignId === known.campaignId &&
    reason === known.reason &&
    format === known.format &&
    fileName === known.fileName &&
    (delimiter === null || delimiter === known.delimiter) &&
    options.existing === known.existing &&
    options.skipIfInOtherCampaign === known.skipIfInOtherCampaign &&
    options.dryRun === known.dryRun &&
    (known.columns === null || areMappedBy(known.columns, map));
  if (!isSame) {
    throw idempotencyConflict(field);
  }
}

/** Which column of a file is which field of a lead or a suppression: guessed from its heading and values, or said. */

import { parseAddress, parseDomainPattern } from "#domain/email-address.ts";
import { LEAD_FIELDS, VARIABLE_NAME_MAX } from "#domain/leads/lead.ts";
import { invalid } from "#domain/problem.ts";
import type { ImportKind } from "./import.ts";

const VARIABLE = "variables.";

type NamedField = "email" | "reason" | "tags" | (typeof LEAD_FIELDS)[number];

/** What a column can be beside a variable, which only leads have. */
const FIELDS: Readonly<Record<ImportKind, readonly NamedField[]>> = {
  leads: ["email", ...LEAD_FIELDS, "tags"],
  suppressions: ["email", "reason"],
};
/** A field, `variables.<name>`, or null: the column is not read. */
export type ColumnField = NamedField | `variables.${string}` | null;

export interface Column {
  /** Its heading. */
  name: string;
  field: ColumnField;
  /** Why, for a person. */
  reason: string;
}

/** Headings by field, letters and digits alone, in the languages that exports are found in. */
const HEADINGS: Readonly<Record<NamedField, readonly string[]>> = {
  email:
    "email emailaddress mail emailadresse mailadresse correo correoelectronico courriel emailid workemail businessemail primaryemail adresseemail contactemail".split(
      " ",
    ),
  first_name: "firstname first givenname forename vorname prenom nombre primernombre fname".split(
    " ",
  ),
  last_name: "lastname last surname familyname nachname nom apellido apellidos lname name2".split(
    " ",
  ),
  company:
    "company companyname organization organisation employer firma unternehmen societe entreprise empresa account accountname".split(
      " ",
    ),
  website:
    "website web url site homepage webseite siteweb sitioweb companywebsite domain companydomain".split(
      " ",
    ),
  phone:
    "phone phonenumber telephone tel mobile mobilephone telefon telefono telefonnummer handy workphone".split(
      " ",
    ),
  timezone: "timezone tz zeitzone fuseauhoraire zonahoraria".split(" "),
  tags: "tags tag labels label etiketten etiquetas etiquettes".split(" "),
  reason: "reason suppressionreason grund raison motivo".split(" "),
};

/** What the address of a row is: a suppression may be of a whole domain. */
export function isAddressOf(kind: ImportKind, cell: string): boolean {
  return (
    parseAddress(cell) !== null || (kind === "suppressions" && parseDomainPattern(cell) !== null)
  );
}

/** Columns whose values are looked at, and the share of addresses that makes one the address. */
const SAMPLE_SHARE = 0.6;

/** `samples`: the first rows below the headings. */
export function guessColumns(
  headings: readonly string[],
  samples: readonly (readonly string[])[],
  kind: ImportKind,
): Column[] {
  const taken = new Set<string>();
  const columns = headings.map((heading) => byHeading(heading, taken, kind));
  if (!taken.has("email")) {
    const at = addressColumn(headings.length, samples, kind);
    if (at !== null) {
      const name = headings[at.index] ?? "";
      const reason = `${at.addresses} of ${at.values} values are email addresses`;
      columns[at.index] = { name, field: "email", reason };
    }
  }
  return columns;
}

function byHeading(name: string, taken: Set<string>, kind: ImportKind): Column {
  const word = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
  const field = FIELDS[kind].find((known) => HEADINGS[known].includes(word));
  if (field !== undefined && !taken.has(field)) {
    taken.add(field);
    return { name, field, reason: `the heading says ${field.replace("_", " ")}` };
  }
  if (kind === "suppressions") {
    return { name, field: null, reason: "only the address and the reason are read" };
  }
  const variable = freeName(variableName(name), taken);
  if (variable === "") {
    return { name, field: null, reason: "the column has no heading" };
  }
  taken.add(`${VARIABLE}${variable}`);
  return {
    name,
    field: `variables.${variable}`,
    reason:
      field === undefined
        ? "no field has this name, so it's saved as a variable"
        : `another column is the ${field.replace("_", " ")}, so it's saved as a variable`,
  };
}

/** As templates name them: `{{ job_title }}`. */
function variableName(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, VARIABLE_NAME_MAX - 4);
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let count = 2; name !== "" && taken.has(`${VARIABLE}${free}`); count += 1) {
    free = `${name}_${count}`;
  }
  return free;
}

function addressColumn(width: number, samples: readonly (readonly string[])[], kind: ImportKind) {
  for (let index = 0; index < width; index += 1) {
    const values = samples.map((row) => row[index]?.trim() ?? "").filter((text) => text !== "");
    const addresses = values.filter((text) => isAddressOf(kind, text)).length;
    if (addresses > 0 && addresses >= values.length * SAMPLE_SHARE) {
      return { index, addresses, values: values.length };
    }
  }
  return null;
}

/** A person's word on columns, by heading, or `#1` by place. */
export type ColumnMap = Readonly<Record<string, string | null>>;

/** Why a column is what a person said. */
const SAID = "set by you";

/**
 * `guessed` with what `map` says instead. Throws `validation_error` for a column that is not there, a
 * field that is none, or two columns for one field.
 */
export function mapColumns(guessed: readonly Column[], map: ColumnMap, kind: ImportKind): Column[] {
  const columns = guessed.map((column) => ({ ...column }));
  const said = new Set<Column>();
  for (const [key, field] of Object.entries(map)) {
    const column = columnNamed(columns, key);
    if (column === undefined) {
      const known = columns
        .map(({ name }) => name)
        .join(", ")
        .slice(0, 300);
      throw invalid(`map.${key}`, `the file has no such column; its columns are ${known}`);
    }
    column.field = readField(field, key, kind);
    column.reason = SAID;
    said.add(column);
  }
  for (const column of columns) {
    const { field } = column;
    const rival = columns.find((other) => other !== column && other.field === field);
    if (field === null || rival === undefined) {
      continue;
    }
    if (said.has(column) && said.has(rival)) {
      throw invalid(`map.${column.name}`, `two columns are mapped to ${field}`);
    }
    const loser = said.has(column) ? rival : column;
    loser.field = null;
    loser.reason = `another column is already ${field}`;
  }
  return columns;
}

/** True where `map`, and no other, is what a person said of these columns. */
export function areMappedBy(columns: readonly Column[], map: ColumnMap): boolean {
  const entries = Object.entries(map);
  const said = columns.filter(({ reason }) => reason === SAID);
  return (
    said.length === entries.length &&
    entries.every(([key, field]) => {
      const column = columnNamed(columns, key);
      return column?.reason === SAID && column.field === field;
    })
  );
}

/** Throws `validation_error` where no column is the address. */
export function checkColumns(columns: readonly Column[]): void {
  if (!columns.some(({ field }) => field === "email")) {
    const names = columns
      .map(({ name }) => name)
      .join(", ")
      .slice(0, 300);
    throw invalid("map", `no column of email addresses found; map one of ${names} to email`);
  }
}

function columnNamed(columns: readonly Column[], key: string): Column | undefined {
  const place = /^#(\d{1,4})$/.exec(key)?.[1];
  return place === undefined
    ? columns.find(({ name }) => name.trim() === key.trim())
    : columns[Number(place) - 1];
}

function readField(field: string | null, key: string, kind: ImportKind): ColumnField {
  const fields: readonly string[] = FIELDS[kind];
  if (field === null || fields.includes(field)) {
    return field as ColumnField;
  }
  const known = fields.join(", ");
  if (kind === "suppressions") {
    throw invalid(`map.${key}`, `must be one of ${known}, or null for none`);
  }
  const name = field.startsWith(VARIABLE) ? field.slice(VARIABLE.length) : "";
  if (name === "" || name.length > VARIABLE_NAME_MAX) {
    throw invalid(`map.${key}`, `must be one of ${known}, variables.<name>, or null for none`);
  }
  return `variables.${name}`;
}

/** A row of a file as an item of an import: its cells by column, or the fields of a JSON object. */

import { TAG_SEPARATORS } from "#domain/campaigns/tag.ts";
import type { Column } from "#domain/leads/import/columns.ts";
import type { LineReason } from "#domain/leads/import/import.ts";
import { LEAD_FIELDS } from "#domain/leads/lead.ts";
import type { LeadTexts } from "#store/leads/import.ts";
import type { ImportItem } from "./import-row.ts";

/** Characters of a field beside variables, as everywhere in the API. */
const FIELD_MAX = 500;
const ADDRESS_SHOWN_MAX = 320;

/** What a row says, or why it says nothing usable; `email` as far as it has one. */
export type RowRead<Item> = { item: Item } | { reason: LineReason; email: string };

/** How the rows of a kind of file are read: those of CSV, and the values of NDJSON and JSON. */
export interface ItemReader<Item> {
  ofCells: (columns: readonly Column[], cells: readonly string[]) => RowRead<Item>;
  ofJson: (value: unknown) => RowRead<Item>;
}

type TextField = (typeof LEAD_FIELDS)[number];

const NAMES: Readonly<Record<TextField, keyof LeadTexts>> = {
  first_name: "firstName",
  last_name: "lastName",
  company: "company",
  website: "website",
  phone: "phone",
  timezone: "timezone",
};

/** A row of CSV. Empty cells say nothing; cells beyond the headings must be empty. */
export function itemOfCells(
  columns: readonly Column[],
  cells: readonly string[],
): RowRead<ImportItem> {
  const texts: Partial<LeadTexts> = {};
  const variables: Record<string, string> = {};
  let email = "";
  let tags: string[] = [];
  for (const [index, column] of columns.entries()) {
    const text = cells[index]?.trim() ?? "";
    const { field } = column;
    if (text === "" || field === null) {
      continue;
    }
    if (field === "email") {
      email = text;
    } else if (field === "tags") {
      tags = text.split(TAG_SEPARATORS).filter((word) => word.trim() !== "");
    } else if (field.startsWith("variables.")) {
      variables[field.slice("variables.".length)] = text.replaceAll(" \n", "\n");
    } else {
      texts[NAMES[field as TextField]] = oneLine(text);
    }
  }
  if (hasMore(columns, cells)) {
    return { reason: "too_many_columns", email: shown(email) };
  }
  return checked({
    email,
    ...texts,
    ...(isEmpty(variables) ? {} : { variables }),
    ...(tags.length === 0 ? {} : { tags }),
  });
}

/** True where something stands beyond the headings. */
export function hasMore(columns: readonly Column[], cells: readonly string[]): boolean {
  return cells.slice(columns.length).some((cell) => cell.trim() !== "");
}

/** A line of NDJSON, or an element of JSON: an object as the JSON import takes it. */
export function itemOfJson(value: unknown): RowRead<ImportItem> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { reason: "invalid_line", email: "" };
  }
  const { email, variables, tags, ...texts } = value as Record<string, unknown>;
  if (typeof email !== "string" || !isFlat(variables) || !areTexts(tags)) {
    return { reason: "invalid_line", email: typeof email === "string" ? shown(email) : "" };
  }
  const item: ImportItem = {
    email,
    ...(variables === undefined ? {} : { variables }),
    ...(tags === undefined ? {} : { tags }),
  };
  for (const [name, text] of Object.entries(texts)) {
    const field = LEAD_FIELDS.find((known) => known === name);
    if (field === undefined || (typeof text !== "string" && text !== null)) {
      return { reason: "invalid_line", email: shown(email) };
    }
    item[NAMES[field]] = text === null ? null : oneLine(text);
  }
  return checked(item);
}

function isFlat(variables: unknown): variables is Record<string, unknown> | undefined {
  return (
    variables === undefined ||
    (typeof variables === "object" && variables !== null && !Array.isArray(variables))
  );
}

function areTexts(tags: unknown): tags is string[] | undefined {
  return (
    tags === undefined || (Array.isArray(tags) && tags.every((one) => typeof one === "string"))
  );
}

function checked(item: ImportItem): RowRead<ImportItem> {
  const isLong = Object.values(NAMES).some((name) => (item[name]?.length ?? 0) > FIELD_MAX);
  if (isLong) {
    return { reason: "field_too_long", email: shown(item.email) };
  }
  return { item };
}

/** As a file may hold it, but never at any length. */
export function shown(email: string): string {
  return email.slice(0, ADDRESS_SHOWN_MAX);
}

/** Fields stand on one line; a line break or a control character in one is a space. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
}

function isEmpty(record: object): boolean {
  return Object.keys(record).length === 0;
}

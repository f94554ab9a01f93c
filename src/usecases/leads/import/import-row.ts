/** One line of an import: what it says, checked by itself, and what became of it. */

import { parseTag, TAGS_MAX } from "#domain/campaigns/tag.ts";
import { parseAddress } from "#domain/email-address.ts";
import {
  type ImportError,
  type LeadVariables,
  mergeVariables,
  type SkipReason,
} from "#domain/leads/lead.ts";
import { type OwnReason, ownReasons } from "#domain/mailboxes/address-check.ts";
import { canonicalTimezone } from "#domain/timezone.ts";
import type { LeadTexts } from "#store/leads/import.ts";
import type { Id } from "#store/sqlite/columns.ts";

/** One line of an import. What is absent, null or empty is not given. */
export interface ImportItem extends Partial<LeadTexts> {
  email: string;
  variables?: Readonly<Record<string, unknown>>;
  tags?: readonly string[];
}

export type Verdict = "imported" | SkipReason | ImportError;

/** What the lines of one import know of each other. */
export interface ItemMemory {
  /** True where the address has come before; remembers it. */
  readonly isRepeated: (address: string) => boolean;
  readonly zones: Map<string, string | null>;
}

/** An item on its way: first what it says, then what became of it. */
export interface Row {
  item: ImportItem;
  address: string;
  domain: string;
  /** Canonical, once the lead is placed the lead's own. */
  timezone: string | null;
  variables: LeadVariables;
  /** Normalized. */
  tags: readonly string[];
  /** Null: not checked yet. */
  verdict: Verdict | null;
  /** What speaks against its address, whatever its domain says. */
  reasons: readonly OwnReason[];
  /** Set once placed. */
  leadId: Id;
  isKnown: boolean;
}

const NONE: LeadVariables = {};
const UNREAD = {
  address: "",
  domain: "",
  timezone: null,
  variables: NONE,
  tags: [],
  reasons: [],
  verdict: null,
  leadId: "",
  isKnown: false,
} as const;

/** `run` remembers the address and its zone. */
export function readItem(run: ItemMemory, item: ImportItem): Row {
  const row: Row = { item, ...UNREAD };
  const parsed = parseAddress(item.email);
  if (parsed === null) {
    return { ...row, verdict: "invalid_email" };
  }
  row.address = parsed.address;
  row.domain = parsed.domain;
  if (run.isRepeated(row.address)) {
    return { ...row, verdict: "duplicate_in_request" };
  }
  row.reasons = ownReasons(row.address);
  if (item.variables !== undefined) {
    const merged = mergeVariables(NONE, item.variables);
    if ("fault" in merged) {
      return { ...row, verdict: "variables_invalid" };
    }
    row.variables = merged.variables;
  }
  if (item.tags !== undefined) {
    const names = item.tags.map(parseTag);
    if (names.includes(null) || names.length > TAGS_MAX) {
      return { ...row, verdict: "tags_invalid" };
    }
    row.tags = [...new Set(names.filter((name) => name !== null))];
  }
  const given = orNull(item.timezone);
  if (given !== null) {
    row.timezone = remembered(run.zones, given, canonicalTimezone);
    if (row.timezone === null) {
      return { ...row, verdict: "timezone_invalid" };
    }
  }
  return row;
}

/** By code unit, as SQLite compares. */
export function byAddress(a: Row, b: Row): number {
  return a.address < b.address ? -1 : 1;
}

export function textsOf({ item, timezone }: Row): LeadTexts {
  return {
    firstName: orNull(item.firstName),
    lastName: orNull(item.lastName),
    company: orNull(item.company),
    website: orNull(item.website),
    phone: orNull(item.phone),
    timezone,
  };
}

/** Spaces and nothing are not given. */
function orNull(text: string | null | undefined): string | null {
  const trimmed = text?.trim();
  return trimmed === undefined || trimmed === "" ? null : trimmed;
}

/** Zones and domains remembered by a run. */
const REMEMBERED_MAX = 10_000;

/** What `find` says of a name, or has said of it. */
export function remembered<Value>(
  known: Map<string, Value>,
  name: string,
  find: (name: string) => Value,
): Value {
  let value = known.get(name);
  if (value === undefined) {
    value = find(name);
    if (known.size < REMEMBERED_MAX) {
      known.set(name, value);
    }
  }
  return value;
}

/** Whose a row is; true where an address from before a merge names a lead that has come before. */
export function recognize(
  row: Row,
  known: { id: Id; email: string },
  isRepeated: (address: string) => boolean,
): boolean {
  row.leadId = known.id;
  row.isKnown = true;
  if (known.email === row.address) {
    return false;
  }
  row.domain = known.email.slice(known.email.lastIndexOf("@") + 1);
  return isRepeated(known.email);
}

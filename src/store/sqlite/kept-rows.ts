/**
 * Rows that are kept decoded, so that what one mail asks ten times is read once; and which rows a list
 * holds. Inside a group of commits (`commit.ts`) no other connection can write, and whatever this one
 * writes is seen by {@link KeptRows.note} before it happens. What is kept outlives the group. Whether
 * another process has written is asked in each group, and outside of groups once a turn of the event
 * loop: what is kept is forgotten then.
 *
 * A kept row is shared by all who ask: nobody changes one in place.
 */

import type { Database } from "bun:sqlite";

/**
 * Tables whose rows are asked for again and again while mail is sent and read, and how many rows of each
 * are kept; beyond it all of them are forgotten.
 */
const ROWS_MAX: ReadonlyMap<string, number> = new Map([
  ["accounts", 4096],
  ["campaigns", 4096],
  ["enrollments", 1024],
  ["experiments", 1024],
  ["exposures", 1024],
  ["leads", 1024],
  ["left_places", 4096],
  ["messages", 512],
  ["sandbox_settings", 1024],
  ["steps", 4096],
  ["subscriptions", 1024],
  ["teams", 1024],
  ["usage", 4096],
  ["variants", 1024],
]);
/**
 * Tables with kept lists, or with kept answers: whose rows they are of, by a column that never changes, and
 * the columns beside it by which a row is chosen or ordered.
 */
const LISTED: ReadonlyMap<string, { of: string; by: ReadonlySet<string> }> = new Map([
  ["campaigns", { of: "teamId", by: new Set(["status"]) }],
  ["enrollments", { of: "campaignId", by: new Set(["accountId", "domain", "dueAt", "zone"]) }],
  ["experiments", { of: "campaignId", by: new Set(["closedAt"]) }],
  ["left_places", { of: "campaignId", by: new Set() }],
  ["placement_seeds", { of: "teamId", by: new Set(["email"]) }],
  ["steps", { of: "campaignId", by: new Set(["position"]) }],
  ["subscriptions", { of: "id", by: new Set() }],
  ["variants", { of: "experimentId", by: new Set(["place"]) }],
  [
    "webhooks",
    { of: "teamId", by: new Set(["active", "deletedAt", "dueAt", "events", "pausedUntil"]) },
  ],
]);
/** Lists of one table; beyond it all of them are forgotten. */
const LISTS_MAX = 4096;
/** Owners of one table with answers, and answers of one; beyond it all of them are forgotten. */
const OWNERS_MAX = 512;
const ANSWERS_MAX = 128;
/** Owners of which it is known what is first. */
const FIRSTS_MAX = 4096;
/** A row with a longer text is not kept. */
const TEXT_CHARS_MAX = 32_768;

/** A row by its columns' names. */
export type KeptRow = Readonly<Record<string, unknown>>;

type Answers = Map<string, { value: unknown }>;

/** What is first by the first of `columns`, and which one it is depends on all of them. */
interface Firsts {
  columns: readonly string[];
  values: Answers;
}

interface Reads {
  values(...parameters: unknown[]): unknown[][];
}

export class KeptRows {
  readonly #tables = new Map<string, Map<string, KeptRow>>();
  readonly #lists = new Map<string, Map<string, readonly string[]>>();
  readonly #answers = new Map<string, Map<string, Answers>>();
  readonly #firsts = new Map<string, Map<string, Firsts>>();
  /** Of a database in memory there is no other connection. */
  readonly #isAlone: boolean;
  readonly #version: () => Reads;
  readonly #cascades: () => Reads;
  #versionSeen: unknown;
  #parents: ReadonlySet<unknown> | undefined;
  #isOpen = false;
  #isAsked = false;

  constructor(raw: Database) {
    this.#isAlone = raw.filename === ":memory:";
    this.#version = once(() => raw.prepare("PRAGMA data_version"));
    this.#cascades = once(() =>
      raw.prepare(
        `select distinct f."table" from sqlite_master m, pragma_foreign_key_list(m.name) f
           where m.type = 'table' and f.on_delete <> 'NO ACTION'`,
      ),
    );
  }

  /** A transaction that only this connection can write in has begun. */
  open(): void {
    if (!this.#isAlone) {
      this.#ask();
    }
    this.#isOpen = true;
  }

  close(): void {
    this.#isOpen = false;
  }

  /** The row as it is in the file now; undefined: it is not known here. */
  get(table: string, id: string): KeptRow | undefined {
    const row = this.#tables.get(table)?.get(id);
    return row !== undefined && this.#isSame() ? row : undefined;
  }

  /** The row that is kept, or what `read` finds. Outside of groups that is kept too. */
  find<Row extends KeptRow>(
    table: string,
    id: string,
    read: () => Row | undefined,
  ): Row | undefined {
    const known = this.get(table, id);
    if (known !== undefined) {
      return known as Row;
    }
    const row = read();
    // After the read: what another process wrote just before it would be of another state.
    if (row !== undefined && this.#isSame()) {
      this.#keep(table, id, row);
    }
    return row;
  }

  /** The row as it was written. */
  put(table: string, id: string, row: KeptRow): void {
    if (this.#isOpen) {
      this.#keep(table, id, row);
    } else {
      this.drop(table, id);
    }
  }

  #keep(table: string, id: string, row: KeptRow): void {
    const rowsMax = ROWS_MAX.get(table);
    if (rowsMax === undefined) {
      return;
    }
    if (Object.values(row).some(isLong)) {
      this.drop(table, id);
      return;
    }
    let rows = this.#tables.get(table);
    if (rows === undefined) {
      rows = new Map();
      this.#tables.set(table, rows);
    } else if (rows.size >= rowsMax) {
      rows.clear();
    }
    rows.set(id, row);
  }

  drop(table: string, id: string): void {
    this.#tables.get(table)?.delete(id);
  }

  /** The ids of the table's list of `owner`, in its order; undefined: they are not known here. */
  list(table: string, owner: string): readonly string[] | undefined {
    const ids = this.#lists.get(table)?.get(owner);
    return ids !== undefined && this.#isSame() ? ids : undefined;
  }

  /** Which rows the list holds that is told of in {@link LISTED}. */
  putList(table: string, owner: string, ids: readonly string[]): void {
    if (!this.#isOpen) {
      return;
    }
    let lists = this.#lists.get(table);
    if (lists === undefined) {
      lists = new Map();
      this.#lists.set(table, lists);
    } else if (lists.size >= LISTS_MAX) {
      lists.clear();
    }
    lists.set(owner, ids);
  }

  /**
   * What `read` finds among the rows of `owner`, or has found before: it reads nothing of them but the
   * columns that {@link LISTED} tells of. `question` says which of the owner's answers it is.
   */
  answer<Value>(table: string, owner: string, question: string, read: () => Value): Value {
    const known = this.#answers.get(table)?.get(owner)?.get(question);
    if (known !== undefined && this.#isSame()) {
      return known.value as Value;
    }
    const value = read();
    if (this.#isSame()) {
      const owners = placeIn(this.#answers, table, () => new Map<string, Answers>());
      const answers = placeIn(owners, owner, () => new Map());
      if (owners.size > OWNERS_MAX) {
        owners.clear();
        owners.set(owner, answers);
      }
      if (answers.size >= ANSWERS_MAX) {
        answers.clear();
      }
      answers.set(question, { value });
    }
    return value;
  }

  /**
   * What is first among the rows of a table by the first of `columns`, of those alone in which it is not
   * null; `read` finds it, or has found it since one of them was written. `of` tells several apart.
   */
  first<Value>(table: string, columns: readonly string[], of: string, read: () => Value): Value {
    const question = columns.join(" ");
    const known = this.#firsts.get(table)?.get(question)?.values.get(of);
    if (known !== undefined && this.#isSame()) {
      return known.value as Value;
    }
    const value = read();
    if (this.#isSame()) {
      const firsts = placeIn(this.#firsts, table, () => new Map<string, Firsts>());
      const { values } = placeIn(firsts, question, () => ({ columns, values: new Map() }));
      if (values.size >= FIRSTS_MAX) {
        values.clear();
      }
      values.set(of, { value });
    }
    return value;
  }

  /** `row` is new, or differs from before in these columns: it may have come to a list or left it, or be due next. */
  noteRow(table: string, row: KeptRow, columns: readonly { name: string }[] | "new"): void {
    for (const firsts of this.#firsts.get(table)?.values() ?? []) {
      if (isAmong(firsts.columns, row, columns)) {
        firsts.values.clear();
      }
    }
    const listed = LISTED.get(table);
    if (listed === undefined) {
      return;
    }
    if (columns === "new" || columns.some(({ name }) => listed.by.has(name))) {
      const owner = String(row[listed.of]);
      this.#lists.get(table)?.delete(owner);
      this.#answers.get(table)?.delete(owner);
    }
  }

  /**
   * No other process has written since it was last asked, as none can in a group. Else all is forgotten.
   * What another process writes after the turn's question may be read and kept beside what was there
   * before, until the next turn asks and forgets both.
   */
  #isSame(): boolean {
    return this.#isOpen || this.#isAlone || this.#isAsked || this.#ask();
  }

  #ask(): boolean {
    if (!this.#isAsked) {
      this.#isAsked = true;
      setImmediate(() => {
        this.#isAsked = false;
      });
    }
    const version = this.#version().values()[0]?.[0];
    if (version === this.#versionSeen) {
      return true;
    }
    this.#versionSeen = version;
    this.clear();
    return false;
  }

  /** Something was undone, or may have been written by somebody else. */
  clear(): void {
    this.#tables.clear();
    this.#lists.clear();
    this.#answers.clear();
    this.#firsts.clear();
  }

  /** Rows of `write.table` are about to be written, by a statement that does not say which. */
  note(write: Write): void {
    if (write.table === null || (write.deletes && this.#cascadesFrom(write.table))) {
      this.clear();
    } else {
      this.#tables.delete(write.table);
      this.#lists.delete(write.table);
      this.#answers.delete(write.table);
      this.#firsts.delete(write.table);
    }
  }

  #cascadesFrom(table: string): boolean {
    this.#parents ??= new Set(
      this.#cascades()
        .values()
        .map(([parent]) => parent),
    );
    return this.#parents.has(table);
  }
}

/** What is in `map` under `name`, or else what is made and put there. */
function placeIn<Value>(map: Map<string, Value>, name: string, make: () => Value): Value {
  const found = map.get(name) ?? make();
  map.set(name, found);
  return found;
}

/** May a row that is new, or was changed in these columns, be first by `by`, or have been? */
function isAmong(
  by: readonly string[],
  row: KeptRow,
  columns: readonly { name: string }[] | "new",
): boolean {
  return columns === "new"
    ? row[by[0] ?? ""] !== null
    : columns.some(({ name }) => by.includes(name));
}

function isLong(value: unknown): boolean {
  return typeof value === "string" && value.length > TEXT_CHARS_MAX;
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** What a statement may write; `table` null: whatever there is. */
export interface Write {
  table: string | null;
  deletes: boolean;
}

const HARMLESS =
  /^\s*(select|pragma|begin|commit|end|savepoint|release|rollback|explain|analyze)\b/i;
const WRITES =
  /^\s*(?:insert(?:\s+or\s+\w+)?\s+into|replace\s+into|update(?:\s+or\s+\w+)?|delete\s+from)\s+["`[]?(\w+)/i;

/** What `sql` may write; undefined: nothing that could be kept. */
export function writeOf(sql: string): Write | undefined {
  if (HARMLESS.test(sql)) {
    return undefined;
  }
  const table = WRITES.exec(sql)?.[1] ?? null;
  return { table, deletes: /^\s*delete\b/i.test(sql) };
}

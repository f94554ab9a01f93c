/**
 * Column types that every table shares. Ids are UUIDv7 strings outside and BLOB(16) inside: text would
 * double the file, and a random key costs five times the time of an ordered one.
 *
 * Source: `docs/adr/store.md`, "Ids are UUIDv7 and rise strictly".
 */

import { Column, is, Param, type SQL, sql } from "drizzle-orm";
import { customType, SQLiteCustomColumn } from "drizzle-orm/sqlite-core";
import type { UnixMs } from "#domain/time.ts";

/** A UUID in lower case with dashes. */
export type Id = string;

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function isId(value: unknown): boolean {
  return typeof value === "string" && ID.test(value);
}

/** After every id that there can be. */
export const LAST_ID: Id = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Ids whose bytes are kept: of one email the same ten are written and asked for a hundred times. */
const KNOWN_MAX = 4096;
const known = new Map<Id, Uint8Array>();

/** Shared by all who ask: nobody changes the bytes. */
export function idToBytes(id: Id): Uint8Array {
  let bytes = known.get(id);
  if (bytes === undefined) {
    bytes = readId(id);
    if (known.size >= KNOWN_MAX) {
      known.clear();
    }
    known.set(id, bytes);
  }
  return bytes;
}

function readId(id: Id): Uint8Array {
  const hex = id.slice(0, 8) + id.slice(9, 13) + id.slice(14, 18) + id.slice(19, 23) + id.slice(24);
  return Uint8Array.fromHex(hex);
}

export function bytesToId(bytes: Uint8Array): Id {
  const hex = bytes.toHex();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * A prepared statement hands `null` to the encoder too (an ordinary one does not), so every encoder of
 * this file lets it pass.
 */
function orNull<From, To>(encode: (value: From) => To): (value: From) => To {
  return (value) => (value === null ? (null as To) : encode(value));
}

export const uuid = customType<{ data: Id; driverData: Uint8Array }>({
  dataType: () => "blob",
  toDriver: orNull(idToBytes),
  fromDriver: bytesToId,
});

export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => "blob",
});

export const instant = customType<{ data: UnixMs; driverData: number }>({
  dataType: () => "integer",
});

export const flag = customType<{ data: boolean; driverData: number }>({
  dataType: () => "integer",
  toDriver: orNull((value) => (value ? 1 : 0)),
  fromDriver: (value) => value !== 0,
});

/** A JSON document in a text column. The type is the writer's promise: only we write it. */
export function json<Data>(name: string) {
  return customType<{ data: Data; driverData: string }>({
    dataType: () => "text",
    toDriver: orNull((value) => JSON.stringify(value)),
    fromDriver: (value) => JSON.parse(value) as Data,
  })(name);
}

type Codec = (value: unknown) => unknown;

/** How values of a column cross; null where they are the driver's already. A null is never decoded. */
export function codecOf(column: Column): { toDriver: Codec | null; fromDriver: Codec | null } {
  if (is(column, SQLiteCustomColumn)) {
    const { mapTo, mapFrom } = column as unknown as { mapTo?: Codec; mapFrom?: Codec };
    return { toDriver: mapTo ?? null, fromDriver: mapFrom ?? null };
  }
  const { mapToDriverValue, mapFromDriverValue } = Column.prototype;
  const isOwn = column.mapToDriverValue !== mapToDriverValue;
  const isRead = column.mapFromDriverValue !== mapFromDriverValue;
  return {
    toDriver: isOwn ? (value) => column.mapToDriverValue(value) : null,
    fromDriver: isRead ? (value) => column.mapFromDriverValue(value) : null,
  };
}

/**
 * `column = :name` for a prepared statement, encoded as the column encodes. (Drizzle's own `eq` hands a
 * placeholder's value to the driver as it is, which would compare a BLOB with a string.)
 */
export function equals(column: Column, name: string): SQL {
  return sql`${column} = ${placeholder(column, name)}`;
}

/** A named parameter encoded as `column` encodes its values. */
export function placeholder(column: Column, name: string): SQL {
  return sql`${new Param(sql.placeholder(name), column)}`;
}

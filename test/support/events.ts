/** Every event that a test has caused is held against the schema that is published of its kind. */

import type { TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { EVENT_DATA } from "#domain/event-data.ts";
import { EVENT_TYPES, type EventType } from "#domain/events/event.ts";
import type { Db } from "#store/sqlite/database.ts";

const checks = new Map<EventType, TypeCheck<TSchema>>();

function checkOf(type: EventType): TypeCheck<TSchema> {
  const check = checks.get(type) ?? TypeCompiler.Compile(EVENT_DATA[type] as TSchema);
  checks.set(type, check);
  return check;
}

/** What is wrong with the data of an event; empty where nothing is. */
export function faultsOf(type: EventType, data: unknown): string[] {
  return [...checkOf(type).Errors(data)].map(({ path, message }) => `${type}${path}: ${message}`);
}

interface Row {
  type: string;
  data: string;
}

/** Throws when an event of `db` is of no known kind, or does not fit its kind's schema. */
export function checkEvents(db: Db): void {
  const rows = db.raw.query<Row, []>("select type, data from events").all();
  const faults = rows.flatMap(({ type, data }) => {
    const known = EVENT_TYPES.find((candidate) => candidate === type);
    return known === undefined ? [`no such kind: ${type}`] : faultsOf(known, JSON.parse(data));
  });
  if (faults.length > 0) {
    throw new Error(`events that do not fit their schema:\n${[...new Set(faults)].join("\n")}`);
  }
}

/** What an audit entry keeps of a record: the fields that changed, named and written as the API does. */

import { toIso, unixMs } from "#domain/time.ts";

/** A record as it was or is; null where there was none or is none any more. */
export type Snapshot = Readonly<Record<string, unknown>> | null;

/** Depth to which a snapshot is read; what lies deeper is left out. */
const DEPTH_MAX = 8;

/** `before` and `after` of an entry: where both are given, only what differs. */
export function auditFacts(before: Snapshot, after: Snapshot): [Snapshot, Snapshot] {
  const [was, is] = [onWire(before), onWire(after)];
  if (was === null || is === null) {
    return [was, is];
  }
  const names = Object.keys({ ...was, ...is }).filter(
    (name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]),
  );
  const pick = (from: NonNullable<Snapshot>) =>
    Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
  return [pick(was), pick(is)];
}

function onWire(snapshot: Snapshot): Snapshot {
  return snapshot === null ? null : recordOnWire(snapshot, 1);
}

function recordOnWire(
  record: Readonly<Record<string, unknown>>,
  depth: number,
): Record<string, unknown> {
  // Without a prototype, so that any name is a field like another.
  const wire: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(record)) {
    const snake = snakeCase(name);
    wire[snake] = valueOnWire(snake, record[name], depth);
  }
  return wire;
}

/** What was turned before: the names of our records come again with each entry, a team's own fields may not. */
const turned = new Map<string, string>();
const TURNED_MAX = 1_000;

function snakeCase(name: string): string {
  const known = turned.get(name);
  if (known !== undefined) {
    return known;
  }
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (turned.size < TURNED_MAX) {
    turned.set(name, snake);
  }
  return snake;
}

/** Numbers under a name in `_at` are instants. */
function valueOnWire(name: string, value: unknown, depth: number): unknown {
  if (typeof value === "number" && name.endsWith("_at")) {
    return toIso(unixMs(value));
  }
  if (typeof value !== "object" || value === null) {
    return value ?? null;
  }
  if (depth >= DEPTH_MAX) {
    return null;
  }
  return Array.isArray(value)
    ? value.map((item: unknown) => valueOnWire("", item, depth + 1))
    : recordOnWire(value as Readonly<Record<string, unknown>>, depth + 1);
}

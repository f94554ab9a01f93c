/** What every use case leaves behind in its own transaction: an event for others, an entry for the audit. */

import type { EventType } from "#domain/event.ts";
import type { EventData } from "#domain/event-data.ts";
import type { Id } from "#store/columns.ts";
import * as journal from "#store/journal.ts";
import type { Caller, World } from "#world.ts";
import { fanOut } from "./fan-out.ts";

type Snapshot = Readonly<Record<string, unknown>> | null;

/** Appends an event of the team, and queues it for the webhooks that want it. */
export function emit<Type extends EventType>(
  world: World,
  teamId: Id,
  type: Type,
  data: EventData<Type>,
): void {
  const createdAt = world.clock.now();
  const id = world.ids.next(createdAt);
  journal.appendEvent(world.db, { id, teamId, type, createdAt, data });
  fanOut(world, { id, teamId, type });
  world.feed.notify();
}

/**
 * Appends an audit entry. Of `before` and `after` only the fields that differ are kept; neither may
 * hold a secret. `target` is `<noun>:<id>`.
 */
export function audit(
  world: World,
  caller: Caller,
  entry: { action: string; target: string; before?: Snapshot; after?: Snapshot },
): void {
  const [before, after] = difference(entry.before ?? null, entry.after ?? null);
  journal.appendAudit(world.db, {
    teamId: caller.teamId,
    actor: caller.actor,
    action: entry.action,
    target: entry.target,
    at: world.wall.now(),
    before,
    after,
  });
}

function difference(before: Snapshot, after: Snapshot) {
  if (before === null || after === null) {
    return [before, after] as const;
  }
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const pick = (from: NonNullable<Snapshot>) =>
    Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
  return [pick(before), pick(after)] as const;
}

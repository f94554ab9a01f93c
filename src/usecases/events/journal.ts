/** What every use case leaves behind in its own transaction: an event for others, an entry for the audit. */

import { auditFacts, type Snapshot } from "#domain/events/audit.ts";
import type { EventType } from "#domain/events/event.ts";
import type { EventData } from "#domain/events/event-data.ts";
import * as journal from "#store/events/journal.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { type Caller, engineCaller, type World } from "#world.ts";
import { fanOut } from "./fan-out.ts";

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
  world.feed.notify(teamId);
}

/**
 * Appends an audit entry. Of `before` and `after` only the fields that differ are kept, as the API names
 * them; neither may hold a secret or what names a recipient. `target` is `<noun>:<id>`.
 */
export function audit(
  world: World,
  caller: Caller,
  entry: { action: string; target: string; before?: Snapshot; after?: Snapshot },
): void {
  const [before, after] = auditFacts(entry.before ?? null, entry.after ?? null);
  journal.appendAudit(world.db, {
    teamId: caller.teamId,
    actor: caller.actor,
    action: entry.action,
    target: entry.target,
    at: world.wall.now(),
    before,
    after,
    requestId: caller.requestId ?? null,
  });
}

/** What the engine did by itself to a record of the team. */
export function auditEngine(
  world: World,
  teamId: Id,
  entry: { action: string; target: string; before?: Snapshot; after?: Snapshot },
): void {
  audit(world, engineCaller(teamId), entry);
}

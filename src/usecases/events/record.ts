/** What every use case leaves behind in its own transaction: an event for others, an entry for the audit. */

import type { EventData } from "#domain/event-data.ts";
import { auditFacts, type Snapshot } from "#domain/events/audit.ts";
import type { EventType } from "#domain/events/event.ts";
import { DAY_MS, plus } from "#domain/time.ts";
import { type Caller, type Environment, engineCaller } from "#environment.ts";
import { appendAudit, pruneAudit } from "#store/events/audit.ts";
import { appendEvent } from "#store/events/events.ts";
import { pruneResponses } from "#store/events/idempotency.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { fanOut } from "./fan-out.ts";

const AUDIT_PRUNED_MAX = 10_000;
const RESPONSES_KEPT_MS = DAY_MS;

/** Appends an event of the team, and queues it for the webhooks that want it. Returns its id. */
export function emit<Type extends EventType>(
  env: Environment,
  teamId: Id,
  type: Type,
  data: EventData<Type>,
): Id {
  const createdAt = env.clock.now();
  const id = env.ids.next(createdAt);
  appendEvent(env.db, { id, teamId, type, createdAt, data });
  fanOut(env, { id, teamId, type, data });
  env.feed.notify(teamId);
  return id;
}

/**
 * Appends an audit entry. Of `before` and `after` only the fields that differ are kept, as the API names
 * them; neither may hold a secret or what names a recipient. `target` is `<noun>:<id>`.
 */
export function audit(
  env: Environment,
  caller: Caller,
  entry: { action: string; target: string; before?: Snapshot; after?: Snapshot },
): void {
  const [before, after] = auditFacts(entry.before ?? null, entry.after ?? null);
  appendAudit(env.db, {
    teamId: caller.teamId,
    actor: caller.actor,
    action: entry.action,
    target: entry.target,
    at: env.wall.now(),
    before,
    after,
    requestId: caller.requestId ?? null,
  });
  env.feed.notify(caller.teamId);
}

/** What the engine did by itself to a record of the team. */
export function auditEngine(
  env: Environment,
  teamId: Id,
  entry: { action: string; target: string; before?: Snapshot; after?: Snapshot },
): void {
  audit(env, engineCaller(teamId), entry);
}

/** Upkeep, inside a commit: a file that was kept for years under another setting is tidied hour by hour. */
export function forgetAudit(env: Environment): void {
  const { auditKeptMs } = env;
  if (auditKeptMs !== null) {
    pruneAudit(env.db, plus(env.wall.now(), -auditKeptMs), AUDIT_PRUNED_MAX);
  }
}

/** Upkeep, inside a commit: the responses to requests that carried an `Idempotency-Key`. */
export function forgetResponses(env: Environment): void {
  pruneResponses(env.db, plus(env.wall.now(), -RESPONSES_KEPT_MS));
}

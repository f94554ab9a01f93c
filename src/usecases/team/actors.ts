/** Actors of the audit log by their names. */

import type { Environment } from "#environment.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { findKey } from "#store/team/keys.ts";
import { findUser } from "#store/team/people.ts";

/** Null for who has none, or is gone. People are in the live environment, keys in the one that they open. */
export function actorName(
  live: Environment,
  env: Environment,
  { teamId, actor }: { teamId: Id; actor: string },
): string | null {
  const [kind, id] = actor.split(":");
  if (id === undefined) {
    return null;
  }
  const found = kind === "user" ? findUser(live.db, id) : findKey(env.db, teamId, id);
  return found?.name ?? null;
}

/** `user:<id>` is a person; undefined for a key, the engine and the command line. */
export function userIdOf(actor: string): Id | undefined {
  return actor.startsWith("user:") ? actor.slice("user:".length) : undefined;
}

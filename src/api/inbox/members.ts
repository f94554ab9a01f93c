/** Members whom a request of the inbox names. They are the same in both environments. */

import type { Environments } from "#api/context.ts";
import { invalid } from "#domain/problem.ts";
import type { Caller } from "#environment.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { findMembership } from "#store/team/people.ts";

/** In lower case. Throws `validation_error` naming `field` for who isn't a member of the team. */
export function memberOf({ live }: Environments, { teamId }: Caller, id: Id, field: string): Id {
  const userId = id.toLowerCase();
  if (findMembership(live.db, teamId, userId) === undefined) {
    throw invalid(field, "must be a member of the team; see GET /team/members");
  }
  return userId;
}

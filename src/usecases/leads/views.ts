/** Views of a team's leads: everyone has their own, and those who may change leads share some with the team. */

import { parseFilter } from "#domain/filter.ts";
import {
  isLeadColumn,
  LEAD_COLUMNS,
  type LeadSort,
  PERSONAL_VIEWS_MAX,
  SHARED_VIEWS_MAX,
} from "#domain/leads/view.ts";
import { nearestWord } from "#domain/nearest-word.ts";
import { conflict, found, invalid, invalidAll, Problem } from "#domain/problem.ts";
import { holds } from "#domain/team/api-key.ts";
import type { Caller, Environment } from "#environment.ts";
import { LEAD_LIST } from "#store/filter/lists.ts";
import {
  findLeadView,
  insertLeadView,
  leadViewsOf,
  removeLeadView,
  updateLeadView,
} from "#store/leads/views.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { LeadViewRow } from "#store/tables/leads.ts";
import { audit } from "#usecases/events/record.ts";

export interface LeadViewFields {
  name: string;
  filter: string;
  sort: LeadSort;
  columns: readonly string[];
  shared: boolean;
}

/**
 * Throws `validation_error` naming the field, `permission_error` where it is shared by who may not change leads,
 * `conflict` for a name that is there or one too many.
 */
export function createLeadView(
  env: Environment,
  caller: Caller,
  input: LeadViewFields,
): LeadViewRow {
  const now = env.clock.now();
  const row: LeadViewRow = {
    ...{ ...input, name: input.name.trim(), id: env.ids.next(now), teamId: caller.teamId },
    ...{ author: caller.actor, createdAt: now, updatedAt: now },
  };
  check(env, caller, row);
  checkShared(caller, row);
  checkCount(env, caller, row);
  insertLeadView(env.db, row);
  const after = { shared: row.shared };
  audit(env, caller, { action: "lead_view.create", target: `lead_view:${row.id}`, after });
  return row;
}

/** Throws as {@link createLeadView} does, `not_found`, and `permission_error` for making another's view personal. */
export function patchLeadView(
  env: Environment,
  caller: Caller,
  id: Id,
  change: Partial<LeadViewFields>,
): LeadViewRow {
  const before = requireLeadView(env, caller, id);
  checkShared(caller, before);
  const after: LeadViewRow = { ...before, ...change };
  after.name = after.name.trim();
  const changed = Object.keys(change).filter(
    (name) => JSON.stringify(after[name as never]) !== JSON.stringify(before[name as never]),
  );
  if (changed.length === 0) {
    return before;
  }
  check(env, caller, after);
  if (before.shared !== after.shared) {
    checkShared(caller, after);
    checkCount(env, caller, after);
    if (!after.shared && before.author !== caller.actor) {
      throw new Problem("permission_error", "only who made a view may make it personal", "shared");
    }
  }
  const row = { ...after, updatedAt: env.clock.now() };
  updateLeadView(env.db, row);
  // Names of fields only: a filter may name a person, and the audit log stays when that person is erased.
  audit(env, caller, { action: "lead_view.patch", target: `lead_view:${id}`, after: { changed } });
  return row;
}

/** Throws `not_found`, and `permission_error` for a shared one where the caller may not change leads. */
export function deleteLeadView(env: Environment, caller: Caller, id: Id): void {
  const row = requireLeadView(env, caller, id);
  checkShared(caller, row);
  removeLeadView(env.db, id);
  const before = { shared: row.shared };
  audit(env, caller, { action: "lead_view.delete", target: `lead_view:${id}`, before });
}

/** Throws `not_found` for somebody else's personal view as for one that never was. */
export function requireLeadView(env: Environment, caller: Caller, id: Id): LeadViewRow {
  const row = found(findLeadView(env.db, caller.teamId, id), "view");
  return found(row.shared || row.author === caller.actor ? row : undefined, "view");
}

function checkShared({ scopes }: Caller, { shared }: LeadViewRow): void {
  if (shared && !holds(scopes, "leads:write")) {
    throw new Problem("permission_error", "a shared view needs the scope leads:write", "shared");
  }
}

function checkCount(env: Environment, caller: Caller, { shared }: LeadViewRow): void {
  const alike = leadViewsOf(env.db, caller.teamId, caller.actor).filter(
    (other) => other.shared === shared,
  );
  if (alike.length >= (shared ? SHARED_VIEWS_MAX : PERSONAL_VIEWS_MAX)) {
    throw conflict(
      shared
        ? `a team may share at most ${SHARED_VIEWS_MAX} views`
        : `you may have at most ${PERSONAL_VIEWS_MAX} views of your own`,
    );
  }
}

function check(env: Environment, caller: Caller, row: LeadViewRow): void {
  const isTaken = leadViewsOf(env.db, caller.teamId, caller.actor).some(
    ({ id, name }) => id !== row.id && name.toLowerCase() === row.name.toLowerCase(),
  );
  if (isTaken) {
    throw conflict("another view has this name", "name");
  }
  parseFilter(row.filter, LEAD_LIST.fields);
  for (const [at, column] of row.columns.entries()) {
    if (!isLeadColumn(column)) {
      const didYouMean = nearestWord(column, LEAD_COLUMNS) ?? null;
      const message = `there is no column "${column}"; there is ${LEAD_COLUMNS.join(", ")}, and variables.<name>`;
      throw invalidAll([{ field: `columns.${at}`, message, didYouMean }]);
    }
  }
  if (new Set(row.columns).size < row.columns.length) {
    throw invalid("columns", "must not name a column twice");
  }
}

/** Leads that a rule about `completed` moves on in a projected future, where nobody replies. */

import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { firstIdOf } from "#platform/ids.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { enrollmentsOfLead } from "#store/leads/enrollments.ts";
import { hasReply } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import { barOf, movedRow, ruleFor } from "#usecases/leads/moves.ts";

export interface ProjectedMoves {
  /** True of an enrollment that only {@link ProjectedMoves.finish} has made. */
  isToCome(id: Id): boolean;
  /** Its last step was sent at `at`. Where it moves on to, if a rule says so. */
  finish(row: EnrollmentRow, at: UnixMs): EnrollmentRow | undefined;
}

export function projectMoves(env: Environment): ProjectedMoves {
  const finished = new Set<Id>();
  const made = new Map<Id, EnrollmentRow[]>();
  const toCome = new Set<Id>();
  return {
    isToCome: (id) => toCome.has(id),
    finish: (row, at) => {
      finished.add(row.id);
      const rule = ruleFor(env, row, "completed");
      const target = campaignById(env.db, rule?.campaignId ?? null);
      if (rule === undefined || target === undefined || hasReply(env.db, row.id)) {
        return undefined;
      }
      const others = made.get(row.leadId) ?? [];
      const all = [...enrollmentsOfLead(env.db, row.leadId), ...others].map((one) =>
        finished.has(one.id) ? ({ ...one, status: "completed" } as const) : one,
      );
      if (barOf(env, row, target, all) !== null) {
        return undefined;
      }
      const moved = movedRow(row, rule, target, { id: idOf(at, toCome.size), now: at });
      toCome.add(moved.id);
      made.set(row.leadId, [...others, moved]);
      return moved;
    },
  };
}

/** In the order of the ids that the engine will make, and none of them. */
function idOf(at: UnixMs, count: number): Id {
  const number = count.toString(16);
  return firstIdOf(at).slice(0, -number.length) + number;
}

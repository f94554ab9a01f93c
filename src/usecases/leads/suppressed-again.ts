/**
 * What a database that was put back has forgotten of suppressions, and the list beside it knows: who was
 * suppressed since is suppressed again, and what was lifted since is lifted.
 */

import type { Environment } from "#environment.ts";
import { sha256 } from "#platform/secrets/crypto.ts";
import { ownTurn } from "#platform/turns.ts";
import { effectsOn, removeEffect } from "#store/inbox/effects.ts";
import { FIRST_ID } from "#store/leads/enrollment-scan.ts";
import { leadByEmail } from "#store/leads/leads.ts";
import {
  insertSuppression,
  removeSuppression,
  suppressionByHash,
  updateSuppression,
} from "#store/leads/suppressions.ts";
import { addressesOfLeads } from "#store/operations/erasure.ts";
import type { SuppressionLine } from "#store/operations/suppression-list.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { findTeam } from "#store/team/teams.ts";
import { newCause, note } from "#usecases/events/effect-log.ts";
import { auditEngine } from "#usecases/events/record.ts";
import { endOpen } from "./suppressions.ts";

/** Addresses that are read and hashed in one turn. */
const ADDRESSES_MAX = 5_000;
/** Each may end sequences. */
const LINES_MAX = 50;

export interface Repeated {
  suppressed: number;
  lifted: number;
}

/**
 * Carries out what the list has and the database doesn't know: it was put back to a state of before, or the program
 * was killed on the way. What is interrupted begins anew at the next start.
 */
export async function suppressAgain(env: Environment): Promise<Repeated> {
  const unseen = env.suppressionLog.unseen();
  const total = { suppressed: 0, lifted: 0 };
  for (const [teamId, lines] of Map.groupBy(unseen, (line) => line.teamId)) {
    if (findTeam(env.db, teamId) !== undefined) {
      const { suppressed, lifted } = await repeatFor(env, teamId, lines);
      total.suppressed += suppressed;
      total.lifted += lifted;
    }
  }
  if (env.suppressionLog.isBehind()) {
    await env.commit(env.suppressionLog.carriedOut);
  }
  return total;
}

async function repeatFor(
  env: Environment,
  teamId: Id,
  lines: readonly SuppressionLine[],
): Promise<Repeated> {
  // The last line of each says how it is.
  const states = [...new Map(lines.map((line) => [line.hash.toHex(), line])).values()];
  const unknown = states.filter((line) => !isKnown(env, line));
  const emails = await emailsOf(env, teamId, unknown);
  const done = { suppressed: 0, lifted: 0 };
  for (let from = 0; from < unknown.length; from += LINES_MAX) {
    await env.commit(() => {
      for (const line of unknown.slice(from, from + LINES_MAX)) {
        repeat(env, line, emails);
        done[line.suppression === null ? "lifted" : "suppressed"] += 1;
      }
    });
  }
  if (unknown.length > 0) {
    const why = "the data was restored to a state before that";
    await env.commit(() =>
      auditEngine(env, teamId, {
        action: "suppression.restore",
        target: `team:${teamId}`,
        after: { ...done, why },
      }),
    );
  }
  return done;
}

function isKnown({ db }: Environment, { teamId, hash, suppression }: SuppressionLine): boolean {
  return suppressionByHash(db, teamId, hash)?.reason === suppression?.reason;
}

/** Addresses of leads by their hash; no index finds them. */
async function emailsOf(
  env: Environment,
  teamId: Id,
  lines: readonly SuppressionLine[],
): Promise<Map<string, string>> {
  const wanted = new Set(lines.map(({ hash }) => hash.toHex()));
  const found = new Map<string, string>();
  let after: Id | undefined;
  while (wanted.size > found.size) {
    const slice = addressesOfLeads(env.db, teamId, after, ADDRESSES_MAX);
    for (const { address } of slice) {
      const hash = sha256(address).toHex();
      if (wanted.has(hash)) {
        found.set(hash, address);
      }
    }
    after = slice.at(-1)?.id;
    if (after === undefined) {
      break;
    }
    await ownTurn();
  }
  return found;
}

/** Without an event: it had its own when it was done, under the same id. */
function repeat(
  env: Environment,
  { teamId, hash, at, suppression }: SuppressionLine,
  emails: ReadonlyMap<string, string>,
): void {
  const { db } = env;
  const known = suppressionByHash(db, teamId, hash);
  if (suppression === null) {
    if (known !== undefined) {
      removeSuppression(db, known.id);
      for (const { id } of effectsOn(db, "suppression", known.id)) {
        removeEffect(db, id);
      }
    }
    return;
  }
  const { id, reason, domain } = suppression;
  const email = domain ?? emails.get(hash.toHex()) ?? null;
  const sweepAfter = domain === null ? null : FIRST_ID;
  const row = known ?? { id, teamId, hash, email, createdAt: at, reason, sweepAfter };
  if (known === undefined) {
    insertSuppression(db, row);
  } else {
    updateSuppression(db, { ...row, reason });
  }
  const cause = newCause(env);
  const before = known?.reason ?? null;
  note(env, cause, { teamId, subjectId: row.id }, "suppression", [before, reason]);
  const lead = email === null || domain !== null ? undefined : leadByEmail(db, teamId, email);
  if (lead !== undefined) {
    endOpen(env, { ...row, reason }, lead.id, cause);
  }
}

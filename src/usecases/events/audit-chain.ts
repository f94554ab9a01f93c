/** Whether a team's audit log is what was written, and where its chain stands for whoever keeps a copy of that. */

import { type ChainEnd, type ChainFault, chained, faultOf } from "#domain/events/audit-chain.ts";
import { toIso, type UnixMs, unixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { sha256 } from "#platform/secrets/crypto.ts";
import { ownTurn } from "#platform/turns.ts";
import {
  type AuditHead,
  auditAfter,
  auditAnchor,
  auditBeforeNewest,
  auditHead,
} from "#store/events/audit.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { readFact, writeFact } from "#store/sqlite/facts.ts";
import type { AuditRow } from "#store/tables/events.ts";
import { listTeams } from "#store/team/teams.ts";
import { auditEngine } from "./record.ts";

export interface ChainCheck {
  head: AuditHead | null;
  /** The last entry that was past its time and is gone. */
  anchor: AuditHead | null;
  checked: number;
  /** Entries among them from before there was a chain. */
  unchained: number;
  fault: { kind: ChainFault; seq: number; position: number | null } | null;
}

/** Entries that are read and hashed in one turn. */
const SLICE_MAX = 50;

/** Checks a team's `newest` entries, in slices. */
export async function checkChain(
  env: Environment,
  teamId: Id,
  newest: number,
): Promise<ChainCheck> {
  const [head, anchor] = [auditHead(env.db, teamId), auditAnchor(env.db, teamId)];
  const check: ChainCheck = { head, anchor, checked: 0, unchained: 0, fault: null };
  let seq = auditBeforeNewest(env.db, teamId, newest);
  const [before] = seq === 0 ? [] : auditAfter(env.db, teamId, seq - 1, 1);
  let last = before === undefined ? anchor : endOf(before);
  let rows = auditAfter(env.db, teamId, seq, SLICE_MAX);
  while (rows.length > 0 && check.fault === null) {
    for (const row of rows) {
      last = follow(check, row, last);
      seq = row.seq;
    }
    await ownTurn();
    rows = auditAfter(env.db, teamId, seq, SLICE_MAX);
  }
  const isFalse = check.fault !== null && isTrimmed(env, teamId, anchor);
  return isFalse ? checkChain(env, teamId, newest) : check;
}

/** Counts the row, and its fault where there was none before; returns where the chain has come to. */
function follow(check: ChainCheck, row: AuditRow, last: ChainEnd | null): ChainEnd | null {
  const end = endOf(row);
  check.checked += 1;
  if (end === null && last === null) {
    check.unchained += 1;
    return null;
  }
  const kind = faultOfRow(row, last);
  if (kind !== null) {
    check.fault ??= { kind, seq: row.seq, position: row.position };
  }
  return end;
}

/** Its end was forgotten while it was read: what follows is no gap. */
function isTrimmed({ db }: Environment, teamId: Id, anchor: ChainEnd | null): boolean {
  return auditAnchor(db, teamId)?.position !== anchor?.position;
}

function endOf({ position, hash }: AuditRow): ChainEnd | null {
  return position === null || hash === null ? null : { position, hash: hash.toHex() };
}

function faultOfRow(row: AuditRow, last: ChainEnd | null): ChainFault | null {
  // By its own number, so that one that was moved is told from one that was changed.
  const line = { ...chained(row, last), position: row.position };
  return faultOf(line, row.hash?.toHex(), last, hashText);
}

export function hashText(text: string): string {
  return sha256(text).toHex();
}

/** The instant up to which heads were noted in the server's log. */
const NOTED = "audit.noted";

/**
 * Upkeep, inside a commit: once a day each team's head goes into the server's log, where a log that is shipped
 * elsewhere keeps it from whoever may change the data.
 */
export function noteHeads(env: Environment): void {
  const now = env.wall.now();
  const noted = unixMs(Number(readFact(env.db, NOTED) ?? 0));
  if (toIso(noted).slice(0, 10) === toIso(now).slice(0, 10)) {
    return;
  }
  for (const { id } of listTeams(env.db)) {
    const head = auditHead(env.db, id);
    if (head !== null && head.at >= noted) {
      const { position, hash, at } = head;
      env.log.info("audit log", { env: env.name, team: id, position, hash, at: toIso(at) });
    }
  }
  writeFact(env.db, NOTED, String(now));
}

/** Data was put back: entries since then are gone, and each team's chain says so. Inside a commit. */
export function auditRestore(env: Environment, since: UnixMs, why: string): void {
  const after = { dataUntilAt: since, why };
  for (const { id } of listTeams(env.db)) {
    auditEngine(env, id, { action: "team.restore", target: `team:${id}`, after });
  }
}

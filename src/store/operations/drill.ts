/** How much a copy of the live database holds, held against the original; and the note of the last drill. */

import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { UnixMs } from "#domain/time.ts";
import { firstIdOf } from "#platform/ids.ts";
import { type Id, idToBytes } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { listTeams } from "#store/team/teams.ts";

/** Rows that go only when a person deletes them; their ids say when they were made. */
const COUNTED = ["accounts", "campaigns", "leads", "enrollments", "messages", "suppressions"];

/** Rows by table. */
export type Counts = Readonly<Record<string, number>>;

/** Of these teams alone: another one may have been brought in since, with ids of its own. */
export function countBefore(db: Db, before: UnixMs, teams: readonly Id[]): Counts {
  const counts = COUNTED.map((table) => {
    const query = db.raw.query<{ n: number }, [Uint8Array, Uint8Array]>(
      `select count(*) as n from ${table} where team_id = ?1 and id < ?2`,
    );
    const bound = idToBytes(firstIdOf(before) as Id);
    return [table, teams.reduce((sum, id) => sum + (query.get(idToBytes(id), bound)?.n ?? 0), 0)];
  });
  return Object.fromEntries(counts);
}

export function teamIdsOf(db: Db): Id[] {
  return listTeams(db).map(({ id }) => id);
}

/** How the last drill ended. */
export interface DrillNote {
  at: UnixMs;
  /** When the copy was made. */
  copiedAt: UnixMs;
  succeeded: boolean;
  /** Why it failed; empty where it didn't. */
  faults: string[];
}

const NOTE = "drill.json";

export function writeDrill(directory: string, note: DrillNote): void {
  const temporary = join(directory, `${NOTE}.new`);
  writeFileSync(temporary, `${JSON.stringify(note)}\n`, { mode: 0o600 });
  renameSync(temporary, join(directory, NOTE));
}

/** Null where there was none, or where its note can't be read. */
export function readDrill(directory: string): DrillNote | null {
  const path = join(directory, NOTE);
  try {
    return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as DrillNote) : null;
  } catch {
    return null;
  }
}

/**
 * Who was suppressed and whose suppression was lifted, remembered beside the databases: one that is put back to a
 * state of before is told at the next start.
 *
 * A line says what the database says at the end of a transaction. That somebody is suppressed is on the disk
 * before the COMMIT, one write and one wait for all that share it: what ends the program between the two leaves
 * a person too many suppressed. That a suppression was lifted is written after the COMMIT, for the same reason.
 */

import { SUPPRESSION_REASONS, type SuppressionReason } from "#domain/leads/suppression.ts";
import type { Env } from "#domain/team/api-key.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Log } from "#platform/log.ts";
import { FIRST_ID } from "#store/leads/enrollment-scan.ts";
import { suppressionByHash, suppressionsFrom } from "#store/leads/suppressions.ts";
import { type Id, isId } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { readFact, writeFact } from "#store/sqlite/facts.ts";
import type { Beside } from "#store/sqlite/transaction.ts";
import type { SuppressionRow } from "#store/tables/leads.ts";
import { type Line, listAt, type NumberedList } from "./numbered-list.ts";

export const SUPPRESSION_FILE = "suppressions.ndjson";

interface Facts {
  /** Null: it was lifted. */
  suppression: {
    id: Id;
    reason: SuppressionReason;
    /** `@example.com` where it is a domain's, which names nobody. */
    domain: string | null;
  } | null;
}

export type SuppressionLine = Line<Facts>;
export type SuppressionList = NumberedList<Facts>;

/** The list in the file at `path`. */
export function suppressionListAt(path: string): SuppressionList {
  return listAt<Facts>(path, {
    write: ({ suppression }) =>
      suppression === null
        ? { lifted: true }
        : { ...suppression, domain: suppression.domain ?? undefined },
    read: ({ lifted, id, reason, domain }) => {
      const known = SUPPRESSION_REASONS.find((one) => one === reason);
      if (lifted === true || known === undefined || !isId(id)) {
        return lifted === true ? { suppression: null } : null;
      }
      const pattern = typeof domain === "string" && domain.startsWith("@") ? domain : null;
      return { suppression: { id: String(id), reason: known, domain: pattern } };
    },
  });
}

/** The last number of the list that is carried out in this database. */
const SEEN = "suppressions.seen";
/** The first suppression of those that could not be written down, if there are any. */
const OWED = "suppressions.owed";
/** Written down late, in one transaction. */
const OWED_MAX = 500;

/** What a database writes down of its own suppressions. */
export interface SuppressionLog extends Beside {
  /** Of an address or a domain whose suppression the transaction changes. */
  note(teamId: Id, hash: Uint8Array): void;
  /** True while some could not be written down. */
  isOwing(): boolean;
  /** Writes some of them down, inside a commit. True when there are more. */
  writeOwed(): boolean;
  /** What was written down and is not carried out here, oldest first. */
  unseen(): SuppressionLine[];
  /** True where something was written down since {@link carriedOut}, or it is called for the first time. */
  isBehind(): boolean;
  /** All of it is, inside a commit. At the first time the suppressions that there are follow as owed ones. */
  carriedOut(): void;
}

interface LogParts {
  db: Db;
  env: Env;
  list: SuppressionList;
  now: () => UnixMs;
  log: Log;
}

export function createSuppressionLog({ db, env, list, now, log }: LogParts): SuppressionLog {
  const noted = new Map<string, { teamId: Id; hash: Uint8Array }>();
  let lifted: Omit<SuppressionLine, "seq">[] = [];
  /** Of lifts, which a database learns of with its next suppression. */
  let lastSeq = 0;
  const owed = () => readFact(db, OWED) ?? "";
  const seen = () => Number(readFact(db, SEEN) ?? 0);
  const recordSeen = (seq: number) => writeFact(db, SEEN, String(seq));
  const known = () => Math.max(lastSeq, seen());
  const lineOf = ({ id, teamId, hash, email, reason, createdAt }: SuppressionRow) => {
    const domain = email?.startsWith("@") ? email : null;
    return { env, teamId, hash, at: createdAt, suppression: { id, reason, domain } };
  };
  const write = (rows: readonly SuppressionRow[]): boolean => {
    try {
      lastSeq = list.add(rows.map(lineOf), known());
      return true;
    } catch (error) {
      if (owed() === "") {
        log.error("suppressions cannot be written down: a restore would lose them", {
          ...{ env, cause: String(error) },
        });
      }
      return false;
    } finally {
      // Of what was lifted before, too: it must not be carried out after what is suppressed now.
      recordSeen(known());
    }
  };
  return {
    note: (teamId, hash) => {
      noted.set(`${teamId} ${hash.toHex()}`, { teamId, hash });
    },
    before: () => {
      lifted = [];
      const rows: SuppressionRow[] = [];
      for (const { teamId, hash } of noted.values()) {
        const row = suppressionByHash(db, teamId, hash);
        if (row === undefined) {
          lifted.push({ env, teamId, hash, at: now(), suppression: null });
        } else {
          rows.push(row);
        }
      }
      noted.clear();
      if (rows.length > 0 && !write(rows)) {
        const [first = ""] = [owed(), ...rows.map(({ id }) => id)].filter(isId).sort();
        writeFact(db, OWED, first);
      }
    },
    after: () => {
      if (lifted.length > 0) {
        try {
          lastSeq = list.add(lifted, known());
        } catch (error) {
          log.error("a lifted suppression cannot be written down: a restore would bring it back", {
            ...{ env, cause: String(error) },
          });
        }
        lifted = [];
      }
    },
    isOwing: () => owed() !== "",
    writeOwed: () => {
      const from = owed();
      const rows = from === "" ? [] : suppressionsFrom(db, from, OWED_MAX + 1);
      const next = rows[OWED_MAX]?.id ?? "";
      if (from === "" || (rows.length > 0 && !write(rows.slice(0, OWED_MAX)))) {
        return false;
      }
      writeFact(db, OWED, next);
      return next !== "";
    },
    unseen: () => list.since(env, seen()),
    isBehind: () => readFact(db, SEEN) === undefined || list.last() > seen(),
    carriedOut: () => {
      if (readFact(db, SEEN) === undefined) {
        writeFact(db, OWED, FIRST_ID);
      }
      recordSeen(Math.max(seen(), list.last()));
    },
  };
}

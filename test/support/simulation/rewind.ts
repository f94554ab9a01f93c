/**
 * What the chronicle has to forget when the data goes back to an earlier state. What the outside world did stays:
 * email that was taken, and what came back, which is read once more. What people had asked for since is asked
 * for no longer, and what they had taken back is in force again.
 */

import type { Database } from "bun:sqlite";
import { amend, type Chronicle, type Fact } from "./chronicle.ts";

/** The data is as it was at `to`, a place in the chronicle; suppressions and their ends are remembered beside it. */
export function rewind(chronicle: Chronicle, to: number, db: Database): void {
  const [then, since] = [inForceAt(chronicle, to), inForceAt(chronicle, Number.MAX_SAFE_INTEGER)];
  for (const [key, { about, by }] of then) {
    if (!since.has(key)) {
      chronicle.note("stopped", about, by);
    }
  }
  for (const [key, { about, by }] of since) {
    if (!then.has(key)) {
      // Both ends: of what a person asked for, and of what an email did.
      chronicle.note("resumed", about);
      if (by !== undefined) {
        chronicle.note("freed", about, by);
      }
      noteOthers(chronicle, then, about);
    }
  }
  for (const [team, history] of chronicle.plans) {
    const plan = history.findLast(({ seq }) => seq <= to) ?? history[0];
    if (plan !== undefined) {
      amend(chronicle.plans, team, { ...plan, seq: chronicle.next() });
    }
  }
  for (const [mark, people] of chronicle.people) {
    const known = enrolled(db, chronicle.marks.get(mark) ?? "");
    chronicle.people.set(mark, people.intersection(known));
  }
  chronicle.isRewound = true;
}

/** What ended one stop of an address ended them all: those that are in force are noted anew. */
function noteOthers(chronicle: Chronicle, then: ReadonlyMap<string, Fact>, about: string): void {
  for (const other of then.values()) {
    if (other.about === about) {
      chronicle.note("stopped", about, other.by);
    }
  }
}

function inForceAt({ facts }: Chronicle, at: number): Map<string, Fact> {
  const found = new Map<string, Fact>();
  for (const fact of facts) {
    if (fact.seq > at) {
      continue;
    }
    if (fact.kind === "stopped") {
      found.set(`${fact.about} ${fact.by ?? ""}`, fact);
    }
    for (const [key, stop] of found) {
      const isOver =
        fact.kind === "freed"
          ? fact.by === stop.by
          : fact.kind === "resumed" && fact.about === stop.about;
      if (isOver) {
        found.delete(key);
      }
    }
  }
  return found;
}

function enrolled(db: Database, campaign: string): Set<string> {
  const query = `select l.email from enrollments e join leads l on l.id = e.lead_id
    where hex(e.campaign_id) = ?`;
  const rows = db.query<{ email: string }, [string]>(query);
  return new Set(rows.all(campaign.replaceAll("-", "").toUpperCase()).map(({ email }) => email));
}

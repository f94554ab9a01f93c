/**
 * The steps of a campaign as people have edited them, and where that leaves its leads: a line of places that
 * is written by the edits alone. A step that is deleted or moved back leaves its place in the line, and
 * whoever stands there goes on with the step behind it. Nothing of it is asked of the product's sequences.
 */

import type { Database } from "bun:sqlite";
import type { Environment } from "#environment.ts";
import { stepsOf } from "#store/campaigns/steps.ts";
import { bytesToId, type Id } from "#store/sqlite/columns.ts";
import type { StepRow } from "#store/tables/campaigns.ts";
import { type Chronicle, inForce } from "./chronicle.ts";

export interface Place {
  id: number;
  stepId: Id;
  /** The step's mark. */
  step: string;
  waitDays: number;
  waitMinutes: number;
  /** The step has left it. */
  isLeft: boolean;
}

/** In force from `seq`. */
export interface Line {
  seq: number;
  places: readonly Place[];
}

/** What moves a lead, or says where it stands, other than the email that it got. */
export interface Stand {
  seq: number;
  kind: /** A person put it there. */
    | "moved"
    /** A person has set when it is written to next. */
    | "booked"
    /** It is somebody new under a known address. */
    | "anew"
    /** It has come to a task. */
    | "task"
    /** It may have been sent the step, or may not. */
    | "unsure"
    /** Nothing follows any more. */
    | "finished";
  /** `<campaign>:<address>` */
  who: string;
  /** Null: before the first. */
  place: Place | null;
  messageId?: string;
}

/** What has been noted of leads already, so that each is noted once. */
export interface Noted {
  /** Message-IDs in doubt, and tasks. */
  once: Set<string>;
  finished: Set<string>;
}

export function beginLine(env: Environment, chronicle: Chronicle, mark: string): void {
  const id = chronicle.marks.get(mark) ?? "";
  saveLine(chronicle, mark, stepsOf(env.db, id).map(placeOf(chronicle)));
}

export function lineOf({ lines }: Chronicle, mark: string, seq = Number.MAX_SAFE_INTEGER) {
  return inForce(lines.get(mark), seq)?.places ?? [];
}

/** The place at which a step stands now. */
export function standing(line: readonly Place[], stepId: Id): Place | undefined {
  return line.find((place) => place.stepId === stepId && !place.isLeft);
}

/** Each step at its position that was not there before, behind all places left ahead of its next neighbor. */
export function recordInserted(env: Environment, chronicle: Chronicle, mark: string): void {
  let line = lineOf(chronicle, mark);
  for (const row of stepsOf(env.db, chronicle.marks.get(mark) ?? "")) {
    if (standing(line, row.id) === undefined) {
      line = withPlace(line, placeOf(chronicle)(row), row.position);
    }
  }
  saveLine(chronicle, mark, line);
}

export function recordDeleted(chronicle: Chronicle, mark: string, stepId: Id): void {
  saveLine(chronicle, mark, left(lineOf(chronicle, mark), stepId));
}

/** Moved ahead a step takes those along who stand there; moved back it does not. */
export function recordMoved(
  chronicle: Chronicle,
  mark: string,
  stepId: Id,
  position: number,
): void {
  const line = lineOf(chronicle, mark);
  const place = standing(line, stepId);
  if (place === undefined) {
    return;
  }
  const before = line.filter(({ isLeft }) => !isLeft).indexOf(place) + 1;
  if (before === position) {
    return;
  }
  const isBack = position > before;
  const others = isBack ? left(line, stepId) : line.filter((one) => one !== place);
  const moved = isBack ? { ...place, id: chronicle.next() } : place;
  saveLine(chronicle, mark, withPlace(others, moved, position));
}

export function recordWait(chronicle: Chronicle, mark: string, stepId: Id, waitDays: number): void {
  const line = lineOf(chronicle, mark);
  const place = standing(line, stepId);
  saveLine(
    chronicle,
    mark,
    line.map((one) => (one === place ? { ...one, waitDays } : one)),
  );
}

export function recordStand(chronicle: Chronicle, stand: Omit<Stand, "seq">): void {
  chronicle.stands.push({ seq: chronicle.next(), ...stand });
}

/** Notes what has become of leads by themselves since, under the lines that are still in force. */
export function recordProgress(db: Database, chronicle: Chronicle): void {
  const { once, finished } = chronicle.noted;
  for (const { key, mark, email, step, messageId } of unsettled(db, chronicle)) {
    const place = standing(lineOf(chronicle, mark), step);
    if (!once.has(key) && place !== undefined) {
      const kind = messageId === null ? "task" : "unsure";
      const message = messageId === null ? {} : { messageId };
      recordStand(chronicle, { kind, who: `${mark}:${email}`, place, ...message });
    }
    once.add(key);
  }
  const now = new Set<string>();
  for (const who of finishers(db, chronicle)) {
    now.add(who);
    if (!finished.has(who)) {
      recordStand(chronicle, { kind: "finished", who, place: null });
    }
  }
  chronicle.noted.finished = now;
}

function placeOf(chronicle: Chronicle) {
  return ({ id: stepId, body, waitDays, waitMinutes }: StepRow): Place => {
    const step = /\[\[[^:]*:([^\]]*)\]\]/.exec(body ?? "")?.[1] ?? "";
    return { id: chronicle.next(), stepId, step, waitDays, waitMinutes, isLeft: false };
  };
}

/** At a position among the steps, 1-based. */
function withPlace(line: readonly Place[], place: Place, position: number): Place[] {
  const next = line.filter(({ isLeft }) => !isLeft)[position - 1];
  return line.toSpliced(next === undefined ? line.length : line.indexOf(next), 0, place);
}

function left(line: readonly Place[], stepId: Id): Place[] {
  const place = standing(line, stepId);
  return line.map((one) => (one === place ? { ...one, isLeft: true } : one));
}

function saveLine({ lines, next }: Chronicle, mark: string, places: readonly Place[]): void {
  lines.set(mark, [...(lines.get(mark) ?? []), { seq: next(), places }]);
}

interface Unsettled {
  key: string;
  mark: string;
  email: string;
  step: Id;
  messageId: string | null;
}

/** Messages in doubt, and open tasks. */
function unsettled(db: Database, chronicle: Chronicle): Unsettled[] {
  const rows = db
    .query<Omit<Unsettled, "mark" | "step"> & { campaign: Uint8Array; step: Uint8Array }, []>(
      `select m.message_id as key, m.message_id as messageId, m.campaign_id as campaign, l.email,
         m.step_id as step
       from messages m join enrollments e on e.id = m.enrollment_id join leads l on l.id = e.lead_id
       where m.status = 'unknown' and m.kind = 'step'
       union all
       select hex(t.id), null, t.campaign_id, l.email, t.step_id
       from tasks t join leads l on l.id = t.lead_id where t.done_at is null`,
    )
    .all();
  return rows.map(({ campaign, step, ...row }) => {
    return { ...row, mark: markOf(chronicle, campaign), step: bytesToId(step) };
  });
}

/** Who has come to the end of a sequence. */
function finishers(db: Database, chronicle: Chronicle): string[] {
  return db
    .query<{ campaign: Uint8Array; email: string }, []>(
      `select e.campaign_id as campaign, l.email from enrollments e join leads l on l.id = e.lead_id
       where e.status = 'completed' and e.stop_reason = 'sequence_finished'`,
    )
    .all()
    .map(({ campaign, email }) => `${markOf(chronicle, campaign)}:${email}`);
}

function markOf({ marks }: Chronicle, campaign: Uint8Array): string {
  const id = bytesToId(campaign);
  return [...marks].find(([, one]) => one === id)?.[0] ?? "";
}

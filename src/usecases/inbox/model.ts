/**
 * Replies about which the rules are silent, for a model of the operator's: which they are, and what its
 * label does. It labels a conversation where nothing else has, and never anything else: who wants no
 * email, what bounced, and what ends a sequence stays what the rules and people say.
 */

import type { ModelReading } from "#domain/inbox/model.ts";
import type { Environment } from "#environment.ts";
import { findInbound, type InboundMail, repliesAfter, setReading } from "#store/inbox/inbound.ts";
import { refreshThread } from "#store/inbox/threads.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import { labelInterest } from "#usecases/leads/interest.ts";

/** Emails looked at in one go. */
const LOOK_MAX = 50;

export interface Silent {
  mail: InboundMail;
  row: EnrollmentRow;
}

/** The first that came after `after` and has no label, and how far it was looked. */
export function nextSilent(env: Environment, after: Id): { found: Silent | null; lookedTo: Id } {
  let lookedTo = after;
  for (const mail of repliesAfter(env.db, after, LOOK_MAX)) {
    lookedTo = mail.id;
    const row = silentRow(env, mail);
    if (row !== undefined) {
      return { found: { mail, row }, lookedTo };
    }
  }
  return { found: null, lookedTo };
}

/** Undefined where a rule or a person has said something, or nobody is to be labelled. */
function silentRow(env: Environment, mail: InboundMail): EnrollmentRow | undefined {
  const { kind, labelledBy, reading, enrollmentId, text } = mail;
  const isUndecided = reading.interest === null && !reading.optOut && labelledBy === null;
  if (kind !== "reply" || !isUndecided || enrollmentId === null || text === "") {
    return undefined;
  }
  const row = enrollmentById(env.db, enrollmentId);
  return row?.interest === null ? row : undefined;
}

/** False where something has changed since it was asked: what a person did counts. Runs inside a commit. */
export function labelByModel(env: Environment, asked: Silent, said: ModelReading): boolean {
  const mail = findInbound(env.db, asked.mail.teamId, asked.mail.id);
  const row = mail && silentRow(env, mail);
  if (mail === undefined || row === undefined || row.updatedAt !== asked.row.updatedAt) {
    return false;
  }
  const reading = { ...mail.reading, interest: said.interest, confidence: "low" as const };
  setReading(env.db, mail.id, reading, `by the model: ${said.reason}`);
  labelInterest(env, row, said.interest, mail.id);
  refreshThread(env.db, mail.threadId, env.clock.now(), said.interest);
  return true;
}

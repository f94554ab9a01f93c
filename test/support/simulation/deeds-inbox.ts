/** What people do with what came back: say what it is, answer it, and lift what it has suppressed. */

import { WRITABLE_KINDS } from "#domain/inbox/conversation.ts";
import { findInbound, type InboundMail } from "#store/inbox/inbound.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { findLeadById } from "#store/leads/leads.ts";
import { findSuppression } from "#store/leads/suppressions.ts";
import { bytesToId, type Id } from "#store/sqlite/columns.ts";
import { resolveMessage } from "#usecases/delivery/unconfirmed.ts";
import { replyToThread } from "#usecases/inbox/reply.ts";
import { attachThread, patchMail } from "#usecases/inbox/threads.ts";
import { liftSuppression } from "#usecases/inbox/undo.ts";
import { recordEffect } from "./consequences.ts";
import { BY_HAND } from "./internet.ts";
import { type Deed, type Stage, someLead, write } from "./stage.ts";
import { recordTerms } from "./team.ts";

export const relabelMail: Deed = async (stage) => {
  const { draw, caller, chronicle } = stage.team;
  const mail = someMail(stage);
  if (mail === undefined) {
    return;
  }
  const kind = draw.pick(WRITABLE_KINDS);
  const before = mail.kind;
  if (
    kind === before ||
    !(await write(stage, (env) => patchMail(env, caller, mail.id, { kind })))
  ) {
    return;
  }
  chronicle.unbounced ||= before === "bounce";
  chronicle.note("freed", mail.messageId ?? "", mail.messageId ?? "");
  noteKind(stage, { ...mail, kind }, mail.enrollmentId);
};

export const attachMail: Deed = async (stage) => {
  const { draw, caller } = stage.team;
  const threads = idsOf(stage, "select id from threads where enrollment_id is null");
  const selected = someLead(stage);
  if (threads.length === 0 || selected === null) {
    return;
  }
  const thread = draw.pick(threads);
  const mails = mailsOf(stage, thread);
  const { id } = selected.lead;
  if (await write(stage, (env) => attachThread(env, caller, thread, id))) {
    for (const mail of mails) {
      noteKind(stage, mail, id);
    }
  }
};

export const replyByHand: Deed = async (stage) => {
  const { draw, caller, chronicle } = stage.team;
  const threads = idsOf(stage, "select id from threads");
  if (threads.length > 0) {
    const thread = draw.pick(threads);
    const body = `Thank you for your answer. [[${BY_HAND}:a${chronicle.next()}]]`;
    await write(stage, (env) => replyToThread(env, caller, thread, { body }));
  }
};

export const resolveReply: Deed = async (stage) => {
  const { draw, caller, chronicle } = stage.team;
  const { db } = stage.process.env;
  const doubted = db.raw
    .query<{ id: Uint8Array; messageId: string; reserved: string }, []>(
      "select id, message_id as messageId, reserved from messages where kind = 'manual' and status = 'unknown'",
    )
    .all();
  if (doubted.length === 0) {
    return;
  }
  const { id, messageId, reserved } = draw.pick(doubted);
  const action = draw.pick(["treat_as_sent", "send_again"] as const);
  if (action === "send_again") {
    chronicle.note("again", messageId);
  }
  const isDone = await write(stage, (env) => resolveMessage(env, caller, bytesToId(id), action));
  if (isDone && action === "send_again") {
    chronicle.doubted.push(...JSON.parse(reserved));
  }
};

export const liftSomebody: Deed = async (stage) => {
  const { draw, caller, chronicle } = stage.team;
  const ids = idsOf(stage, "select id from suppressions");
  if (ids.length === 0) {
    return;
  }
  const id = draw.pick(ids);
  const email = findSuppression(stage.process.env.db, caller.teamId, id)?.email;
  const how = { why: draw.chance(0.5) ? "a mistake" : null, resume: draw.chance(0.6) };
  if (email === undefined || email === null) {
    return;
  }
  // Asked again over a death it may be lifted already.
  await write(stage, (env) => liftSuppression(env, caller, id, how));
  if (findSuppression(stage.process.env.db, caller.teamId, id) === undefined) {
    chronicle.note("lifted", email);
    chronicle.unbounced ||= how.resume;
  }
};

function noteKind(stage: Stage, mail: InboundMail, enrollmentId: Id | null): void {
  const { db } = stage.process.env;
  const row = enrollmentId === null ? undefined : enrollmentById(db, enrollmentId);
  const lead = row && findLeadById(db, row.leadId);
  const { chronicle } = stage.team;
  recordTerms(stage.process.env, stage.team);
  const mark = [...chronicle.marks].find(([, id]) => id === row?.campaignId)?.[0];
  if (lead === undefined || mark === undefined) {
    return;
  }
  const severity = findInbound(db, lead.teamId, mail.id)?.severity;
  const kind = mail.kind === "bounce" && severity === "hard" ? "hard_bounce" : mail.kind;
  recordEffect(chronicle, kind, { campaign: mark, to: lead.email, by: mail.messageId ?? "" });
}

function someMail(stage: Stage): InboundMail | undefined {
  const ids = idsOf(stage, "select id from inbound_mails");
  const { caller, draw } = stage.team;
  return ids.length === 0
    ? undefined
    : findInbound(stage.process.env.db, caller.teamId, draw.pick(ids));
}

function mailsOf(stage: Stage, thread: Id): InboundMail[] {
  const ids = idsOf(stage, "select id, thread_id from inbound_mails", thread);
  const { caller } = stage.team;
  return ids
    .map((id) => findInbound(stage.process.env.db, caller.teamId, id))
    .filter((mail) => mail !== undefined);
}

/** Ids in order; of one thread where it is given. */
function idsOf({ process }: Stage, sql: string, thread?: Id): Id[] {
  return process.env.db.raw
    .query<{ id: Uint8Array; thread_id?: Uint8Array }, []>(`${sql} order by id`)
    .all()
    .filter((row) => thread === undefined || (row.thread_id && bytesToId(row.thread_id) === thread))
    .map(({ id }) => bytesToId(id));
}

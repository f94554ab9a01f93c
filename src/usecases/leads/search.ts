/** What leads and conversations are found by. */

import { MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { inboundOfThread } from "#store/inbox/inbound.ts";
import { threadById } from "#store/inbox/threads.ts";
import { findLeadById } from "#store/leads/leads.ts";
import { dropDue, indexText, searchesDue } from "#store/leads/search.ts";
import { cleanAfterErasure } from "#store/operations/erasure.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { LeadRow } from "#store/tables/leads.ts";

/** Emails of a conversation that are indexed, the newest, and how much of each. */
const MAILS_MAX = 50;
const MAIL_CHARS_MAX = 10_000;
/** Of a lead with all that it holds. */
const LEAD_CHARS_MAX = 10_000;

/** Small, and with a rest after each, so that an import of a million leads leaves room for all else. */
const SLICE_MAX = 200;
const REST_MS = 25;

/**
 * Lets the index follow what was written, and the files what was erased, a slice at a time. Resolves to
 * when there is more.
 */
export async function followChanges(env: Environment, now: UnixMs): Promise<UnixMs | undefined> {
  const isDue = searchesDue(env.db, 1).length > 0;
  const done = isDue ? await env.commit(() => indexChanges(env, SLICE_MAX)) : 0;
  if (done === SLICE_MAX) {
    return plus(now, REST_MS);
  }
  switch (await cleanAfterErasure(env.db, env.commit)) {
    case "more":
      return plus(now, REST_MS);
    // A log that somebody reads is tried again, and so is one in which another erasure has come.
    case "waits":
      return plus(now, MINUTE_MS);
    case "clean":
      return undefined;
  }
}

/** Indexes what has changed, `limit` at most; returns how many there were. Runs inside a commit. */
export function indexChanges(env: Environment, limit: number): number {
  const due = searchesDue(env.db, limit);
  const last = due.at(-1);
  if (last === undefined) {
    return 0;
  }
  const kinds = new Map(due.map(({ id, kind }) => [id, kind]));
  for (const [id, kind] of kinds) {
    const found = kind === "lead" ? leadText(env, id) : threadText(env, id);
    if (found !== undefined) {
      const { teamId, text } = found;
      indexText(env.db, { id, teamId, kind }, text);
    }
  }
  dropDue(env.db, last.seq);
  return due.length;
}

type Text = { teamId: Id; text: string } | undefined;

function leadText(env: Environment, id: Id): Text {
  const lead = findLeadById(env.db, id);
  return lead && { teamId: lead.teamId, text: wordsOf(lead).slice(0, LEAD_CHARS_MAX) };
}

function wordsOf({ email, firstName, lastName, company, website, phone, variables }: LeadRow) {
  const fields = [email, firstName, lastName, company, website, phone];
  return [...fields, ...Object.values(variables)].filter((value) => value !== null).join("\n");
}

function threadText(env: Environment, id: Id): Text {
  const thread = threadById(env.db, id);
  const mails = thread === undefined ? [] : inboundOfThread(env.db, id, MAILS_MAX);
  const texts = mails.map(({ fromName, fromAddress, subject, text }) =>
    [fromName, fromAddress, subject, text.slice(0, MAIL_CHARS_MAX)].join("\n"),
  );
  return thread && { teamId: thread.teamId, text: texts.join("\n") };
}

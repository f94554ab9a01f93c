/** What leads and conversations are found by. */

import { MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { inboundOfThread } from "#store/inbox/inbound.ts";
import { threadById } from "#store/inbox/threads.ts";
import {
  dropDue,
  indexText,
  isSearchDue,
  type LeadWords,
  mergeLarge,
  mergeSmall,
  searchesDue,
} from "#store/leads/search.ts";
import { cleanAfterErasure } from "#store/operations/erasure.ts";
import type { Id } from "#store/sqlite/columns.ts";

/** Emails of a conversation that are indexed, the newest, and how much of each. */
const MAILS_MAX = 50;
const MAIL_CHARS_MAX = 10_000;
/** Of a lead with all that it holds. */
const LEAD_CHARS_MAX = 10_000;

/**
 * A slice holds up all else for a few milliseconds: so many leads and threads, and once their words have so
 * many characters no more of them. After each comes a rest, so that an import of a million leaves room.
 */
const SLICE_MAX = 500;
const SLICE_CHARS = 50_000;
const REST_MS = 25;

/**
 * Lets the index follow what was written, and the files what was erased, a slice at a time. Resolves to
 * when there is more.
 */
export async function followChanges(env: Environment, now: UnixMs): Promise<UnixMs | undefined> {
  if (isSearchDue(env.db)) {
    const isMore = await env.commit(() => indexChanges(env));
    await mergeLarge(env.db, env);
    if (isMore) {
      return plus(now, REST_MS);
    }
  }
  switch (await cleanAfterErasure(env.db, env, env.wall.now())) {
    case "more":
      return plus(now, REST_MS);
    // A log that somebody reads is tried again, and so is one in which another erasure has come.
    case "waits":
      return plus(now, MINUTE_MS);
    case "clean":
      return undefined;
  }
}

/** Indexes a slice of what has changed; true: there is more. Runs inside a commit. */
export function indexChanges(env: Environment): boolean {
  const due = searchesDue(env.db, SLICE_MAX);
  let chars = 0;
  let done: number | undefined;
  for (const one of due) {
    const { seq, threadId, lead } = one;
    const found = threadId === null ? lead && leadText(lead) : threadText(env, threadId);
    if (found) {
      indexText(env.db, one, found.text, found.teamId);
      chars += found.text.length;
    }
    done = seq;
    if (chars >= SLICE_CHARS) {
      break;
    }
  }
  if (done !== undefined) {
    dropDue(env.db, done);
    mergeSmall(env.db);
  }
  return due.length === SLICE_MAX || due.at(-1)?.seq !== done;
}

/** The team of a lead is known where it is indexed. */
type Text = { teamId?: Id; text: string };

function leadText(lead: LeadWords): Text {
  const { email, firstName, lastName, company, website, phone, variables } = lead;
  const fields = [email, firstName, lastName, company, website, phone];
  const words = [...fields, ...Object.values(variables)].filter((value) => value !== null);
  return { text: words.join("\n").slice(0, LEAD_CHARS_MAX) };
}

function threadText(env: Environment, id: Id): Text | undefined {
  const thread = threadById(env.db, id);
  const mails = thread === undefined ? [] : inboundOfThread(env.db, id, MAILS_MAX);
  const texts = mails.map(({ fromName, fromAddress, subject, text }) =>
    [fromName, fromAddress, subject, text.slice(0, MAIL_CHARS_MAX)].join("\n"),
  );
  return thread && { teamId: thread.teamId, text: texts.join("\n") };
}

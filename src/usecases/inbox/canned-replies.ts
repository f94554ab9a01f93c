/** Canned replies: templates for what a team replies again and again, and what they say in a conversation. */

import { conflict, found, invalid } from "#domain/problem.ts";
import { scopeOf } from "#domain/sending/message-scope.ts";
import { checkTemplate, renderTemplate, type TemplateScope } from "#domain/sending/template.ts";
import type { Caller, Environment } from "#environment.ts";
import { ownTurn } from "#platform/turns.ts";
import {
  cannedRepliesOf,
  findCannedReply,
  insertCannedReply,
  removeCannedReply,
  updateCannedReply,
} from "#store/inbox/canned-replies.ts";
import { findThread } from "#store/inbox/threads.ts";
import { findLeadById } from "#store/leads/leads.ts";
import { accountById } from "#store/mailboxes/accounts.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { CannedReplyRow, ThreadRow } from "#store/tables/inbox.ts";
import { findTeam } from "#store/team/teams.ts";
import { audit } from "#usecases/events/record.ts";
import { fieldsOf } from "#usecases/sending/draft.ts";
import { footerOf } from "#usecases/sending/footer.ts";

/** Of a team. */
export const CANNED_REPLIES_MAX = 100;
/** A list fills in all of them. */
export const CANNED_REPLY_CHARS_MAX = 10_000;

export interface CannedReplyFields {
  name: string;
  body: string;
}

/** Throws `validation_error` for a body that is no template, `conflict` for a name that is there or one too many. */
export function createCannedReply(
  env: Environment,
  caller: Caller,
  input: CannedReplyFields,
): CannedReplyRow {
  if (cannedRepliesOf(env.db, caller.teamId).length >= CANNED_REPLIES_MAX) {
    throw conflict(`a team may have at most ${CANNED_REPLIES_MAX} canned replies`);
  }
  const now = env.clock.now();
  const row = {
    ...check(env, caller, { id: env.ids.next(now), ...input }),
    ...{ teamId: caller.teamId, createdAt: now, updatedAt: now },
  };
  insertCannedReply(env.db, row);
  audit(env, caller, {
    action: "canned_reply.create",
    target: `canned_reply:${row.id}`,
    after: facts(row),
  });
  return row;
}

/** Throws as {@link createCannedReply} does, and `not_found`. */
export function patchCannedReply(
  env: Environment,
  caller: Caller,
  id: Id,
  change: Partial<CannedReplyFields>,
): CannedReplyRow {
  const before = requireCannedReply(env, caller, id);
  const merged = { ...before, ...check(env, caller, { ...before, ...change }) };
  if (JSON.stringify(before) === JSON.stringify(merged)) {
    return before;
  }
  const row = { ...merged, updatedAt: env.clock.now() };
  updateCannedReply(env.db, row);
  audit(env, caller, {
    action: "canned_reply.patch",
    target: `canned_reply:${id}`,
    before: facts(before),
    after: facts(row),
  });
  return row;
}

export function deleteCannedReply(env: Environment, caller: Caller, id: Id): void {
  const row = requireCannedReply(env, caller, id);
  removeCannedReply(env.db, id);
  audit(env, caller, {
    action: "canned_reply.delete",
    target: `canned_reply:${id}`,
    before: facts(row),
  });
}

/** Throws `not_found` for another team's as for one that never was. */
export function requireCannedReply(env: Environment, caller: Caller, id: Id): CannedReplyRow {
  return found(findCannedReply(env.db, caller.teamId, id), "canned reply");
}

function check<Fields extends CannedReplyFields & { id: Id }>(
  env: Environment,
  caller: Caller,
  fields: Fields,
): Fields {
  const name = fields.name.trim();
  if (name === "") {
    throw invalid("name", "must not be empty");
  }
  const isTaken = cannedRepliesOf(env.db, caller.teamId).some(
    (other) => other.id !== fields.id && other.name.toLowerCase() === name.toLowerCase(),
  );
  if (isTaken) {
    throw conflict("another canned reply has this name", "name");
  }
  const wrong =
    fields.body.trim() === "" ? { message: "must not be empty" } : checkTemplate(fields.body);
  if (wrong !== null) {
    throw invalid("body", wrong.message);
  }
  return { ...fields, name };
}

/** What a canned reply says in a conversation. */
export interface Filled {
  /** Null: the lead lacks a value, or the template went over a bound. */
  text: string | null;
  /** Names of variables without a value and without a fallback. */
  missing: string[];
}

/**
 * Fills all in for a conversation's lead, in their order; somebody who is no lead has no values. Throws
 * `validation_error` for a conversation that the team does not have.
 */
export async function fillCannedReplies(
  env: Environment,
  caller: Caller,
  rows: readonly CannedReplyRow[],
  threadId: Id,
): Promise<Filled[]> {
  const thread = findThread(env.db, caller.teamId, threadId);
  if (thread === undefined) {
    throw invalid("thread_id", "no such conversation");
  }
  const scope = scopeOfThread(env, thread);
  const filled: Filled[] = [];
  for (const { id, body } of rows) {
    // A template may take as long as its bounds allow.
    await ownTurn();
    const options = { seed: `${threadId} ${id}`, escape: "none", at: env.clock.now() } as const;
    const rendered = renderTemplate(body, scope, options);
    filled.push(
      rendered.ok
        ? { text: rendered.text.trim(), missing: [] }
        : { text: null, missing: "missing" in rendered ? rendered.missing : [] },
    );
  }
  return filled;
}

/** What templates of steps know, but the link to opt out: whoever has replied is in a conversation. */
function scopeOfThread(env: Environment, thread: ThreadRow): TemplateScope {
  const lead = thread.leadId === null ? undefined : findLeadById(env.db, thread.leadId);
  const account = accountById(env.db, thread.accountId);
  const scope = scopeOf(
    {
      lead: {
        email: lead?.email ?? thread.fromAddress,
        fields: lead === undefined ? {} : fieldsOf(lead),
        variables: lead?.variables ?? {},
      },
      sender: {
        email: account?.email ?? "",
        name: account?.displayName ?? "",
        signature: account?.signature ?? "",
      },
      postalAddress: footerOf(findTeam(env.db, thread.teamId)).postalAddress,
      unsubscribe: { https: null, mailto: "" },
    },
    "none",
  );
  return { ...scope, unsubscribe_url: undefined };
}

function facts({ name, body }: CannedReplyRow) {
  return { name, body };
}

/** What a person does with the sandbox: its settings, what it plays back, and starting anew. */

import { parseAddress } from "#domain/email-address.ts";
import { conflict, found, invalid } from "#domain/problem.ts";
import { dateFromIso, type UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { dispatch, POLL_EVERY_MS, play } from "#sandbox/mail.ts";
import { writeFromStranger } from "#sandbox/mail-out.ts";
import { languageOf } from "#sandbox/people.ts";
import { hostOf } from "#sandbox/providers.ts";
import { type PlayedKind, type SandboxSettings, settingsOf } from "#sandbox/settings.ts";
import { findEnrollment } from "#store/leads/enrollments.ts";
import { findLead } from "#store/leads/leads.ts";
import {
  accountsOf,
  findAccount,
  schedulePollSooner,
  scheduleTurnSooner,
} from "#store/mailboxes/accounts.ts";
import { findSeed } from "#store/placement/placement-seeds.ts";
import {
  clearTeam,
  countSentTo,
  findSandboxMessage,
  lastSentTo,
  putSettings,
  sandboxMessageByHeader,
} from "#store/sandbox/sandbox.ts";
import { findMessage, messagesOf } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { SandboxMessageRow } from "#store/tables/sandbox.ts";
import { audit } from "#usecases/events/record.ts";

/** Absent where it stays. */
export interface SettingsPatch {
  seed?: number;
  rates?: Partial<SandboxSettings["rates"]>;
  delays?: Partial<SandboxSettings["delays"]>;
  faults?: Partial<SandboxSettings["faults"]>;
  authFailures?: readonly Id[];
  effects?: SandboxSettings["effects"];
  blocks?: SandboxSettings["blocks"];
}

/** Throws `validation_error` for delays and blocks that run backwards and accounts that are not the team's. */
export function patchSandboxSettings(
  env: Environment,
  caller: Caller,
  patch: SettingsPatch,
): SandboxSettings {
  const before = settingsOf(env.db, caller.teamId);
  for (const [index, id] of (patch.authFailures ?? []).entries()) {
    const { teamId } = caller;
    const isKnown = findAccount(env.db, teamId, id) ?? findSeed(env.db, teamId, id);
    if (isKnown === undefined) {
      throw invalid(`faults.auth_failures.${index}`, "no such account or seed");
    }
  }
  const after: SandboxSettings = {
    seed: patch.seed ?? before.seed,
    rates: { ...before.rates, ...patch.rates },
    delays: { ...before.delays, ...patch.delays },
    faults: { ...before.faults, ...patch.faults },
    authFailures: patch.authFailures ?? before.authFailures,
    effects: patch.effects ?? before.effects,
    blocks: patch.blocks ?? before.blocks,
  };
  checkOrder(after);
  if (JSON.stringify(before) === JSON.stringify(after)) {
    return before;
  }
  putSettings(env.db, caller.teamId, { ...after });
  for (const { id } of accountsOf(env.db, caller.teamId)) {
    // A fault that is switched on is met at the mailbox's next turn.
    scheduleTurnSooner(env.db, id, env.clock.now(), POLL_EVERY_MS);
  }
  audit(env, caller, {
    action: "sandbox.patch",
    target: `team:${caller.teamId}`,
    before: { ...before },
    after: { ...after },
  });
  return after;
}

function checkOrder({ delays, blocks }: SandboxSettings): void {
  for (const [name, { minSeconds, maxSeconds }] of Object.entries(delays)) {
    if (maxSeconds < minSeconds) {
      throw invalid(`delays.${name}.max_seconds`, "must not be below min_seconds");
    }
  }
  for (const [index, { from, until }] of blocks.entries()) {
    if (until <= from) {
      throw invalid(`blocks.${index}.until`, "must be after from");
    }
  }
}

/** What an injected email is about: exactly one of these. */
export interface InjectTarget {
  /** Id of a message or of a captured one, or the header with its angle brackets. */
  messageId?: string;
  /** The last message of this enrollment. */
  enrollmentId?: Id;
  /** The last message to this lead; an enrollment's id will do. */
  leadId?: Id;
  /** Nothing that we sent: a stranger writes to this account. */
  accountId?: Id;
}

export interface Injection {
  kind: PlayedKind;
  target: InjectTarget;
  text?: string;
  /** Local date of the return from holiday, `2026-03-16`. */
  returnsOn?: string;
  /** Another sender than the recipient of the message. */
  from?: string;
}

export interface Injected {
  accountId: Id;
  /** The captured message that is replied to; null for a stranger's email. */
  answers: SandboxMessageRow | null;
  arrivesAt: UnixMs;
}

/**
 * Puts an email into a mailbox now, as if it had come by itself. Throws `validation_error` for an
 * invalid target, date or sender, `not_found` for another team's target, `conflict` where nothing was sent
 * yet that could be replied to.
 */
export function inject(env: Environment, caller: Caller, given: Injection): Injected {
  const input = checkInjection(given);
  const arrivesAt = env.clock.now();
  const id = `${input.kind}.${env.ids.next(arrivesAt)}`;
  const { target } = input;
  const injected =
    target.accountId === undefined
      ? injectReply(env, caller, input, { id, at: arrivesAt })
      : injectStranger(env, caller, input, { id, at: arrivesAt, accountId: target.accountId });
  schedulePollSooner(env.db, injected.accountId, arrivesAt);
  audit(env, caller, {
    action: "sandbox.inject",
    target: `account:${injected.accountId}`,
    after: { kind: input.kind, answers: injected.answers?.id ?? null },
  });
  env.wake();
  return injected;
}

/** What the shape of a request cannot say. The sender's address comes back in its normal form. */
function checkInjection(input: Injection): Injection {
  const named = Object.values(input.target).filter((id) => id !== undefined).length;
  if (named !== 1) {
    throw invalid(
      "lead_id",
      "exactly one of message_id, enrollment_id, lead_id, or account_id is required",
    );
  }
  if (input.returnsOn !== undefined) {
    dateFromIso(input.returnsOn, "returns_on");
  }
  if (input.from === undefined) {
    return input;
  }
  const from = parseAddress(input.from)?.address;
  if (from === undefined) {
    throw invalid("from", "must be an email address, for example ann@example.com");
  }
  return { ...input, from };
}

function injectReply(
  env: Environment,
  caller: Caller,
  input: Injection,
  mail: { id: string; at: UnixMs },
): Injected {
  const { kind, target, ...words } = input;
  const row = findTarget(env, caller, target);
  const ordinal = countSentTo(env.db, caller.teamId, row.recipient);
  const settings = settingsOf(env.db, caller.teamId);
  play(env.db, row, settings, kind, { ...words, ...mail, ordinal });
  return { accountId: row.accountId, answers: row, arrivesAt: mail.at };
}

function injectStranger(
  env: Environment,
  caller: Caller,
  input: Injection,
  mail: { id: string; at: UnixMs; accountId: Id },
): Injected {
  const { id, at, accountId } = mail;
  const { from, text } = input;
  if (input.kind !== "reply") {
    throw invalid("kind", `must be "reply" with account_id, because there is no email to react to`);
  }
  if (from === undefined || text === undefined) {
    throw invalid(from === undefined ? "from" : "text", "is required with account_id");
  }
  const account = found(findAccount(env.db, caller.teamId, accountId), "account");
  const { seed } = settingsOf(env.db, caller.teamId);
  const raw = writeFromStranger(account.email, {
    id,
    at,
    host: hostOf(seed, from.slice(from.lastIndexOf("@") + 1)),
    language: languageOf(seed, from),
    pick: 0,
    from,
    text,
    subject: text.split("\n")[0]?.slice(0, STRANGER_SUBJECT_MAX) ?? "",
  });
  dispatch(env.db, {
    teamId: caller.teamId,
    accountId,
    folder: "INBOX",
    raw,
    arrivesAt: at,
  });
  return { accountId, answers: null, arrivesAt: at };
}

const STRANGER_SUBJECT_MAX = 60;

function findTarget(env: Environment, caller: Caller, target: InjectTarget): SandboxMessageRow {
  const { messageId, enrollmentId, leadId } = target;
  if (messageId !== undefined) {
    return found(capturedAs(env, caller, messageId), "message");
  }
  if (enrollmentId !== undefined) {
    return lastOfEnrollment(env, caller, enrollmentId, "enrollment");
  }
  const lead = leadId === undefined ? undefined : findLead(env.db, caller.teamId, leadId);
  return lead === undefined
    ? lastOfEnrollment(env, caller, leadId ?? "", "lead")
    : sent(lastSentTo(env.db, caller.teamId, lead.email));
}

function lastOfEnrollment(
  env: Environment,
  caller: Caller,
  id: Id,
  noun: string,
): SandboxMessageRow {
  const row = found(findEnrollment(env.db, caller.teamId, id), noun);
  const captured = messagesOf(env.db, row.id).map(({ accountId, messageId }) =>
    sandboxMessageByHeader(env.db, accountId, messageId),
  );
  return sent(captured.findLast((message) => message !== undefined));
}

function capturedAs(env: Environment, caller: Caller, id: string): SandboxMessageRow | undefined {
  const { db } = env;
  if (!id.startsWith("<")) {
    const ours = findMessage(db, caller.teamId, id);
    return ours === undefined
      ? findSandboxMessage(db, caller.teamId, id)
      : sent(sandboxMessageByHeader(db, ours.accountId, ours.messageId));
  }
  for (const account of accountsOf(db, caller.teamId)) {
    const row = sandboxMessageByHeader(db, account.id, id);
    if (row !== undefined) {
      return row;
    }
  }
  return undefined;
}

function sent(row: SandboxMessageRow | undefined): SandboxMessageRow {
  if (row === undefined) {
    throw conflict(
      "nothing has been sent there yet; send an email first, then simulate a response",
    );
  }
  return row;
}

/** Throws `not_found` for another team's captured message as for one that never was. */
export function requireSandboxMessage(env: Environment, caller: Caller, id: Id): SandboxMessageRow {
  return found(findSandboxMessage(env.db, caller.teamId, id), "message");
}

/** Removes everything of the team but itself, its keys, webhooks and audit log. */
export async function resetSandbox(env: Environment, caller: Caller): Promise<void> {
  const { teamId } = caller;
  await env.commit(() => audit(env, caller, { action: "sandbox.reset", target: `team:${teamId}` }));
  const accounts = accountsOf(env.db, teamId);
  await clearTeam(env.db, teamId);
  for (const { id } of accounts) {
    env.mail.forget(id);
  }
  env.wake();
}

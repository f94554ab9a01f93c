/** Members who want it are told by email, each working day, what waits in their team's inbox. */

import { type DigestTime, nextDigestAt as turnAfter, writeDigest } from "#domain/inbox/digest.ts";
import { withoutTokens } from "#domain/inbox/opt-out-token.ts";
import { invalid, Problem } from "#domain/problem.ts";
import { textToHtml } from "#domain/sending/text-to-html.ts";
import { HOUR_MS, isDue, plus, type UnixMs } from "#domain/time.ts";
import { readTimezone } from "#domain/timezone.ts";
import { type Environment, engineCaller } from "#environment.ts";
import { countFolders, listThreads } from "#store/inbox/threads.ts";
import { accountById, findAccount } from "#store/mailboxes/accounts.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import type { DigestRow, MembershipRow, UserRow } from "#store/tables/people.ts";
import { digestsDue, findDigest, removeDigest, saveDigest } from "#store/team/digests.ts";
import { findMembershipById, findUser } from "#store/team/people.ts";
import { findTeam } from "#store/team/teams.ts";
import { audit } from "#usecases/events/record.ts";
import { mayReplyFrom } from "#usecases/sending/claim-reply.ts";
import { mintMessageId } from "#usecases/sending/draft.ts";
import { type SingleMail, sendSingle } from "#usecases/sending/single-mail.ts";
import { callerOf, type Person } from "./sessions.ts";

export interface DigestFields extends DigestTime {
  /** The mailbox that writes to them. */
  accountId: Id;
}

const SHOWN_MAX = 10;
/** One that could not be sent at its hour is not sent at another. */
const LATE_MS_MAX = 6 * HOUR_MS;

/** Inside a commit; null turns it off. Throws `validation_error` naming the field. */
export function setDigest(live: Environment, person: Person, fields: DigestFields | null): void {
  const { team, membership, user } = person;
  if (fields === null) {
    removeDigest(live.db, membership.id);
  } else {
    if (!Number.isInteger(fields.hour) || fields.hour < 0 || fields.hour > 23) {
      throw invalid("hour", "must be a whole number from 0 to 23");
    }
    const timezone = readTimezone(fields.timezone, "timezone");
    const account = findAccount(live.db, team.id, fields.accountId);
    if (account === undefined) {
      throw invalid("account_id", "must be one of the team's mailboxes");
    }
    const time = { hour: fields.hour, timezone };
    const dueAt = turnAfter(time, live.clock.now());
    saveDigest(live.db, { id: membership.id, accountId: account.id, ...time, dueAt });
    live.wake();
  }
  audit(live, callerOf(live, person), {
    action: fields === null ? "digest.delete" : "digest.save",
    target: `user:${user.id}`,
    ...(fields !== null && { after: { ...fields } }),
  });
}

/** Digests that one mailbox sends; its id. */
export interface Digests {
  id: Id;
  teamId: Id;
  rows: readonly DigestRow[];
}

/** The digests that are due, by mailbox. */
export function digestsByMailbox(db: Db, look: Parameters<typeof digestsDue>[1]): Digests[] {
  const mailboxes = Map.groupBy(digestsDue(db, look), ({ accountId }) => accountId);
  return [...mailboxes].map(([id, rows]) => {
    return { id, teamId: accountById(db, id)?.teamId ?? id, rows };
  });
}

/** One after the other. */
export async function sendDigests(env: Environment, { rows }: Digests, now: UnixMs): Promise<void> {
  for (const { id } of rows) {
    const made = await env.commit(() => begin(env, id, now));
    if (made !== undefined) {
      await hand(env, made);
    }
  }
}

interface Made {
  user: UserRow;
  mail: SingleMail;
}

/**
 * Its next turn is written down before it is sent: it may be lost, and never comes twice. Whoever has changed
 * or ended it meanwhile gets none now.
 */
function begin(env: Environment, id: Id, now: UnixMs): Made | undefined {
  const due = findDigest(env.db, id);
  if (due === undefined || !isDue(due.dueAt, now)) {
    return undefined;
  }
  const membership = findMembershipById(env.db, id);
  const account = accountById(env.db, due.accountId);
  const user = membership && findUser(env.db, membership.userId);
  if (membership === undefined || user === undefined || account === undefined) {
    removeDigest(env.db, id);
    return undefined;
  }
  saveDigest(env.db, { ...due, dueAt: turnAfter(due, now) });
  const text = contentFor(env, membership);
  if (text === undefined || plus(due.dueAt, LATE_MS_MAX) < now || !mayReplyFrom(env, account)) {
    return undefined;
  }
  const content = { ...text, html: textToHtml(text.text) };
  const messageId = mintMessageId(env, account);
  return { user, mail: { account, to: user.email, messageId, content, headers: [], carried: [] } };
}

function contentFor(env: Environment, { teamId, userId }: MembershipRow) {
  const { unread, assigned, mentioned } = countFolders(env.db, teamId, userId);
  const newest = { limit: SHOWN_MAX, offset: 0 };
  const { rows } = listThreads(env.db, teamId, { unread: true }, newest);
  const url = (page: string) => (env.publicUrl === null ? null : `${env.publicUrl}/live/${page}`);
  return writeDigest({
    team: findTeam(env.db, teamId)?.name ?? "",
    ...{ unread, assigned, mentioned },
    conversations: rows.map(({ id, fromName, fromAddress, subject }) => {
      const words = withoutTokens(subject) || "(no subject)";
      return { name: fromName || fromAddress, subject: words, url: url(`inbox/${id}`) };
    }),
    settingsUrl: url("settings/you"),
  });
}

async function hand(env: Environment, { user, mail }: Made): Promise<void> {
  const { teamId } = mail.account;
  try {
    const entry = { action: "digest.send", target: `user:${user.id}` };
    await sendSingle(env, engineCaller(teamId), mail, entry);
  } catch (error) {
    // A limit that is reached, or an address that is suppressed: there is another day.
    if (!(error instanceof Problem)) {
      throw error;
    }
    env.log.warn("a digest was not sent", { team_id: teamId, error: error.message });
  }
}

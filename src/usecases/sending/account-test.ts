/**
 * Trying an account by a person's request: both servers step by step, and one email from the mailbox to
 * itself, there and back. The email is counted and held by the mailbox's caps; no lead's attempt is used up.
 */

import { asSender } from "#domain/mailboxes/account.ts";
import type { ConnectionStep } from "#domain/mailboxes/connection-step.ts";
import { conflict, notFound } from "#domain/problem.ts";
import { WORDS } from "#domain/sending/words.ts";
import type { Caller, Environment } from "#environment.ts";
import { composeMessage } from "#mail/compose.ts";
import type { Examination, TestMail } from "#platform/ports/mail.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { findTeam } from "#store/team/teams.ts";
import { audit } from "#usecases/events/record.ts";
import { isReconnected } from "#usecases/mailboxes/account-settings.ts";
import { requireAccount } from "#usecases/mailboxes/accounts.ts";
import { UnreadableCredentials } from "#usecases/mailboxes/credentials.ts";
import { signed } from "#usecases/mailboxes/dkim.ts";
import { mailboxOf } from "#usecases/mailboxes/mailbox.ts";
import { recordProbe } from "#usecases/mailboxes/probes.ts";
import { tryReceiversAgain } from "#usecases/mailboxes/receivers.ts";
import { mintMessageId } from "./draft.ts";
import { giveBack, type Reservation, reserve } from "./reservation.ts";

export interface TestedAccount {
  account: AccountRow;
  examination: Examination;
}

const UNWANTED: Reservation = { kind: "held", message: "no email was to be sent" };

/**
 * Tries the account and records what that says. `send` false leaves the email out. Throws `not_found`,
 * `conflict` when the account's servers or secrets were changed meanwhile.
 */
export async function testAccount(
  env: Environment,
  caller: Caller,
  id: Id,
  { send }: { send: boolean },
): Promise<TestedAccount> {
  const tested = requireAccount(env, caller, id);
  const reservation = send ? await env.commit(() => reserve(env, tested)) : UNWANTED;
  const examination = await tryAccount(env, tested, reservation);
  const isSent = examination.steps.some(({ step, ok }) => step === "send" && ok === true);
  const account = await env.commit(() => {
    if (!isSent) {
      giveBack(env, reservation);
    }
    audit(env, caller, {
      action: "account.test",
      target: `account:${id}`,
      after: { smtp: examination.smtp.ok, imap: examination.imap.ok, sent: isSent },
    });
    if (examination.smtp.ok) {
      tryReceiversAgain(env, id);
    }
    return recordProbe(env, tested, examination);
  });
  if (account === undefined) {
    throw notFound("account");
  }
  if (isReconnected(tested, account)) {
    throw conflict("the account changed during the test; test it again");
  }
  return { account, examination };
}

/** Tries the account without recording anything, and without an email. */
export function inspectAccount(env: Environment, account: AccountRow): Promise<Examination> {
  return tryAccount(env, account, UNWANTED);
}

async function tryAccount(
  env: Environment,
  account: AccountRow,
  reservation: Reservation,
): Promise<Examination> {
  try {
    const mailbox = mailboxOf(env, account);
    const mail = reservation.kind === "taken" ? await writeMail(env, account) : null;
    const examination = await env.mail.examine(mailbox, mail);
    const steps =
      reservation.kind === "held" ? examination.steps.map(heldFor(reservation)) : examination.steps;
    return { ...examination, steps };
  } catch (error) {
    if (!(error instanceof UnreadableCredentials)) {
      throw error;
    }
    return unreadable(error.message);
  }
}

function heldFor({ message }: { message: string }): (entry: ConnectionStep) => ConnectionStep {
  return (entry) => (entry.step === "send" && entry.ok === null ? { ...entry, message } : entry);
}

function unreadable(error: string): Examination {
  const refused = { ok: false, error, login: true };
  const remedy = "Enter the credentials again: they were encrypted with a different master key.";
  const steps = (["smtp_login", "imap_login"] as const).map((step) => {
    return { step, ok: false, message: error, remedy, ms: 0 };
  });
  return { steps, smtp: refused, imap: refused };
}

/** Both from and to the address that it sends from: replies have to arrive, too. */
async function writeMail(env: Environment, mailbox: AccountRow): Promise<TestMail> {
  const account = asSender(mailbox);
  const { email, displayName } = account;
  const messageId = mintMessageId(env, account);
  const words = WORDS[findTeam(env.db, account.teamId)?.language ?? "en"];
  const raw = await composeMessage({
    from: { name: displayName ?? "", address: email },
    to: { name: "", address: email },
    subject: words.testSubject,
    text: `${words.testText.replace("{email}", email)}\n`,
    html: "",
    messageId,
    date: env.clock.now(),
    timezone: account.timezone,
    inReplyTo: null,
    references: [],
    headers: [{ name: "Auto-Submitted", value: "auto-generated" }],
  });
  const envelope = { from: email, to: email, raw: await signed(env, account, raw), messageId };
  return { envelope, saves: account.saveSent };
}

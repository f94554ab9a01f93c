/**
 * Trying a mailbox step by step: both servers side by side, then one email from the mailbox to itself, there
 * and back. Each step says what happened and what to do about it; after one that failed, those that need it
 * are not tried.
 */

import {
  adviseAfterLogin,
  adviseLogin,
  adviseReach,
  type ReachFault,
  type TriedServer,
} from "#domain/mailboxes/connection-advice.ts";
import {
  CONNECTION_STEPS,
  type ConnectionStep,
  type ConnectionStepName,
} from "#domain/mailboxes/connection-step.ts";
import { isAboutOwnSender } from "#domain/mailboxes/smtp-fault.ts";
import { SECOND_MS } from "#domain/time.ts";
import { findServer, type Reach, secure, touch } from "#mail/dns/reach.ts";
import { find, saveSent } from "#mail/imap/imap.ts";
import { failedImap } from "#mail/imap/imap-connect.ts";
import { look } from "#mail/imap/imap-find.ts";
import { Imap } from "#mail/imap/imap-session.ts";
import type { TokenStore } from "#mail/oauth/oauth.ts";
import { Smtp } from "#mail/smtp/smtp.ts";
import type {
  ConnectionCheck,
  Examination,
  Mailbox,
  SendOutcome,
  ServerLogin,
  TestMail,
} from "#platform/ports/mail.ts";
import { after } from "./deadline.ts";
import { MAIL_LIMITS, type MailLimits, type MailOptions } from "./options.ts";

/** Longest time of an examination; a step under way then has failed. */
export const EXAMINE_MS_MAX = 45 * SECOND_MS;
/** How long the email to oneself is waited for. */
const ARRIVAL_MS_MAX = 20 * SECOND_MS;
const ARRIVAL_LOOK_MS = [300, 700, 1_500, 3_000, 5_000];

/** Shorter than for real work: somebody is waiting. */
const LIMITS: Partial<MailLimits> = {
  connectMs: 8 * SECOND_MS,
  replyMs: 15 * SECOND_MS,
  sendMs: 20 * SECOND_MS,
  imapMs: 15 * SECOND_MS,
};

type Side = "smtp" | "imap";
type Found = Pick<ConnectionStep, "ok" | "message" | "remedy">;

export async function examine(
  options: MailOptions,
  tokens: TokenStore,
  mailbox: Mailbox,
  mail: TestMail | null,
): Promise<Examination> {
  const limits = { ...MAIL_LIMITS, ...LIMITS, ...options.limits };
  const smtp = new Smtp(options, limits, tokens);
  const imap = new Imap(options, limits, tokens);
  const walk = new Walk(options);
  try {
    const checks = await Promise.all([
      walkTo("smtp", walk, { options, limits, mailbox, login: () => smtp.test(mailbox) }),
      walkTo("imap", walk, { options, limits, mailbox, login: () => openInbox(imap, mailbox) }),
    ]);
    const [smtpCheck, imapCheck] = checks;
    const isSent =
      smtpCheck.ok && mail !== null
        ? await walk.take("send", () => sendToSelf(smtp, mailbox, mail))
        : false;
    if (imapCheck.ok) {
      await walk.take("read", () => readBack(imap, mailbox, isSent ? mail : null));
      await walk.take("sent_folder", () => checkSent(imap, mailbox, isSent ? mail : null));
    }
    return { steps: walk.steps(mail), smtp: smtpCheck, imap: imapCheck };
  } finally {
    walk.end();
    await Promise.all([smtp.close(), imap.close()]);
  }
}

/** Takes steps one after the other, and times them. */
class Walk {
  private readonly taken = new Map<ConnectionStepName, ConnectionStep>();
  private readonly options: MailOptions;
  private readonly late = Promise.withResolvers<Found>();
  readonly end: () => void;

  constructor(options: MailOptions) {
    this.options = options;
    const found = {
      ok: false,
      message: "no response in time",
      remedy: "Try again in a few minutes.",
    };
    this.end = after(EXAMINE_MS_MAX, () => this.late.resolve(found));
  }

  /** True when the step went well. */
  async take(step: ConnectionStepName, act: () => Promise<Found>): Promise<boolean> {
    const { clock } = this.options;
    const from = clock.now();
    const found = await Promise.race([act(), this.late.promise]);
    this.taken.set(step, { step, ...found, ms: Math.max(0, clock.now() - from) });
    return found.ok === true;
  }

  /** All steps in their order, those that were not taken among them. */
  steps(mail: TestMail | null): ConnectionStep[] {
    return CONNECTION_STEPS.map((step) => this.taken.get(step) ?? notTaken(step, mail));
  }
}

function notTaken(step: ConnectionStepName, mail: TestMail | null): ConnectionStep {
  const isUnwanted = step === "send" && mail === null;
  const message = isUnwanted ? "no email was to be sent" : "not tried: an earlier step failed";
  return { step, ok: null, message, remedy: null, ms: 0 };
}

interface Trip {
  options: MailOptions;
  limits: MailLimits;
  mailbox: Mailbox;
  login: () => Promise<ConnectionCheck>;
}

/** As far as the login; answers what a plain test of this side would. */
async function walkTo(side: Side, walk: Walk, trip: Trip): Promise<ConnectionCheck> {
  const { options, limits, mailbox } = trip;
  const server = mailbox[side];
  const tried = triedServer(mailbox, side, server);
  let failed: ConnectionCheck = { ok: false, error: "no response in time" };
  const reached = (reach: Reach): Found => {
    if (reach.ok) {
      return { ok: true, message: reach.note, remedy: null };
    }
    const advice = adviseReach(tried, reach.fault, reach.words);
    failed = { ok: false, error: advice.message };
    return { ok: false, ...advice };
  };
  const fault = (name: ReachFault): Reach => ({ ok: false, fault: name, words: "" });
  if (server === null) {
    await walk.take(`${side}_dns`, async () => reached(fault("no_settings")));
    return failed;
  }
  let route: Awaited<ReturnType<typeof findServer>>["route"] = null;
  await walk.take(`${side}_dns`, async () => {
    const found = await findServer(server, mailbox.teamId, options);
    route = found.route;
    return reached(found.reach);
  });
  const open: typeof route = route;
  const isReached =
    open !== null &&
    (await walk.take(`${side}_connect`, async () =>
      reached(await touch(server, open, limits.connectMs)),
    )) &&
    (await walk.take(`${side}_tls`, async () =>
      reached(await secure(server, side, open, limits.connectMs)),
    ));
  if (!isReached) {
    return failed;
  }
  await walk.take(`${side}_login`, async () => {
    const check = await trip.login();
    failed = check;
    const advise = check.signedIn === true ? adviseAfterLogin : adviseLogin;
    return check.ok
      ? { ok: true, message: loginWords(tried, server), remedy: null }
      : { ok: false, ...advise(tried, check.error ?? "") };
  });
  return failed;
}

function loginWords({ isOauth }: TriedServer, { username, password }: ServerLogin): string {
  if (isOauth) {
    return `logged in as ${username} with an access token`;
  }
  return username === "" && password === null
    ? "the server doesn't require a login"
    : `logged in as ${username}`;
}

function triedServer(mailbox: Mailbox, side: Side, server: ServerLogin | null): TriedServer {
  const { host = "", port = 0, security = "tls" } = server ?? {};
  const { provider, oauth } = mailbox;
  return { side, provider, host, port, security, isOauth: oauth !== null };
}

async function openInbox(imap: Imap, mailbox: Mailbox): Promise<ConnectionCheck> {
  const result = await imap.session(mailbox, (client) =>
    client.mailboxOpen("INBOX", { readOnly: true }),
  );
  return result.kind === "done" ? { ok: true, error: null } : failedImap(result);
}

async function sendToSelf(smtp: Smtp, mailbox: Mailbox, mail: TestMail): Promise<Found> {
  const outcome = await smtp.send(mailbox, mail.envelope, async () => undefined);
  return sentWords(outcome, mail.envelope.from);
}

/** What became of the email to oneself. */
function sentWords(outcome: SendOutcome, from: string): Found {
  switch (outcome.kind) {
    case "accepted":
      return {
        ok: true,
        message: `the server accepted an email (${outcome.response})`,
        remedy: null,
      };
    case "unreachable":
      return {
        ok: false,
        message: `the connection broke while sending an email (${outcome.reason})`,
        remedy: "Try again. If it keeps failing, ask your provider.",
      };
    case "deferred":
    case "refused":
      return {
        ok: false,
        message: `the server rejected an email from ${from} to itself (${outcome.response})`,
        remedy:
          outcome.stage === "mail" || isAboutOwnSender(outcome)
            ? `This login may not be allowed to send from ${from}. Check that it's the mailbox's own address, or an alias that the provider lets it send as.`
            : "Read the server's response: a quota or a provider rule may be blocking it.",
      };
  }
}

async function readBack(imap: Imap, mailbox: Mailbox, mail: TestMail | null): Promise<Found> {
  const wanted =
    mail === null ? [] : [{ messageId: mail.envelope.messageId, token: mail.envelope.messageId }];
  let waitedMs = 0;
  for (let turn = 0; ; turn += 1) {
    const outcome = await look(imap, mailbox, wanted);
    if (outcome.kind === "unreachable") {
      const remedy = "Check that the login can read INBOX.";
      return { ok: false, message: `can't read the mailbox (${outcome.reason})`, remedy };
    }
    const [seen] = outcome.found;
    if (mail === null) {
      return { ok: true, message: "INBOX can be read", remedy: null };
    }
    if (seen !== undefined) {
      return seen.place === "junk" ? inJunk(seen.folder) : arrived(seen.folder);
    }
    const pauseMs = ARRIVAL_LOOK_MS[turn] ?? 5_000;
    if (waitedMs + pauseMs > ARRIVAL_MS_MAX) {
      const message = "the mailbox can be read, but the email to itself hasn't arrived yet";
      return { ok: null, message, remedy: "Check the mailbox in a few minutes." };
    }
    await pause(pauseMs);
    waitedMs += pauseMs;
  }
}

function arrived(folder: string): Found {
  return { ok: true, message: `the email to itself arrived in ${folder}`, remedy: null };
}

function inJunk(folder: string): Found {
  return {
    ok: true,
    message: `the email to itself arrived in ${folder}`,
    remedy:
      "The mailbox's own provider files its email as spam. Check its DNS: GET /accounts/{id}/dns.",
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    after(ms, resolve);
  });
}

/** No message has it. */
const NO_MESSAGE_ID = "<none@invalid>";

async function checkSent(imap: Imap, mailbox: Mailbox, mail: TestMail | null): Promise<Found> {
  if (mail?.saves === true) {
    const copy = await saveSent(imap, mailbox, mail.envelope);
    return copy.kind === "failed"
      ? noSent(copy.reason)
      : { ok: true, message: "a copy was saved in the Sent folder", remedy: null };
  }
  const found = await find(imap, mailbox, mail?.envelope.messageId ?? NO_MESSAGE_ID);
  switch (found.kind) {
    case "found":
      return { ok: true, message: `the provider saved a copy in ${found.folder}`, remedy: null };
    case "uncheckable":
      return noSent(found.reason);
    case "absent":
      return mail === null
        ? { ok: true, message: "there is a Sent folder", remedy: null }
        : {
            ok: null,
            message: "the Sent folder has no copy of the email yet",
            remedy: "If the provider doesn't save copies, set imap.save_sent to true.",
          };
  }
}

function noSent(reason: string): Found {
  return {
    ok: false,
    message: `can't save a copy (${reason})`,
    remedy:
      "Create a folder named Sent in the mailbox; without one, an unconfirmed email can't be looked up.",
  };
}

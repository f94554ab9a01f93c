/**
 * The live environment with mail servers that do as a test says: every outcome of sending is scripted, a
 * mailbox holds what the test puts there. Time moves only from one due instant to the next.
 */

import type { CalloutReply } from "#domain/mailboxes/callout.ts";
import { MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import { createEngine } from "#engine/run.ts";
import { createWorkers } from "#engine/workers.ts";
import type { Environment } from "#environment.ts";
import type {
  Callout,
  CopyOutcome,
  Envelope,
  FindOutcome,
  LookOutcome,
  Mailbox,
  MailPort,
  ReceivedMail,
  SendOutcome,
  SentOutcome,
  TestOutcome,
  Wanted,
  WatchEnd,
} from "#platform/ports/mail.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { currentStepOf } from "#store/campaigns/steps.ts";
import { readEvents } from "#store/events/events.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { accountById } from "#store/mailboxes/accounts.ts";
import { messagesOf } from "#store/sending/messages.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { createTestApp, START, type TestApp, type TestAppOptions } from "../support/app.ts";
import { addLeads, EMAIL_STEP, makeCampaign } from "../support/campaigns.ts";
import { examinationOf } from "../support/examination.ts";

const UP: TestOutcome = { smtp: { ok: true, error: null }, imap: { ok: true, error: null } };
const NOTHING_THERE: LookOutcome = { kind: "looked", found: [], junkFolder: "Junk", tabs: null };
const OK: SendOutcome = { kind: "accepted", response: "250 queued" };

/** Servers that do as they are told. What is not scripted works. */
export interface ScriptedMail extends MailPort {
  /** Answers to the next emails, in order. */
  outcomes: SendOutcome[];
  /** What happens between the claim and the body of every email. */
  meanwhile: (envelope: Envelope) => Promise<void>;
  /** Emails that servers took, in order. */
  taken: Envelope[];
  /** Every email that was offered. */
  offered: Envelope[];
  /** What mailboxes hold, in order of arrival, by address. */
  boxes: Map<string, ReceivedMail[]>;
  /** Mailboxes that cannot be read, and why. */
  broken: Map<string, { reason: string; login: boolean }>;
  tests: TestOutcome[];
  finds: FindOutcome[];
  /** What lies in every Sent folder. */
  listing: SentOutcome;
  /** What every look into a seed mailbox finds. */
  seeing: (mailbox: Mailbox, wanted: readonly Wanted[]) => LookOutcome;
  copies: CopyOutcome[];
  copied: Envelope[];
  polls: string[];
  /** Kept connections, those that have ended too, in the order in which they were asked for. */
  watches: Watched[];
  /** How the next ones end at once, in order; then they wait. */
  watchEnds: WatchEnd[];
  /** What servers say of an address in a callout. */
  rcpt: (recipient: string) => SendOutcome;
  /** Callouts, and whom each asked for. */
  callouts: (Callout & { asked: string[] })[];
}

export interface Watched {
  address: string;
  isOpen: boolean;
  /** Email may have come. */
  news: () => void;
  end: (how: WatchEnd) => void;
}

export function scriptedMail(): ScriptedMail {
  const mail: ScriptedMail = {
    outcomes: [],
    meanwhile: async () => undefined,
    taken: [],
    offered: [],
    boxes: new Map(),
    broken: new Map(),
    tests: [],
    finds: [],
    listing: { kind: "uncheckable", reason: "no" },
    seeing: () => NOTHING_THERE,
    copies: [],
    copied: [],
    polls: [],
    watches: [],
    watchEnds: [],
    rcpt: () => ({ kind: "unreachable", stage: "rcpt", reason: "no", bodySent: false }),
    callouts: [],
    callout: async (callout, next) => {
      const replies: CalloutReply[] = [];
      for (let one = next(replies); one !== null; one = next(replies)) {
        replies.push({ recipient: one, outcome: mail.rcpt(one) });
      }
      mail.callouts.push({ ...callout, asked: replies.map(({ recipient }) => recipient) });
      return { replies, ended: null };
    },
    send: async (_mailbox, envelope, beforeBody) => {
      mail.offered.push(envelope);
      const outcome = mail.outcomes.shift() ?? OK;
      await mail.meanwhile(envelope);
      if (reachesBody(outcome)) {
        try {
          await beforeBody();
        } catch {
          return { kind: "unreachable", stage: "data", reason: "stopped", bodySent: false };
        }
      }
      if (outcome.kind === "accepted") {
        mail.taken.push(envelope);
      }
      return outcome;
    },
    poll: async (mailbox, cursor) => {
      mail.polls.push(mailbox.address);
      const broken = mail.broken.get(mailbox.address);
      if (broken !== undefined) {
        return { kind: "unreachable", ...broken };
      }
      const box = mail.boxes.get(mailbox.address) ?? [];
      const mails = box.slice(Number(cursor || 0));
      return { kind: "read", mails, cursor: String(box.length), more: false };
    },
    watch: (mailbox, signal, onNews) => {
      const { promise, resolve } = Promise.withResolvers<WatchEnd>();
      const end = (how: WatchEnd) => {
        watched.isOpen = false;
        resolve(how);
      };
      const watched: Watched = { address: mailbox.address, isOpen: true, news: onNews, end };
      mail.watches.push(watched);
      signal.addEventListener("abort", () => end({ kind: "stopped" }), { once: true });
      const atOnce = mail.watchEnds.shift();
      if (atOnce === undefined) {
        onNews();
      } else {
        end(atOnce);
      }
      return promise;
    },
    find: async () => mail.finds.shift() ?? { kind: "absent" },
    sentSince: async () => mail.listing,
    look: async (mailbox, wanted) => mail.seeing(mailbox, wanted),
    saveSent: async (_mailbox, envelope) => {
      mail.copied.push(envelope);
      return mail.copies.shift() ?? { kind: "saved" };
    },
    test: async () => mail.tests.shift() ?? UP,
    examine: async () => examinationOf(mail.tests.shift() ?? UP),
    forget: () => undefined,
    close: async () => undefined,
  };
  return mail;
}

/** True where a server has taken the whole message before it gave this answer. */
function reachesBody(outcome: SendOutcome): boolean {
  return outcome.kind === "accepted" || outcome.kind === "unreachable"
    ? outcome.kind === "accepted" || outcome.bodySent
    : outcome.stage === "data";
}

export interface LiveApp {
  app: TestApp;
  env: Environment;
  mail: ScriptedMail;
  /** Calls with the live key. */
  call: TestApp["call"];
  /** Runs all workers for `ms` from now. */
  run(ms: number): Promise<void>;
  /** The same for whole days, in which the workers look every half hour only. */
  days(count: number): Promise<void>;
  account(id: string): AccountRow;
  lead(enrollmentId: string): EnrollmentRow & { currentStep: number };
  campaign(id: string): CampaignRow;
  messages(enrollmentId: string): MessageRow[];
  /** Types of what was told, in order. */
  events(): string[];
  /** What arrives in a mailbox; returns its place. */
  deliver(address: string, raw: string, folder?: string): void;
  /** A ready mailbox that keeps copies of what it sends. */
  addAccount(email?: string): Promise<string>;
  /** An active campaign that writes to these addresses. */
  launch(steps: readonly object[], ...emails: string[]): Promise<{ id: string; leads: string[] }>;
}

export async function createLive(options: TestAppOptions = {}): Promise<LiveApp> {
  const mail = scriptedMail();
  const app = await createTestApp({ mail, ...options });
  const env = app.environments.live;
  const asLive: TestApp = { ...app, call: app.live };
  const engine = createEngine(env, createWorkers(env));
  const clock = { advanceTo: (at: UnixMs) => app.wall.set(at), hold: () => () => undefined };
  const run = (ms: number) => engine.advance(clock, plus(app.wall.now(), ms));
  let uid = 0;
  const live: LiveApp = {
    app,
    env,
    mail,
    call: app.live,
    run,
    days: async (count) => {
      for (let half = 0; half < count * 48; half += 1) {
        app.wall.move(29 * MINUTE_MS);
        await run(MINUTE_MS);
      }
    },
    account: (id) => present(accountById(env.db, id)),
    lead: (id) => {
      const row = present(enrollmentById(env.db, id));
      return { ...row, currentStep: currentStepOf(env.db, row) };
    },
    campaign: (id) => present(campaignById(env.db, id)),
    messages: (id) => messagesOf(env.db, id),
    events: () =>
      readEvents(env.db, app.team.id, { after: 0, limit: 1000 }).map(({ type }) => type),
    deliver: (address, raw, folder = "INBOX") => {
      uid += 1;
      const box = mail.boxes.get(address) ?? [];
      const bytes = new TextEncoder().encode(raw.replaceAll(/\r?\n/g, "\r\n"));
      box.push({ folder, uid: `1.${uid}`, receivedAt: app.wall.now(), raw: bytes });
      mail.boxes.set(address, box);
    },
    addAccount: async (email = "ann@sender.example") => {
      const server = { host: "mail.sender.example", password: "secret" };
      const body = { email, provider: "smtp", display_name: "Ann", smtp: server, imap: server };
      const made = await app.live("POST", "/accounts", body);
      await app.live("POST", `/accounts/${made.body.id}/test`, { send: false });
      return made.body.id;
    },
    launch: async (steps, ...emails) => {
      const { id } = await makeCampaign(asLive, steps.length === 0 ? [EMAIL_STEP] : steps);
      const leads = await addLeads(asLive, id, ...emails);
      const started = await app.live("POST", `/campaigns/${id}/start`);
      if (started.status !== 200) {
        throw new Error(started.text);
      }
      return { id, leads: leads.map((lead) => lead.id) };
    },
  };
  return live;
}

function present<T>(row: T | undefined): T {
  if (row === undefined) {
    throw new Error("no such row");
  }
  return row;
}

export { START };

/**
 * The mail servers of a simulation, down to the bytes: the product's own SMTP and IMAP clients speak to
 * servers on this machine, which say word by word what the simulated internet has decided, whole, in
 * pieces, or only the beginning of it. What the clients make of that has to be what was meant.
 */

import type { SendOutcome } from "#domain/mailboxes/send-outcome.ts";
import { hash01 } from "#domain/random.ts";
import { createMailPort } from "#mail/mail-port.ts";
import { parseCidrs } from "#platform/http/guard.ts";
import { silentLog } from "#platform/log.ts";
import type { FindOutcome, Mailbox, MailPort, PollOutcome } from "#platform/ports/mail.ts";
import { tableDns } from "../dns.ts";
import type { Loopback } from "../loopback.ts";
import type { MovingClock } from "./clock.ts";
import { type BackupFiles, imapTalk } from "./imap-bytes.ts";
import type { Life } from "./life.ts";
import { type Delivery, startLineServer } from "./line-server.ts";
import { type Script, smtpTalk } from "./smtp-bytes.ts";

/** Answers by how they came, and outcomes that were compared. */
export type BytesFigures = Record<Delivery | "compared", number>;

export interface Bytes {
  /** `port`, with every send, poll and search spoken aloud. */
  speak(life: Life, port: MailPort): MailPort;
  readonly figures: BytesFigures;
  /** What a client understood otherwise than it was meant. */
  readonly differences: string[];
  stop(): Promise<void>;
}

interface Servers {
  smtp: Loopback;
  imap: Loopback;
  script: Script | undefined;
  shelf: BackupFiles | undefined;
}

/** Long enough for a machine that is busy with other things: nothing here waits for them. */
const LIMITS = { connectMs: 60_000, replyMs: 60_000, sendMs: 120_000, imapMs: 120_000 };

export function createBytes(seed: number, clock: MovingClock): Bytes {
  const all = new Map<string, Promise<Servers>>();
  const figures: BytesFigures = { whole: 0, halves: 0, bytes: 0, cut: 0, compared: 0 };
  const differences: string[] = [];
  let turns = 0;
  const luck = () => {
    turns += 1;
    return hash01(seed, "bytes", turns);
  };
  const delivered = (how: Delivery) => {
    figures[how] += 1;
  };

  const start = async (): Promise<Servers> => {
    const servers: Partial<Servers> = {};
    const smtp = smtpTalk(() => servers.script);
    const imap = imapTalk(() => servers.shelf);
    const [smtpServer, imapServer] = await Promise.all([
      startLineServer({ ...smtp, luck, delivered }),
      startLineServer({ ...imap, luck, delivered }),
    ]);
    return Object.assign(servers, { smtp: smtpServer, imap: imapServer }) as Servers;
  };
  const serversOf = (accountId: string): Promise<Servers> => {
    const known = all.get(accountId) ?? start();
    all.set(accountId, known);
    return known;
  };
  /**
   * One after another: a server here knows of one decision at a time. Of each process apart: what the
   * dead wait for never comes.
   */
  const turnsOf = () => {
    const busy = new Map<string, Promise<unknown>>();
    return async <Result>(
      { accountId }: Mailbox,
      work: (servers: Servers) => Promise<Result>,
    ): Promise<Result> => {
      const servers = await serversOf(accountId);
      const mine = (busy.get(accountId) ?? Promise.resolve()).then(() => work(servers));
      busy.set(
        accountId,
        mine.catch(() => undefined),
      );
      return mine;
    };
  };

  return {
    figures,
    differences,
    stop: async () => {
      for (const servers of await Promise.all(all.values())) {
        await Promise.all([servers.smtp.stop(), servers.imap.stop()]);
      }
    },
    speak: (life, port) => {
      const inTurn = turnsOf();
      const compare = (what: string, meant: string, said: string) => {
        // The dead hear nothing to its end.
        if (!life.dead) {
          figures.compared += 1;
          if (meant !== said) {
            differences.push(`${what}: meant ${meant}, understood ${said}`);
          }
        }
      };
      const real = createMailPort({
        dns: tableDns({ "mail.example": ["127.0.0.1"] }),
        clock,
        log: silentLog,
        allowCidrs: parseCidrs("127.0.0.0/8"),
        onRotated: () => undefined,
        limits: LIMITS,
      });
      void life.died.then(async () => {
        for (const { smtp, imap } of await Promise.all(all.values())) {
          smtp.cut();
          imap.cut();
        }
        await real.close();
      });
      return {
        ...port,
        send: (mailbox, envelope, beforeBody) =>
          inTurn(mailbox, async (servers) => {
            const script = scriptOf(envelope.raw);
            servers.script = script;
            const meant = port.send(mailbox, envelope, () => script.untilBody());
            void meant.then(script.decide);
            await script.opening();
            if (script.needsNewConnection) {
              servers.smtp.cut();
              real.forget(mailbox.accountId);
            }
            const said = await real.send(reachable(mailbox, servers), envelope, async () => {
              await beforeBody().then(script.begin, (error: unknown) => {
                script.withhold(error);
                throw error;
              });
            });
            const outcome = await meant;
            compare("send", outlineOf(outcome), outlineOf(said));
            return said;
          }),
        poll: (mailbox, cursor) =>
          inTurn(mailbox, async (servers) => {
            const meant = await port.poll(mailbox, cursor);
            servers.shelf = { kind: "inbox", outcome: meant };
            const inner = cursor === "" ? "" : JSON.stringify({ INBOX: ["1", Number(cursor)] });
            const said = await real.poll(reachable(mailbox, servers), inner);
            compare("poll", outlineOfPoll(meant), outlineOfPoll(said));
            return said.kind === "read" && meant.kind === "read"
              ? { ...said, cursor: placeOf(said.cursor), more: meant.more }
              : said;
          }),
        find: (mailbox, messageId) =>
          inTurn(mailbox, async (servers) => {
            const meant = await port.find(mailbox, messageId);
            servers.shelf = { kind: "sent", outcome: meant };
            const said = await real.find(reachable(mailbox, servers), messageId);
            compare("find", outlineOfFind(meant), outlineOfFind(said));
            return said;
          }),
        forget: (accountId) => real.forget(accountId),
        close: () => real.close(),
      };
    },
  };
}

/** The mailbox as it is reached here. */
function reachable(mailbox: Mailbox, { smtp, imap }: Servers): Mailbox {
  const login = { host: "mail.example", security: "none", username: mailbox.address } as const;
  const password = "secret";
  return {
    ...mailbox,
    oauth: null,
    smtp: { ...login, port: smtp.port, password },
    imap: { ...login, port: imap.port, password },
  };
}

function outlineOf(outcome: SendOutcome): string {
  switch (outcome.kind) {
    case "accepted":
      return "accepted";
    case "unreachable":
      // The beginning of an answer may count as that answer: the stage is for people to read.
      return `unreachable, body sent: ${outcome.bodySent}`;
    default:
      return `${outcome.kind} at ${outcome.stage}: ${outcome.code} ${outcome.enhanced}`;
  }
}

function outlineOfPoll(outcome: PollOutcome): string {
  return outcome.kind === "read"
    ? outcome.mails.map(({ uid, raw }) => `${uid} ${Bun.hash(raw)}`).join()
    : `unreachable, login: ${outcome.login}`;
}

function outlineOfFind(outcome: FindOutcome): string {
  return outcome.kind;
}

/** The place in INBOX that a cursor of the real client stands for. */
function placeOf(cursor: string): string {
  const places = JSON.parse(cursor) as Record<string, [string, number]>;
  return String(places["INBOX"]?.[1] ?? 0);
}

function scriptOf(raw: Uint8Array): Script {
  const body = Promise.withResolvers<void>();
  const decided = Promise.withResolvers<SendOutcome>();
  const opened = Promise.withResolvers<void>();
  let early: SendOutcome | undefined;
  let isAsked = false;
  return {
    raw: Buffer.from(raw).toString("latin1"),
    untilBody: () => {
      isAsked = true;
      opened.resolve();
      return body.promise;
    },
    begin: () => body.resolve(),
    withhold: (error) => body.reject(error),
    decide: (outcome) => {
      early = isAsked ? undefined : outcome;
      decided.resolve(outcome);
      opened.resolve();
    },
    opening: () => opened.promise,
    get early() {
      return early;
    },
    get needsNewConnection() {
      return early !== undefined && early.kind !== "accepted"
        ? early.stage === "connect" || early.stage === "auth"
        : false;
    },
    outcome: () => decided.promise,
  };
}

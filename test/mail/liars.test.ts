/**
 * Servers that lie: at each moment they may say what no server says, too much, too little, something for
 * another moment, or our own password. Whatever they say, a send and a poll end within their bounds in an
 * outcome, never in a fault; an email that may have been taken is never called unsent; and the password is in
 * no outcome.
 */

import { expect, test } from "bun:test";
import { hash01 } from "#domain/random.ts";
import type { PollOutcome, SendOutcome } from "#platform/ports/mail.ts";
import { tried } from "../support/promises.ts";
import { type ImapAnswer, type ImapAsk, startImapSink } from "./imap/imap-sink.ts";
import { type Answer, type Ask, startSmtpSink } from "./smtp/smtp-sink.ts";
import { counted, localMailPort, message, smtpMailbox } from "./support.ts";

const SEED = process.env["OUTRIDER_TEST_SEED"] ?? "1";
const CASES = 300;
/** At once, since most of them wait for an answer that never comes. */
const AT_ONCE = 50;
const LIE_SHARE = 0.25;
const TEST_MS_MAX = 120_000;
const LIMITS = { connectMs: 400, replyMs: 400, sendMs: 3_000, idleMs: 100, imapMs: 2_000 };
const PASSWORD = "canary-hunter2-password";

const LONG = "x".repeat(200_000);
const SMTP_LIES: readonly Answer[] = [
  ...(["drop", "hang", "", " ", "\u0000\u00ff\u0001", "250", "25", "2500 ok", "999 what"] as const),
  ...["250-more\r\n250-and more", "250 ok\r\n250 ok\r\n250 ok", "354 go on", "220 hello again"],
  ...["334 ", "334 !!!not base64", "535 5.7.8 wrong password", "421 4.3.2 closing", "550 5.1.1 no"],
  ...[`250 ${LONG}`, `250-${"a\r\n250-".repeat(5_000)}b\r\n250 end`, "HTTP/1.1 200 OK"],
  ...[
    `535 5.7.8 the password ${PASSWORD} is wrong`,
    "-1 less than nothing",
    "250\u2028ok",
    "2\n50 ok",
  ],
];

const IMAP_LIES = (tag: string): readonly ImapAnswer[] => [
  ...(["drop", "hang", "", "* ", "*", "\u0000\u00ff", "* BYE", "+ go on", "+ "] as const),
  ...[`${tag} OK done`, `${tag} NO ${PASSWORD} is wrong`, `${tag} BAD what`, "a999 OK another's"],
  ...[`* ${"9".repeat(30)} EXISTS\r\n${tag} OK`, `* -1 EXISTS\r\n${tag} OK`, `* 0 FETCH (UID x)`],
  ...[`* OK [UIDVALIDITY 99999999999999999999]\r\n* OK [UIDNEXT 0]\r\n${tag} OK [READ-ONLY]`],
  ...[
    `* 1 FETCH (UID 5 BODY[] {999999999}\r\nshort\r\n${tag} OK done`,
    `* 1 FETCH (UID 5\r\n${tag} OK`,
  ],
  ...[
    `* 1 FETCH (UID 4294967295 BODY[] {5}\r\nhello)\r\n${tag} OK`,
    `* LIST ((((((((\r\n${tag} OK`,
  ],
  ...[`* SEARCH ${"1 ".repeat(20_000)}\r\n${tag} OK`, `* CAPABILITY ${LONG}\r\n${tag} OK`],
  ...[`* LIST (\\HasNoChildren) "/" "${"a/".repeat(500)}"\r\n${tag} OK`, `${tag}${tag} OK`],
];

/** What is drawn at a moment of a case, or undefined where it is told the truth. */
function lie<Said>(lies: readonly Said[], ...at: (string | number)[]): Said | undefined {
  if (hash01(SEED, "lies", ...at) >= LIE_SHARE) {
    return undefined;
  }
  return lies[Math.floor(hash01(SEED, "which", ...at) * lies.length)];
}

async function inTurns<Result>(run: (nth: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < CASES; from += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, (_, nth) => run(from + nth));
    results.push(...(await Promise.all(some)));
  }
  return results;
}

test(
  "an SMTP server that lies",
  async () => {
    const results = await inTurns(async (nth) => {
      let last: Answer;
      let isTaken = false;
      const sink = await startSmtpSink(({ moment }: Ask) => {
        last = lie(SMTP_LIES, "smtp", nth, moment);
        // A final dot that was answered, or that nobody answered, may stand for an email that was taken.
        isTaken ||= moment === "BODY" && isYes(last);
        return last;
      });
      const { smtp } = smtpMailbox(sink.port);
      const login = smtp === null ? null : { ...smtp, password: PASSWORD };
      const port = localMailPort({ limits: LIMITS });
      const { calls, beforeBody } = counted();
      const mailbox = smtpMailbox(sink.port, { smtp: login });
      const outcome = await port.send(mailbox, message(), beforeBody);
      await port.close();
      await sink.stop();
      return { nth, outcome, isTaken, asked: calls.count };
    });
    const wrong = results.filter(({ outcome, isTaken, asked }) => {
      const isDenied = isTaken && !mayBeTaken(outcome);
      // More answers than questions: by RFC 5321 nobody can tell which of them was for the final dot.
      const isYesGiven = outcome.kind === "accepted" && outcome.response.startsWith("250");
      const isClaimed = outcome.kind === "accepted" && (asked !== 1 || !(isTaken || isYesGiven));
      return isDenied || isClaimed || asked > 1 || JSON.stringify(outcome).includes(PASSWORD);
    });
    expect(wrong).toEqual([]);
    const kinds = new Set(results.map(({ outcome }) => outcome.kind));
    expect(kinds).toEqual(new Set(["accepted", "refused", "deferred", "unreachable"]));
    tried("mail", CASES);
  },
  TEST_MS_MAX,
);

/** What a client may take for "I have it": a good server's answer, and whatever begins like it. */
function isYes(said: Answer): boolean {
  return said === undefined || /^250(?![0-9])/.test(said);
}

function mayBeTaken(outcome: SendOutcome): boolean {
  return outcome.kind === "accepted" || (outcome.kind === "unreachable" && outcome.bodySent);
}

test(
  "an IMAP server that lies",
  async () => {
    const results = await inTurns(async (nth) => {
      const sink = await startImapSink(({ tag, verb }: ImapAsk) =>
        lie(IMAP_LIES(tag), "imap", nth, verb),
      );
      const { smtp } = smtpMailbox(sink.port);
      const imap = smtp === null ? null : { ...smtp, password: PASSWORD };
      const port = localMailPort({ limits: LIMITS });
      const mailbox = smtpMailbox(1, { imap, smtp: null });
      const outcome: PollOutcome = await port.poll(mailbox, '{"INBOX":["7",4]}');
      await port.close();
      await sink.stop();
      return { nth, outcome };
    });
    const wrong = results.filter(({ outcome }) => {
      const isOdd = outcome.kind === "read" && outcome.mails.length > 10;
      return isOdd || JSON.stringify(outcome).includes(PASSWORD);
    });
    expect(wrong).toEqual([]);
    expect(new Set(results.map(({ outcome }) => outcome.kind))).toEqual(
      new Set(["read", "unreachable"]),
    );
    tried("mail", CASES);
  },
  TEST_MS_MAX,
);

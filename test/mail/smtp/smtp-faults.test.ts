/**
 * What every way for an SMTP transaction to fail is called, and above all whether the message may
 * have been handed over. Each case runs against a server that answers one command at a time and
 * against one that takes them in a row (PIPELINING).
 */

import { afterEach, describe, expect, test } from "bun:test";
import type { SendOutcome } from "#domain/mailboxes/send-outcome.ts";
import type { Mailbox } from "#platform/ports/mail.ts";
import { counted, localMailPort, message, smtpMailbox } from "../support.ts";
import { type Answer, type Moment, type SmtpSink, startSmtpSink } from "./smtp-sink.ts";

const LIMITS = { connectMs: 300, replyMs: 300, sendMs: 5_000, idleMs: 5_000 };

let sink: SmtpSink | undefined;
afterEach(async () => {
  await sink?.stop();
  sink = undefined;
});

interface Case {
  at: Moment;
  answer: Answer;
  outcome: Partial<Exclude<SendOutcome, { kind: "accepted" }>>;
}

const unreachable = (stage: "connect" | "auth" | "mail" | "rcpt" | "data", bodySent = false) =>
  ({ kind: "unreachable", stage, bodySent }) as const;
const verdict = (
  kind: "deferred" | "refused",
  stage: "connect" | "auth" | "mail" | "rcpt" | "data",
  code: number,
  enhanced: string | null,
) => ({ kind, stage, code, enhanced }) as const;

const CASES: readonly Case[] = [
  { at: "CONNECT", answer: "drop", outcome: unreachable("connect") },
  { at: "CONNECT", answer: "hang", outcome: unreachable("connect") },
  { at: "CONNECT", answer: "HTTP/1.1 400 Bad Request", outcome: unreachable("connect") },
  {
    at: "CONNECT",
    answer: "554 5.7.1 go away",
    outcome: verdict("refused", "connect", 554, "5.7.1"),
  },
  { at: "CONNECT", answer: "421 busy", outcome: verdict("deferred", "connect", 421, null) },
  { at: "EHLO", answer: "drop", outcome: unreachable("connect") },
  { at: "EHLO", answer: "hang", outcome: unreachable("connect") },
  { at: "EHLO", answer: "421 busy", outcome: verdict("deferred", "connect", 421, null) },
  { at: "AUTH", answer: "drop", outcome: unreachable("auth") },
  { at: "AUTH", answer: "hang", outcome: unreachable("auth") },
  {
    at: "AUTH",
    answer: "535 5.7.8 wrong",
    outcome: verdict("refused", "auth", 535, "5.7.8"),
  },
  {
    at: "AUTH",
    answer: "454 4.7.0 later",
    outcome: verdict("deferred", "auth", 454, "4.7.0"),
  },
  {
    at: "AUTH",
    answer: "421 4.7.0 too many logins",
    outcome: verdict("deferred", "auth", 421, "4.7.0"),
  },
  { at: "MAIL", answer: "drop", outcome: unreachable("mail") },
  { at: "MAIL", answer: "hang", outcome: unreachable("mail") },
  {
    at: "MAIL",
    answer: "550 5.4.5 Daily user sending limit exceeded",
    outcome: verdict("refused", "mail", 550, "5.4.5"),
  },
  {
    at: "MAIL",
    answer: "421 4.3.2 closing",
    outcome: verdict("deferred", "mail", 421, "4.3.2"),
  },
  { at: "RCPT", answer: "drop", outcome: unreachable("rcpt") },
  { at: "RCPT", answer: "hang", outcome: unreachable("rcpt") },
  {
    at: "RCPT",
    answer: "550 5.1.1 no such user",
    outcome: verdict("refused", "rcpt", 550, "5.1.1"),
  },
  {
    at: "RCPT",
    answer: "450 4.2.1 mailbox busy",
    outcome: verdict("deferred", "rcpt", 450, "4.2.1"),
  },
  {
    at: "RCPT",
    answer: "421 4.7.28 too fast",
    outcome: verdict("deferred", "rcpt", 421, "4.7.28"),
  },
  { at: "RCPT", answer: "551 moved", outcome: verdict("refused", "rcpt", 551, null) },
  { at: "DATA", answer: "drop", outcome: unreachable("data") },
  { at: "DATA", answer: "hang", outcome: unreachable("data") },
  { at: "DATA", answer: "451 4.3.0 later", outcome: verdict("deferred", "data", 451, "4.3.0") },
  { at: "BODY", answer: "drop", outcome: unreachable("data", true) },
  { at: "BODY", answer: "hang", outcome: unreachable("data", true) },
  { at: "BODY", answer: "554 5.7.1 spam", outcome: verdict("refused", "data", 554, "5.7.1") },
  { at: "BODY", answer: "451 4.3.0 later", outcome: verdict("deferred", "data", 451, "4.3.0") },
  { at: "BODY", answer: "421 4.3.0 later", outcome: verdict("deferred", "data", 421, "4.3.0") },
];

describe.each([
  ["one at a time", false],
  ["pipelined", true],
])("%s", (_name, pipelining) => {
  test.each(CASES.map((entry) => [entry.at, entry.answer, entry] as const))(
    "%s answered %p",
    async (_at, _answer, { at, answer, outcome }) => {
      sink = await startSmtpSink(({ moment }) => (moment === at ? answer : undefined), {
        pipelining,
      });
      const port = localMailPort({ limits: LIMITS });
      const { calls, beforeBody } = counted();

      const got = await port.send(smtpMailbox(sink.port), message(), beforeBody);

      expect(got).toMatchObject(outcome);
      expect(calls.count).toBe(at === "BODY" ? 1 : 0);
      expect(sink.bodies).toEqual([]);
      await port.close();
    },
  );

  test("cut between 354 and the first byte: certainly not handed over", async () => {
    sink = await startSmtpSink(undefined, { pipelining });
    const port = localMailPort({ limits: LIMITS });
    const asked = Promise.withResolvers<void>();
    const { beforeBody } = counted(() => {
      asked.resolve();
      return new Promise<void>(() => undefined);
    });
    const sending = port.send(smtpMailbox(sink.port), message(), beforeBody);
    await asked.promise;
    await sink.stop();
    sink = undefined;
    expect(await sending).toMatchObject(unreachable("data"));
    await port.close();
  });

  test("a message withheld before its first byte leaves nothing behind", async () => {
    sink = await startSmtpSink(undefined, { pipelining });
    const port = localMailPort({ limits: LIMITS });
    const { beforeBody } = counted(() => Promise.reject(new Error("not claimed")));
    const mailbox = smtpMailbox(sink.port);
    expect(await port.send(mailbox, message(), beforeBody)).toMatchObject(unreachable("data"));
    await sink.ended(1);
    expect(sink.bodies).toEqual([]);
    const again = await port.send(mailbox, message(), counted().beforeBody);
    expect(again.kind).toBe("accepted");
    expect(sink.bodies).toHaveLength(1);
    await port.close();
  });
});

describe("what is known without a server's verdict", () => {
  const send = async (mailbox: Mailbox, options = {}, envelope = message()) => {
    const port = localMailPort({ limits: LIMITS, ...options });
    const { calls, beforeBody } = counted();
    const outcome = await port.send(mailbox, envelope, beforeBody);
    expect(calls.count).toBe(0);
    await port.close();
    return outcome;
  };
  const withSmtp = (change: object, port = 1): Mailbox => {
    const mailbox = smtpMailbox(port);
    return { ...mailbox, smtp: mailbox.smtp === null ? null : { ...mailbox.smtp, ...change } };
  };

  test("nobody listens", async () => {
    sink = await startSmtpSink();
    const { port } = sink;
    await sink.stop();
    sink = undefined;
    expect(await send(smtpMailbox(port))).toMatchObject(unreachable("connect"));
  });

  test.each([
    ["no settings", smtpMailbox(1, { smtp: null })],
    ["no address", withSmtp({ host: "nowhere.test" })],
    ["an address that the operator has not opened", withSmtp({ host: "10.0.0.1" })],
    ["no TLS to another machine", withSmtp({ host: "other.test" })],
  ])("%s", async (_name, mailbox) => {
    const dns = { lookup: async (host: string) => (host === "other.test" ? ["1.1.1.1"] : []) };
    const outcome = await send(mailbox, { dns: { ...dns, mx: async () => [] } });
    expect(outcome).toMatchObject(unreachable("connect"));
  });

  test.each(["", "a b@acme.test", "a@acme.test>\r\nRCPT TO:<b@acme.test", "a\u0000@acme.test"])(
    "%p is no recipient, and no command is made of it",
    async (to) => {
      sink = await startSmtpSink();
      const outcome = await send(smtpMailbox(sink.port), {}, { ...message(), to });
      expect(outcome).toMatchObject(verdict("refused", "rcpt", 553, "5.1.3"));
      expect(sink.commands.filter((line) => line.includes("RCPT"))).toEqual([]);
    },
  );

  test("a password that is not there is a refused login", async () => {
    sink = await startSmtpSink();
    const mailbox = withSmtp({ password: null }, sink.port);
    expect(await send(mailbox)).toMatchObject(verdict("refused", "auth", 535, null));
  });

  test("a message above the server's limit is refused, not the mailbox", async () => {
    sink = await startSmtpSink();
    const envelope = { ...message(), raw: new Uint8Array(100_001).fill(97) };
    const outcome = await send(smtpMailbox(sink.port), {}, envelope);
    expect(outcome).toMatchObject(verdict("refused", "data", 552, "5.3.4"));
  });

  test.each(["454 4.7.0 TLS not available", "502 5.5.1 unknown command"])(
    "STARTTLS answered %p: no way to the server, and no password in the clear",
    async (reply) => {
      sink = await startSmtpSink(({ moment }) => (moment === "STARTTLS" ? reply : undefined));
      const outcome = await send(withSmtp({ security: "starttls" }, sink.port));
      expect(outcome).toMatchObject(unreachable("connect"));
      expect(sink.commands.filter((line) => line.includes("AUTH"))).toEqual([]);
    },
  );

  test("a server that is silent has the whole time of a send, and no more", async () => {
    sink = await startSmtpSink(({ moment }) => (moment === "RCPT" ? "hang" : undefined));
    const limits = { ...LIMITS, replyMs: 60_000, sendMs: 200 };
    expect(await send(smtpMailbox(sink.port), { limits })).toMatchObject(unreachable("rcpt"));
  });

  test("words of a server are one bounded line without control characters", async () => {
    const long = `550-5.1.1 first\u0007\u202e\r\n550-5.1.1 second\r\n550 5.1.1 ${"x".repeat(900)}`;
    sink = await startSmtpSink(({ moment }) => (moment === "RCPT" ? long : undefined));
    const outcome = await send(smtpMailbox(sink.port));
    expect(outcome).toMatchObject(verdict("refused", "rcpt", 550, "5.1.1"));
    const words = outcome.kind === "refused" ? outcome.response : "";
    expect(words).toStartWith("550 5.1.1 first");
    expect(words).toContain("second xxx");
    expect(words).toHaveLength(500);
    expect(words).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

test.each([
  ["beside the answer to DATA", "DATA", "354 go ahead\r\n250 2.0.0 queued as 1", false],
  ["after a login", "AUTH", "235 2.7.0 welcome\r\n250 ok\r\n250 ok\r\n354 go\r\n250 queued", false],
] as const)(
  "what is said %s is no answer to a body that comes after it",
  async (_name, at, answer, bodySent) => {
    sink = await startSmtpSink(({ moment }) => (moment === at ? answer : undefined));
    const port = localMailPort({ limits: LIMITS });
    const { calls, beforeBody } = counted();
    const got = await port.send(smtpMailbox(sink.port), message(), beforeBody);
    expect(got).toMatchObject({ kind: "unreachable", bodySent });
    expect(calls.count).toBe(0);
    expect(sink.bodies).toEqual([]);
    await port.close();
  },
);

/**
 * What every way for an IMAP session to fail is called, above all whether the password was
 * refused.
 */

import { afterEach, describe, expect, test } from "bun:test";
import type { Mailbox } from "#platform/ports/mail.ts";
import { localMailPort, message, oauthAt, smtpMailbox } from "../support.ts";
import { type ImapAnswer, type ImapAsk, startImapSink } from "./imap-sink.ts";

const LIMITS = { connectMs: 300, replyMs: 300, imapMs: 2_000 };
const CURSOR = '{"INBOX":["7",4]}';

let stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops) {
    await stop();
  }
  stops = [];
});

function imapMailbox(port: number, change: Partial<Mailbox> = {}): Mailbox {
  const { smtp } = smtpMailbox(port);
  return smtpMailbox(1, { imap: smtp, smtp: null, ...change });
}

async function start(answer?: (ask: ImapAsk) => ImapAnswer, options: object = {}) {
  const sink = await startImapSink(answer);
  stops.push(() => sink.stop());
  const port = localMailPort({ limits: LIMITS, ...options });
  return { sink, port, mailbox: imapMailbox(sink.port) };
}

const at = (verb: string, answer: (tag: string) => string) => (ask: ImapAsk) =>
  ask.verb === verb ? answer(ask.tag) : undefined;

test("a good server is read, and only read", async () => {
  const { sink, port, mailbox } = await start();
  const outcome = await port.poll(mailbox, CURSOR);
  expect(outcome).toMatchObject({
    kind: "read",
    mails: [{ folder: "INBOX", uid: "7.5", receivedAt: Date.UTC(2026, 2, 2, 9, 30) }],
    cursor: '{"INBOX":["7",5]}',
    more: false,
  });
  const verbs = sink.commands.map((line) => line.split(" ")[1]);
  expect(verbs).toContain("EXAMINE");
  expect(sink.commands.join("\n")).not.toMatch(/SELECT|STORE|EXPUNGE|COPY|MOVE|BODY\[/);
});

test("the range that always holds the last message gives nothing twice", async () => {
  const silent = at("EXAMINE", (tag) =>
    ["* 1 EXISTS", "* OK [UIDVALIDITY 7] ", `${tag} OK [READ-ONLY] done`].join("\r\n"),
  );
  const { port, mailbox } = await start(silent);
  expect(await port.poll(mailbox, '{"INBOX":["7",5]}')).toMatchObject({ kind: "read", mails: [] });
});

describe("the login", () => {
  test.each([
    ["NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)", true],
    ["NO [AUTHORIZATIONFAILED] no", true],
    ["NO [EXPIRED] password is too old", true],
    ["NO Login failed", true],
    ["BAD Invalid user or password", true],
    ["NO [UNAVAILABLE] Temporary authentication failure.", false],
    ["NO [INUSE] busy", false],
    ["NO [LIMIT] Maximum number of connections", false],
    ["NO [ALERT] Too many simultaneous connections. (Failure)", false],
    ["NO Internal error occurred", false],
    ["BAD User is authenticated but not connected.", false],
  ])("answered %p: the credentials are to blame: %p", async (words, login) => {
    const { port, mailbox } = await start(at("LOGIN", (tag) => `${tag} ${words}`));
    const outcome = await port.poll(mailbox, CURSOR);
    expect(outcome).toMatchObject({ kind: "unreachable", login });
    expect(outcome.kind === "unreachable" && outcome.reason.length > 0).toBe(true);
  });

  test("a password that is not there is to blame too, and no server is asked", async () => {
    const { sink, port, mailbox } = await start();
    const { imap } = mailbox;
    const without = { ...mailbox, imap: imap === null ? null : { ...imap, password: null } };
    expect(await port.poll(without, "")).toMatchObject({ kind: "unreachable", login: true });
    expect(sink.commands).toEqual([]);
  });
});

describe.each(["CONNECT", "LOGIN", "LIST", "EXAMINE", "UID SEARCH", "UID FETCH"])("%s", (verb) => {
  test.each(["drop", "hang"])(
    "answered by %s: unreachable, in time, and no password refused",
    async (answer) => {
      const { port, mailbox } = await start(at(verb, () => answer));
      const outcome = await port.poll(mailbox, CURSOR);
      expect(outcome).toMatchObject({ kind: "unreachable", login: false });
    },
  );
});

test("a server that is silent has the whole time of a task, and no more", async () => {
  const limits = { ...LIMITS, replyMs: 60_000, imapMs: 200 };
  const { port, mailbox } = await start(
    at("EXAMINE", () => "hang"),
    { limits },
  );
  expect(await port.poll(mailbox, CURSOR)).toEqual({
    kind: "unreachable",
    reason: "timed out",
    login: false,
  });
});

test.each([
  ["no greeting of IMAP", "CONNECT", () => "220 smtp"],
  ["a literal of a gigabyte", "UID FETCH", () => "* 1 FETCH (UID 5 BODY[]<0> {1000000000}"],
  ["an inbox that may not be read", "EXAMINE", (tag: string) => `${tag} NO not allowed`],
  ["a search that is refused", "UID SEARCH", (tag: string) => `${tag} NO not now`],
])("%s is unreachable", async (_name, verb, answer) => {
  const { port, mailbox } = await start(at(verb, answer));
  expect(await port.poll(mailbox, CURSOR)).toMatchObject({ kind: "unreachable", login: false });
});

test("a junk folder that cannot be read does not keep the inbox from being read", async () => {
  const { port, mailbox } = await start(({ verb, tag, line }) => {
    if (verb === "LIST") {
      return `* LIST () "/" INBOX\r\n* LIST (\\Junk) "/" Spam\r\n${tag} OK done`;
    }
    return verb === "EXAMINE" && line.includes("Spam") ? `${tag} NO no` : undefined;
  });
  expect(await port.poll(mailbox, CURSOR)).toMatchObject({ kind: "read", mails: [{ uid: "7.5" }] });
});

test("of Gmail, what All Mail alone holds is read, before the inbox", async () => {
  const { sink, port, mailbox } = await start(({ verb, tag, line }) => {
    if (verb === "CAPABILITY") {
      return `* CAPABILITY IMAP4rev1 X-GM-EXT-1 SPECIAL-USE\r\n${tag} OK done`;
    }
    if (verb === "LIST" && !line.endsWith('""')) {
      return `* LIST () "/" INBOX\r\n* LIST (\\All) "/" "Alle Nachrichten"\r\n${tag} OK done`;
    }
    return undefined;
  });
  const outcome = await port.poll(mailbox, CURSOR);
  expect(outcome).toMatchObject({ mails: [{ folder: "Alle Nachrichten" }, { folder: "INBOX" }] });
  const searches = sink.commands.filter((line) => line.includes("UID SEARCH UID"));
  expect(searches[0]).toMatch(/X-GM-RAW "-in:inbox -in:sent/);
  expect(searches[1]).not.toContain("X-GM-RAW");
});

test("a mailbox without a Sent folder cannot be checked, and keeps no copy", async () => {
  const { port, mailbox } = await start();
  expect((await port.find(mailbox, "<x@y>")).kind).toBe("uncheckable");
  expect((await port.saveSent(mailbox, message())).kind).toBe("failed");
});

test("a server without STARTTLS gets no password", async () => {
  const { sink, port, mailbox } = await start();
  const { imap } = mailbox;
  const strict: Mailbox = {
    ...mailbox,
    imap: imap === null ? null : { ...imap, security: "starttls" },
  };
  expect(await port.poll(strict, "")).toMatchObject({ kind: "unreachable", login: false });
  expect(sink.commands.filter((line) => /LOGIN|AUTH/.test(line))).toEqual([]);
});

describe("OAuth", () => {
  function endpoint() {
    let serial = 0;
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => {
        serial += 1;
        return Response.json({ access_token: `token${serial}`, expires_in: 3600 });
      },
    });
    stops.push(() => server.stop(true));
    return oauthAt(`http://127.0.0.1:${server.port}/`);
  }
  const oauth = { clientId: "c", clientSecret: "s", refreshToken: "r" };
  const tokenOf = (line: string) =>
    /auth=Bearer (\w+)/.exec(Buffer.from(line.split(" ").at(-1) ?? "", "base64").toString())?.[1];

  async function poll(good: string) {
    const accepts = ({ verb, tag, line }: ImapAsk) =>
      verb === "AUTHENTICATE" && tokenOf(line) !== good
        ? `${tag} NO [AUTHENTICATIONFAILED] bad token`
        : undefined;
    const { sink, port } = await start(accepts, { oauth: endpoint() });
    return port.poll(imapMailbox(sink.port, { provider: "google", oauth }), CURSOR);
  }

  test("logs in with the token", async () => {
    expect((await poll("token1")).kind).toBe("read");
  });

  test("a token withdrawn before its time is replaced once", async () => {
    expect((await poll("token2")).kind).toBe("read");
    expect(await poll("token3")).toMatchObject({ kind: "unreachable", login: true });
  });
});

test("forget cuts what is under way for that account", async () => {
  const hung = Promise.withResolvers<void>();
  const limits = { ...LIMITS, replyMs: 60_000, imapMs: 60_000 };
  const answer = at("EXAMINE", () => {
    hung.resolve();
    return "hang";
  });
  const { port, mailbox } = await start(answer, { limits });
  const polling = port.poll(mailbox, CURSOR);
  await hung.promise;
  port.forget("another account");
  port.forget(mailbox.accountId);
  expect(await polling).toMatchObject({ kind: "unreachable", login: false });
});

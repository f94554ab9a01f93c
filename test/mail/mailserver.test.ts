/**
 * The mail port against real Dovecot and Postfix: the conformance suite, and what only real servers
 * show. Without the packages or root it is skipped, except in CI.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ImapFlow } from "imapflow";
import { unixMs } from "#domain/time.ts";
import { composeMessage } from "#mail/compose.ts";
import { parseMail } from "#mail/parse.ts";
import type { Mailbox, MailPort, ReceivedMail } from "#platform/ports/mail.ts";
import {
  type MailServer,
  missingForMailServer,
  PASSWORD,
  skipsMailServer,
  startMailServer,
} from "../mailserver/mailserver.ts";
import { type MailHarness, mailPortConformance } from "./conformance.ts";
import { counted, localMailPort, message, rawMessage } from "./support.ts";

const skips = skipsMailServer();
const suffix = skips ? ` (skipped: the mail server ${missingForMailServer()})` : "";
/** Until Postfix has handed an email on; a real second or two, hence generous. */
const ARRIVAL_MS_MAX = 20_000;

if (skips) {
  test.skipIf(true)(`mail over real servers${suffix}`, () => undefined);
} else {
  for (const security of ["starttls", "tls"] as const) {
    mailPortConformance(
      `Dovecot and Postfix, ${security}`,
      { incoming: true, logins: true },
      async () => harnessOf(await startMailServer({ loadUsers: 0 }), security),
    );
  }
  describe("real servers", () => realServers());
}

function harnessOf(server: MailServer, security: "starttls" | "tls"): MailHarness {
  const port = localMailPort({ ca: server.ca });
  const mailbox = server.mailbox("sender1@out.test", { security });
  return {
    port,
    mailbox,
    recipients: {
      accepts: "alice@acme.test",
      refuses: "nobody@acme.test",
      defers: "tempfail@acme.test",
    },
    wrongLogin: server.mailbox("sender1@out.test", { security, password: "wrong" }),
    arrivals: async (messageId) => {
      await server.emptyQueue();
      return (await search(server, "alice@acme.test", messageId)).length;
    },
    incoming: {
      deliver: async (raw) => {
        await using client = await imap(server, mailbox.address);
        await client.append("INBOX", Buffer.from(raw), []);
      },
      traces: () => maildir(server, mailbox.address),
      tells: true,
    },
    seed: {
      mailbox: server.mailbox("seed2@outlookish.test", { security }),
      address: "seed2@outlookish.test",
      delivered: (messageId) => appears(server, "seed2@outlookish.test", messageId),
    },
    stop: () => server.stop(),
  };
}

function realServers(): void {
  let server: MailServer;
  let port: MailPort;
  beforeAll(async () => {
    server = await startMailServer({ loadUsers: 3 });
    port = localMailPort({ ca: server.ca });
  }, 60_000);
  afterAll(async () => {
    await port.close();
    await server.stop();
  }, 60_000);

  const cursorOf = async (mailbox: Mailbox, cursor = "") => {
    const outcome = await port.poll(mailbox, cursor);
    return outcome.kind === "read" ? outcome.cursor : "";
  };
  /** Polls until an email satisfies `wanted`. */
  const received = async (
    mailbox: Mailbox,
    cursor: string,
    wanted: (mail: ReceivedMail) => Promise<boolean>,
  ): Promise<ReceivedMail> => {
    return until(async () => {
      const outcome = await port.poll(mailbox, cursor);
      for (const mail of outcome.kind === "read" ? outcome.mails : []) {
        if (await wanted(mail)) {
          return mail;
        }
      }
      return undefined;
    });
  };

  test("a composed message arrives as it was meant, with its one-click headers", async () => {
    const alice = server.mailbox("alice@acme.test");
    const cursor = await cursorOf(alice);
    const sent = message("alice@acme.test");
    const raw = await composeMessage({
      from: { name: "Zoë Sender", address: "sender1@out.test" },
      to: { name: "Alice", address: "alice@acme.test" },
      subject: "Re: Grüße — 你好",
      text: "Hello\n.\nFrom here\n\nyours\n",
      html: "<p>Hello</p>",
      messageId: sent.messageId,
      date: unixMs(Date.UTC(2026, 2, 2, 9, 30)),
      inReplyTo: "<m0@out.test>",
      references: ["<m0@out.test>"],
      headers: [
        { name: "List-Unsubscribe", value: "<https://out.test/u/abc>, <mailto:u@out.test>" },
        { name: "List-Unsubscribe-Post", value: "List-Unsubscribe=One-Click" },
      ],
    });
    const sender = server.mailbox("sender1@out.test");
    const { beforeBody } = counted();
    expect(await port.send(sender, { ...sent, raw }, beforeBody)).toMatchObject({
      kind: "accepted",
    });
    const mail = await received(alice, cursor, async () => true);
    const parsed = await parseMail(mail.raw);
    expect(parsed).toMatchObject({
      messageId: sent.messageId,
      inReplyTo: "<m0@out.test>",
      references: ["<m0@out.test>"],
      from: { name: "Zoë Sender", address: "sender1@out.test" },
      subject: "Re: Grüße — 你好",
      deliveredTo: ["alice@acme.test"],
    });
    expect(parsed.text.trimEnd()).toBe("Hello\n.\nFrom here\n\nyours");
    expect(parsed.headers).toContainEqual({
      name: "list-unsubscribe",
      value: "<https://out.test/u/abc>, <mailto:u@out.test>",
    });
  });

  test("content refused after the final dot is a verdict, and the mailbox sends on", async () => {
    const sender = server.mailbox("sender2@out.test");
    const bad = message("alice@acme.test");
    const raw = rawMessage({ ...bad, body: "REFUSE-THIS-BODY" });
    expect(await port.send(sender, { ...bad, raw }, async () => undefined)).toMatchObject({
      kind: "refused",
      stage: "data",
      code: 550,
      enhanced: "5.7.1",
    });
    const good = message("alice@acme.test");
    expect((await port.send(sender, good, async () => undefined)).kind).toBe("accepted");
  });

  test("a bounce comes back with what it is about", async () => {
    const sender = server.mailbox("sender2@out.test");
    const cursor = await cursorOf(sender);
    const sent = message("someone@bounce.test", "sender2@out.test");
    expect((await port.send(sender, sent, async () => undefined)).kind).toBe("accepted");
    const mail = await received(sender, cursor, async () => true);
    const parsed = await parseMail(mail.raw);
    const report = parsed.parts.find((part) => part.type === "message/delivery-status");
    expect(report?.content).toContain("someone@bounce.test");
    expect(parsed.parts.some((part) => part.content.includes(sent.messageId))).toBe(true);
  }, 30_000);

  test("a vacation reply comes back, in the thread", async () => {
    const script =
      'require "vacation"; vacation :days 1 :subject "Out of office" "Back on Monday.";';
    await server.sieve("bob@globex.test", script);
    const sender = server.mailbox("sender3@out.test");
    const cursor = await cursorOf(sender);
    const sent = message("bob@globex.test", "sender3@out.test");
    expect((await port.send(sender, sent, async () => undefined)).kind).toBe("accepted");
    const mail = await received(sender, cursor, async () => true);
    const parsed = await parseMail(mail.raw);
    expect(parsed.inReplyTo).toBe(sent.messageId);
    expect(parsed.headers.some((entry) => entry.name === "auto-submitted")).toBe(true);
  }, 30_000);

  test("mail in the junk folder is read too, and says so", async () => {
    const script = 'require "fileinto"; fileinto "Junk";';
    await server.sieve("seed1@gmailish.test", script);
    const seed = server.mailbox("seed1@gmailish.test");
    const cursor = await cursorOf(seed);
    const sent = message("seed1@gmailish.test");
    await port.send(server.mailbox("sender1@out.test"), sent, async () => undefined);
    expect((await received(seed, cursor, async () => true)).folder).toBe("Junk");
  }, 30_000);

  test("an email that a filter files away is found where it is", async () => {
    const address = "seed1@gmailish.test";
    const sender = server.mailbox("sender1@out.test");
    for (const [folder, place] of [
      ["Junk", "junk"],
      ["Newsletters", "other"],
      ["Trash", "trash"],
    ] as const) {
      const script = `require ["fileinto", "mailbox"]; fileinto :create "${folder}";`;
      await server.sieve(address, script);
      const sent = message(address);
      await port.send(sender, sent, async () => undefined);
      const wanted = { messageId: sent.messageId, token: "nothing-has-this-token" };
      const found = await until(async () => {
        const outcome = await port.look(server.mailbox(address), [wanted]);
        return outcome.kind === "looked" ? outcome.found[0] : undefined;
      });
      expect(found).toMatchObject({ folder, place, tab: null });
    }
  }, 60_000);

  test("when UIDs lose their meaning, the last days are read again", async () => {
    const mailbox = server.mailbox("u2@load.test");
    const cursor = await cursorOf(mailbox);
    await using client = await imap(server, mailbox.address);
    const [old, fresh] = [message("u2@load.test"), message("u2@load.test")];
    const longAgo = "2020-01-01T00:00:00Z";
    await client.append("INBOX", Buffer.from(old.raw), [], longAgo);
    await client.append("INBOX", Buffer.from(fresh.raw), []);
    const changed = cursor.replace(/"INBOX":\["\d+",\d+\]/, '"INBOX":["1",77]');
    const outcome = await port.poll(mailbox, changed);
    expect(changed).not.toBe(cursor);
    expect(outcome.kind === "read" ? outcome.mails.length : 0).toBe(1);
    const raw = outcome.kind === "read" ? outcome.mails[0]?.raw : undefined;
    expect((await parseMail(raw ?? new Uint8Array())).messageId).toBe(fresh.messageId);
  });

  test("a cursor of another make is a mailbox never read", async () => {
    const mailbox = server.mailbox("alice@acme.test");
    for (const cursor of ["{", "[]", "null", '{"INBOX":7}', '{"INBOX":["1"]}']) {
      expect(await port.poll(mailbox, cursor)).toMatchObject({ kind: "read", mails: [] });
    }
  });

  test("the wrong password is said to be that; a server that is not there is not", async () => {
    const wrong = server.mailbox("alice@acme.test", { password: "wrong" });
    expect(await port.poll(wrong, "")).toMatchObject({ kind: "unreachable", login: true });
    const { imap: login } = wrong;
    const gone = { ...wrong, imap: login === null ? null : { ...login, port: 1 } };
    expect(await port.poll(gone, "")).toMatchObject({ kind: "unreachable", login: false });
    const distrusting = localMailPort();
    const mailbox = server.mailbox("alice@acme.test");
    expect(await distrusting.poll(mailbox, "")).toMatchObject({
      kind: "unreachable",
      login: false,
    });
    await distrusting.close();
  });
}

async function imap(server: MailServer, user: string): Promise<ImapFlow> {
  const client = new ImapFlow({
    host: server.host,
    port: server.ports.IMAP,
    secure: false,
    doSTARTTLS: false,
    auth: { user, pass: PASSWORD },
    logger: false,
    disableAutoIdle: true,
  });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

async function search(server: MailServer, user: string, messageId: string): Promise<number[]> {
  await using client = await imap(server, user);
  await client.mailboxOpen("INBOX", { readOnly: true });
  const found = await client.search({ header: { "Message-ID": messageId } }, { uid: true });
  return Array.isArray(found) ? found : [];
}

async function appears(server: MailServer, user: string, messageId: string): Promise<void> {
  await until(async () => ((await search(server, user, messageId)).length > 0 ? true : undefined));
}

/** Asks again and again, each time over the network, until there is an answer. */
async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  const late = AbortSignal.timeout(ARRIVAL_MS_MAX);
  while (!late.aborted) {
    const answer = await ask();
    if (answer !== undefined) {
      return answer;
    }
  }
  throw new Error("it did not arrive");
}

/** Names of the files of a mailbox: folder and flags are part of them. */
async function maildir(server: MailServer, address: string): Promise<string> {
  const [local, domain] = address.split("@");
  const names = await readdir(join(server.dir, "mail", domain ?? "", local ?? "", "Maildir"), {
    recursive: true,
  });
  return names
    .filter((name) => /(^|\/)(cur|new)\/./.test(name))
    .map((name) => name.replace(/(^|\/)(cur|new)\//, "$1").replace(/:2,$/, ""))
    .toSorted()
    .join("\n");
}

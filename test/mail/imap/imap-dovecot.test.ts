/**
 * Reading and watching mailboxes of a real Dovecot: a wire cut anywhere loses nothing and repeats nothing,
 * large emails, compression, and folders by whatever name. Without the packages or root it is skipped,
 * except in CI.
 */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { ImapFlow } from "imapflow";
import { parseMail } from "#mail/parse.ts";
import type { Mailbox, MailPort, ReceivedMail } from "#platform/ports/mail.ts";
import {
  type MailServer,
  type MailServerOptions,
  missingForMailServer,
  PASSWORD,
  skipsMailServer,
  startMailServer,
} from "../../mailserver/mailserver.ts";
import { localMailPort, message, rawMessage } from "../support.ts";
import { type Passed, type ProxyRule, startProxy } from "./imap-proxy.ts";

const skips = skipsMailServer();

if (skips) {
  const why = `skipped: the mail server ${missingForMailServer()}`;
  test.skipIf(true)(`IMAP of a real Dovecot (${why})`, () => undefined);
} else {
  describe("Dovecot", () => dovecot());
  describe("folders", () => folders());
}

let server: MailServer;
let port: MailPort;
let stops: (() => unknown)[] = [];

function started(options: MailServerOptions): void {
  beforeAll(async () => {
    server = await startMailServer(options);
    port = localMailPort({ ca: server.ca });
  }, 60_000);
  afterAll(async () => {
    await port.close();
    await server.stop();
  }, 60_000);
  afterEach(async () => {
    for (const stop of stops.toReversed()) {
      await stop();
    }
    stops = [];
  });
}

/** A mailbox of its own for each test. */
let users = 0;
function freshMailbox(): Mailbox {
  users += 1;
  return server.mailbox(`u${users}@load.test`);
}

/** The same mailbox over a wire that is cut as `rule` says. */
async function wired(mailbox: Mailbox, rule: ProxyRule) {
  const proxy = await startProxy(server.ports.IMAP, rule);
  stops.push(() => proxy.stop());
  const { imap } = mailbox;
  const login =
    imap === null
      ? null
      : { ...imap, host: "127.0.0.1", port: proxy.port, security: "none" as const };
  return { proxy, mailbox: { ...mailbox, imap: login } };
}

async function client(mailbox: Mailbox): Promise<ImapFlow> {
  const flow = new ImapFlow({
    host: server.host,
    port: server.ports.IMAP,
    secure: false,
    doSTARTTLS: false,
    auth: { user: mailbox.address, pass: PASSWORD },
    logger: false,
    disableAutoIdle: true,
  });
  flow.on("error", () => undefined);
  await flow.connect();
  return flow;
}

async function deliver(mailbox: Mailbox, raw: Uint8Array, folder = "INBOX"): Promise<void> {
  await using flow = await client(mailbox);
  await flow.append(folder, Buffer.from(raw), []);
}

async function read(mailbox: Mailbox, cursor: string) {
  const outcome = await port.poll(mailbox, cursor);
  if (outcome.kind !== "read") {
    throw new Error(outcome.reason);
  }
  return outcome;
}

const ids = async (mails: readonly ReceivedMail[]) =>
  await Promise.all(mails.map(async ({ raw }) => (await parseMail(raw)).messageId));

const asks = (word: string) => (passed: Passed) => passed.client.includes(word);

function dovecot(): void {
  started({ loadUsers: 40 });

  test.each([
    ["after the greeting", { cutAfter: ({ server: said }) => said.includes("* OK") }],
    ["at LOGIN", { cutBefore: ({ client: said }) => /LOGIN|AUTHENTICATE/.test(said) }],
    ["behind the login", { cutAfter: ({ server: said }) => said.includes("Logged in") }],
    ["at LIST", { cutBefore: asks("LIST") }],
    ["at EXAMINE", { cutBefore: asks("EXAMINE") }],
    ["in the answer to EXAMINE", { cutAfter: ({ server: said }) => said.includes("UIDVALIDITY") }],
    ["at SEARCH", { cutBefore: asks("UID SEARCH") }],
    ["at FETCH of the sizes", { cutBefore: asks("RFC822.SIZE") }],
    ["at FETCH of the mails", { cutBefore: asks("BODY.PEEK") }],
    ["in the middle of a mail", { cutAfter: ({ server: said }) => /\{\d+\}\r\n.{9}/s.test(said) }],
    ["between two mails", { cutAfter: ({ server: said }) => said.split("BODY[]").length > 2 }],
  ] satisfies [string, ProxyRule][])(
    "a wire cut %s: said to be that, nothing is lost and nothing comes twice",
    async (_name, rule) => {
      const mailbox = freshMailbox();
      const { cursor } = await read(mailbox, "");
      const sent = [message(mailbox.address), message(mailbox.address)];
      for (const { raw } of sent) {
        await deliver(mailbox, raw);
      }
      const cut = await wired(mailbox, rule);
      const outcome = await port.poll(cut.mailbox, cursor);
      expect(outcome).toMatchObject({ kind: "unreachable", login: false });
      const after = await read(mailbox, cursor);
      expect(await ids(after.mails)).toEqual(sent.map(({ messageId }) => messageId));
      expect((await read(mailbox, after.cursor)).mails).toEqual([]);
    },
  );

  test("a wire cut at LOGOUT: what was read is read", async () => {
    const mailbox = freshMailbox();
    const { cursor } = await read(mailbox, "");
    await deliver(mailbox, message().raw);
    const cut = await wired(mailbox, { cutBefore: asks("LOGOUT") });
    expect(await port.poll(cut.mailbox, cursor)).toMatchObject({ kind: "read", mails: [{}] });
  });

  test.each([
    ["at IDLE", { cutBefore: asks("IDLE") }],
    ["while it idles", { cutAfter: ({ server: said }) => said.includes("+ idling") }],
  ] satisfies [string, ProxyRule][])("a watch cut %s has ended", async (_name, rule) => {
    const mailbox = freshMailbox();
    const cut = await wired(mailbox, rule);
    const end = await port.watch(cut.mailbox, new AbortController().signal, () => undefined);
    expect(end.kind).toBe("ended");
  });

  test("a watched mailbox is read over its own connection, and hears of email on", async () => {
    const mailbox = freshMailbox();
    const { proxy, mailbox: through } = await wired(mailbox, {});
    const { cursor } = await read(mailbox, "");
    const controller = new AbortController();
    const news = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
    let told = 0;
    const end = port.watch(through, controller.signal, () => {
      news[told]?.resolve();
      told += 1;
    });
    await news[0]?.promise;
    await deliver(mailbox, message().raw);
    await news[1]?.promise;
    const first = await read(through, cursor);
    expect(first.mails).toHaveLength(1);
    await deliver(mailbox, message().raw);
    await news[2]?.promise;
    expect((await read(through, first.cursor)).mails).toHaveLength(1);
    expect(proxy.passed).toHaveLength(1);
    controller.abort();
    expect(await end).toEqual({ kind: "stopped" });
    expect(proxy.passed[0]?.client).toContain("LOGOUT");
  });

  test("COMPRESS is used for a task, where it is offered, and never while waiting", async () => {
    const mailbox = freshMailbox();
    const { cursor } = await read(mailbox, "");
    const body = "the same line again\r\n".repeat(20_000);
    const sent = message(mailbox.address);
    await deliver(mailbox, rawMessage({ ...sent, body }));
    const packed = await wired(mailbox, { compress: true });
    const outcome = await port.poll(packed.mailbox, cursor);
    expect(outcome).toMatchObject({ kind: "read", mails: [{}] });
    const [passed] = packed.proxy.passed;
    expect(passed?.client).toContain("COMPRESS DEFLATE");
    expect(passed?.server.length).toBeLessThan(body.length / 10);
    const controller = new AbortController();
    const kept = await wired(mailbox, { compress: true });
    const { promise: isUp, resolve } = Promise.withResolvers<void>();
    const end = port.watch(kept.mailbox, controller.signal, resolve);
    await isUp;
    controller.abort();
    await end;
    expect(kept.proxy.passed[0]?.client).not.toContain("COMPRESS");
  });

  test("of an email of 3 MB come headers and text, and it is said", async () => {
    const mailbox = freshMailbox();
    const { cursor } = await read(mailbox, "");
    const sent = message(mailbox.address);
    const raw = largeMail(sent.messageId);
    await deliver(mailbox, raw);
    const small = message(mailbox.address);
    await deliver(mailbox, small.raw);
    const { mails } = await read(mailbox, cursor);
    expect(await ids(mails)).toEqual([sent.messageId, small.messageId]);
    const [large, other] = mails;
    expect(large?.sizeBytes).toBe(raw.length);
    expect(large?.raw.length).toBeLessThan(10_000);
    expect(other?.sizeBytes).toBeUndefined();
    const parsed = await parseMail(large?.raw ?? new Uint8Array());
    expect(parsed).toMatchObject({
      subject: "The film",
      inReplyTo: "<m0@out.test>",
      text: expect.stringContaining("Grüße, see the film"),
      html: expect.stringContaining("<b>film</b>"),
    });
    expect(parsed.parts.find(({ type }) => type === "message/delivery-status")?.content).toContain(
      "Status: 5.1.1",
    );
    expect(parsed.parts.some(({ content }) => content.includes("<returned@out.test>"))).toBe(true);
  });

  test("of a large email without parts comes the beginning of its text", async () => {
    const mailbox = freshMailbox();
    const { cursor } = await read(mailbox, "");
    const sent = message(mailbox.address);
    const body = `first words\r\n${"x".repeat(70)}\r\n`.repeat(40_000);
    await deliver(mailbox, rawMessage({ ...sent, body }));
    const { mails } = await read(mailbox, cursor);
    expect(mails[0]?.sizeBytes).toBeGreaterThan(3_000_000);
    expect(mails[0]?.raw.length).toBeLessThan(300_000);
    const parsed = await parseMail(mails[0]?.raw ?? new Uint8Array());
    expect(parsed.messageId).toBe(sent.messageId);
    expect(parsed.text).toStartWith("first words");
  });

  test("two junk folders are both read: the server's, and one that another program has made", async () => {
    const mailbox = freshMailbox();
    {
      await using flow = await client(mailbox);
      await flow.mailboxCreate("Spam");
    }
    const { cursor } = await read(mailbox, "");
    await deliver(mailbox, message().raw, "Junk");
    await deliver(mailbox, message().raw, "Spam");
    const { mails } = await read(mailbox, cursor);
    expect(mails.map(({ folder }) => folder).toSorted()).toEqual(["Junk", "Spam"]);
  });

  test("a mailbox of many folders is read as any other", async () => {
    const mailbox = freshMailbox();
    {
      await using flow = await client(mailbox);
      for (let index = 0; index < 300; index += 1) {
        await flow.mailboxCreate(`Archive/${index % 10}/Kunde ${index} – Grüße`);
      }
    }
    const { cursor } = await read(mailbox, "");
    await deliver(mailbox, message().raw);
    await deliver(mailbox, message().raw, "Junk");
    await deliver(mailbox, message().raw, "Archive/1/Kunde 1 – Grüße");
    const { mails } = await read(mailbox, cursor);
    expect(mails.map(({ folder }) => folder).toSorted()).toEqual(["INBOX", "Junk"]);
  }, 60_000);
}

function folders(): void {
  describe.each([
    ["another language, told by SPECIAL-USE", { junk: "Непрочитанное 7", specialUse: true }],
    ["a usual name, without SPECIAL-USE", { junk: "Spam", specialUse: false }],
    ["a usual name of another language", { junk: "Courrier indésirable", specialUse: false }],
  ])("a junk folder with %s", (_name, options) => {
    started({ loadUsers: 3, ...options });

    test("is read", async () => {
      const mailbox = server.mailbox("sender1@out.test");
      const { cursor } = await read(mailbox, "");
      const sent = message(mailbox.address);
      await deliver(mailbox, sent.raw, options.junk);
      const { mails } = await read(mailbox, cursor);
      expect(mails.map(({ folder }) => folder)).toEqual([options.junk]);
      expect(await ids(mails)).toEqual([sent.messageId]);
    });
  });
}

/** A report with everything that is looked for, beside 3 MB of attachments. */
function largeMail(messageId: string): Uint8Array {
  const part = (headers: string[], body: string) => ["--outer", ...headers, "", body].join("\r\n");
  const film = Buffer.alloc(2_200_000, 7).toString("base64").replace(/.{76}/g, "$&\r\n");
  const text = [
    "--inner",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: quoted-printable",
    "",
    "Gr=C3=BC=C3=9Fe, see the film",
    "--inner",
    "Content-Type: text/html; charset=utf-8",
    "",
    "<p>See the <b>film</b></p>",
    "--inner--",
  ].join("\r\n");
  const lines = [
    "From: <alice@acme.test>",
    "To: <sender1@out.test>",
    "Subject: The film",
    `Message-ID: ${messageId}`,
    "In-Reply-To: <m0@out.test>",
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="outer"',
    "",
    part(['Content-Type: multipart/alternative; boundary="inner"'], text),
    part(["Content-Type: video/mp4", "Content-Transfer-Encoding: base64"], film),
    part(["Content-Type: message/delivery-status"], "Action: failed\r\nStatus: 5.1.1\r\n"),
    part(
      ["Content-Type: message/rfc822"],
      `Subject: Offer\r\nMessage-ID: <returned@out.test>\r\n\r\n${"y".repeat(200)}`,
    ),
    "--outer--",
    "",
  ];
  return new TextEncoder().encode(lines.join("\r\n"));
}

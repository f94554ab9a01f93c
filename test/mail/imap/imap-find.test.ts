/** Messages are found wherever the server has put them, and looking changes nothing. */

import { afterEach, describe, expect, test } from "bun:test";
import type { LookOutcome, Mailbox, Wanted } from "#platform/ports/mail.ts";
import { ALL_MAIL, type GmailSink, JUNK, startGmailSink } from "../smtp/gmail-sink.ts";
import { localMailPort, smtpMailbox } from "../support.ts";
import { type ImapAnswer, type ImapAsk, startImapSink } from "./imap-sink.ts";

const LIMITS = { connectMs: 300, replyMs: 300, imapMs: 2_000 };
const ID = "<0195.a-b_c@sender.example>";
const WANTED: Wanted = { messageId: ID, token: "l0123456789abcdefghijklmnopqrstuvwxyzABCDEFG" };

let stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops) {
    await stop();
  }
  stops = [];
});

function mailboxAt(port: number): Mailbox {
  const { smtp } = smtpMailbox(port);
  return smtpMailbox(1, { imap: smtp, smtp: null });
}

async function gmail(options: { extension?: boolean } = {}) {
  const sink = await startGmailSink(options);
  stops.push(() => sink.stop());
  return sink;
}

async function look(sink: { port: number }, ...wanted: Wanted[]) {
  const port = localMailPort({ limits: LIMITS });
  stops.push(() => port.close());
  return port.look(mailboxAt(sink.port), wanted);
}

function found(outcome: LookOutcome) {
  if (outcome.kind !== "looked") {
    throw new Error(outcome.reason);
  }
  return outcome;
}

describe("at Gmail", () => {
  test.each(["primary", "promotions", "social", "updates", "forums"] as const)(
    "the category %s of the inbox is told",
    async (tab) => {
      const sink = await gmail();
      sink.mails.push({ folder: "INBOX", messageId: ID, tab });
      const outcome = found(await look(sink, WANTED));
      expect(outcome).toMatchObject({ junkFolder: JUNK, tabs: true });
      expect(outcome.found).toMatchObject([
        { messageId: ID, folder: "INBOX", place: "inbox", tab },
      ]);
    },
  );

  test("with its categories off, everything is in the inbox, and that is said", async () => {
    const sink = await gmail();
    sink.mails.push({ folder: "INBOX", messageId: ID });
    const outcome = found(await look(sink, WANTED));
    expect(outcome).toMatchObject({ tabs: false, found: [{ place: "inbox", tab: null }] });
  });

  test("without the extension there are no categories to ask for", async () => {
    const sink = await gmail({ extension: false });
    sink.mails.push({ folder: "INBOX", messageId: ID, tab: "promotions" });
    const outcome = found(await look(sink, WANTED));
    expect(outcome).toMatchObject({ tabs: null, found: [{ place: "inbox", tab: null }] });
    expect(sink.commands.join("\n")).not.toContain("X-GM-RAW");
  });

  test("spam, trash and what a filter has archived are found too", async () => {
    const sink = await gmail();
    const at = (folder: string, name: string) => {
      const messageId = `<${name}@sender.example>`;
      sink.mails.push({ folder, messageId });
      return { messageId, token: `token-of-${name}` };
    };
    const wanted = [at(JUNK, "junk"), at("[Gmail]/Papierkorb", "trash"), at("Etikett", "label")];
    const outcome = found(await look(sink, ...wanted));
    const places = outcome.found.map(({ messageId, folder, place }) => [messageId, folder, place]);
    expect(places).toEqual([
      ["<junk@sender.example>", JUNK, "junk"],
      ["<label@sender.example>", ALL_MAIL, "other"],
      ["<trash@sender.example>", "[Gmail]/Papierkorb", "trash"],
    ]);
    expect(outcome.tabs).toBeNull();
  });

  test("a message that a server renamed is known by its way to unsubscribe", async () => {
    const sink = await gmail();
    const headers = [`List-Unsubscribe: <mailto:a@b.test?subject=x%20${WANTED.token}>`];
    sink.mails.push({ folder: JUNK, messageId: "<renamed@amazonses.com>", headers });
    expect(found(await look(sink, WANTED)).found).toMatchObject([{ messageId: ID, place: "junk" }]);
  });

  test("fifty are asked for in few searches, each found once", async () => {
    const sink = await gmail();
    const wanted = Array.from({ length: 50 }, (_, index) => {
      const messageId = `<m${index}@sender.example>`;
      sink.mails.push({ folder: index % 2 === 0 ? "INBOX" : JUNK, messageId, tab: "primary" });
      return { messageId, token: `token-number-${index}` };
    });
    const outcome = found(await look(sink, ...wanted));
    expect(new Set(outcome.found.map(({ messageId }) => messageId)).size).toBe(50);
    expect(outcome.found).toHaveLength(50);
    const searches = sink.commands.filter((line) => /SEARCH .*MESSAGE-ID/i.test(line));
    expect(searches.length).toBeLessThan(20);
  });

  test("nothing is moved, flagged or read", async () => {
    const sink: GmailSink = await gmail();
    sink.mails.push({ folder: "INBOX", messageId: ID, tab: "primary" });
    await look(sink, WANTED, { messageId: "<nowhere@x.test>", token: "nothing-has-this" });
    expect(sink.commands.join("\n")).not.toMatch(/SELECT|STORE|EXPUNGE|COPY|MOVE|BODY\[/);
  });
});

describe("elsewhere", () => {
  const start = async (answer: (ask: ImapAsk) => ImapAnswer) => {
    const sink = await startImapSink(answer);
    stops.push(() => sink.stop());
    return sink;
  };
  const listing =
    (...names: string[]) =>
    ({ verb, tag, line }: ImapAsk): ImapAnswer => {
      const shown = line.endsWith('"" ""') ? [""] : names;
      const lines = shown.map((name) => `* LIST () "/" "${name}"`);
      return verb === "LIST" ? [...lines, `${tag} OK done`].join("\r\n") : undefined;
    };

  test.each([
    "Spamverdacht",
    "Bulk",
    "Courrier indésirable",
    "Correo no deseado",
    "Bulk Mail",
    "迷惑メール",
  ])("a junk folder named %s is known without any special use", async (name) => {
    const encoded = /^\p{ASCII}+$/u.test(name) ? name : utf7(name);
    const sink = await start(listing("INBOX", encoded));
    expect(found(await look(sink)).junkFolder).toBe(name);
  });

  test("a mailbox without one says so, and its other folders are looked into", async () => {
    const list = listing("INBOX", "Clients", "Locked");
    const sink = await start((ask) => {
      const { verb, tag, line } = ask;
      if (verb === "LIST") {
        return list(ask);
      }
      if (verb === "EXAMINE" && line.includes("Locked")) {
        return `${tag} NO you may not`;
      }
      return verb === "UID SEARCH" ? `* SEARCH\r\n${tag} OK done` : undefined;
    });
    expect(found(await look(sink, WANTED))).toEqual({
      ...{ kind: "looked", found: [], junkFolder: null, tabs: null },
    });
    expect(sink.commands.filter((line) => line.includes("EXAMINE"))).toHaveLength(4);
  });

  test.each([
    ["a refused login", "LOGIN", "NO [AUTHENTICATIONFAILED] no", true],
    ["a server that throttles", "LOGIN", "NO [LIMIT] too many connections", false],
    ["a search that is refused", "UID SEARCH", "NO not now", false],
  ])("%s is no answer about the mail", async (_name, at, words, login) => {
    const sink = await start(({ verb, tag }) =>
      verb === at || (at === "LOGIN" && verb === "AUTHENTICATE") ? `${tag} ${words}` : undefined,
    );
    expect(await look(sink, WANTED)).toMatchObject({ kind: "unreachable", login });
  });

  test("a cut connection is none either", async () => {
    const sink = await start(({ verb }) => (verb === "UID SEARCH" ? "drop" : undefined));
    expect(await look(sink, WANTED)).toMatchObject({ kind: "unreachable", login: false });
  });
});

/** A folder's name as IMAP writes it (RFC 3501 §5.1.3). */
function utf7(name: string): string {
  return name.replace(/[^\x20-\x7e]+/g, (run) => {
    const bytes = Buffer.from(run, "utf16le").swap16();
    return `&${bytes.toString("base64").replace(/=+$/, "").replaceAll("/", ",")}-`;
  });
}

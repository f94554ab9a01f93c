/**
 * An IMAP server as Gmail's: folders in the owner's language with their special uses, and the extension
 * X-GM-EXT-1, whose X-GM-RAW finds messages by the category of the inbox. Reading only, on 127.0.0.1.
 *
 * Source: RFC 3501, RFC 6154, and Gmail's description of its extensions.
 */

import type { Socket } from "node:net";
import type { Tab } from "#domain/placement/placement.ts";
import { startLoopback } from "../../support/loopback.ts";

export interface GmailMail {
  folder: string;
  messageId: string;
  /** Of INBOX; absent: the mailbox has its categories switched off. */
  tab?: Tab;
  headers?: readonly string[];
}

export interface GmailSink {
  port: number;
  /** What it holds; a test adds and takes away. Also in All Mail, but for spam and trash. */
  mails: GmailMail[];
  /** Every line that it was sent. */
  commands: readonly string[];
  stop(): Promise<void>;
}

export const ALL_MAIL = "[Gmail]/Alle Nachrichten";
export const JUNK = "[Gmail]/Spam";
const TRASH = "[Gmail]/Papierkorb";

const FOLDERS: readonly (readonly [path: string, attributes: string])[] = [
  ["INBOX", "\\HasNoChildren"],
  ["[Gmail]", "\\HasChildren \\Noselect"],
  [ALL_MAIL, "\\All \\HasNoChildren"],
  ["[Gmail]/Gesendet", "\\HasNoChildren \\Sent"],
  [JUNK, "\\HasNoChildren \\Junk"],
  [TRASH, "\\HasNoChildren \\Trash"],
];

/** `extension: false` is the same server without X-GM-EXT-1. */
export async function startGmailSink({ extension = true } = {}): Promise<GmailSink> {
  const mails: GmailMail[] = [];
  const commands: string[] = [];
  const { port, stop } = await startLoopback((socket) => {
    serve(socket, { mails, commands, extension });
  });
  return { port, mails, commands, stop };
}

interface Held {
  mails: GmailMail[];
  commands: string[];
  extension: boolean;
}

function serve(socket: Socket, held: Held): void {
  let text = "";
  let selected = "INBOX";
  socket.write("* OK Gimap ready\r\n");
  socket.on("data", (chunk) => {
    text += chunk.toString("utf8");
    for (let end = text.indexOf("\r\n"); end !== -1; end = text.indexOf("\r\n")) {
      const line = text.slice(0, end);
      text = text.slice(end + 2);
      held.commands.push(line);
      const folder = /^\S+ (?:EXAMINE|SELECT) "?([^"]+)"?/i.exec(line)?.[1];
      selected = folder ?? selected;
      socket.write(answer(line, selected, held));
    }
  });
}

function answer(line: string, selected: string, { mails, extension }: Held): string {
  const [tag = "", first = "", second = ""] = line.split(" ");
  const verb = first.toUpperCase() === "UID" ? second.toUpperCase() : first.toUpperCase();
  const done = `${tag} OK done\r\n`;
  const here = mailsIn(mails, selected);
  switch (verb) {
    case "CAPABILITY":
      return `* CAPABILITY IMAP4rev1 SPECIAL-USE${extension ? " X-GM-EXT-1" : ""}\r\n${done}`;
    case "LIST":
      if (line.endsWith('"" ""')) {
        return `* LIST (\\Noselect) "/" ""\r\n${done}`;
      }
      return FOLDERS.map(([path, attributes]) => `* LIST (${attributes}) "/" "${path}"\r\n`)
        .concat(done)
        .join("");
    case "EXAMINE":
      return [
        "* FLAGS ()\r\n",
        `* ${here.length} EXISTS\r\n`,
        "* OK [UIDVALIDITY 7] \r\n",
        `${tag} OK [READ-ONLY] done\r\n`,
      ].join("");
    case "SEARCH":
      return `* SEARCH ${search(line, mails, here).join(" ")}\r\n${done}`;
    case "FETCH":
      return `${fetched(line, mails, here)}${done}`;
    default:
      return done;
  }
}

/** A message's UID is its place. All Mail holds whatever is neither spam nor trash. */
function mailsIn(mails: readonly GmailMail[], folder: string): readonly GmailMail[] {
  return mails.filter((mail) =>
    folder === ALL_MAIL ? mail.folder !== JUNK && mail.folder !== TRASH : mail.folder === folder,
  );
}

function search(line: string, mails: readonly GmailMail[], here: readonly GmailMail[]): number[] {
  const raw = /X-GM-RAW "category:(\w+) rfc822msgid:([^"]+)"/i.exec(line);
  const ids = [...line.matchAll(/MESSAGE-ID "?(<[^">]+>)"?/gi)].map(([, id]) => id);
  const words = [...line.matchAll(/LIST-UNSUBSCRIBE "?([^" )]+)"?/gi)].map(([, word]) => word);
  const isFound = (mail: GmailMail) =>
    raw === null
      ? ids.includes(mail.messageId) ||
        words.some((word = "-") => (mail.headers ?? []).some((header) => header.includes(word)))
      : mail.tab === raw[1] && mail.messageId === `<${raw[2]}>`;
  return here.filter(isFound).map((mail) => mails.indexOf(mail) + 1);
}

function fetched(line: string, mails: readonly GmailMail[], here: readonly GmailMail[]): string {
  const uids = /FETCH ([\d,]+)/i.exec(line)?.[1]?.split(",").map(Number) ?? [];
  return here
    .filter((mail) => uids.includes(mails.indexOf(mail) + 1))
    .map((mail) => {
      const head = [`Message-ID: ${mail.messageId}`, "Subject: x", ...(mail.headers ?? [])];
      const source = `${head.join("\r\n")}\r\n\r\nHello\r\n`;
      const facts = `UID ${mails.indexOf(mail) + 1} INTERNALDATE "02-Mar-2026 09:30:00 +0000"`;
      const bytes = Buffer.byteLength(source);
      return `* ${here.indexOf(mail) + 1} FETCH (${facts} BODY[]<0> {${bytes}}\r\n${source})\r\n`;
    })
    .join("");
}

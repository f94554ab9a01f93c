/**
 * An IMAP server with one unread email in INBOX, whose every answer a test may replace. It speaks
 * plain IMAP4rev1 on 127.0.0.1, and IDLE where its answer to CAPABILITY says so.
 */

import type { Socket } from "node:net";
import { startLoopback } from "../../support/loopback.ts";

export interface ImapAsk {
  tag: string;
  /** `LOGIN`, `EXAMINE`, `UID FETCH` and so on; `CONNECT` before the first command. */
  verb: string;
  line: string;
  connection: number;
}

/**
 * Whole lines without the last CRLF, or what to do instead; undefined is what a good server says.
 */
export type ImapAnswer = string | "drop" | "hang" | undefined;

export interface ImapSink {
  port: number;
  commands: readonly string[];
  /** How many times a client has connected. */
  connections(): number;
  /** Says this, unasked, to everybody who is connected; the CRLF is added. */
  push(line: string): void;
  /** Ends every connection. */
  cut(): void;
  stop(): Promise<void>;
}

const MAIL = "From: <alice@acme.test>\r\nSubject: one\r\n\r\nHello\r\n";

export async function startImapSink(
  answer: (ask: ImapAsk) => ImapAnswer = () => undefined,
): Promise<ImapSink> {
  const commands: string[] = [];
  let connections = 0;
  const { port, sockets, cut, stop } = await startLoopback((socket) => {
    connections += 1;
    serve(socket, connections, answer, commands);
  });
  return {
    port,
    commands,
    connections: () => connections,
    push: (line) => {
      for (const socket of sockets) {
        socket.write(`${line}\r\n`);
      }
    },
    cut,
    stop,
  };
}

function serve(
  socket: Socket,
  connection: number,
  answer: (ask: ImapAsk) => ImapAnswer,
  commands: string[],
): void {
  let text = "";
  let isSilent = false;
  let idling = "";
  const reply = (ask: ImapAsk): void => {
    const selected = answer(ask);
    if (selected === "drop") {
      socket.destroy();
    } else if (selected === "hang") {
      isSilent = true;
    } else {
      socket.write(`${selected ?? good(ask)}\r\n`);
    }
  };
  reply({ tag: "*", verb: "CONNECT", line: "", connection });
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    for (let end = text.indexOf("\r\n"); end !== -1; end = text.indexOf("\r\n")) {
      const line = text.slice(0, end);
      text = text.slice(end + 2);
      const [first = "", ...words] = line.split(" ");
      const isDone = first === "DONE";
      const [tag, verb] = isDone ? [idling, "DONE"] : [first, verbOf(words)];
      idling = verb === "IDLE" ? tag : idling;
      commands.push(`${connection} ${isDone ? line : line.slice(tag.length + 1)}`);
      if (!isSilent && !socket.destroyed) {
        reply({ tag, verb, line, connection });
      }
    }
  });
}

function verbOf([first = "", second = ""]: readonly string[]): string {
  const verb = first.toUpperCase();
  return verb === "UID" ? `UID ${second.toUpperCase()}` : verb;
}

function good({ tag, verb, line }: ImapAsk): string {
  const done = `${tag} OK done`;
  switch (verb) {
    case "CONNECT":
      return "* OK ready";
    case "CAPABILITY":
      return `* CAPABILITY IMAP4rev1 SASL-IR AUTH=XOAUTH2\r\n${done}`;
    case "IDLE":
      return "+ idling";
    case "LIST":
      return line.endsWith('""')
        ? `* LIST (\\Noselect) "/" ""\r\n${done}`
        : `* LIST (\\HasNoChildren) "/" INBOX\r\n${done}`;
    case "EXAMINE":
      return [
        "* FLAGS ()",
        "* 1 EXISTS",
        "* OK [UIDVALIDITY 7] ",
        "* OK [UIDNEXT 6] ",
        `${tag} OK [READ-ONLY] done`,
      ].join("\r\n");
    case "UID SEARCH":
      return `* SEARCH 5\r\n${done}`;
    case "UID FETCH":
      return line.includes("BODY.PEEK")
        ? `* 1 FETCH (UID 5 INTERNALDATE "02-Mar-2026 09:30:00 +0000" BODY[]<0> {${MAIL.length}}\r\n${MAIL})\r\n${done}`
        : `* 1 FETCH (UID 5 RFC822.SIZE ${MAIL.length})\r\n${done}`;
    default:
      return done;
  }
}

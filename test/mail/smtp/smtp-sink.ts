/**
 * An SMTP server whose every answer a test decides. It speaks plain SMTP on 127.0.0.1, keeps what
 * it was sent, and can drop or leave a connection hanging at any point.
 */

import { once } from "node:events";
import type { Socket } from "node:net";
import { startLoopback } from "../../support/loopback.ts";

/** `BODY` is the final dot. */
export type Moment = "CONNECT" | "EHLO" | "STARTTLS" | "AUTH" | "MAIL" | "RCPT" | "DATA" | "BODY";

export interface Ask {
  moment: Moment;
  line: string;
  /** Counted from 1. */
  connection: number;
  /** MAIL commands on this connection so far, this one included. */
  message: number;
}

/** A reply without CRLF, or what to do instead; undefined is what a good server says. */
export type Answer = string | "drop" | "hang" | undefined;

export interface SmtpSink {
  port: number;
  connections(): number;
  /** Every command line, with the number of its connection in front. */
  commands: readonly string[];
  /** Bodies that were accepted, dots unstuffed. */
  bodies: readonly string[];
  /** Settles when the server has seen `count` connections end. */
  ended(count: number): Promise<void>;
  /** Cuts every open connection; new ones are welcome. */
  cut(): void;
  stop(): Promise<void>;
}

const GOOD: Readonly<Record<Moment, string>> = {
  CONNECT: "220 sink ready",
  EHLO: "250-sink\r\n250-SIZE 100000\r\n250-AUTH PLAIN LOGIN XOAUTH2\r\n250 ENHANCEDSTATUSCODES",
  STARTTLS: "502 5.5.1 not here",
  AUTH: "235 2.7.0 welcome",
  MAIL: "250 2.1.0 sender ok",
  RCPT: "250 2.1.5 recipient ok",
  DATA: "354 go ahead",
  BODY: "250 2.0.0 queued as 1",
};

export async function startSmtpSink(
  answer: (ask: Ask) => Answer = () => undefined,
  { pipelining = false } = {},
): Promise<SmtpSink> {
  const commands: string[] = [];
  const bodies: string[] = [];
  const ends = new EventTarget();
  const counts = { connections: 0, ended: 0 };
  const { port, cut, stop } = await startLoopback((socket) => {
    counts.connections += 1;
    socket.on("close", () => {
      counts.ended += 1;
      ends.dispatchEvent(new Event("end"));
    });
    serve(socket, counts.connections, { answer, pipelining, commands, bodies });
  });
  return {
    port,
    connections: () => counts.connections,
    commands,
    bodies,
    ended: async (count) => {
      while (counts.ended < count) {
        await once(ends, "end");
      }
    },
    cut,
    stop,
  };
}

interface Session {
  answer: (ask: Ask) => Answer;
  pipelining: boolean;
  commands: string[];
  bodies: string[];
}

function serve(socket: Socket, connection: number, session: Session): void {
  let text = "";
  let body: string[] | undefined;
  let message = 0;
  let recipients = 0;
  let isOpen = false;
  let isSilent = false;

  const reply = (moment: Moment, line: string): string => {
    const selected = session.answer({ moment, line, connection, message });
    if (selected === "drop") {
      socket.destroy();
    } else if (selected === "hang") {
      isSilent = true;
    } else {
      const good = moment === "EHLO" && session.pipelining ? "250-PIPELINING\r\n" : "";
      socket.write(`${selected ?? good + GOOD[moment]}\r\n`);
    }
    return selected ?? GOOD[moment];
  };

  const take = (line: string): void => {
    if (body !== undefined) {
      if (line !== ".") {
        body.push(line.replace(/^\./, ""));
        return;
      }
      const whole = body.join("\r\n");
      body = undefined;
      isOpen = false;
      if (reply("BODY", line).startsWith("2")) {
        session.bodies.push(whole);
      }
      return;
    }
    session.commands.push(`${connection} ${line}`);
    const verb = line.split(/[ :]/, 1)[0]?.toUpperCase() ?? "";
    if (verb === "QUIT") {
      socket.end("221 bye\r\n");
    } else if (verb === "RSET") {
      isOpen = false;
      socket.write("250 reset\r\n");
    } else if (verb === "MAIL" && isOpen) {
      socket.write("503 5.5.1 one message at a time\r\n");
    } else {
      message += verb === "MAIL" ? 1 : 0;
      const moment = verb in GOOD ? (verb as Moment) : "AUTH";
      if (moment === "DATA" && recipients === 0) {
        socket.write("554 5.5.1 nobody to send to\r\n");
        return;
      }
      const said = reply(moment, line);
      isOpen ||= moment === "MAIL" && said.startsWith("2");
      body = said.startsWith("354") ? [] : undefined;
      recipients = moment === "RCPT" ? recipients + Number(said.startsWith("2")) : 0;
    }
  };

  reply("CONNECT", "");
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    for (let end = text.indexOf("\r\n"); end !== -1; end = text.indexOf("\r\n")) {
      const line = text.slice(0, end);
      text = text.slice(end + 2);
      if (!isSilent && !socket.destroyed) {
        take(line);
      }
    }
  });
}

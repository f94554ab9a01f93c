/**
 * A server on this machine that is spoken to in lines, for tests that decide every byte of what it says:
 * its words come whole, in two pieces or byte by byte, or break off within a line.
 */

import type { Socket } from "node:net";
import { type Loopback, startLoopback } from "../loopback.ts";

/** How the words of one answer come. */
export type Delivery = "whole" | "halves" | "bytes" | "cut";

export interface Line {
  text: string;
  /** True behind a line that ended with `{n}`: n bytes of the client's. */
  isLiteral: boolean;
  /** What is to be known of this connection. */
  talk: Talk;
}

export interface Talk {
  /** Lines of a message that has begun; undefined outside of one. */
  body: string[] | undefined;
  /** The tag of a command whose literal is awaited. */
  tag: string;
}

/** What is said, without the last CRLF, or of what only a beginning is said before the end; "" is silence. */
export type Said = string | { cut: string };

export interface LineServerParts {
  /** In [0, 1): how the next words come. */
  luck: () => number;
  /** Said to who connects. */
  greet: () => Promise<Said>;
  answer: (line: Line) => Promise<Said>;
  /** Told of every answer's delivery. */
  delivered: (how: Delivery) => void;
}

const NEWLINE = "\r\n";
const LITERAL = /\{(\d{1,7})\}$/;

export function startLineServer(parts: LineServerParts): Promise<Loopback> {
  return startLoopback((socket) => {
    socket.setNoDelay(true);
    serve(socket, parts);
  });
}

function serve(socket: Socket, parts: LineServerParts): void {
  const talk: Talk = { body: undefined, tag: "" };
  let text = "";
  let literal = 0;
  let isOver = false;
  let busy = Promise.resolve();

  const say = async (said: Said): Promise<void> => {
    if (said === "" || isOver || socket.destroyed) {
      return;
    }
    const luck = parts.luck();
    if (typeof said !== "string") {
      parts.delivered("cut");
      isOver = true;
      socket.end(said.cut.slice(0, Math.floor(luck * (said.cut.length + 1))), "latin1");
      return;
    }
    const how = deliveryOf(luck);
    parts.delivered(how);
    for (const piece of piecesOf(`${said}${NEWLINE}`, how)) {
      socket.write(piece, "latin1");
      await nextTurn();
    }
  };
  const take = (): Omit<Line, "talk"> | undefined => {
    if (literal > 0) {
      if (text.length < literal) {
        return undefined;
      }
      const bytes = text.slice(0, literal);
      text = text.slice(literal);
      literal = 0;
      return { text: bytes, isLiteral: true };
    }
    const end = text.indexOf(NEWLINE);
    if (end === -1) {
      return undefined;
    }
    const line = text.slice(0, end);
    text = text.slice(end + NEWLINE.length);
    literal = talk.body === undefined ? Number(LITERAL.exec(line)?.[1] ?? 0) : 0;
    return { text: line, isLiteral: false };
  };
  const go = async () => {
    for (let line = take(); line !== undefined && !isOver; line = take()) {
      await say(await parts.answer({ ...line, talk }));
    }
  };
  busy = parts.greet().then(say);
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    busy = busy.then(go);
  });
}

function deliveryOf(luck: number): Delivery {
  return luck < 0.15 ? "bytes" : luck < 0.5 ? "halves" : "whole";
}

/** Longer answers would take a turn a byte for nothing. */
const BYTES_MAX = 200;

function piecesOf(text: string, how: Delivery): string[] {
  if (how === "bytes" && text.length <= BYTES_MAX) {
    return [...text];
  }
  const half = Math.ceil(text.length / 2);
  return how === "whole" ? [text] : [text.slice(0, half), text.slice(half)];
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

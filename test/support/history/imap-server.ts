/**
 * An IMAP server with mailboxes that keep what they are given: INBOX, where a test puts what people reply, and
 * Sent, where the program files its copies. Who logs in names the mailbox. Everything is ASCII.
 */

import type { Socket } from "node:net";
import { toIso, unixMs } from "#domain/time.ts";
import { type Loopback, startLoopback } from "../loopback.ts";

interface Filed {
  raw: string;
  at: number;
}

type Folders = Record<"INBOX" | "Sent", Filed[]>;

export interface ImapServer extends Pick<Loopback, "port" | "stop"> {
  /** Puts an email into somebody's INBOX. */
  deliver(user: string, raw: string, at: number): void;
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

export async function startImapServer(
  now: () => number,
  onFiled: (raw: string) => void,
): Promise<ImapServer> {
  const users = new Map<string, Folders>();
  const of = (user: string): Folders => {
    const folders = users.get(user) ?? { INBOX: [], Sent: [] };
    users.set(user, folders);
    return folders;
  };
  const { port, stop } = await startLoopback((socket) => {
    const session: Session = { folders: undefined, open: "INBOX", of, now, onFiled };
    serve(socket, session);
  });
  return {
    ...{ port, stop },
    deliver: (user, raw, at) => of(user).INBOX.push({ raw, at }),
  };
}

interface Session {
  folders: Folders | undefined;
  open: keyof Folders;
  of: (user: string) => Folders;
  now: () => number;
  onFiled: (raw: string) => void;
}

function serve(socket: Socket, session: Session): void {
  let text = "";
  let append: { line: string; left: number } | undefined;
  socket.write("* OK ready\r\n");
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    for (;;) {
      if (append !== undefined) {
        if (text.length < append.left + 2) {
          return;
        }
        const raw = text.slice(0, append.left);
        session.folders?.Sent.push({ raw, at: session.now() });
        session.onFiled(raw);
        socket.write(`${append.line.split(" ", 1)[0]} OK done\r\n`);
        text = text.slice(append.left + 2);
        append = undefined;
      }
      const end = text.indexOf("\r\n");
      if (end < 0) {
        return;
      }
      const line = text.slice(0, end);
      text = text.slice(end + 2);
      const literal = /\{(\d+)\+?\}$/.exec(line)?.[1];
      if (literal === undefined) {
        socket.write(respond(line, session));
      } else {
        append = { line, left: Number(literal) };
        socket.write("+ go on\r\n");
      }
    }
  });
}

function respond(line: string, session: Session): string {
  const [tag = "", first = "", second = ""] = line.split(" ");
  const verb = first.toUpperCase() === "UID" ? `UID ${second.toUpperCase()}` : first.toUpperCase();
  const lines = untagged(verb, line, session);
  return [...lines, `${tag} OK done`, ""].join("\r\n");
}

function untagged(verb: string, line: string, session: Session): string[] {
  const mails = session.folders?.[session.open] ?? [];
  switch (verb) {
    case "CAPABILITY":
      return ["* CAPABILITY IMAP4rev1"];
    case "LOGIN":
      session.folders = session.of(/LOGIN "?([^" ]+)/i.exec(line)?.[1] ?? "");
      return [];
    case "LIST":
      return line.endsWith('""')
        ? ['* LIST (\\Noselect) "/" ""']
        : ['* LIST (\\HasNoChildren) "/" INBOX', '* LIST (\\HasNoChildren \\Sent) "/" Sent'];
    case "SELECT":
    case "EXAMINE": {
      session.open = /Sent/.test(line) ? "Sent" : "INBOX";
      const count = session.folders?.[session.open].length ?? 0;
      return [
        ...["* FLAGS ()", `* ${count} EXISTS`],
        ...["* OK [UIDVALIDITY 7] ", `* OK [UIDNEXT ${count + 1}] `],
      ];
    }
    case "UID SEARCH":
      return [
        `* SEARCH${found(line, mails)
          .map((uid) => ` ${uid}`)
          .join("")}`,
      ];
    case "UID FETCH":
      return uidsOf(line.split(" ")[3] ?? "", mails.length).map((uid) =>
        fetched(uid, line, mails[uid - 1] as Filed),
      );
    default:
      return [];
  }
}

/** By `UID n:*`, by the ids that are named, or all. */
function found(line: string, mails: readonly Filed[]): number[] {
  const from = /UID (\d+):\*/.exec(line)?.[1];
  const all = mails.map((_, n) => n + 1);
  if (from !== undefined) {
    return all.filter((uid) => uid >= Number(from) || uid === mails.length);
  }
  const ids = [...line.matchAll(/<[^>]+>/g)].map(([id]) => id);
  return line.includes("HEADER")
    ? all.filter((uid) => ids.some((id) => mails[uid - 1]?.raw.includes(id)))
    : all;
}

function uidsOf(set: string, count: number): number[] {
  return set.split(",").flatMap((part) => {
    const [from = 0, to = from] = part.split(":").map((uid) => (uid === "*" ? count : Number(uid)));
    return Array.from({ length: to - from + 1 }, (_, n) => from + n).filter((uid) => uid <= count);
  });
}

function fetched(uid: number, line: string, { raw, at }: Filed): string {
  const parts = [`UID ${uid}`];
  if (line.includes("INTERNALDATE")) {
    const [, year, month, day, time] =
      /(\d+)-(\d+)-(\d+)T(\d+:\d+:\d+)/.exec(toIso(unixMs(at))) ?? [];
    parts.push(`INTERNALDATE "${day}-${MONTHS[Number(month) - 1]}-${year} ${time} +0000"`);
  }
  if (line.includes("RFC822.SIZE")) {
    parts.push(`RFC822.SIZE ${raw.length}`);
  }
  if (line.includes("BODY")) {
    const max = Number(/<0\.(\d+)>/.exec(line)?.[1] ?? raw.length);
    const part = raw.slice(0, max);
    const range = line.includes("<0.") ? "<0>" : "";
    parts.push(`BODY[]${range} {${part.length}}\r\n${part}`);
  }
  return `* ${uid} FETCH (${parts.join(" ")})`;
}

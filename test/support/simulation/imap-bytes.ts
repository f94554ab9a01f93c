/** What an IMAP server shows of a mailbox, as it was decided: some emails in INBOX, or one in Sent. */

import type { FindOutcome, PollOutcome } from "#platform/ports/mail.ts";
import type { Line, LineServerParts, Said } from "./line-server.ts";

/** What lies in the mailbox now, or why it cannot be seen. */
export type BackupFiles =
  | { kind: "inbox"; outcome: PollOutcome }
  | { kind: "sent"; outcome: FindOutcome };

interface Shown {
  uid: number;
  text: string;
  at: number;
}

export function imapTalk(
  backupFilesNow: () => BackupFiles | undefined,
): Pick<LineServerParts, "greet" | "answer"> {
  return {
    greet: async () => "* OK ready",
    answer: async ({ text, isLiteral, talk }: Line) => {
      const [tag = "", ...words] = isLiteral ? [talk.tag] : text.split(" ");
      const first = words[0]?.toUpperCase() ?? "";
      const verb = first === "UID" ? `UID ${words[1]?.toUpperCase()}` : first;
      return said(backupFilesNow(), { tag, verb, rest: words.join(" ") });
    },
  };
}

interface Command {
  tag: string;
  verb: string;
  rest: string;
}

function said(shelf: BackupFiles | undefined, { tag, verb, rest }: Command): Said {
  const done = `${tag} OK done`;
  switch (verb) {
    case "CAPABILITY":
      return `* CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR SPECIAL-USE\r\n${done}`;
    case "AUTHENTICATE":
    case "LOGIN":
      return isRefused(shelf) ? `${tag} NO [AUTHENTICATIONFAILED] wrong password` : done;
    case "LIST":
      return rest.endsWith('""')
        ? `* LIST (\\Noselect) "/" ""\r\n${done}`
        : `* LIST () "/" INBOX\r\n* LIST (\\Sent) "/" Sent\r\n${done}`;
    case "EXAMINE":
      return whole(shelf, `${stateOf(shelf)}\r\n${tag} OK [READ-ONLY] done`);
    case "UID SEARCH":
      return `* SEARCH${shown(shelf)
        .map(({ uid }) => ` ${uid}`)
        .join("")}\r\n${done}`;
    case "UID FETCH":
      return `${fetched(shelf, rest)}${done}`;
    case "LOGOUT":
      return { cut: `* BYE\r\n${done}\r\n` };
    default:
      return done;
  }
}

function isRefused(shelf: BackupFiles | undefined): boolean {
  return shelf?.kind === "inbox" && shelf.outcome.kind === "unreachable" && shelf.outcome.login;
}

/** Where the mailbox cannot be seen the answer breaks off. */
function whole(shelf: BackupFiles | undefined, words: string): Said {
  const { kind } = shelf?.outcome ?? { kind: "uncheckable" };
  return kind === "unreachable" || kind === "uncheckable" ? { cut: words } : words;
}

function shown(shelf: BackupFiles | undefined): Shown[] {
  if (shelf?.kind === "inbox" && shelf.outcome.kind === "read") {
    return shelf.outcome.mails.map(({ uid, raw, receivedAt }) => ({
      uid: Number(uid.split(".")[1]),
      text: Buffer.from(raw).toString("latin1"),
      at: receivedAt,
    }));
  }
  return shelf?.kind === "sent" && shelf.outcome.kind === "found"
    ? [{ uid: 1, text: "", at: 0 }]
    : [];
}

function stateOf(shelf: BackupFiles | undefined): string {
  const next =
    shelf?.kind === "inbox" && shelf.outcome.kind === "read" ? Number(shelf.outcome.cursor) + 1 : 2;
  return [
    "* FLAGS ()",
    `* ${shown(shelf).length} EXISTS`,
    "* OK [UIDVALIDITY 1] ",
    `* OK [UIDNEXT ${next}] `,
  ].join("\r\n");
}

/** The emails that are asked for, with their sizes or whole. */
function fetched(shelf: BackupFiles | undefined, rest: string): string {
  const asked = new Set((rest.split(" ")[2] ?? "").split(",").flatMap(numbersOf));
  const isWhole = rest.includes("BODY.PEEK");
  return shown(shelf)
    .map((mail, index) => ({ ...mail, place: index + 1 }))
    .filter(({ uid }) => asked.has(uid))
    .map(({ place, uid, text, at }) => {
      const body = isWhole ? `BODY[]<0> {${text.length}}\r\n${text}` : "";
      const size = isWhole ? "" : `RFC822.SIZE ${text.length}`;
      return `* ${place} FETCH (UID ${uid} INTERNALDATE "${imapDate(at)}" ${size}${body})\r\n`;
    })
    .join("");
}

function numbersOf(range: string): number[] {
  const [from = 0, to = from] = range.split(":").map(Number);
  return Array.from({ length: to - from + 1 }, (_, nth) => from + nth);
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function imapDate(ms: number): string {
  const at = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO("UTC");
  const two = (number: number) => String(number).padStart(2, "0");
  const time = [at.hour, at.minute, at.second].map(two).join(":");
  return `${two(at.day)}-${MONTHS[at.month - 1]}-${at.year} ${time} +0000`;
}

/** What a mail server says of one message, as it was decided. */

import type { SendOutcome, SendStage } from "#domain/mailboxes/send-outcome.ts";
import type { Line, LineServerParts, Said } from "./line-server.ts";

/** What is decided of the message that is offered now, and when. */
export interface Script {
  /** The message as it is to come, a character a byte. */
  raw: string;
  /** Waits until the client may hand over the body. */
  untilBody(): Promise<void>;
  begin(): void;
  withhold(error: unknown): void;
  decide(outcome: SendOutcome): void;
  /** Resolves once it is known whether it goes as far as the body. */
  opening(): Promise<void>;
  /** What is said before the body; undefined: the body may come. */
  readonly early: SendOutcome | undefined;
  readonly needsNewConnection: boolean;
  /** The last word. */
  outcome(): Promise<SendOutcome>;
}

const HELLO = "250-mail.example\r\n250-AUTH PLAIN\r\n250 ENHANCEDSTATUSCODES";

export function smtpTalk(
  scriptNow: () => Script | undefined,
): Pick<LineServerParts, "greet" | "answer"> {
  const at = (stage: SendStage, good: string): Said => wordsOf(scriptNow()?.early, stage, good);
  return {
    greet: async () => at("connect", "220 mail.example ready"),
    answer: async ({ text, talk }: Line) => {
      if (talk.body !== undefined) {
        if (text !== ".") {
          talk.body.push(text.replace(/^\./, ""));
          return "";
        }
        const body = `${talk.body.join("\r\n")}\r\n`;
        talk.body = undefined;
        const script = scriptNow();
        if (script === undefined || body !== script.raw) {
          return "554 5.6.0 not the message that was meant";
        }
        return wordsOf(await script.outcome(), "data", "250 2.0.0 queued");
      }
      const verb = /^[A-Z]+/i.exec(text)?.[0].toUpperCase();
      switch (verb) {
        case "EHLO":
          return HELLO;
        case "AUTH":
          return at("auth", "235 2.7.0 welcome");
        case "MAIL":
          return at("mail", "250 2.1.0 sender ok");
        case "RCPT":
          return at("rcpt", "250 2.1.5 recipient ok");
        case "DATA": {
          const said = at("data", "354 go ahead");
          talk.body = typeof said === "string" && said.startsWith("354") ? [] : undefined;
          return said;
        }
        case "RSET":
          return "250 2.0.0 forgotten";
        case "QUIT":
          return { cut: "221 2.0.0 bye\r\n" };
        default:
          return "500 5.5.1 what?";
      }
    },
  };
}

/** What the server says at `stage`: `good` unless its outcome is another there. */
function wordsOf(outcome: SendOutcome | undefined, stage: SendStage, good: string): Said {
  if (outcome === undefined || outcome.kind === "accepted" || outcome.stage !== stage) {
    return good;
  }
  return outcome.kind === "unreachable" ? { cut: good } : outcome.response;
}

/** Reads off a connection's transaction log which command the server still has to answer, and what it refused. */

import type { SendStage } from "#domain/mailboxes/send-outcome.ts";
import type { Progress } from "./smtp-outcome.ts";

export interface LogEntry {
  tnx?: string;
}

export class Tracker {
  /** Stage of the commands that are not part of a message. */
  base: SendStage = "connect";
  hasReply = false;
  isInData = false;
  /** What the server said to the first recipient, if it was no. */
  refusal: string | null = null;
  private recipients = 0;
  private replied: SendStage = "connect";
  private outstanding: SendStage[] = [];

  start(): void {
    this.hasReply = false;
    this.isInData = false;
    this.refusal = null;
    this.recipients = 0;
    this.outstanding = [];
  }

  progress(bodySent: boolean): Progress {
    const waiting = this.isInData ? "data" : (this.outstanding[0] ?? this.base);
    return { waiting, replied: this.replied, bodySent };
  }

  /** Takes every line that goes out or comes in; secrets are masked in it, and it is not kept. */
  read(entry: LogEntry, line: string): void {
    if (entry.tnx === "client") {
      this.outstanding.push(this.stageOf(line));
    } else if (entry.tnx === "server") {
      const stage = this.outstanding.shift() ?? this.base;
      this.replied = stage;
      this.hasReply = true;
      if (stage === "rcpt") {
        this.recipients += 1;
        this.refusal = this.recipients === 1 && /^[45]/.test(line) ? line : this.refusal;
      }
      this.isInData ||= stage === "data" && /^[23]/.test(line);
    }
  }

  private stageOf(line: string): SendStage {
    const verb = /^(MAIL|RCPT|DATA)\b/.exec(line)?.[1];
    const stages: Readonly<Record<string, SendStage>> = {
      MAIL: "mail",
      RCPT: "rcpt",
      DATA: "data",
    };
    return stages[verb ?? ""] ?? this.base;
  }
}

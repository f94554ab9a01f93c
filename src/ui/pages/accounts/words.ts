/** Words of mailboxes: states, faults and what mends them, in plain sentences. */

import type { Static } from "@sinclair/typebox";
import type { AccountHealth, AccountUsage } from "#api/accounts/health-schema.ts";
import type { Account as AccountRecord } from "#api/accounts/schema.ts";
import type { Tone } from "../../parts/page.tsx";

export type Account = AccountRecord;
export type Health = Static<typeof AccountHealth>;
export type Usage = Static<typeof AccountUsage>;

export const PROVIDER_NAMES: Readonly<Record<Account["provider"], string>> = {
  google: "Google",
  microsoft: "Microsoft",
  smtp: "SMTP and IMAP",
  sandbox: "Simulated",
};

/** What a server or the API says, as a sentence; names of hosts and settings stay as they are. */
export function sentence(said: string): string {
  const text = /^[a-z]+[ ,]/.test(said) ? said.charAt(0).toUpperCase() + said.slice(1) : said;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** A mailbox's state in a word. */
export function stateOf(account: Account): [tone: Tone, word: string] {
  switch (account.status) {
    case "paused":
      return ["warn", account.status_reason === "health" ? "Paused by its health" : "Paused"];
    case "error":
      return ["bad", "Does not work"];
    case "disabled":
      return ["plain", "Disabled"];
    default:
      if (!account.ready) {
        return ["warn", "Not connected yet"];
      }
      return account.backoff_until === null ? ["good", "Active"] : ["warn", "Waits a while"];
  }
}

export interface Trouble {
  tone: "warn" | "bad";
  /** What is wrong. */
  text: string;
  /** What mends it. */
  remedy: string;
}

/** Why a mailbox does not send as it could, and what to do about it; null when all is well. */
export function troubleOf(account: Account): Trouble | null {
  return faultOf(account) ?? unreadyOf(account) ?? wearOf(account);
}

/** It was stopped. */
function faultOf({
  status,
  status_reason: reason,
  last_error: said,
  health_score: score,
}: Account): Trouble | null {
  const because = becauseOf(said);
  if (status === "error") {
    return reason === "auth"
      ? {
          tone: "bad",
          text: `The server refuses the login${because}`,
          remedy: "Give a new password or connect it anew, then test the connection.",
        }
      : {
          tone: "bad",
          text: `The mail server failed too often${because}`,
          remedy: "It is tried again by itself; test the connection to know more.",
        };
  }
  return status === "paused" && reason === "health"
    ? {
        tone: "bad",
        text: `Its health fell to ${score}, so it rests.`,
        remedy:
          "Look at what took its points off. It begins again by itself, on trial at half its limits; resuming does the same at once.",
      }
    : null;
}

const NOT_READY: Readonly<
  Record<NonNullable<Account["not_ready_reason"]>, Pick<Trouble, "text" | "remedy">>
> = {
  no_credentials: {
    text: "There is no way to log in yet.",
    remedy: "Give its servers and password, or connect it.",
  },
  untested: { text: "Its connection has not been proven.", remedy: "Test the connection." },
  failed: {
    text: "The last connection test failed.",
    remedy: "Mend what it found, and test again.",
  },
};

function unreadyOf({ ready, not_ready_reason: reason }: Account): Trouble | null {
  return ready || reason === null ? null : { tone: "warn", ...NOT_READY[reason] };
}

/** What the server said, as the end of a sentence. */
function becauseOf(said: string | null): string {
  return said ? `: ${sentence(said)}` : ".";
}

/** It sends less than it could. What somebody has paused is not asked to. */
function wearOf({
  status,
  backoff_until,
  last_error: said,
  health_score: score,
}: Account): Trouble | null {
  if (status !== "active") {
    return null;
  }
  if (backoff_until !== null) {
    return {
      tone: "warn",
      text: `The mail server put it off${becauseOf(said)}`,
      remedy: "It waits and goes on by itself.",
    };
  }
  return score >= 80
    ? null
    : {
        tone: "warn",
        text: `Its health is ${score} of 100${score < 60 ? ": half its limits, and no new leads" : ": it sends half of its limits"}.`,
        remedy: "Look at what took its points off.",
      };
}

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

const NOT_READY: Readonly<Record<string, [text: string, remedy: string]>> = {
  no_credentials: [
    "There is no way to log in yet.",
    "Give its servers and password, or connect it.",
  ],
  untested: ["Its connection has not been proven.", "Test the connection."],
  failed: ["The last connection test failed.", "Mend what it found, and test again."],
};

/** Why a mailbox does not send as it could, and what to do about it; null when all is well. */
export function troubleOf(account: Account): Trouble | null {
  const { status, status_reason: reason, last_error: said } = account;
  if (status === "error" && reason === "auth") {
    return {
      tone: "bad",
      text: `The server refuses the login${said ? `: ${said}` : "."}`,
      remedy: "Give a new password or connect it anew, then test the connection.",
    };
  }
  if (status === "error") {
    return {
      tone: "bad",
      text: `The mail server failed too often${said ? `: ${said}` : "."}`,
      remedy: "It is tried again by itself; test the connection to know more.",
    };
  }
  if (status === "paused" && reason === "health") {
    return {
      tone: "bad",
      text: `Its health fell to ${account.health_score}, so it rests.`,
      remedy:
        "Look at what took its points off. It begins again by itself, on trial at half its limits; resuming does the same at once.",
    };
  }
  if (!account.ready && account.not_ready_reason !== null) {
    const [text, remedy] = NOT_READY[account.not_ready_reason] ?? ["It cannot send yet.", ""];
    return { tone: "warn", text, remedy };
  }
  if (account.backoff_until !== null) {
    return {
      tone: "warn",
      text: `The mail server put it off${said ? `: ${said}` : "."}`,
      remedy: "It waits and goes on by itself.",
    };
  }
  if (account.health_score < 80) {
    return {
      tone: "warn",
      text: `Its health is ${account.health_score} of 100${account.health_score < 60 ? ": half its limits, and no new leads" : ": it sends half of its limits"}.`,
      remedy: "Look at what took its points off.",
    };
  }
  return null;
}

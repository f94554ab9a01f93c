/** Words of mailboxes: states, faults and what fixes them, in plain sentences. */

import type { Account } from "#client.ts";
import { words } from "../../lib/format.ts";
import type { Tone } from "../../parts/page.tsx";

/** What a server or the API says, as a sentence; names of hosts and settings stay as they are. */
export function sentence(said: string): string {
  const text = /^[a-z]+[ ,]/.test(said) ? said.charAt(0).toUpperCase() + said.slice(1) : said;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** A mailbox's state in a word. */
export function stateOf(account: Account): [tone: Tone, word: string] {
  switch (account.status) {
    case "paused":
      return ["warn", account.status_reason === "health" ? "Paused for low health" : "Paused"];
    case "error":
      return ["bad", "Error"];
    case "disabled":
      return ["plain", "Disabled"];
    default:
      if (!account.ready) {
        return ["warn", "Not connected yet"];
      }
      if (account.unconfirmed_since !== null) {
        return ["warn", "Waiting"];
      }
      return account.backoff_until === null ? ["good", "Active"] : ["warn", "Deferred"];
  }
}

/** Null for a mailbox that has had no way to send: nothing says yet whether it is well. */
export function scoreOf({ ready, health_score: score }: Account): number | null {
  return ready || score < 100 ? score : null;
}

export interface Trouble {
  tone: "warn" | "bad";
  /** What is wrong. */
  text: string;
  /** What fixes it. */
  remedy: string;
}

/** Why a mailbox does not send as it could, and what to do about it; null when all is well. */
export function troubleOf(account: Account): Trouble | null {
  return (
    faultOf(account) ??
    unreadyOf(account) ??
    unconfirmedOf(account) ??
    refusedOf(account) ??
    wearOf(account)
  );
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
          text: `The server rejects the login${because}`,
          remedy: "Enter a new password or reconnect the mailbox, then test the connection.",
        }
      : {
          tone: "bad",
          text: `The mail server failed too often${because}`,
          remedy: "Outrider retries on its own. Test the connection to find out more.",
        };
  }
  return status === "paused" && reason === "health"
    ? {
        tone: "bad",
        text: `Its health fell to ${score}, so it’s paused.`,
        remedy:
          "Check what lowered its score. It starts again on its own, on trial at half its limits. Resume it to start right away.",
      }
    : null;
}

const NOT_READY: Readonly<
  Record<NonNullable<Account["not_ready_reason"]>, Pick<Trouble, "text" | "remedy">>
> = {
  no_credentials: {
    text: "It has no login yet.",
    remedy: "Add its servers and password, or connect it.",
  },
  untested: { text: "Its connection hasn’t been tested.", remedy: "Test the connection." },
  workspace: {
    text: "Its workspace’s consent was withdrawn.",
    remedy: "An administrator has to give it again; then it goes on by itself.",
  },
  failed: {
    text: "The last connection test failed.",
    remedy: "Fix what it found, then test again.",
  },
};

function unreadyOf({ ready, not_ready_reason: reason }: Account): Trouble | null {
  return ready || reason === null ? null : { tone: "warn", ...NOT_READY[reason] };
}

/** The data was put back, and it is not known yet what the mailbox sent since. */
function unconfirmedOf({ unconfirmed_since: since, last_error: said }: Account): Trouble | null {
  return since === null
    ? null
    : {
        tone: "warn",
        text: `Outrider's data was restored to an earlier state, and this mailbox's Sent folder hasn't been read since then${becauseOf(said)}`,
        remedy:
          "It sends again once the folder has been read. If this mailbox is gone for good, disable it; emails it may have sent then go on hold for you.",
      };
}

/** Recipients' providers that it does not write to for now. */
export function refusedOf({ status, refused_by }: Account): Trouble | null {
  const [first, ...others] = refused_by.filter(({ until }) => until !== null);
  if (status !== "active" || first === undefined) {
    return null;
  }
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const page = first.page === null ? "" : ` See ${first.page}.`;
  return {
    tone: "bad",
    text: `${providerName(first.provider)}${more} refuses email from this mailbox: ${sentence(first.said)} Leads there wait; none are lost.`,
    remedy: `${first.remedy}${page} Outrider retries on its own. Test the connection to retry now.`,
  };
}

/** Of mailboxes, seeds, and recipients: those whose name is more than their word with a capital. */
const PROVIDERS: Readonly<Record<string, string>> = {
  icloud: "iCloud",
  custom: "Other",
  smtp: "SMTP and IMAP",
  "*": "One domain after another",
};

export function providerName(provider: string): string {
  return PROVIDERS[provider] ?? (provider.includes(".") ? provider : words(provider));
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
      text: `The mail server deferred its emails${becauseOf(said)}`,
      remedy: "Outrider waits, then retries on its own.",
    };
  }
  return score >= 80
    ? null
    : {
        tone: "warn",
        text: `Its health is ${score} of 100, so its limits are halved${score < 60 ? " and no new leads are started" : ""}.`,
        remedy: "Check what lowered its score.",
      };
}

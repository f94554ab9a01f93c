/**
 * Servers that fail on purpose: by magic address, by rate, or because an account's login is switched
 * off. A draw by rate hashes the instant of the attempt too, so that the next try may go through.
 *
 * Source: replies as RFC 5321 §4.2 and RFC 3463 number them; the codes of providers' blocks are their own.
 */

import type { MailProvider } from "#domain/mailboxes/mail-provider.ts";
import type { SendOutcome, Verdict } from "#domain/mailboxes/send-outcome.ts";
import { hash01 } from "#domain/random.ts";
import type { UnixMs } from "#domain/time.ts";
import { simulatedProvider } from "./dns.ts";
import { magicName } from "./people.ts";
import type { FaultName, ProviderBlock, SandboxSettings } from "./settings.ts";

/** `before` the body is asked for, or a connection that is `cut` after it, the message `kept` or lost. */
export type SendFault = { kind: "before"; outcome: SendOutcome } | { kind: "cut"; kept: boolean };

export const LOGIN_REFUSED = "535 5.7.8 Authentication credentials invalid (sandbox)";

/** Of a magic address, the fault it stands for. */
const MAGIC: Readonly<Record<string, FaultName>> = {
  smtp421: "smtp421",
  smtp550: "smtp550",
  timeout: "timeout",
};

const RCPT_FAULTS = ["smtp421", "smtp450", "smtp550", "timeout", "cut"] as const;

export interface Attempt {
  accountId: string;
  recipient: string;
  at: UnixMs;
}

/** What goes wrong with this attempt; undefined when nothing does. */
export function sendFault(settings: SandboxSettings, attempt: Attempt): SendFault | undefined {
  if (settings.authFailures.includes(attempt.accountId)) {
    return { kind: "before", outcome: refused("auth", 535, "5.7.8", LOGIN_REFUSED) };
  }
  const magic = magicName(attempt.recipient);
  if (magic !== undefined) {
    const name = MAGIC[magic];
    return name === undefined ? undefined : faultOf(name, settings, attempt);
  }
  const { accountId, recipient, at } = attempt;
  const blocked = blockedBy(settings, attempt);
  if (blocked !== undefined) {
    return blocked;
  }
  const struck = RCPT_FAULTS.find((name) => {
    const rate = settings.faults[name];
    return rate > 0 && hash01(settings.seed, "fault", name, accountId, recipient, at) < rate;
  });
  return struck === undefined ? undefined : faultOf(struck, settings, attempt);
}

/** What a provider says at RCPT that has the sender's server on its list, or wants it to slow down. */
const BLOCK_REPLIES: Readonly<Record<MailProvider, Record<ProviderBlock["kind"], string>>> = {
  google: {
    refuse: "550 5.7.1 Blocked: very low reputation of the sending IP address (sandbox)",
    throttle: "450 4.7.28 Unusual rate of unsolicited mail, rate limited for now (sandbox)",
  },
  microsoft: {
    refuse: "550 5.7.606 Access denied, banned sending IP [192.0.2.1] (sandbox)",
    throttle: "451 4.7.500 Server busy. Please try again later from [192.0.2.1] (sandbox)",
  },
  yahoo: {
    refuse: "553 5.7.1 [BL21] Connections not accepted, the IP address is listed (sandbox)",
    throttle: "421 4.7.0 [TSS04] Messages deferred due to unexpected volume (sandbox)",
  },
  icloud: {
    refuse: "550 5.7.0 Blocked - see the Proofpoint reputation of 192.0.2.1 (sandbox)",
    throttle: "421 4.7.0 Too many messages from 192.0.2.1, try again later (sandbox)",
  },
  zoho: {
    refuse: "554 5.7.1 Email blocked due to the reputation of 192.0.2.1 (sandbox)",
    throttle: "421 4.7.0 Sending rate exceeded for 192.0.2.1, try again later (sandbox)",
  },
  custom: {
    refuse: "554 5.7.1 Client host [192.0.2.1] blocked using a block list (sandbox)",
    throttle: "450 4.7.1 Greylisted, try again later (sandbox)",
  },
};

function blockedBy({ seed, blocks }: SandboxSettings, { recipient, at }: Attempt) {
  const under = blocks.filter(({ from, until }) => from <= at && at < until);
  if (under.length === 0) {
    return undefined;
  }
  const provider = simulatedProvider(seed, recipient.slice(recipient.lastIndexOf("@") + 1));
  const block = under.find((one) => one.provider === provider);
  if (block === undefined) {
    return undefined;
  }
  const response = BLOCK_REPLIES[provider][block.kind];
  const [code = "", enhanced = ""] = response.split(" ");
  return before(
    block.kind === "refuse"
      ? refused("rcpt", Number(code), enhanced, response)
      : deferred(Number(code), enhanced, response),
  );
}

/** Why an account's mailbox cannot be read just now. */
export function pollFault(
  settings: SandboxSettings,
  accountId: string,
  at: UnixMs,
): { reason: string; login: boolean } | undefined {
  if (settings.authFailures.includes(accountId)) {
    return { reason: LOGIN_REFUSED, login: true };
  }
  const rate = settings.faults.imap;
  return rate > 0 && hash01(settings.seed, "fault", "imap", accountId, at) < rate
    ? { reason: "the connection was reset (sandbox)", login: false }
    : undefined;
}

function faultOf(name: FaultName, settings: SandboxSettings, attempt: Attempt): SendFault {
  const to = attempt.recipient;
  switch (name) {
    case "smtp421":
      return before(deferred(421, "4.3.2", "421 4.3.2 Service is shutting down (sandbox)"));
    case "smtp450":
      return before(deferred(450, "4.2.0", `450 4.2.0 <${to}> is busy, try again later (sandbox)`));
    case "smtp550":
      return before(refused("rcpt", 550, "5.1.1", `550 5.1.1 <${to}> user unknown (sandbox)`));
    case "timeout":
      return before({
        kind: "unreachable",
        stage: "rcpt",
        reason: "the server did not answer in time (sandbox)",
        bodySent: false,
      });
    case "cut": {
      const { accountId, recipient, at } = attempt;
      return { kind: "cut", kept: hash01(settings.seed, "kept", accountId, recipient, at) < 0.5 };
    }
    case "imap":
      throw new Error("a mailbox that cannot be read is no fault of sending");
  }
}

function before(outcome: SendOutcome): SendFault {
  return { kind: "before", outcome };
}

function deferred(code: number, enhanced: string, response: string): Verdict<"deferred"> {
  return { kind: "deferred", stage: "rcpt", code, enhanced, response };
}

function refused(
  stage: Verdict<"refused">["stage"],
  code: number,
  enhanced: string,
  response: string,
): Verdict<"refused"> {
  return { kind: "refused", stage, code, enhanced, response };
}

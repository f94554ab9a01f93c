/**
 * The simulated servers' answers to a callout: by the same draws as their bounces, so what was said of an address is what
 * then comes back from it.
 */

import {
  type CalloutReply,
  type CalloutSession,
  isControlAddress,
} from "#domain/mailboxes/callout.ts";
import type { SendOutcome } from "#domain/mailboxes/send-outcome.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Callout } from "#platform/ports/mail.ts";
import { sendFault } from "./faults.ts";
import { behave } from "./people.ts";
import { unknownUser } from "./providers.ts";
import type { SandboxSettings } from "./settings.ts";

/** Takes email for any address. */
const CATCH_ALL = /(^|\.)catchall\.test$/;

export function callOut(
  settings: SandboxSettings,
  callout: Callout,
  at: UnixMs,
  next: (replies: readonly CalloutReply[]) => string | null,
): CalloutSession {
  const replies: CalloutReply[] = [];
  for (let recipient = next(replies); recipient !== null; recipient = next(replies)) {
    replies.push({ recipient, outcome: outcomeOf(settings, callout, recipient, at) });
  }
  return { replies, ended: null };
}

function outcomeOf(
  settings: SandboxSettings,
  { domain, from }: Callout,
  recipient: string,
  at: UnixMs,
): SendOutcome {
  const fault = sendFault(settings, { accountId: from, recipient, at });
  if (fault?.kind === "before") {
    return fault.outcome;
  }
  const isTaken = CATCH_ALL.test(domain) || recipient === `postmaster@${domain}`;
  const isGone = behave(settings, recipient, 0).reactions.some(
    ({ kind }) => kind === "hard_bounce",
  );
  if (isTaken || !(isGone || isControlAddress(recipient))) {
    return { kind: "accepted", response: "250 2.1.5 Ok (sandbox)" };
  }
  const { status, diagnostic } = unknownUser("postfix", recipient);
  return { kind: "refused", stage: "rcpt", code: 550, enhanced: status, response: diagnostic };
}

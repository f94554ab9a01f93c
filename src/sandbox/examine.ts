/** Trying a simulated mailbox step by step: servers that are always there, and a login that may be refused. */

import { adviseLogin } from "#domain/mailboxes/connection-advice.ts";
import {
  CONNECTION_STEPS,
  type ConnectionStep,
  type ConnectionStepName,
} from "#domain/mailboxes/connection-step.ts";
import type { Examination, Mailbox, MailPort, TestMail } from "#platform/ports/mail.ts";

/** `port` is the sandbox's own. */
export async function examine(
  port: Pick<MailPort, "test" | "send">,
  mailbox: Mailbox,
  mail: TestMail | null,
): Promise<Examination> {
  const outcome = await port.test(mailbox);
  if (!outcome.smtp.ok || !outcome.imap.ok) {
    const words = outcome.smtp.error ?? outcome.imap.error ?? "";
    return { steps: CONNECTION_STEPS.map((step) => refusedAt(step, mailbox, words)), ...outcome };
  }
  const sent =
    mail === null ? null : await port.send(mailbox, mail.envelope, async () => undefined);
  const isSent = sent?.kind === "accepted";
  const steps = CONNECTION_STEPS.map((step): ConnectionStep => {
    if (step === "send" && mail === null) {
      return entry(step, null, "no email was to be sent");
    }
    return step === "send" && !isSent
      ? entry(step, false, "the mail was not taken (sandbox)", "See the faults set in /sandbox.")
      : entry(step, true, SIMULATED[step]);
  });
  return { steps, ...outcome };
}

const SIMULATED: Readonly<Record<ConnectionStepName, string>> = {
  smtp_dns: "the SMTP server has an address (simulated)",
  smtp_connect: "the SMTP server answers (simulated)",
  smtp_tls: "the connection is encrypted (simulated)",
  smtp_login: "logged in (simulated)",
  send: "a mail from the mailbox to itself was captured",
  imap_dns: "the IMAP server has an address (simulated)",
  imap_connect: "the IMAP server answers (simulated)",
  imap_tls: "the connection is encrypted (simulated)",
  imap_login: "logged in (simulated)",
  read: "the mailbox can be read",
  sent_folder: "there is a Sent folder",
};

function refusedAt(step: ConnectionStepName, mailbox: Mailbox, words: string): ConnectionStep {
  if (step === "smtp_login" || step === "imap_login") {
    const side = step === "smtp_login" ? "smtp" : "imap";
    const { provider, oauth } = mailbox;
    const server = { host: "the sandbox", port: 0, security: "tls" as const };
    const advice = adviseLogin({ side, provider, isOauth: oauth !== null, ...server }, words);
    return entry(step, false, advice.message, advice.remedy);
  }
  const isBefore = /_(dns|connect|tls)$/.test(step);
  return isBefore
    ? entry(step, true, SIMULATED[step])
    : entry(step, null, "not tried: an earlier step failed");
}

function entry(
  step: ConnectionStepName,
  ok: boolean | null,
  message: string,
  remedy: string | null = null,
): ConnectionStep {
  return { step, ok, message, remedy, ms: 0 };
}

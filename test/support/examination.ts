/** An examination as mail ports of tests give it: what a plain test says, step by step. */

import { CONNECTION_STEPS, type ConnectionStep } from "#domain/mailboxes/connection-step.ts";
import type { Examination, TestOutcome } from "#platform/ports/mail.ts";

export function examinationOf(outcome: TestOutcome): Examination {
  const { smtp, imap } = outcome;
  const steps = CONNECTION_STEPS.map((step): ConnectionStep => {
    const check = step === "smtp_login" ? smtp : step === "imap_login" ? imap : null;
    const ok = check === null ? null : check.ok;
    return { step, ok, message: check?.error ?? "", remedy: null, ms: 0 };
  });
  return { steps, ...outcome };
}

/** What the tests of `/sandbox` share: accounts, messages handed over, and what has come back. */

import { expect } from "bun:test";
import { parseMail } from "#mail/parse.ts";
import { mailbox, mailsOf, message } from "../../sandbox/support.ts";
import type { TestApp } from "../../support/app.ts";

/** An id that nothing has. */
export const NOBODY = "019cae10-0000-7000-8000-00000000dead";

export async function addAccount({ call }: TestApp, email = "ann@acme.test"): Promise<string> {
  const { body } = await call("POST", "/accounts", { email, provider: "sandbox" });
  return body.id;
}

/** Hands a message over as the engine does. */
export async function send(
  { environments }: TestApp,
  accountId: string,
  to: string,
  messageId?: string,
) {
  const envelope = message(to, messageId === undefined ? {} : { messageId });
  const account = mailbox(accountId, envelope.from);
  const outcome = await environments.test.mail.send(account, envelope, () => Promise.resolve());
  expect(outcome.kind).toBe("accepted");
  return envelope;
}

/** What has come into an account's mailbox up to now. */
export async function inbox({ environments }: TestApp, accountId: string) {
  const read = await environments.test.mail.poll(mailbox(accountId, "ann@acme.test"), "0.0");
  return await Promise.all(mailsOf(read).map(({ raw }) => parseMail(raw)));
}

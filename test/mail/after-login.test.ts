/** A server that takes the login and then turns the mailbox away is told from one that refuses the login. */

import { afterEach, expect, test } from "bun:test";
import type { ConnectionStep } from "#domain/mailboxes/connection-step.ts";
import type { Mailbox } from "#platform/ports/mail.ts";
import { startImapSink } from "./imap/imap-sink.ts";
import { startSmtpSink } from "./smtp/smtp-sink.ts";
import { localMailPort, smtpMailbox } from "./support.ts";

let stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(stops.map((stop) => stop()));
  stops = [];
});

type Reply = string | undefined;

/** What both logins come to where the servers say this. */
async function examined(said: { auth?: string; mail?: string; login?: string; open?: string }) {
  const smtp = await startSmtpSink(({ moment }): Reply => {
    return moment === "AUTH" ? said.auth : moment === "MAIL" ? said.mail : undefined;
  });
  const imap = await startImapSink(({ tag, verb }): Reply => {
    const isLogin = verb === "LOGIN" || verb === "AUTHENTICATE";
    const words = isLogin ? said.login : verb === "EXAMINE" ? said.open : undefined;
    return words === undefined ? undefined : `${tag} ${words}`;
  });
  const port = localMailPort();
  stops.push(smtp.stop, imap.stop, () => port.close());
  const login = { host: "127.0.0.1", security: "none", username: "ann@out.test" } as const;
  const mailbox: Mailbox = {
    ...smtpMailbox(smtp.port),
    imap: { ...login, port: imap.port, password: "secret" },
  };
  const { smtp: send, imap: read, steps } = await port.examine(mailbox, null);
  const tested = await port.test(mailbox);
  const messageOf = (step: ConnectionStep["step"]) =>
    steps.find((entry) => entry.step === step)?.message ?? "";
  return { send, read, tested, smtp: messageOf("smtp_login"), imap: messageOf("imap_login") };
}

test.each([
  [
    "550 5.7.60 SMTP; Client does not have permissions to send as this sender",
    /may not send from the account's address/,
  ],
  [
    "553 5.7.1 <ann@out.test>: Sender address rejected: not owned by user bob@out.test",
    /may not send from/,
  ],
  ["550 5.4.5 Daily user sending limit exceeded", /used up/],
  ["550 5.1.8 Access denied, bad outbound sender AS(42004)", /blocked this mailbox/],
  ["530 5.7.57 Client not authenticated to send mail", /SMTP AUTH is turned off/],
  ["550 5.7.1 go away", /signed in, but the mailbox may not send/],
])("SMTP signs in, then says %s", async (mail, expected) => {
  const { send, tested, smtp, read } = await examined({ mail });
  expect(send).toMatchObject({ ok: false, signedIn: true, login: false });
  expect(tested.smtp).toMatchObject({ signedIn: true, login: false });
  expect(smtp).toMatch(expected);
  expect(read.ok).toBe(true);
});

test.each([
  ["BAD User is authenticated but not connected.", /doesn't open the mailbox/],
  ["NO [NOPERM] Permission denied", /signed in, but the mailbox may not be read/],
])("IMAP signs in, then says %s", async (open, expected) => {
  const { read, tested, imap, send } = await examined({ open });
  expect(read).toMatchObject({ ok: false, signedIn: true, login: false });
  expect(tested.imap).toMatchObject({ signedIn: true, login: false });
  expect(imap).toMatch(expected);
  expect(send.ok).toBe(true);
});

test("a refused login is none of these", async () => {
  const { send, read, smtp, imap } = await examined({
    auth: "535 5.7.8 Username and Password not accepted",
    login: "NO [AUTHENTICATIONFAILED] Authentication failed.",
  });
  expect(send).toMatchObject({ ok: false, login: true });
  expect(read).toMatchObject({ ok: false, login: true });
  expect([send.signedIn, read.signedIn]).toEqual([undefined, undefined]);
  expect(smtp + imap).not.toContain("signed in");
});

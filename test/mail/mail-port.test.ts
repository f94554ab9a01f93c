/** The mail port over SMTP alone, against a server in this process; needs nothing installed. */

import { afterAll, expect, test } from "bun:test";
import { mailPortConformance } from "./conformance.ts";
import { startSmtpSink } from "./smtp/smtp-sink.ts";
import { localMailPort, message, smtpMailbox } from "./support.ts";

mailPortConformance("SMTP, in this process", { incoming: false, logins: true }, async () => {
  const wrong = Buffer.from("\u0000sender1@out.test\u0000wrong").toString("base64");
  const sink = await startSmtpSink(({ moment, line }) => {
    if (moment === "RCPT" && line.includes("refuses@")) {
      return "550 5.1.1 no such user";
    }
    if (moment === "RCPT" && line.includes("defers@")) {
      return "451 4.7.1 greylisted";
    }
    return moment === "AUTH" && line.endsWith(wrong) ? "535 5.7.8 no" : undefined;
  });
  const mailbox = smtpMailbox(sink.port);
  const smtp = mailbox.smtp === null ? null : { ...mailbox.smtp, password: "wrong" };
  return {
    port: localMailPort(),
    mailbox,
    recipients: {
      accepts: "a@acme.test",
      refuses: "refuses@acme.test",
      defers: "defers@acme.test",
    },
    wrongLogin: { ...mailbox, smtp },
    arrivals: async (messageId) => sink.bodies.filter((body) => body.includes(messageId)).length,
    stop: () => sink.stop(),
  };
});

const port = localMailPort();
afterAll(() => port.close());

test("a mailbox without IMAP cannot be read, searched or filed into", async () => {
  const mailbox = smtpMailbox(1, { smtp: null });
  const reason = "no IMAP settings are stored";
  expect(await port.poll(mailbox, "")).toEqual({ kind: "unreachable", reason, login: false });
  expect(await port.find(mailbox, "<x@y>")).toEqual({ kind: "uncheckable", reason });
  expect(await port.saveSent(mailbox, message())).toEqual({ kind: "failed", reason });
  expect(await port.test(mailbox)).toMatchObject({
    smtp: { ok: false, error: "no SMTP settings are stored" },
    imap: { ok: false, error: reason },
  });
});

test.each([
  ["550 5.7.1 not allowed to send", { ok: false, error: expect.stringContaining("not allowed") }],
  ["451 4.3.0 later", { ok: false, error: expect.stringContaining("later") }],
  ["drop", { ok: false }],
  ["hang", { ok: false }],
  [undefined, { ok: true, error: null }],
] as const)(
  "test: an address that is answered %p at MAIL, though the login is good",
  async (answer, smtp) => {
    const sink = await startSmtpSink(({ moment }) => (moment === "MAIL" ? answer : undefined));
    const strict = localMailPort({ limits: { connectMs: 300, replyMs: 300, sendMs: 2_000 } });
    const tested = await strict.test(smtpMailbox(sink.port));
    expect(tested.smtp).toMatchObject(smtp);
    expect(tested.smtp.login).not.toBe(true);
    expect(sink.commands.filter((line) => /RCPT|DATA/.test(line))).toEqual([]);
    await strict.close();
    await sink.stop();
  },
);

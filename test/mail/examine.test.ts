/** An examination against real Dovecot and Postfix: every step, and what is said of wrong settings. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ConnectionStep } from "#domain/mailboxes/connection-step.ts";
import type { Examination, Mailbox, MailPort, TestMail } from "#platform/ports/mail.ts";
import {
  type MailServer,
  mailsOf,
  missingForMailServer,
  skipsMailServer,
  startMailServer,
} from "../mailserver/mailserver.ts";
import { localMailPort, message } from "./support.ts";

const ADDRESS = "sender1@out.test";
const TEST_MS_MAX = 60_000;

if (skipsMailServer()) {
  test.skipIf(true)(
    `an examination (skipped: the mail server ${missingForMailServer()})`,
    () => undefined,
  );
} else {
  describe("an examination", examinations);
}

function examinations(): void {
  let server: MailServer;
  let port: MailPort;
  beforeAll(async () => {
    server = await startMailServer({ loadUsers: 0 });
    port = localMailPort({ ca: server.ca });
  }, TEST_MS_MAX);
  afterAll(async () => {
    await port?.close();
    await server?.stop();
  }, TEST_MS_MAX);

  const mail = (saves = true): TestMail => ({ envelope: message(ADDRESS, ADDRESS), saves });
  const stepsOf = ({ steps }: Examination) =>
    Object.fromEntries(steps.map((entry) => [entry.step, entry])) as Record<
      ConnectionStep["step"],
      ConnectionStep
    >;
  const failed = ({ steps }: Examination) =>
    steps.filter(({ ok }) => ok === false).map(({ step }) => step);

  test.each(["starttls", "tls"] as const)(
    "over %s goes all the way, and files a copy",
    async (security) => {
      const sent = mail();
      const examination = await port.examine(server.mailbox(ADDRESS, { security }), sent);
      expect(examination.steps.filter(({ ok }) => ok !== true)).toEqual([]);
      expect(examination).toMatchObject({ smtp: { ok: true }, imap: { ok: true } });
      expect(stepsOf(examination).read.message).toContain("INBOX");
      expect(stepsOf(examination).smtp_tls.message).toMatch(/TLSv1\.[23]/);
      const filed = await mailsOf(server, ADDRESS);
      const copies = filed.filter(({ raw }) => raw.includes(sent.envelope.messageId));
      expect(copies.map(({ folder }) => folder).toSorted()).toEqual(["INBOX", "Sent"]);
    },
    TEST_MS_MAX,
  );

  test(
    "without an email sends none",
    async () => {
      const before = (await mailsOf(server, ADDRESS)).length;
      const examination = await port.examine(server.mailbox(ADDRESS), null);
      expect(failed(examination)).toEqual([]);
      expect(stepsOf(examination).send).toMatchObject({ ok: null });
      expect((await mailsOf(server, ADDRESS)).length).toBe(before);
    },
    TEST_MS_MAX,
  );

  test(
    "says where an email that is taken for spam went",
    async () => {
      await server.sieve(ADDRESS, 'require "fileinto"; fileinto "Junk";');
      const { read } = stepsOf(await port.examine(server.mailbox(ADDRESS), mail(false)));
      await server.sieve(ADDRESS, "keep;");
      expect(read).toMatchObject({
        ok: true,
        message: expect.stringContaining("Junk"),
        remedy: expect.stringContaining("spam"),
      });
    },
    TEST_MS_MAX,
  );

  test.each<[string, (mailbox: Mailbox) => Mailbox, ConnectionStep["step"][], RegExp]>([
    [
      "a wrong password",
      (box) => change(box, { password: "wrong" }),
      ["smtp_login", "imap_login"],
      /password/,
    ],
    [
      "a wrong SMTP host",
      (box) => change(box, { host: "nowhere.test" }, "smtp"),
      ["smtp_dns"],
      /host name/,
    ],
    ["a wrong IMAP port", (box) => change(box, { port: 1 }, "imap"), ["imap_connect"], /port/],
    [
      "IMAP's port for SMTP",
      (box) => change(box, { port: box.imap?.port ?? 0 }, "smtp"),
      ["smtp_tls"],
      /port/,
    ],
    [
      "TLS at a port for STARTTLS",
      (box) => change(box, { security: "tls" }),
      ["smtp_tls", "imap_tls"],
      /starttls/,
    ],
    ["no IMAP server", (box) => ({ ...box, imap: null }), ["imap_dns"], /Set its host/],
    [
      "no password",
      (box) => change(box, { password: null }),
      ["smtp_login", "imap_login"],
      /password/,
    ],
  ])(
    "of %s names the step and the remedy, and tries nothing after it",
    async (_name, wrong, steps, remedy) => {
      const examination = await port.examine(wrong(server.mailbox(ADDRESS)), mail(false));
      expect(failed(examination)).toEqual(steps);
      const [first] = examination.steps.filter(({ ok }) => ok === false);
      expect(first?.remedy).toMatch(remedy);
      const side = steps[0]?.startsWith("smtp") ? "smtp" : "imap";
      expect(examination[side].ok).toBe(false);
      const needed = side === "smtp" ? "send" : "read";
      expect(stepsOf(examination)[needed].ok).toBe(null);
    },
    TEST_MS_MAX,
  );

  test(
    "does not take a server whose certificate it cannot check",
    async () => {
      const strict = localMailPort();
      const examination = await strict.examine(server.mailbox(ADDRESS), null);
      await strict.close();
      expect(failed(examination)).toEqual(["smtp_tls", "imap_tls"]);
      expect(stepsOf(examination).imap_tls.remedy).toContain("mail_ca_file");
    },
    TEST_MS_MAX,
  );

  test(
    "of an address that the login may not send from says so",
    async () => {
      const foreign = { envelope: message("nobody@acme.test", ADDRESS), saves: false };
      const examination = await port.examine(server.mailbox(ADDRESS), foreign);
      expect(stepsOf(examination).send).toMatchObject({ ok: false });
      expect(stepsOf(examination).send.message).toMatch(/550/);
      expect(stepsOf(examination).read.ok).toBe(true);
    },
    TEST_MS_MAX,
  );
}

function change(
  mailbox: Mailbox,
  fields: Partial<NonNullable<Mailbox["smtp"]>>,
  only?: "smtp" | "imap",
): Mailbox {
  const on = (side: "smtp" | "imap") => {
    const server = mailbox[side];
    return server === null || (only !== undefined && only !== side)
      ? server
      : { ...server, ...fields };
  };
  return { ...mailbox, smtp: on("smtp"), imap: on("imap") };
}

/**
 * Classification of what real programs write: Postfix's reports of failure and delay, and Pigeonhole's
 * vacation notes in seventeen languages. Nothing here was composed by us: an email goes out, and what
 * comes back is read. Without the packages or root it is skipped, except in the full tier.
 */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { type Classification, classify } from "#domain/inbox/classify.ts";
import { matchKeys } from "#domain/inbox/match.ts";
import { parseMail } from "#mail/parse.ts";
import type { Mailbox, MailPort } from "#platform/ports/mail.ts";
import {
  type MailServer,
  missingForMailServer,
  skipsMailServer,
  startMailServer,
} from "../mailserver/mailserver.ts";
import { type Ask, type SmtpSink, startSmtpSink } from "./smtp/smtp-sink.ts";
import { localMailPort, message } from "./support.ts";

const ARRIVAL_MS_MAX = 30_000;
const TEST_MS_MAX = 60_000;

/** What the next server says of a recipient, by local part. */
const ANSWERS: Readonly<Record<string, { at: Ask["moment"]; says: string }>> = {
  unknown: { at: "RCPT", says: "550 5.1.1 <unknown@next.test>: no such user here" },
  bare: { at: "RCPT", says: "550 No such mailbox" },
  disabled: { at: "RCPT", says: "550 5.2.1 The account you tried to reach is disabled" },
  full: { at: "RCPT", says: "552 5.2.2 mailbox is full, over quota" },
  policy: { at: "RCPT", says: "550 5.7.1 message rejected due to local policy" },
  spam: { at: "BODY", says: "554 5.7.1 rejected as spam" },
  large: { at: "BODY", says: "552 5.3.4 message size exceeds fixed limit" },
  dmarc: {
    at: "BODY",
    says: "550 5.7.26 unauthenticated email is not accepted due to DMARC policy",
  },
  access: { at: "RCPT", says: "550 5.4.1 Recipient address rejected: Access denied" },
  sender: { at: "MAIL", says: "550 5.1.8 sender address rejected: domain not found" },
  busy: { at: "RCPT", says: "451 4.7.1 greylisted, try again later" },
};

type Expected = Partial<Pick<Classification, "kind" | "severity" | "status">>;

const FAILED: Readonly<Record<string, Expected>> = {
  "unknown@next.test": { kind: "bounce", severity: "hard", status: "5.1.1" },
  "bare@next.test": { kind: "bounce", severity: "hard" },
  "disabled@next.test": { kind: "bounce", severity: "hard", status: "5.2.1" },
  "full@next.test": { kind: "bounce", severity: "soft", status: "5.2.2" },
  "policy@next.test": { kind: "bounce", severity: "block", status: "5.7.1" },
  "spam@next.test": { kind: "bounce", severity: "block", status: "5.7.1" },
  "large@next.test": { kind: "bounce", severity: "soft", status: "5.3.4" },
  "dmarc@next.test": { kind: "bounce", severity: "block", status: "5.7.26" },
  "access@next.test": { kind: "bounce", severity: "hard", status: "5.4.1" },
  "sender@next.test": { kind: "bounce", severity: "block", status: "5.1.8" },
  "someone@bounce.test": { kind: "bounce", severity: "hard", status: "5.1.1" },
};

/** Subject and text of an absence; `%s` is the day as the language writes it. */
const ABSENCES: Readonly<Record<string, { subject: string; text: string; back: boolean }>> = {
  en: { subject: "Out of office", text: "I will be back on %s.", back: true },
  de: { subject: "Abwesenheitsnotiz", text: "Ich bin bis zum %s nicht im Büro.", back: false },
  fr: { subject: "Absence du bureau", text: "Je serai de retour le %s.", back: true },
  es: { subject: "Fuera de la oficina", text: "Estaré ausente hasta el %s.", back: false },
  nl: { subject: "Afwezig", text: "Ik ben weer aanwezig op %s.", back: true },
  pt: { subject: "Fora do escritório", text: "Estarei de férias até %s.", back: false },
  it: { subject: "Fuori sede", text: "Rientrerò il %s.", back: true },
  pl: { subject: "Nieobecność", text: "Wracam %s.", back: true },
  sv: { subject: "Frånvaro", text: "Jag är tillbaka den %s.", back: true },
  da: { subject: "Fraværende", text: "Jeg er tilbage den %s.", back: true },
  cs: { subject: "Mimo kancelář", text: "Vrátím se %s.", back: true },
  ja: { subject: "不在のお知らせ", text: "%sまで休暇をいただいております。", back: false },
  zh: { subject: "我正在休假", text: "我将于%s返回办公室。", back: true },
  ru: { subject: "Отсутствую", text: "Я в отпуске.", back: false },
  fi: { subject: "Poissa", text: "Olen lomalla.", back: false },
  nb: { subject: "Fravær", text: "Jeg er på ferie.", back: false },
  hu: { subject: "Szabadságon", text: "Nem vagyok az irodában.", back: false },
};

if (skipsMailServer()) {
  const reason = missingForMailServer();
  test.skipIf(true)(
    `classification of real programs' mail (skipped: the mail server ${reason})`,
    () => undefined,
  );
} else {
  realPrograms();
}

function realPrograms(): void {
  let server: MailServer;
  let port: MailPort;
  let next: SmtpSink;

  beforeAll(async () => {
    next = await startSmtpSink((ask) => {
      const said = recipients.get(ask.connection) ?? ask.line;
      if (ask.moment === "RCPT") {
        recipients.set(ask.connection, ask.line);
      }
      const named = ask.moment === "MAIL" ? /\+(\w+)@/.exec(ask.line) : /<(\w+)@/.exec(said);
      const answer = ANSWERS[named?.[1] ?? ""];
      return answer?.at === ask.moment ? answer.says : undefined;
    });
    server = await startMailServer({ loadUsers: Object.keys(ABSENCES).length });
    port = localMailPort({ ca: server.ca });
    await relayTo(server, next.port);
  }, TEST_MS_MAX);
  const recipients = new Map<number, string>();

  afterAll(async () => {
    await port.close();
    await server.stop();
    await next.stop();
  }, TEST_MS_MAX);

  test.each(Object.entries(FAILED))(
    "Postfix's report about %s",
    async (recipient, expected) => {
      const sender = server.mailbox("sender1@out.test");
      const from = recipient === "sender@next.test" ? "sender1+sender@out.test" : sender.address;
      const { reading, messageIds, sent } = await exchange(port, sender, recipient, from);
      expect(reading).toMatchObject({ ...expected, recipients: [recipient] });
      expect(messageIds[0]).toBe(sent);
    },
    TEST_MS_MAX,
  );

  test(
    "Postfix's warning of a delay is a notice, and its giving up a bounce that may pass",
    async () => {
      const sender = server.mailbox("sender2@out.test");
      const delayed = await exchange(port, sender, "busy@next.test");
      expect(delayed.reading).toMatchObject({
        kind: "notice",
        severity: "soft",
        recipients: ["busy@next.test"],
      });
      expect(delayed.messageIds[0]).toBe(delayed.sent);
      const last = await arrival(port, sender, delayed.cursor);
      expect(last.reading).toMatchObject({ kind: "bounce", severity: "soft", status: "4.7.1" });
      expect(last.messageIds[0]).toBe(delayed.sent);
    },
    TEST_MS_MAX,
  );

  test.each(Object.keys(ABSENCES).map((language, at) => [language, at + 1] as const))(
    "Pigeonhole's vacation note in %s",
    async (language, at) => {
      const { subject, text, back } = ABSENCES[language] ?? { subject: "", text: "", back: false };
      const day = Temporal.Now.plainDateISO("UTC").add({ days: 20 });
      const written = day.toLocaleString(language, {
        day: "numeric",
        month: "long",
        year: "numeric",
        calendar: "gregory",
      });
      const body = text.replace("%s", written);
      const address = `u${at}@load.test`;
      await server.sieve(
        address,
        `require "vacation"; vacation :days 1 :subject "${subject}" "${body}";`,
      );
      const sender = server.mailbox("sender3@out.test");
      const { reading, messageIds, sent } = await exchange(port, sender, address);
      const returnsOn = text.includes("%s") ? day.add({ days: back ? 0 : 1 }).toString() : null;
      expect({ kind: reading.kind, body, returnsOn: reading.returnsOn }).toEqual({
        kind: "auto_reply",
        body,
        returnsOn,
      });
      expect(messageIds[0]).toBe(sent);
    },
    TEST_MS_MAX,
  );
}

/** Has Postfix hand email to next.test on to `port`, warn after a second and give up after some. */
async function relayTo(server: MailServer, port: number): Promise<void> {
  const etc = join(server.dir, "postfix/etc");
  await appendFile(join(etc, "transport"), `next.test smtp:[127.0.0.1]:${port}\n`);
  await appendFile(
    join(etc, "main.cf"),
    [
      "delay_warning_time = 1s",
      "minimal_backoff_time = 2s",
      "maximal_backoff_time = 2s",
      "queue_run_delay = 2s",
      "maximal_queue_lifetime = 8s",
      "smtp_connection_cache_on_demand = no",
      "",
    ].join("\n"),
  );
  const reload = Bun.spawn(["/usr/sbin/postfix", "-c", etc, "reload"], {
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", MAIL_CONFIG: etc },
    stdout: "ignore",
    stderr: "ignore",
  });
  expect(await reload.exited).toBe(0);
}

interface Came {
  reading: Classification;
  /** What it is matched by. */
  messageIds: readonly string[];
  cursor: string;
}

/** Sends an email and reads the first one that comes back. */
async function exchange(
  port: MailPort,
  sender: Mailbox,
  recipient: string,
  from = sender.address,
): Promise<Came & { sent: string }> {
  const before = await port.poll(sender, "");
  const mail = message(recipient, from);
  const outcome = await port.send(sender, mail, async () => undefined);
  expect(outcome).toMatchObject({ kind: "accepted" });
  const came = await arrival(port, sender, before.kind === "read" ? before.cursor : "");
  return { ...came, sent: mail.messageId };
}

async function arrival(port: MailPort, mailbox: Mailbox, cursor: string): Promise<Came> {
  const late = AbortSignal.timeout(ARRIVAL_MS_MAX);
  while (!late.aborted) {
    const outcome = await port.poll(mailbox, cursor);
    const first = outcome.kind === "read" ? outcome.mails[0] : undefined;
    if (outcome.kind === "read" && first !== undefined) {
      const mail = await parseMail(first.raw);
      const own = { addresses: [mailbox.address], receivedAt: first.receivedAt };
      const reading = classify(mail, own);
      const { messageIds } = matchKeys(mail, reading);
      return { reading, messageIds, cursor: outcome.cursor };
    }
  }
  throw new Error("nothing came back");
}

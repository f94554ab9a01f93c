/** Mailboxes and what arrives in them, for journeys over real servers. */

import { expect } from "bun:test";
import { header, type ParsedMail } from "#domain/inbox/mail.ts";
import { unixMs } from "#domain/time.ts";
import { composeMessage } from "#mail/compose.ts";
import { parseMail } from "#mail/parse.ts";
import type { Mailbox, MailPort } from "#platform/ports/mail.ts";
import { type Filed, type MailServer, mailsOf } from "../mailserver/mailserver.ts";
import { type Call, done, type Reply, until } from "./support.ts";

export const DISPLAY_NAME = "Zoë Sender";
export const STEPS = 3;

/** An account whose limits are out of the way. */
export async function connect(
  mail: MailServer,
  call: Call,
  email: string,
  { security, password = "secret" }: { security: "starttls" | "tls"; password?: string },
): Promise<Reply["body"]> {
  const { smtp, imap } = mail.mailbox(email, { security, password });
  return await done(
    call("POST", "/accounts", {
      ...{ email, provider: "smtp", display_name: DISPLAY_NAME },
      ...{ daily_limit: 2000, hourly_limit: 500, min_gap_seconds: 0, max_gap_seconds: 0 },
      ...{ smtp, imap },
    }),
  );
}

/** Three steps in one thread, whose subject is the campaign's name. */
export async function addSteps(call: Call, id: string, waitDays: number): Promise<void> {
  const { name } = await done(call("GET", `/campaigns/${id}`));
  const steps = [
    {
      subject: `${name}: Grüße`,
      body: 'Hello {{ first_name | default: "there" }},\n\na question.',
    },
    { body: "Did you see my question?", wait_days: waitDays },
    { body: "My last try.", wait_days: waitDays },
  ];
  for (const step of steps) {
    await done(call("POST", `/campaigns/${id}/steps`, { type: "email", ...step }));
  }
}

export function enroll(call: Call, id: string, emails: readonly string[]): Promise<Reply["body"]> {
  const leads = emails.map((email) => ({ email }));
  return done(call("POST", `/campaigns/${id}/leads`, { leads }));
}

/** Holds a recipient's mailbox against what three steps must be; answers who wrote. */
export async function expectThread(
  recipient: string,
  box: readonly Filed[],
): Promise<string | undefined> {
  expect(box).toHaveLength(STEPS);
  const mails = await Promise.all(box.map(({ raw }) => parsed(raw)));
  const [first, second, third] = mails.toSorted(
    (a, b) => a.references.length - b.references.length,
  );
  const [firstId, secondId] = [first?.messageId ?? "", second?.messageId ?? ""];
  const subject = first?.subject ?? "";
  expect(first).toMatchObject({
    subject: expect.stringContaining("Grüße"),
    inReplyTo: null,
    references: [],
  });
  expect(second).toMatchObject({
    ...{ subject: `Re: ${subject}`, inReplyTo: firstId, references: [firstId] },
  });
  expect(third).toMatchObject({
    ...{ subject: `Re: ${subject}`, inReplyTo: secondId, references: [firstId, secondId] },
  });
  expect(new Set(mails.map(({ from }) => from?.address)).size).toBe(1);
  for (const received of mails) {
    expect(received.from?.name).toBe(DISPLAY_NAME);
    expect(received.to).toEqual([recipient]);
    expect(header(received, "list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    const { https, mailto } = optOutOf(received);
    expect(https.pathname).toMatch(/^\/u\/[\w-]+$/);
    expect(mailto.pathname).toBe(received.from?.address ?? "");
    expect(header(received, "content-type")).toStartWith("multipart/alternative");
    expect(received.parts.map(({ type }) => type)).toEqual(["text/plain", "text/html"]);
  }
  expect(first?.text).toContain("Hello there,");
  expect(first?.html).toContain("Hello there,");
  return first?.from?.address;
}

/** Sends an email as somebody who was written to would. */
export async function say(
  port: MailPort,
  from: Mailbox,
  mail: { to: string; subject: string; text: string; answers?: ParsedMail },
): Promise<void> {
  const { to, subject, text, answers } = mail;
  const messageId = `<${crypto.randomUUID()}@people.test>`;
  const thread = answers?.messageId ? [...answers.references, answers.messageId] : [];
  const raw = await composeMessage({
    from: { name: "", address: from.address },
    to: { name: DISPLAY_NAME, address: to },
    ...{ subject, text, html: `<p>${text}</p>`, messageId, headers: [] },
    date: unixMs(Date.now()),
    inReplyTo: thread.at(-1) ?? null,
    references: thread,
  });
  const envelope = { from: from.address, to, raw, messageId };
  expect((await port.send(from, envelope, async () => undefined)).kind).toBe("accepted");
}

/** Copies of a reply by hand, named and not, and an email that is passed on, as they arrive. */
export async function expectCopies(
  mail: MailServer,
  call: Call,
  thread: { id: string; from_address: string },
): Promise<void> {
  const told = (email: string, subject: string) =>
    until(60_000, `${email} gets "${subject}"`, async () => {
      const box = inFolder("INBOX")(await mailsOf(mail, email));
      const mails = await Promise.all(box.map(({ raw }) => parsed(raw)));
      return mails.find((one) => one.subject === subject);
    });
  const [cc, bcc, colleague] = ["u190@load.test", "u191@load.test", "u192@load.test"] as const;
  const path = `/inbox/threads/${thread.id}`;
  const reply = { body: "Tuesday it is.", subject: "Tuesday", cc: [cc], bcc: [bcc] };
  await done(call("POST", `${path}/reply`, reply));
  for (const email of [thread.from_address, cc, bcc]) {
    const got = await told(email, "Tuesday");
    expect(got.to).toEqual([thread.from_address, cc]);
    expect(got.headers.map(({ name }) => name)).not.toContain("bcc");
  }
  await done(call("POST", `${path}/forward`, { to: colleague, body: "Yours?" }));
  const passedOn = await told(colleague, "Fwd: Re: Answers");
  expect(passedOn.text).toContain("Does Tuesday suit you?");
}

/** The two forms of the opt-out that an email offers. */
export function optOutOf(received: ParsedMail): { https: URL; mailto: URL } {
  const value = header(received, "list-unsubscribe") ?? "";
  const [https = "", mailto = ""] = [...value.matchAll(/<([^>]+)>/g)].map(([, url]) => url ?? "");
  return { https: new URL(https), mailto: new URL(mailto) };
}

export function parsed(raw: string): Promise<ParsedMail> {
  return parseMail(new TextEncoder().encode(raw));
}

export async function messageIdOf(raw: string): Promise<string | null> {
  return (await parsed(raw)).messageId;
}

export function inFolder(folder: string): (mails: Filed[]) => Filed[] {
  return (mails) => mails.filter((filed) => filed.folder === folder);
}

/**
 * The limit of sending: nodemailer's low-level connection, one a mailbox, fed messages that are ready.
 * Nothing is chosen, rendered or recorded.
 */

import SMTPConnection from "nodemailer/lib/smtp-connection";
import { unixMs } from "#domain/time.ts";
import { composeMessage } from "#mail/compose.ts";

export interface SendInput {
  /** Of the sink. */
  port: number;
  mailboxes: number;
  messages: number;
  /** For the product's files. */
  directory: string;
}

export interface SendResult {
  /** From the first connection to the last message's acceptance. */
  ms: number;
  /** Processor time in all. */
  cpuUs: number;
}

interface Ready {
  from: string;
  to: string;
  raw: Uint8Array;
}

if (import.meta.main) {
  const input = JSON.parse(process.argv[2] ?? "{}") as SendInput;
  const ready = await readyMessages(input);
  Bun.gc(true);
  const cpu = process.cpuUsage();
  const from = performance.now();
  await Promise.all(
    Array.from({ length: input.mailboxes }, (_, mailbox) =>
      deliver(
        input.port,
        ready.filter((_one, index) => index % input.mailboxes === mailbox),
      ),
    ),
  );
  const ms = performance.now() - from;
  const { user, system } = process.cpuUsage(cpu);
  const result: SendResult = { ms, cpuUs: user + system };
  console.log(JSON.stringify(result));
  process.exit(0);
}

export function readyMessages({ messages, mailboxes }: SendInput): Promise<Ready[]> {
  return Promise.all(Array.from({ length: messages }, (_, index) => compose(index, mailboxes)));
}

/** As long as the product's. */
async function compose(index: number, mailboxes: number): Promise<Ready> {
  const from = `sender${index % mailboxes}@outreach.example`;
  const to = `lead${index}@company.example`;
  const text = "A line of about eighty characters, as a person writes them in a short mail.\n";
  const raw = await composeMessage({
    from: { name: "Ann Sender", address: from },
    to: { name: "First Last", address: to },
    subject: "Company, a question",
    text: text.repeat(5),
    html: `<p>${text.repeat(5)}</p>`,
    messageId: `<${Bun.randomUUIDv7()}@outreach.example>`,
    date: unixMs(0),
    inReplyTo: null,
    references: [],
    headers: [
      { name: "List-Unsubscribe", value: `<https://mail.example.com/u/${"x".repeat(43)}>` },
      { name: "List-Unsubscribe-Post", value: "List-Unsubscribe=One-Click" },
    ],
  });
  return { from, to, raw };
}

async function deliver(port: number, messages: readonly Ready[]): Promise<void> {
  const connection = new SMTPConnection({
    host: "127.0.0.1",
    port,
    name: "[127.0.0.1]",
    secure: false,
    ignoreTLS: true,
  });
  await new Promise<void>((resolve, reject) => {
    connection.on("error", reject);
    connection.connect(() => resolve());
  });
  await new Promise<void>((resolve, reject) => {
    const login = { user: "sender", pass: "a password" };
    connection.login(login, (error) => (error ? reject(error) : resolve()));
  });
  for (const { from, to, raw } of messages) {
    await new Promise<void>((resolve, reject) => {
      connection.send({ from, to: [to], size: raw.length }, Buffer.from(raw), (error) =>
        error ? reject(error) : resolve(),
      );
    });
  }
  connection.close();
}

/**
 * The limit of watching: the library's connections alone, over TLS, each in IDLE. Nothing is stored and
 * nothing is read.
 */

import { readFileSync } from "node:fs";
import { ImapFlow } from "imapflow";

export interface WatchInput {
  host: string;
  /** IMAP over TLS. */
  port: number;
  /** Path of the authority's certificate. */
  ca: string;
  password: string;
  /** Of u1@load.test and those that follow. */
  mailboxes: number;
  /** For the product's files. */
  directory: string;
}

/** Connections that are opened at once. */
const OPENING_MAX = 32;

if (import.meta.main) {
  const input = JSON.parse(process.argv[2] ?? "{}") as WatchInput;
  const ca = readFileSync(input.ca, "utf8");
  const users = Array.from({ length: input.mailboxes }, (_, index) => `u${index + 1}@load.test`);
  for (let start = 0; start < users.length; start += OPENING_MAX) {
    await Promise.all(users.slice(start, start + OPENING_MAX).map((user) => idle(input, user, ca)));
  }
  console.log(JSON.stringify({ port: 0 }));
}

async function idle(input: WatchInput, user: string, ca: string): Promise<void> {
  const client = new ImapFlow({
    host: input.host,
    port: input.port,
    secure: true,
    tls: { ca: [ca] },
    auth: { user, pass: input.password },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
  });
  client.on("error", () => process.exit(1));
  await client.connect();
  await client.mailboxOpen("INBOX", { readOnly: true });
  void client.idle();
}

/** The same messages through nodemailer's own pool: what most programs send with. */

import { createTransport } from "nodemailer";
import { readyMessages, type SendInput, type SendResult } from "./send-limit.ts";

const input = JSON.parse(process.argv[2] ?? "{}") as SendInput;
const ready = await readyMessages(input);
const pool = createTransport({
  pool: true,
  host: "127.0.0.1",
  port: input.port,
  name: "[127.0.0.1]",
  secure: false,
  ignoreTLS: true,
  maxConnections: input.mailboxes,
  maxMessages: Number.POSITIVE_INFINITY,
  auth: { user: "sender", pass: "a password" },
});
Bun.gc(true);
const cpu = process.cpuUsage();
const from = performance.now();
await Promise.all(
  ready.map(({ from: sender, to, raw }) =>
    pool.sendMail({ envelope: { from: sender, to: [to] }, raw: Buffer.from(raw) }),
  ),
);
const ms = performance.now() - from;
const { user, system } = process.cpuUsage(cpu);
const result: SendResult = { ms, cpuUs: user + system };
console.log(JSON.stringify(result));
process.exit(0);

/** Reads and classifies emails as they come back to a campaign, and the same emails parsed alone. */

import PostalMime from "postal-mime";
import { classify } from "#domain/inbox/classify.ts";
import { parseMail } from "#mail/parse.ts";
import type { Sample } from "../measure.ts";

export interface ReaderInput {
  mails: number;
  rounds: number;
}

/** Emails a second. */
export interface ReaderResult {
  ours: Sample[];
  parsed: Sample[];
  /** How many were taken for what they are, of each round. */
  kinds: Record<string, number>;
}

const input = JSON.parse(process.argv[2] ?? "{}") as ReaderInput;
const encoder = new TextEncoder();
const mails = Array.from({ length: input.mails }, (_, index) => encoder.encode(mailAt(index)));
const result: ReaderResult = { ours: [], parsed: [], kinds: {} };
for (let round = 0; round < input.rounds; round += 1) {
  result.kinds = {};
  result.ours.push(
    await perSecond(async (raw) => {
      const { kind } = classify(await parseMail(raw), { addresses: ["ann@outreach.example"] });
      result.kinds[kind] = (result.kinds[kind] ?? 0) + 1;
    }),
  );
  result.parsed.push(await perSecond((raw) => PostalMime.parse(raw)));
}
console.log(JSON.stringify(result));

async function perSecond(read: (raw: Uint8Array) => Promise<unknown>): Promise<Sample> {
  const cpu = process.cpuUsage();
  const from = performance.now();
  for (const raw of mails) {
    await read(raw);
  }
  const ms = performance.now() - from;
  const { user, system } = process.cpuUsage(cpu);
  return { value: (mails.length * 1000) / ms, cpuUs: (user + system) / mails.length };
}

/** In turn an answer with what it answers below, an absence, and a report of a failure. */
function mailAt(index: number): string {
  const id = `<${index}.0190@outreach.example>`;
  const to = "Ann Sender <ann@outreach.example>";
  const lead = `lead${index}@company${index % 97}.example`;
  const date = "Mon, 2 Mar 2026 10:00:00 +0000";
  const head = (from: string, subject: string, ...more: string[]) => [
    "Received: from mx.company.example by mail.outreach.example with ESMTPS; Mon, 2 Mar 2026 10:00:01 +0000",
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Date: ${date}`,
    `Message-ID: <${index}.answer@company.example>`,
    "MIME-Version: 1.0",
    ...more,
  ];
  const quoted = Array.from(
    { length: 12 },
    (_, line) => `> line ${line} of what was written to them`,
  );
  const text = "Content-Type: text/plain; charset=utf-8";
  if (index % 3 === 0) {
    const words = [
      "Hi Ann,",
      "",
      "this sounds good. Could you call me on Tuesday?",
      "",
      "Best, Jo",
    ];
    const lines = [...words, "", `On ${date}, Ann Sender wrote:`, ...quoted];
    return [...head(`Jo <${lead}>`, "Re: Offer", `In-Reply-To: ${id}`, text), "", ...lines].join(
      "\r\n",
    );
  }
  if (index % 3 === 1) {
    const auto = ["Auto-Submitted: auto-replied", `In-Reply-To: ${id}`, text];
    const words = "I am out of the office until 16 March 2026 and will answer when I am back.";
    return [...head(`Jo <${lead}>`, "Automatic reply: Offer", ...auto), "", words].join("\r\n");
  }
  const report = "Content-Type: multipart/report; report-type=delivery-status; boundary=b";
  return [
    ...head("MAILER-DAEMON@mx.company.example", "Undelivered Mail Returned to Sender", report),
    "",
    "--b",
    text,
    "",
    `<${lead}>: host mx.company.example said: 550 5.1.1 User unknown`,
    "--b",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mx.company.example",
    "",
    `Final-Recipient: rfc822; ${lead}`,
    "Action: failed",
    "Status: 5.1.1",
    "Diagnostic-Code: smtp; 550 5.1.1 User unknown",
    "--b",
    "Content-Type: text/rfc822-headers",
    "",
    `Message-ID: ${id}`,
    `To: ${lead}`,
    "--b--",
  ].join("\r\n");
}

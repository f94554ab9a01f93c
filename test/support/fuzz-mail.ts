/** Emails that no sane program sends: mutations of real ones, and hand-made monsters. */

import { readFileSync } from "node:fs";
import { type Classification, classify } from "#domain/inbox/classify.ts";
import { parseMail } from "#mail/parse.ts";
import { CORPUS_DIR, corpusSamples } from "./corpus.ts";

export interface Timed {
  reading: Classification;
  /** Processor time of the whole process meanwhile: never less than what the email took. */
  cpuMs: number;
}

export async function timeOf(raw: Uint8Array): Promise<Timed> {
  const start = process.cpuUsage();
  const reading = classify(await parseMail(raw), { addresses: ["sam@out.test"] });
  const { user, system } = process.cpuUsage(start);
  return { reading, cpuMs: (user + system) / 1000 };
}

export interface FuzzReport {
  failures: string[];
  slowest: { cpuMs: number; seed: string };
  /** How much the heap grew between the first quarter and the end. */
  grownBytes: number;
}

/** An email over the bound is tried again: the collector's and the compiler's time count with it. */
const TRIES = 5;
const FAILURES_MAX = 5;

export async function fuzz(options: {
  mails: number;
  seed: number;
  cpuMsMax: number;
}): Promise<FuzzReport> {
  const seeds = seedMails();
  const report: FuzzReport = { failures: [], slowest: { cpuMs: 0, seed: "" }, grownBytes: 0 };
  let heapBefore = 0;
  for (let at = 0; at < options.mails && report.failures.length < FAILURES_MAX; at += 1) {
    const raw = mutate(seeds, options.seed * 1_000_003 + at);
    try {
      const cpuMs = await leastTime(raw, options.cpuMsMax);
      if (cpuMs > report.slowest.cpuMs) {
        report.slowest = { cpuMs, seed: `${options.seed}:${at}` };
      }
    } catch (error) {
      report.failures.push(
        `${options.seed}:${at}: ${error instanceof Error ? error.stack : error}`,
      );
    }
    if (at === Math.floor(options.mails / 4)) {
      heapBefore = heapBytes();
    }
  }
  report.grownBytes = heapBytes() - heapBefore;
  return report;
}

async function leastTime(raw: Uint8Array, cpuMsMax: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && least > cpuMsMax; tries += 1) {
    least = Math.min(least, (await timeOf(raw)).cpuMs);
  }
  return least;
}

function heapBytes(): number {
  Bun.gc(true);
  return process.memoryUsage().heapUsed;
}

/** The corpus where it is, and always a few of our own. */
function seedMails(): Uint8Array[] {
  const corpus = corpusSamples()
    .filter(({ file }) => file.endsWith(".eml"))
    .map(({ file }) => new Uint8Array(readFileSync(CORPUS_DIR + file)));
  return [
    ...corpus,
    ...MALFORMED.map(({ make }) => make()).filter(({ length }) => length < 65_536),
  ];
}

/** Longer emails are cut, so that a run of many stays short. */
const SEED_BYTES_MAX = 32_768;

function mutate(seeds: readonly Uint8Array[], seed: number): Uint8Array {
  const random = randomOf(seed);
  const pick = (count: number) => Math.floor(random() * count);
  const any = () => (seeds[pick(seeds.length)] ?? new Uint8Array()).subarray(0, SEED_BYTES_MAX);
  let mail = any().slice();
  for (let rounds = 1 + pick(6); rounds > 0; rounds -= 1) {
    const from = pick(mail.length);
    const part = mail.subarray(from, from + pick(400));
    switch (pick(8)) {
      case 0:
        mail = mail.slice(0, from);
        break;
      case 1:
        mail = join(mail.subarray(0, from), mail.subarray(from + part.length));
        break;
      case 2:
        mail = join(mail.subarray(0, from), part, part, part, mail.subarray(from));
        break;
      case 3:
        for (let flips = 0; flips < 20 && mail.length > 0; flips += 1) {
          mail[pick(mail.length)] = pick(256);
        }
        break;
      case 4:
        mail = join(
          mail.subarray(0, from),
          bytes(TOKENS[pick(TOKENS.length)] ?? ""),
          mail.subarray(from),
        );
        break;
      case 5:
        mail = join(mail.subarray(0, from), any().subarray(pick(SEED_BYTES_MAX)));
        break;
      case 6: {
        const token = bytes(TOKENS[pick(TOKENS.length)] ?? "");
        const many = Array.from({ length: 1 + pick(200) }, () => token);
        mail = join(mail.subarray(0, from), ...many, mail.subarray(from));
        break;
      }
      default:
        mail = join(any().subarray(0, from), mail);
    }
  }
  return mail;
}

/** What parsers and patterns stumble over. */
const TOKENS: readonly string[] = [
  "\r\n\r\n",
  "\r\n",
  "\r",
  "\n--b\n",
  "\u0000",
  "\u00ff\u00fe",
  "=?utf-8?B?4pi",
  "=?x-none?Q?=?=",
  "Content-Type: message/delivery-status\r\n",
  "Content-Type: multipart/report; boundary=b\r\n",
  "Content-Transfer-Encoding: base64\r\n",
  "Status: 5.1.1\r\n",
  "Final-Recipient: rfc822; \r\n",
  "Action: failed\r\n",
  "On Mon, Ada wrote:\n",
  "> > > > ",
  "From: \r\n",
  "a@b.c,",
  "<<<<<<",
  "550 5.1.1 ",
  "back on 31/2 until ",
  "1.1.1.1.1.1",
  "user unknown user unknown ",
  "not deliver ",
  "に戻ります3月",
  '{"notificationType":"Bounce","',
  "   \t  \t ",
  "-----------------",
];

/** Mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function join(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}

const HEAD = "From: ada@example.com\r\nTo: sam@out.test\r\nSubject: x\r\nMIME-Version: 1.0\r\n";
const DAEMON = "Return-Path: <>\r\nFrom: MAILER-DAEMON@example.com\r\nSubject: Returned mail\r\n";

function nested(depth: number): string {
  return `${HEAD}${"Content-Type: message/rfc822\r\n\r\n".repeat(depth)}From: x@y.z\r\n\r\nend`;
}

function nestedParts(depth: number): string {
  const open = Array.from({ length: depth }, (_, at) => {
    return `Content-Type: multipart/mixed; boundary="b${at}"\r\n\r\n--b${at}\r\n`;
  });
  return `${HEAD}${open.join("")}Content-Type: text/plain\r\n\r\nend`;
}

/** Every monster of the list of bad input, and of the ones behind known faults of other parsers. */
export const MALFORMED: readonly { name: string; make: () => Uint8Array }[] = [
  { name: "nothing", make: () => bytes("") },
  { name: "only line ends", make: () => bytes("\r\n".repeat(1000)) },
  { name: "only zeros", make: () => new Uint8Array(10_000) },
  { name: "headers without an end", make: () => bytes("Subject: x\r\nFrom: a@b.c") },
  { name: "a line of 10 MB", make: () => bytes(`${HEAD}\r\n${"a".repeat(10_000_000)}`) },
  {
    name: "a line of 1 MB of phrases",
    make: () => bytes(`${DAEMON}\r\n${"user not ".repeat(110_000)}`),
  },
  { name: "a header of 1 MB", make: () => bytes(`Subject: ${"x ".repeat(500_000)}\r\n\r\nhi`) },
  {
    name: "20,000 headers",
    make: () => bytes(`${"X-Header: value\r\n".repeat(20_000)}${HEAD}\r\nhello`),
  },
  { name: "a message nested 100 deep", make: () => bytes(nested(100)) },
  { name: "parts nested 100 deep", make: () => bytes(nestedParts(100)) },
  {
    name: "20,000 empty parts",
    make: () =>
      bytes(
        `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${"--b\r\n\r\n".repeat(20_000)}`,
      ),
  },
  {
    name: "an empty delivery-status",
    make: () =>
      bytes(
        `${DAEMON}Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n--b--\r\n`,
      ),
  },
  {
    name: "a delivery-status of 20,000 groups",
    make: () =>
      bytes(
        `${DAEMON}Content-Type: message/delivery-status\r\n\r\n${"Action: failed\r\nStatus: 5.1.1\r\n\r\n".repeat(20_000)}`,
      ),
  },
  {
    name: "an unknown charset",
    make: () => bytes(`${HEAD}Content-Type: text/plain; charset=x-none\r\n\r\nhi`),
  },
  {
    name: "the wrong charset",
    make: () =>
      join(
        bytes(`${HEAD}Content-Type: text/plain; charset=utf-8\r\n\r\n`),
        new Uint8Array([0xff, 0xc3, 0x28, 0xe4]),
      ),
  },
  {
    name: "broken base64",
    make: () => bytes(`${HEAD}Content-Transfer-Encoding: base64\r\n\r\n****====A`),
  },
  {
    name: "raw 8-bit headers",
    make: () => join(bytes("Subject: "), new Uint8Array([0xe4, 0xf6, 0xfc]), bytes("\r\n\r\nx")),
  },
  { name: "bare carriage returns", make: () => bytes("From: a@b.c\rSubject: x\r\rhello\r") },
  {
    name: "boundaries that never come",
    make: () => bytes(`${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\nno parts here`),
  },
  {
    name: "a boundary without a name",
    make: () => bytes(`${HEAD}Content-Type: multipart/mixed\r\n\r\n--\r\nx`),
  },
  {
    name: "200,000 quoted lines",
    make: () => bytes(`${HEAD}\r\n${"> quoted\r\n".repeat(100_000)}`),
  },
  {
    name: "100,000 attributions",
    make: () => bytes(`${HEAD}\r\n${"On Monday Ada\r\n".repeat(60_000)}`),
  },
  {
    name: "100,000 dates",
    make: () => bytes(`${HEAD}Auto-Submitted: auto-replied\r\n\r\n${"until 5/3 ".repeat(100_000)}`),
  },
  {
    name: "100,000 addresses",
    make: () =>
      bytes(`${DAEMON}To: ${"a@b.c, ".repeat(30_000)}\r\n\r\n${"a@b.co ".repeat(100_000)}`),
  },
  {
    name: "a megabyte of HTML tags",
    make: () => bytes(`${HEAD}Content-Type: text/html\r\n\r\n${"<div><b>".repeat(120_000)}`),
  },
  { name: "blanks without end", make: () => bytes(`${HEAD}\r\n${" \t".repeat(400_000)}x`) },
  {
    name: "brackets without end",
    make: () => bytes(`References: ${"<".repeat(100_000)}\r\n\r\n${"<a@".repeat(100_000)}`),
  },
  {
    name: "encoded words without end",
    make: () => bytes(`Subject: ${"=?utf-8?Q?a?= ".repeat(50_000)}\r\n\r\nx`),
  },
];

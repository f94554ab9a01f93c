/** Guarantees of `mail/parse.ts`: it reads what can be read, within bounds, and never throws. */

import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import {
  HEADERS_MAX,
  IDS_MAX,
  LINES_MAX,
  PART_CHARS_MAX,
  PARTS_MAX,
  parseMail,
  TEXT_CHARS_MAX,
} from "#mail/parse.ts";
import { RAW_BYTES_MAX } from "#platform/ports/mail.ts";

const bytes = (...lines: readonly string[]) => Buffer.from(lines.join("\r\n"), "latin1");

test("a bounce: its parts as text, in order, with what it is about", async () => {
  const mail = await parseMail(
    bytes(
      "From: Mail Delivery System <MAILER-DAEMON@mx.test>",
      "To: Ada@Out.test, Team: bob@out.test, eve@out.test;",
      "Cc: carol@out.test",
      "Delivered-To: <ada+k3@out.test>",
      "X-Original-To: ada+k3@out.test",
      "Subject: =?utf-8?Q?Unzustellbar:_Gr=C3=BC=C3=9Fe?=",
      "Message-ID: <d1@mx.test>",
      "In-Reply-To: your mail of yesterday <m1@out.test>",
      "References: <m0@out.test>\r\n <m1@out.test>",
      "Date: Mon, 2 Mar 2026 10:30:00 +0100",
      "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
      "",
      "--b",
      "Content-Type: text/plain",
      "",
      "It could not be delivered.",
      "--b",
      "Content-Type: message/delivery-status",
      "",
      "Final-Recipient: rfc822; x@bounce.test",
      "Status: 5.1.1",
      "--b",
      "Content-Type: message/rfc822",
      "",
      "Message-ID: <m1@out.test>",
      "",
      "Hello",
      "--b--",
    ),
  );
  expect(mail).toMatchObject({
    messageId: "<d1@mx.test>",
    inReplyTo: "<m1@out.test>",
    references: ["<m0@out.test>", "<m1@out.test>"],
    from: { name: "Mail Delivery System", address: "mailer-daemon@mx.test" },
    replyTo: null,
    to: ["ada@out.test", "bob@out.test", "eve@out.test", "carol@out.test"],
    deliveredTo: ["ada+k3@out.test"],
    subject: "Unzustellbar: Grüße",
    html: null,
    truncated: false,
  });
  expect(mail.date).toBe(Date.UTC(2026, 2, 2, 9, 30) as typeof mail.date);
  expect(mail.text.trim()).toBe("It could not be delivered.");
  expect(mail.parts.map(({ type }) => type)).toEqual([
    "text/plain",
    "message/delivery-status",
    "message/rfc822",
  ]);
  expect(mail.parts[1]?.content).toContain("Status: 5.1.1");
  expect(mail.parts[2]?.content).toContain("Message-ID: <m1@out.test>");
});

test("HTML alone gives text without pictures and addresses of links", async () => {
  const html =
    '<style>p{}</style><p>Not <b>now</b>, see <a href="https://x.test">this</a><img src=x>';
  const mail = await parseMail(bytes("Content-Type: text/html", "", html));
  expect(mail.text.trim()).toBe("Not now, see this");
  expect(mail.html).toContain("<b>now</b>");
});

describe("what real email gets wrong", () => {
  test.each([
    ["empty lines first", bytes("", "", "Subject: Hi", "", "x"), "Hi"],
    ["8-bit headers of Windows", bytes("Subject: Gr\u00fc\u00dfe", "", "x"), "Grüße"],
    ["8-bit headers in UTF-8", Buffer.from("Subject: Grüße\r\n\r\nx"), "Grüße"],
    ["line feeds alone", Buffer.from("Subject: Hi\n\nx"), "Hi"],
    ["two carriage returns a line", Buffer.from("X: 1\r\r\nSubject: Hi\r\r\n\r\r\nx"), "Hi"],
    ["no body", bytes("Subject: Hi"), "Hi"],
    ["a folded subject", bytes("Subject: a\r\n\t b", "", "x"), "a b"],
    ["nothing at all", new Uint8Array(), ""],
  ])("%s", async (_name, raw, subject) => {
    expect((await parseMail(raw)).subject).toBe(subject);
  });

  test.each([
    ["Message-ID: bare@id.test", "<bare@id.test>"],
    ["Message-ID: <a@b.test> (comment)", "<a@b.test>"],
    ["Message-ID: none", null],
    ["Date: soon", null],
    ["Date: Sat, 13 Sep 275760 00:00:00 +0000", null],
    ["Date: Wed, 31 Dec 1969 23:59:59 +0000", null],
  ])("%s", async (line, messageId) => {
    const mail = await parseMail(bytes(line, "", "x"));
    expect(mail.messageId).toBe(messageId);
    expect(mail.date).toBeNull();
  });
});

/** As Python's `email` reads them, and as the emails of sisimai's set are: its folder `mac`. */
describe("lines that end in a carriage return alone", () => {
  const folder = join(import.meta.dir, "../../bench/classify/c/emails");
  const emails = readdirSync(folder).map((file) => readFileSync(join(folder, file), "latin1"));
  const asLines = (email: string, end: string) =>
    Buffer.from(email.replaceAll(/\r?\n/g, end), "latin1");

  test("every email says the same", async () => {
    for (const email of emails) {
      expect(await parseMail(asLines(email, "\r"))).toEqual(await parseMail(asLines(email, "\n")));
    }
    expect(emails.length).toBeGreaterThan(300);
  });

  test("nor does it matter that a server has put its own lines in front and behind", async () => {
    for (const email of emails) {
      const received = "Received: from x.test by y.test; Mon, 2 Mar 2026 10:30:00 +0100";
      const whole = [`${received}\r\n`, asLines(email, "\r"), "\r\n"].map((one) =>
        Buffer.from(one),
      );
      const { headers, ...rest } = await parseMail(Buffer.concat(whole));
      const { headers: own, ...same } = await parseMail(asLines(email, "\n"));
      expect(rest).toEqual(same);
      expect(headers.slice(1)).toEqual([...own]);
    }
  });

  test("a megabyte of them ends", async () => {
    for (const end of ["", "\n"]) {
      const { subject } = await parseMail(
        Buffer.from(`Subject: Hi\r${"\r".repeat(1 << 20)}${end}`),
      );
      expect(subject).toBe("Hi");
    }
  });

  test("one in the body of an email with usual headers begins no line that could be a boundary", async () => {
    const part = ["--b", "Content-Type: text/plain", "", "x\r--b\r\ry", "--b--"];
    const mail = await parseMail(bytes("Content-Type: multipart/mixed; boundary=b", "", ...part));
    expect(mail.parts).toHaveLength(1);
  });
});

describe("bounds", () => {
  const nested = (depth: number) =>
    Array.from({ length: depth }, (_, index) => [
      `Content-Type: multipart/mixed; boundary=b${index}`,
      "",
      `--b${index}`,
    ]).flat();

  test.each([
    ["parts without end", bytes(...nested(1_000), "Content-Type: text/plain", "", "x")],
    ["headers without end", bytes("Subject: Hi", `X: ${"y".repeat(700_000)}`, "", "x")],
    ["headers cut off", bytes("Subject: Hi", `X: ${"y".repeat(RAW_BYTES_MAX)}`)],
  ])("%s: the headers are read, and the rest is said to be cut", async (_name, raw) => {
    const withSubject = Buffer.concat([Buffer.from("Subject: Hi\r\n"), raw]);
    const mail = await parseMail(withSubject);
    expect(mail.subject).toBe("Hi");
    expect(mail.truncated).toBe(true);
  });

  test("long text, many parts, headers and references are cut", async () => {
    const part = ["--b", "Content-Type: text/x-part", "", "y".repeat(PART_CHARS_MAX / 10)];
    const mail = await parseMail(
      bytes(
        ...new Array<string>(HEADERS_MAX + 1).fill("X-Many: 1"),
        `References: ${"<r@out.test> ".repeat(IDS_MAX * 2)}`,
        "Content-Type: multipart/mixed; boundary=b",
        "",
        "--b",
        "",
        "x".repeat(TEXT_CHARS_MAX + 1),
        ...new Array<string[]>(PARTS_MAX + 1).fill(part).flat(),
        "--b--",
      ),
    );
    expect(mail.text).toHaveLength(TEXT_CHARS_MAX);
    expect(mail.parts).toHaveLength(PARTS_MAX);
    expect(mail.headers).toHaveLength(HEADERS_MAX);
    expect(mail.references).toHaveLength(IDS_MAX);
    expect(mail.truncated).toBe(true);
  });

  test("an email of 1 MiB of one line, of boundaries, of brackets ends", async () => {
    for (const filler of ["x", "<", "--b\r\n", "=?utf-8?Q?=", "<div>", "\r\n"]) {
      const body = filler.repeat(RAW_BYTES_MAX / filler.length);
      for (const type of ["text/html", "multipart/mixed; boundary=b"]) {
        const mail = await parseMail(bytes(`Content-Type: ${type}`, "Subject: Hi", "", body));
        expect(mail.subject).toBe("Hi");
      }
    }
  });

  test("no more lines are read than the bound", async () => {
    const mail = await parseMail(bytes("Subject: Hi", "", "x\n".repeat(LINES_MAX)));
    expect(mail.text.match(/x/g)).toHaveLength(LINES_MAX - 2);
    expect(mail.truncated).toBe(true);
  });
});

test("no bytes make it throw, and every word it gives is well formed", async () => {
  const line = fc.oneof(
    fc.constantFrom(
      "Content-Type: multipart/alternative; boundary=b",
      "Content-Type: message/rfc822",
      "Content-Type: text/html; charset=utf-7",
      "Content-Transfer-Encoding: base64",
      "Subject: =?gb2312?B?////?=",
      'From: <<a@b>>, "',
      "--b",
      "--b--",
      "",
    ),
    fc.string({ unit: "binary" }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 30 }), fc.uint8Array(), async (lines, tail) => {
      const mail = await parseMail(Buffer.concat([Buffer.from(lines.join("\r\n")), tail]));
      expect(JSON.stringify(mail).isWellFormed()).toBe(true);
      expect(mail.subject).not.toMatch(/[\r\n]/);
    }),
    { numRuns: 300 },
  );
});

const CORPUS = join(import.meta.dir, "../../../shared/mailcorpus");
const hasCorpus = existsSync(CORPUS);

test.skipIf(!hasCorpus)(
  `collected mail parses, with its sender and its report${hasCorpus ? "" : " (skipped: no corpus)"}`,
  async () => {
    const files = readdirSync(CORPUS, { recursive: true, encoding: "utf8" })
      .map((name) => join(CORPUS, name))
      .filter((path) => path.endsWith(".eml"));
    let withSender = 0;
    for (const path of files) {
      const mail = await parseMail(readFileSync(path));
      withSender += mail.from === null ? 0 : 1;
      expect(mail.truncated && statSync(path).size < PART_CHARS_MAX).toBe(false);
    }
    expect(files.length).toBeGreaterThan(300);
    expect(withSender / files.length).toBeGreaterThan(0.7);
  },
);

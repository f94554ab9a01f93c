/**
 * Guarantees of `mail/compose.ts` and `mail/parse.ts`: what goes in comes out, and nothing more.
 */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { unixMs } from "#domain/time.ts";
import {
  composeMessage,
  headerValue,
  mailDate,
  type OutgoingMessage,
  REFERENCES_MAX,
  treeOf,
} from "#mail/compose.ts";
import { parseMail } from "#mail/parse.ts";
import dates from "../fixtures/mail-dates.json";

interface MailDate {
  zone: string;
  ms: number;
  shown: string;
}

const BASE: OutgoingMessage = {
  from: { name: "Ada Example", address: "ada@out.test" },
  to: { name: "Bob", address: "bob@acme.test" },
  subject: "Hello",
  text: "Hello Bob,\n\nyours\n-- \nAda\n",
  html: "<p>Hello Bob</p>",
  messageId: "<m1@out.test>",
  date: unixMs(Date.UTC(2026, 2, 1, 9, 30)),
  inReplyTo: null,
  references: [],
};

const decoder = new TextDecoder();

describe("composeMessage", () => {
  test("the same input gives the same bytes, with CRLF alone", async () => {
    const [first, second] = [await composeMessage(BASE), await composeMessage(BASE)];
    expect(first).toEqual(second);
    expect(decoder.decode(first).replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  });

  test("names no program, and says what an email of a person says", async () => {
    const raw = decoder.decode(await composeMessage(BASE));
    expect(raw.slice(0, raw.indexOf("\r\n\r\n")).split("\r\n").toSorted()).toEqual([
      ' boundary="=_-61dac87d4a52499a580b8ef5-Part_1"',
      "Content-Type: multipart/alternative;",
      "Date: Sun, 01 Mar 2026 09:30:00 +0000",
      "From: Ada Example <ada@out.test>",
      "MIME-Version: 1.0",
      "Message-ID: <m1@out.test>",
      "Subject: Hello",
      "To: Bob <bob@acme.test>",
    ]);
  });

  test("one-click headers arrive as they are, the first word beside the name", async () => {
    const url = `<https://out.test/u/${"a".repeat(150)}>`;
    const value = `${url}, <mailto:u+${"b".repeat(40)}@out.test?subject=unsubscribe>`;
    const headers = [
      { name: "List-Unsubscribe", value },
      { name: "List-Unsubscribe-Post", value: "List-Unsubscribe=One-Click" },
    ];
    const raw = await composeMessage({ ...BASE, headers });
    const parsed = await parseMail(raw);
    expect(decoder.decode(raw)).toContain(`List-Unsubscribe: ${url},\r\n <mailto:`);
    expect(parsed.headers.slice(0, 2)).toEqual([
      { name: "list-unsubscribe", value },
      { name: "list-unsubscribe-post", value: "List-Unsubscribe=One-Click" },
    ]);
  });

  test("a message without HTML is plain text alone", async () => {
    const parsed = await parseMail(await composeMessage({ ...BASE, html: "" }));
    expect(parsed.html).toBeNull();
    expect(parsed.parts.map((part) => part.type)).toEqual(["text/plain"]);
  });

  test("a domain of other scripts goes out in ASCII", async () => {
    const to = { name: "Bücher", address: "leser@bücher.example" };
    const parsed = await parseMail(await composeMessage({ ...BASE, to }));
    expect(parsed.to).toEqual(["leser@xn--bcher-kva.example"]);
  });

  test("a long thread keeps its first and its newest references", async () => {
    const references = Array.from({ length: 200 }, (_, index) => `<r${index}@out.test>`);
    const parsed = await parseMail(await composeMessage({ ...BASE, references }));
    expect(parsed.references).toHaveLength(REFERENCES_MAX);
    expect(parsed.references[0]).toBe("<r0@out.test>");
    expect(parsed.references.at(-1)).toBe("<r199@out.test>");
  });

  test.each(["X Y", "X:", "X\r\nY", "", "Ä"])("the header name %p is a bug of ours", (name) => {
    expect(composeMessage({ ...BASE, headers: [{ name, value: "v" }] })).rejects.toThrow();
  });
});

describe("no value reaches beyond its own header", () => {
  const INJECTIONS = [
    "a\r\nBcc: evil@evil.test",
    "a\nBcc: evil@evil.test",
    "a\rBcc: evil@evil.test",
    "a\u0000\r\n\r\nbody",
    "a\u2028Bcc: evil@evil.test",
    "a\u0085Bcc: evil@evil.test",
  ];

  test.each(INJECTIONS)("%p", async (evil) => {
    const person = { name: evil, address: `x@out.test${evil}` };
    const raw = await composeMessage({
      ...BASE,
      from: { name: evil, address: "ada@out.test" },
      to: { name: evil, address: "bob@acme.test" },
      replyTo: person,
      subject: evil,
      messageId: `<m1@out.test>${evil}`,
      inReplyTo: `<p@out.test>${evil}`,
      references: [`<p@out.test>${evil}`],
      headers: [{ name: "X-Note", value: evil }],
    });
    const parsed = await parseMail(raw);
    const names = parsed.headers.map((entry) => entry.name).toSorted();
    expect(names).toEqual([
      "content-type",
      "date",
      "from",
      "in-reply-to",
      "message-id",
      "mime-version",
      "references",
      "reply-to",
      "subject",
      "to",
      "x-note",
    ]);
    expect(parsed.to).toEqual(["bob@acme.test"]);
    expect(parsed.text.trim()).toBe(BASE.text.trim());
  });

  test("headerValue leaves one line of whatever it is given", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        expect(headerValue(value)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        expect(headerValue(value).isWellFormed()).toBe(true);
      }),
    );
  });
});

test("mailDate is the date of RFC 5322", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Date.UTC(2099, 0) / 1000 }), (seconds) => {
      const shown = mailDate(unixMs(seconds * 1000));
      expect(Date.parse(shown)).toBe(seconds * 1000);
      expect(shown).toMatch(/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d \+0000$/);
    }),
  );
});

test.each(dates.dates.map(([zone, ms, shown]) => ({ zone, ms, shown }) as MailDate))(
  "$shown in $zone, as Python's zoneinfo and email.utils write it",
  ({ zone, ms, shown }) => {
    expect(mailDate(unixMs(ms), zone)).toBe(shown);
  },
);

test("an email's Date shows the clock of its mailbox", async () => {
  const raw = decoder.decode(await composeMessage({ ...BASE, timezone: "America/New_York" }));
  expect(raw).toContain("Date: Sun, 01 Mar 2026 04:30:00 -0500");
});

test("composing and parsing give the message back", async () => {
  await fc.assert(
    fc.asyncProperty(anyMessage(), async (message) => {
      const parsed = await parseMail(await composeMessage(message));

      expect(parsed.messageId).toBe(message.messageId);
      expect(parsed.inReplyTo).toBe(message.inReplyTo);
      expect(parsed.references).toEqual(message.references);
      expect(parsed.date).toBe(message.date);
      expect(parsed.subject).toBe(squeezed(headerValue(message.subject)));
      expect(parsed.from?.address).toBe(message.from.address);
      expect(parsed.from?.name).toBe(squeezed(headerValue(message.from.name)));
      expect(parsed.to).toEqual([message.to.address]);
      expect(lines(parsed.text)).toEqual(lines(message.text));
      expect(lines(parsed.html ?? "")).toEqual(lines(message.html));
      expect(parsed.truncated).toBe(false);
    }),
    { numRuns: 300 },
  );
});

test("a message is what the library's streams make of it, byte for byte", async () => {
  const composed = async (message: OutgoingMessage) => {
    const [ours, theirs] = [await composeMessage(message), await treeOf(message).build()];
    expect(decoder.decode(ours)).toBe(decoder.decode(theirs));
  };
  await fc.assert(fc.asyncProperty(anyMessage(), composed), { numRuns: 300 });
  await fc.assert(fc.asyncProperty(plainMessage(), composed), { numRuns: 200 });
  for (const text of ["", " ", "\n", "a \t", "é".repeat(300), "=".repeat(300), "a\rb\n\nc"]) {
    await composed({ ...BASE, text });
    await composed({ ...BASE, text, html: "" });
    await composed({ ...BASE, text, html: text });
  }
});

/** Runs of white space count as one, as readers of headers show them. */
function squeezed(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Lines, whatever ends them; a line end after the last one carries no meaning. */
function lines(text: string): string[] {
  return text.toWellFormed().replace(/\r\n?/g, "\n").replace(/\n+$/, "").split("\n");
}

/** ASCII alone, as most email of business is, with now and then something that a header has to quote. */
function plainMessage(): fc.Arbitrary<OutgoingMessage> {
  const text = (units: string, maxLength: number) =>
    fc.string({ unit: fc.constantFrom(...units), minLength: 1, maxLength });
  const words = (units: string, longest: number) =>
    fc.array(text(units, longest), { maxLength: 8 }).map((all) => all.join(" "));
  const ASCII = String.fromCharCode(...Array.from({ length: 94 }, (_, place) => 33 + place));
  const odd = fc.constantFrom("", "=?utf-8?Q?a?=", "(a) b", '"a" b', "a, b", "a  b", "a:b;c", "-");
  const name = fc.oneof({ weight: 5, arbitrary: words("AaZz09", 20) }, odd);
  const subject = fc.oneof({ weight: 5, arbitrary: words(ASCII, 90) }, odd);
  const address = fc
    .tuple(text("Aaz09_-", 30), fc.constantFrom("", ".b", "+C"), text("az09", 30))
    .map(([first, second, domain]) => `${first}${second}@${domain}.test`);
  const id = text("AZaz09._+@-", 90).map((given) => `<${given}>`);
  const person = fc.record({ name, address });
  const line = fc.oneof(words(ASCII, 80), fc.string({ unit: "binary-ascii", maxLength: 90 }));
  const body = fc.array(line, { maxLength: 6 }).map((all) => all.join("\n"));
  const header = fc.record({
    name: fc.constantFrom("List-Unsubscribe", "List-Unsubscribe-Post", "X-Mine"),
    value: fc.oneof(words(ASCII, 90), odd).filter((value) => value !== ""),
  });
  return fc.record({
    from: person,
    to: person,
    subject,
    text: body,
    html: body,
    messageId: id,
    date: fc.constant(BASE.date),
    inReplyTo: fc.option(id),
    references: fc.array(id, { maxLength: 8 }),
    headers: fc.uniqueArray(header, { selector: (one) => one.name, maxLength: 3 }),
  });
}

function anyMessage(): fc.Arbitrary<OutgoingMessage> {
  // "=?" would be an encoded word in any email, whoever wrote it.
  const words = fc
    .string({ unit: "grapheme", maxLength: 200 })
    .map((text) => text.replaceAll("=?", "= ?"));
  const body = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 2_000 }),
    fc.string({ unit: "binary", maxLength: 500 }),
    fc.lorem({ mode: "sentences" }),
  );
  const local = fc.stringMatching(/^[a-z][a-z0-9]{0,20}$/);
  const id = fc.uuid().map((uuid) => `<${uuid}@out.test>`);
  const person = fc.record({ name: words, address: local.map((name) => `${name}@acme.test`) });
  return fc.record({
    from: person,
    to: person,
    subject: words,
    text: body,
    html: body.filter((text) => text.trim() !== "").map((text) => `<p>${text}</p>`),
    messageId: id,
    date: fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => unixMs(seconds * 1000)),
    inReplyTo: fc.option(id),
    references: fc.array(id, { maxLength: 10 }),
  });
}

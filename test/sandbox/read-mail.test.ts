/** Guarantees of `sandbox/read-mail.ts`: what our composer writes is read back; nothing makes it throw. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { composeMessage } from "#mail/compose.ts";
import { parseMail } from "#mail/parse.ts";
import { headerOf, mailboxOf, readHeaders, readMail } from "#sandbox/read-mail.ts";
import { message, START } from "./support.ts";

test("a composed message is read as the product's parser reads it", async () => {
  const anyText = fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(anyText, anyText, anyText, async (subject, text, name) => {
      const raw = await composeMessage({
        from: { name, address: "ann@acme.test" },
        to: { name: "", address: "ada@example.com" },
        subject,
        text,
        html: `<p>${text}</p>`,
        messageId: "<m1@acme.test>",
        date: START,
        inReplyTo: null,
        references: [],
      });
      const expected = await parseMail(raw);
      const mail = readMail(raw);
      const subjectRead = headerOf(mail, "subject") ?? "";
      expect(subjectRead.replace(/\s+/g, " ").trim()).toBe(expected.subject);
      expect(mail.text.trimEnd()).toBe(expected.text.replace(/\r\n/g, "\n").trimEnd());
      expect(mail.html?.replace(/\r\n/g, "\n").trimEnd()).toBe(
        expected.html?.replace(/\r\n/g, "\n").trimEnd() ?? "",
      );
      expect(headerOf(readHeaders(raw), "message-id")).toBe("<m1@acme.test>");
    }),
    { numRuns: 150 },
  );
});

test("a blank at which a line was broken on the way is still there", () => {
  const head =
    "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable";
  const read = (body: string) => readMail(Buffer.from(`${head}\r\n\r\n${body}`)).text;
  expect(read("what we said about the =\r\nnext steps")).toBe("what we said about the next steps");
  expect(read("what we said about the= \r\n next steps")).toBe("what we said about the next steps");
});

describe("whatever the bytes", () => {
  test("something is read", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (raw) => {
        expect(typeof readMail(raw).text).toBe("string");
      }),
    );
  });

  test("a damaged message is read as far as it goes", () => {
    const { raw } = message("ada@example.com", { body: "one\r\ntwo" });
    fc.assert(
      fc.property(fc.nat({ max: raw.length }), fc.nat({ max: 255 }), (at, byte) => {
        const damaged = Uint8Array.from(raw);
        damaged[at] = byte;
        expect(typeof readMail(damaged.subarray(0, at + 50)).text).toBe("string");
      }),
    );
  });

  test("parts nested without end are not followed without end", () => {
    const nested = "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n".repeat(5_000);
    expect(readMail(Buffer.from(nested)).text).toBe("");
  });
});

test.each([
  ['"Ada Lovelace" <ada@example.com>', { name: "Ada Lovelace", address: "ada@example.com" }],
  ['"O\\"Neil" <o@example.com>', { name: 'O"Neil', address: "o@example.com" }],
  ["ada@example.com", { name: "", address: "ada@example.com" }],
  ["nobody", null],
  [null, null],
])("%p is a mailbox", (value, expected) => {
  expect(mailboxOf(value)).toEqual(expected);
});
